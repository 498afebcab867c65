"""A siege: people play at a normal pace while somebody attacks the server or something fails.

    python -m benchmarks.siege                          every attack, SQLite and PostgreSQL
    python -m benchmarks.siege thinking half_headers    only these attacks
    python -m benchmarks.siege --faults                 failures instead of attacks
    python -m benchmarks.siege --oddities               odd input, answered in one clear line
    python -m benchmarks.siege --list                   the names of attacks and faults

All of it stays on this machine: the addresses begin with 127.
"""
