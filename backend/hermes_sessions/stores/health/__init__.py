"""Facts about a store and its file, found without changing either."""
