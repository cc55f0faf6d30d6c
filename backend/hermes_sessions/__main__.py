"""`python -m hermes_sessions`."""

from hermes_sessions.cli import main

main()
