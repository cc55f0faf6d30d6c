"""Endurance: servers beside the agent and a foreign program, under steady load, for as long as one likes."""
