"""A Hermes home for people who have none: `make_demo` and what it gives back."""

from hermes_sessions.demo.home import DemoSummary, ProfileSummary, make_demo

__all__ = ["DemoSummary", "ProfileSummary", "make_demo"]
