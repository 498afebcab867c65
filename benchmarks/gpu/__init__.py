"""Measurements on a GPU, by hand: tests and `make bench` run without one."""
