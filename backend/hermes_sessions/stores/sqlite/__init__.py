"""The store of a profile in SQLite: its connections, its questions, its changes."""
