"""A siege: people play at a normal pace while somebody attacks the server, or something breaks.

    python -m benchmarks.siege                          every attack, SQLite and PostgreSQL
    python -m benchmarks.siege thinking half_headers     these alone
    python -m benchmarks.siege --faults                 what breaks, instead of who attacks
    python -m benchmarks.siege --oddities               what is answered in one clear line
    python -m benchmarks.siege --list                   their names

All of it stays on this machine: the addresses begin with 127.
"""
