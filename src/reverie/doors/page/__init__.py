"""Page: look into the memory with a browser, and correct it; served by ``reverie serve`` at ``/``."""
