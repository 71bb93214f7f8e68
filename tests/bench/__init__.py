"""Speed and memory, run by hand: ``python -m tests.bench``."""
