"""Dice of one's own over Bluetooth: found, connected and kept so, in a thread of its own; beside DicePort, as it is.

The set of dice: those that are named, else those that were kept; where none are yet, every die near enough is taken
in until the first throw is heard, and then they are kept.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import queue
import threading
import time
from collections import Counter
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from functools import partial

from companion.dice.book import Book
from companion.dice.cup import Cup
from companion.dice.die import Kind
from companion.dice.events import DiceEvent, PortTrouble, RollHeard
from companion.dice.host import State
from companion.dice.radio import Client, DieSeen, Radio, bleak_radio, search

LOG = logging.getLogger(__name__)
NEAR, MOST = -75, 6
"""dBm above which a die that nobody named is taken for one of this table; how many at most."""
LOOK, PAUSE, PAUSE_MOST, PAUSE_ENOUGH = 5.0, 1.0, 8.0, 30.0
"""Seconds of a search; after it, at first, and at most: while dice are missing, and while there are enough to play."""
CLOSE_WAIT = 5.0
"""Seconds that closing waits for a die that is just being connected."""
CONNECT, TELL, SILENT = 12.0, 3.0, 30.0
"""Seconds that a die may take to be connected, and a message to be sent; after which a silent die is asked."""


class BluetoothDice:
    """The dice of this table over the air; see DicePort. Nothing needs to be acknowledged, adopted or dismissed.

    wanted: the names or addresses of its dice, () for those that are near. keep: is called once with the addresses
    of those that were taken in. radio: None for this computer's; raises DeviceError where its package is missing.
    """

    def __init__(
        self,
        book: Book,
        wanted: Sequence[str] = (),
        keep: Callable[[Sequence[str]], None] = lambda addresses: None,
        clock: Callable[[], float] = time.monotonic,
        radio: Radio | None = None,
        look: float = LOOK,
        pause: float = PAUSE,
        silent: float = SILENT,
    ) -> None:
        self.events: queue.SimpleQueue[DiceEvent] = queue.SimpleQueue()
        self._wanted, self._keep = tuple(wanted), keep
        self._clock, self._radio = clock, radio or bleak_radio()
        self._look, self._pause, self._silent = look, pause, silent
        self._cup = Cup(book)
        self._lock = threading.Lock()
        self._seen: dict[str, DieSeen] = {}
        self._names: dict[str, str] = {}
        self._links: dict[str, Client] = {}
        self._alive: dict[str, float] = {}
        self._old: set[str] = set()
        self._refused: set[str] = set()
        self._tasks: set[asyncio.Task[object]] = set()
        self._said = ""
        self._loop: asyncio.AbstractEventLoop | None = None
        self._ending = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._live()), name="bluetooth dice", daemon=True)

    # what the owner says

    @property
    def state(self) -> State:
        """Where the dice stand."""
        return self._cup.state

    @property
    def due(self) -> tuple[int, int] | None:
        """The throw that may be made now: its turn, and how many dice."""
        with self._lock:
            return self._cup.due

    @property
    def names(self) -> tuple[str, ...]:
        """The dice in reach."""
        return self._cup.names

    def start(self) -> None:
        """Begin to look for the dice."""
        self._thread.start()

    def close(self) -> None:
        """Let the dice go and end the thread; one that waits for a die is left to itself."""
        self._ending.set()
        if self._thread.is_alive():
            self._thread.join(CLOSE_WAIT)

    def arm(self, turn: int, dice: int, rgb: str | None = None, ms: int | None = None) -> None:
        """The throw of `turn` is due; the dice blink in that colour."""
        with self._lock:
            self._put(self._cup.arm(turn, dice, self._clock(), rgb, ms))
        loop = self._loop
        if rgb and loop is not None and not self._ending.is_set():
            with contextlib.suppress(RuntimeError):  # the loop has just ended
                loop.call_soon_threadsafe(self._blink, rgb)

    def disarm(self) -> None:
        """No throw is due any more."""
        with self._lock:
            self._put(self._cup.disarm(self._clock()))

    def recorded(self, id: int) -> None:
        """The roll is in the journal. The dice do not mind."""

    def adopt(self) -> None:
        """These dice ask nothing."""

    def dismiss(self) -> None:
        """These dice raise no alarm."""

    def _put(self, events: Iterable[DiceEvent]) -> None:
        for event in events:
            self.events.put(event)
            all_there = isinstance(event, RollHeard) and len(self._links) >= len(event.roll.faces)
            if all_there and not self._wanted:  # one that fell asleep since it came to rest must not be shut out
                self._wanted = tuple(self._seen[name].address for name in self._links)
                self._keep(self._wanted)

    # the radio's thread

    async def _live(self) -> None:
        self._loop = asyncio.get_running_loop()
        ticking = asyncio.create_task(self._tick())
        pause = self._pause
        while not self._ending.is_set():
            before = len(self._links)
            await self._bring_in()
            most = PAUSE_MOST if self.state is State.CLOSED else PAUSE_ENOUGH
            pause = self._pause if len(self._links) > before else min(most, 2 * pause)
            if await self._lost_within(pause):
                pause = self._pause
        ticking.cancel()
        for client in list(self._links.values()):
            await self._let_go(client)

    async def _tick(self) -> None:
        while True:
            await asyncio.sleep(0.5)
            with self._lock:
                self._put(self._cup.tick(self._clock()))
            for name, client in list(self._links.items()):
                if time.monotonic() - self._alive[name] > self._silent:
                    self._alive[name] = time.monotonic()
                    self._spawn(self._ask(name, client))

    async def _lost_within(self, seconds: float) -> bool:
        """Wait for so many seconds, or until the end, or until a die is lost. Returns whether one was."""
        end, links = time.monotonic() + seconds, len(self._links)
        while time.monotonic() < end and not self._ending.is_set() and len(self._links) >= links:
            await asyncio.sleep(0.05)
        return len(self._links) < links

    # looking for dice

    async def _bring_in(self) -> None:
        """Look for the dice that are missing, and connect to them one after the other, as radios prefer."""
        if self._complete():
            return
        try:
            found = self._ours(await search(self._radio, self._look, self._enough))
        except Exception as error:
            return self._trouble(f"Bluetooth cannot be used: {error}. Is it switched on? (bluetoothctl power on)")
        if not found and not self._links:
            self._trouble("None of the table's dice is in reach. Take them out, or wake them: turn each one over.")
        for die in found:
            if not self._ending.is_set():
                await self._connect(die)

    def _complete(self) -> bool:
        """Whether no die is missing."""
        if not self._wanted:
            return len(self._links) >= MOST
        return self._all_wanted(self._seen[name] for name in self._links)

    def _enough(self, heard: Mapping[str, DieSeen]) -> bool:
        """Whether all that are missing were heard, or the end has come."""
        there = [*heard.values(), *(self._seen[name] for name in self._links)]
        return (bool(self._wanted) and self._all_wanted(there)) or self._ending.is_set()

    def _all_wanted(self, there: Iterable[DieSeen]) -> bool:
        """Whether the dice that are named are all among these: a name that two dice have may be there twice."""
        dice, wanted = {die.address: die for die in there}.values(), Counter(map(str.casefold, self._wanted))
        return all(sum(die.called(text) for die in dice) >= count for text, count in wanted.items())

    def _ours(self, heard: Iterable[DieSeen]) -> list[DieSeen]:
        """Those of them that are this table's and not connected."""
        connected = {self._seen[name].address for name in self._links}
        free = [die for die in heard if die.address not in connected | self._refused]
        if self._wanted:
            return [die for die in free if any(die.called(text) for text in self._wanted)]
        return [die for die in free if die.rssi >= NEAR and die.six][: MOST - len(connected)]

    def _trouble(self, text: str) -> None:
        """Say it once until it changes."""
        if text != self._said:
            self._said = text
            self._put([PortTrouble(self._clock(), "bluetooth", text)])

    # one die

    async def _connect(self, die: DieSeen) -> None:
        name, ended = self._name_of(die), asyncio.Event()

        def lost(client: object) -> None:
            ended.set()
            self._lost(name, client)

        try:
            client = self._radio.client(die.device, lost)
        except Exception as error:
            return LOG.info("%s cannot be connected: %r", die.name, error)
        try:
            await asyncio.wait_for(client.connect(), CONNECT)
            await asyncio.wait_for(client.start_notify(die.make.notify, partial(self._heard, name)), CONNECT)
        except Exception as error:
            LOG.info("%s cannot be connected: %r", die.name, error)
            return await self._let_go(client)
        if ended.is_set():  # before it was among the links, from which it would have been taken
            return LOG.info("%s was lost while it was connected", die.name)
        self._links[name], self._seen[name], self._said = client, die, ""
        self._alive[name] = time.monotonic()
        with self._lock:
            self._put(self._cup.come(name, self._clock()))
        await self._tell(name, die.make.hello)

    def _name_of(self, die: DieSeen) -> str:
        """How it is called here, as before; of two dice of one name, the second with its address."""
        taken = die.name in self._names.values()
        return self._names.setdefault(die.address, f"{die.name} ({die.address})" if taken else die.name)

    async def _let_go(self, client: Client) -> None:
        try:
            await asyncio.wait_for(client.disconnect(), TELL)
        except Exception as error:
            LOG.info("a die was not let go: %r", error)

    async def _tell(self, name: str, data: bytes) -> bool:
        """Send a die something. Returns whether it arrived."""
        client = self._links.get(name)
        try:
            if client is not None:
                await asyncio.wait_for(client.write_gatt_char(self._seen[name].make.write, data), TELL)
        except Exception as error:
            LOG.info("%s was not told: %r", name, error)
            return False
        return True

    async def _ask(self, name: str, client: Client) -> None:
        """Ask a silent die how it is. One that cannot be asked is lost, though the radio has not noticed."""
        if not await self._tell(name, self._seen[name].make.hello):
            self._lost(name, client)
            await self._let_go(client)

    def _lost(self, name: str, client: object) -> None:
        """The radio says that a die is gone."""
        if self._links.get(name) is not client:
            return
        del self._links[name]
        with self._lock:
            self._put(self._cup.gone(name, self._clock()))

    def _heard(self, name: str, characteristic: object, data: bytearray) -> None:
        """The radio brings what a die says."""
        if name not in self._links:
            return
        self._alive[name] = time.monotonic()
        for word in self._seen[name].make.decode(bytes(data)):
            if isinstance(word, Kind):
                self._is_kind(name, word)
            else:
                with self._lock:
                    self._put(self._cup.hear(name, word, self._clock()))

    def _is_kind(self, name: str, kind: Kind) -> None:
        """A die with other faces than 1 to 6 is let go for good."""
        (self._old.add if kind.old else self._old.discard)(name)
        if kind.six:
            return
        client = self._links.pop(name)
        self._refused.add(self._seen[name].address)
        why = f"{name} is a {kind.name}: only dice of six faces can be used."
        with self._lock:
            self._put(self._cup.gone(name, self._clock(), why))
        self._spawn(self._let_go(client))

    def _blink(self, rgb: str) -> None:
        """Show the dice's owner whose throw it is."""
        for name in self._links:
            self._spawn(self._tell(name, self._seen[name].make.blink(rgb, name in self._old)))

    def _spawn(self, work: Coroutine[None, None, object]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
