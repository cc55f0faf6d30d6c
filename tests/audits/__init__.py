"""Audits that others wrote, run against this server, and of the packages that it is made of."""
