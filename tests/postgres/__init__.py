"""The store in PostgreSQL, on a real server."""
