"""What a session, a conversation, a kind, a total and a prefix mean. Pure values and functions: no I/O."""
