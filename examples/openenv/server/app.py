"""Multiplicity on an OpenEnv server: `uvicorn server.app:app`."""

from numduel.agents.openenv import server

# Whoever begins can win, so that the oracle gets all that there is to be had.
app = server("multiplicity", size=50, seat=1, opponent="medium", rewards="both")
