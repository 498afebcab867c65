"""The setup of the rooms that tests open, and the names of their pupils."""

from numduel.games import new
from numduel.web.duels.terms import agree

NAMES = ("Ada", "Max", "Mia", "Tom")
SETUP = agree(new("divisor-line", size=10), ("human", "human")).terms.setup
