"""What is written anew: sessions, forks, messages and usage, checked and encoded as Hermes encodes them."""
