"""The examples that pytest must not import."""

collect_ignore = [
    "bot.py",  # it reads its input when it is imported
    "openenv",  # these two need frameworks
    "train_pgx.py",
]
