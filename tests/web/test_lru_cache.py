"""The LRU cache: values, weights and eviction."""

from numduel.web.lru_cache import LruCache


def test_a_stored_value_is_found_again():
    cache = LruCache(10)
    assert cache.get("a") is None
    assert cache.put("a", "one", 1) == "one"
    assert cache.get("a") == "one"


def test_the_least_recently_used_are_evicted_first():
    cache = LruCache(10)
    for key in "abc":
        cache.put(key, key, 3)
    assert cache.get("a") == "a"  # now the most recently used
    cache.put("d", "d", 4)
    assert [key for key in "abcd" if cache.get(key)] == ["a", "c", "d"]
    assert cache.weight == 10


def test_a_value_stored_again_weighs_once():
    cache = LruCache(10)
    for weight in (3, 9, 4):
        cache.put("a", "a", weight)
        assert (len(cache), cache.weight) == (1, weight)


def test_a_value_heavier_than_the_maximum_is_stored_alone():
    cache = LruCache(10)
    cache.put("a", "a", 1)
    cache.put("b", "b", 99)
    assert (len(cache), cache.get("b")) == (1, "b")
    cache.put("c", "c", 1)
    assert (len(cache), cache.weight) == (1, 1)
