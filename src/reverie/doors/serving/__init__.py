"""Serving: what the servers over HTTP share: the port, its names, slow clients, the end."""
