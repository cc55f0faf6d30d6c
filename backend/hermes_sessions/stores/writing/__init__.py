"""New rows of sessions, messages and usage, as Hermes itself writes them."""
