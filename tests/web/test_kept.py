"""What is kept in memory: no more than its weight allows."""

from numduel.web.kept import Kept


def test_what_was_kept_is_found_again():
    kept = Kept(10)
    assert kept.get("a") is None
    assert kept.keep("a", "one", 1) == "one"
    assert kept.get("a") == "one"


def test_the_longest_unused_go_first_where_it_is_too_much():
    kept = Kept(10)
    for key in "abc":
        kept.keep(key, key, 3)
    assert kept.get("a") == "a"  # used, and so younger than the others
    kept.keep("d", "d", 4)
    assert [key for key in "abcd" if kept.get(key)] == ["a", "c", "d"]
    assert kept.weight == 10


def test_what_is_kept_again_weighs_once():
    kept = Kept(10)
    for weight in (3, 9, 4):
        kept.keep("a", "a", weight)
        assert (len(kept), kept.weight) == (1, weight)


def test_what_alone_weighs_too_much_is_kept_alone():
    kept = Kept(10)
    kept.keep("a", "a", 1)
    kept.keep("b", "b", 99)
    assert (len(kept), kept.get("b")) == (1, "b")
    kept.keep("c", "c", 1)
    assert (len(kept), kept.weight) == (1, 1)
