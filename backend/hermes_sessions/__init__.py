"""Read, find, shape and clean up the conversation sessions of the Hermes agent."""
