"""What comes into a store: files read piece by piece, and the plan of what is taken."""
