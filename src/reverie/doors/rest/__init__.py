"""REST: the client's verbs over HTTP, ``reverie serve``."""
