"""LangGraph's stores."""
