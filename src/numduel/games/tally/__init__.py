"""One shared number and a menu of operations: Divisor Duel, Operation Duel, Double or Add."""
