"""`python -m numduel`."""

from numduel.terminal.main import main

main()
