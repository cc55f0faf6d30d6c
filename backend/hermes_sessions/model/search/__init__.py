"""Full-text search, as far as it needs no database: words, where they stand, hits, snippets."""
