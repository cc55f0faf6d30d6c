"""Rows that come from elsewhere: from files, and from other profiles."""
