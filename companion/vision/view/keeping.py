"""What is worked out of a thing is kept as long as the thing is there, and goes with it."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Any, Concatenate, ParamSpec, TypeVar
from weakref import WeakKeyDictionary, ref

Thing = TypeVar("Thing")
More = ParamSpec("More")
Result = TypeVar("Result")
Of = Callable[Concatenate[Thing, More], Result]


def kept(most: int = 1) -> Callable[[Of[Thing, More, Result]], Of[Thing, More, Result]]:
    """Keep the last `most` results of a function for each first argument: a scene, a surface, places.

    Unlike `functools.lru_cache` it does not keep that argument: a board that nobody watches any more is let go, some
    20 MB. No result may hold it.
    """

    def keeping(function: Of[Thing, More, Result]) -> Of[Thing, More, Result]:
        results: WeakKeyDictionary[Thing, Callable[..., Result]] = WeakKeyDictionary()

        @wraps(function)
        def ask(thing: Thing, /, *more: More.args, **named: More.kwargs) -> Result:
            if thing not in results:
                results[thing] = lru_cache(maxsize=most)(_weakly(function, thing))
            return results[thing](*more, **named)

        return ask

    return keeping


def _weakly(function: Callable[..., Result], thing: Any) -> Callable[..., Result]:
    """The function of one thing, which it does not hold."""
    weak = ref(thing)
    return lambda *more, **named: function(weak(), *more, **named)
