"""Memory for agent frameworks: each module needs its framework, and imports it when it is imported itself."""
