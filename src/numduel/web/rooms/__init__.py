"""Class rooms: pupils, rounds, questions and the chain contest."""
