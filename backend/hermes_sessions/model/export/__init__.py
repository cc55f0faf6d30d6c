"""Exports: what goes into one, and a writer for each format. Pure: rows are handed in page by page."""
