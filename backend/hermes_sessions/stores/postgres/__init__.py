"""Stores in PostgreSQL, for teams that outgrow one machine."""
