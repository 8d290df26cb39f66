"""The MCP server: memory as tools for any host that speaks the Model Context Protocol (extra ``server``)."""
