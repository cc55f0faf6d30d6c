"""The benchmark: what the API costs above a floor, on one store, in one run."""
