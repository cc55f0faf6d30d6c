"""Who is let in, and what hostile contents, names, files and requests cannot do."""
