"""Which messages of a SQLite store hold the words of a search.

Hermes' indexes are asked where they can tell, rows are read where they cannot. An index of words knows words from
their start, a trigram index knows any three characters; neither knows punctuation, nor what JSON hides behind its
escapes. So an index gives two kinds of rows: those that are certain, and those that may hold the words and are read
to find out. Everything goes from the newest message backwards (or from the oldest forwards), within a limit of rows
and of time; what was not reached is said in words.
"""
