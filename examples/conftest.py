"""What pytest should know of the examples."""

# A program that reads its input as soon as it is imported; what needs a framework to be imported.
collect_ignore = ["bot.py", "openenv"]
