"""Write the configuration of coding agents, so that they call our hooks and our MCP server."""
