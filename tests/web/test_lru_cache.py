"""The LRU cache holds no more than its weight allows."""

from numduel.web.lru_cache import LruCache


def test_what_was_kept_is_found_again():
    cache = LruCache(10)
    assert cache.get("a") is None
    assert cache.put("a", "one", 1) == "one"
    assert cache.get("a") == "one"


def test_the_longest_unused_go_first_where_it_is_too_much():
    cache = LruCache(10)
    for key in "abc":
        cache.put(key, key, 3)
    assert cache.get("a") == "a"  # used, and so younger than the others
    cache.put("d", "d", 4)
    assert [key for key in "abcd" if cache.get(key)] == ["a", "c", "d"]
    assert cache.weight == 10


def test_what_is_kept_again_weighs_once():
    cache = LruCache(10)
    for weight in (3, 9, 4):
        cache.put("a", "a", weight)
        assert (len(cache), cache.weight) == (1, weight)


def test_what_alone_weighs_too_much_is_kept_alone():
    cache = LruCache(10)
    cache.put("a", "a", 1)
    cache.put("b", "b", 99)
    assert (len(cache), cache.get("b")) == (1, "b")
    cache.put("c", "c", 1)
    assert (len(cache), cache.weight) == (1, 1)
