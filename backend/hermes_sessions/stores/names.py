"""Names of tables and columns in SQL."""


def quoted(name: str) -> str:
    """As SQL reads it, whatever is in it. Columns, and tables of full-text indexes, are named by the store, and what a
    store holds may be hostile: a quotation mark in a name must not end it."""
    return '"' + name.replace('"', '""') + '"'
