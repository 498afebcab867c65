"""What pytest should know of the examples."""

collect_ignore = [
    "bot.py",  # a program that reads its input as soon as it is imported
    "openenv",  # and what needs a framework
    "train_pgx.py",
]
