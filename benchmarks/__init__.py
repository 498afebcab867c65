"""Benchmarks: `make bench`. They print ratios, since absolute times mean little elsewhere."""
