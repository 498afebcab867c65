"""Step along divisors and multiples to numbers never used before: Multiplicity."""
