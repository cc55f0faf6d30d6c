"""How a store is: facts that were found, findings that were judged from them, and the report."""
