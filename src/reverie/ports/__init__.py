"""The protocols that the services speak to; their docstrings are the specification."""
