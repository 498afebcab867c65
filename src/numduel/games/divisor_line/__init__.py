"""Claim numbers on a line until some of yours are related: Divisor Line."""
