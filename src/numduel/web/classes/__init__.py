"""Class rooms: their rules, without a database."""
