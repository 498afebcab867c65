"""Multiplicity on an OpenEnv server: `uvicorn server.app:app`."""

from numduel.agents.openenv import server

# The first player can win, so that the oracle gets the full reward.
app = server("multiplicity", size=50, seat=1, opponent="medium", rewards="both")
