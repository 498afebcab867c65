"""The browser: the same games, tables and coach as in the terminal, served over HTTP."""
