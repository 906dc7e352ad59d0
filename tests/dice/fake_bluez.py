"""A pretend BlueZ on a private bus, so that the real bleak can be tried: `python fake_bluez.py BUS-ADDRESS`.

It has one adapter and the two pretend dice of `DICE`. Commands on standard input, each answered by "done": NAME roll
FACE, NAME tumble, NAME rest FACE, NAME cock, NAME drain PERCENT, NAME leave, NAME come_back, power 0|1, told NAME
(answered by what it was sent, in hex).
"""

# no postponed annotations here: dbus-fast reads them as signatures
import asyncio
import sys

from dbus_fast import BusType, DBusError, PropertyAccess, Variant
from dbus_fast.aio import MessageBus
from dbus_fast.service import ServiceInterface, dbus_property, method

from companion.dice.radio import GODICE, PIXELS
from companion.virtual.pretend_air import PretendDie

ADAPTER = "/org/bluez/hci0"
DICE = {
    "Ruby": PretendDie("Ruby", "AA:BB:CC:00:00:01", PIXELS),
    "GoDice_1A2B3C_R_v03": PretendDie("GoDice_1A2B3C_R_v03", "AA:BB:CC:00:00:02", GODICE),
}


class Adapter(ServiceInterface):
    def __init__(self) -> None:
        super().__init__("org.bluez.Adapter1")
        self.discovering, self.power = False, True

    @method()
    def StartDiscovery(self):
        self.discovering = True

    @method()
    def StopDiscovery(self):
        self.discovering = False

    @method()
    def SetDiscoveryFilter(self, filter: "a{sv}"):  # noqa: F722
        pass

    @dbus_property(access=PropertyAccess.READ)
    def Powered(self) -> "b":  # noqa: F821
        return self.power

    @dbus_property(access=PropertyAccess.READ)
    def Address(self) -> "s":  # noqa: F821
        return "00:00:00:00:00:01"

    @dbus_property(access=PropertyAccess.READ)
    def Roles(self) -> "as":  # noqa: F722
        return ["central"]


class Device(ServiceInterface):
    """A die as BlueZ shows it; also the client that the pretend die talks to."""

    def __init__(self, bus: MessageBus, die: PretendDie) -> None:
        super().__init__("org.bluez.Device1")
        self.bus, self.die = bus, die
        self.path = f"{ADAPTER}/dev_{die.address.replace(':', '_')}"
        self.connected = self.resolved = self.exported = False
        self.loop = asyncio.get_running_loop()
        self.notify = Characteristic(self, die.make.notify, ["notify"])
        self.write = Characteristic(self, die.make.write, ["write", "write-without-response"])

    @method()
    async def Connect(self):
        if not self.die.awake:
            raise DBusError("org.bluez.Error.Failed", "Host is down")
        if not self.exported:
            self.exported = True
            self.bus.export(f"{self.path}/service0010", Service(self))
            self.bus.export(f"{self.path}/service0010/char0011", self.notify)
            self.bus.export(f"{self.path}/service0010/char0014", self.write)
        self.die.client, self.connected, self.resolved = self, True, True
        self.emit_properties_changed({"Connected": True})
        self.emit_properties_changed({"ServicesResolved": True})

    @method()
    async def Disconnect(self):
        self.drop()

    def bring(self, data: bytes, late: float) -> None:
        """A notification of the die."""
        if self.notify.notifies:
            self.loop.call_later(late, self.notify.say, data)

    def drop(self) -> None:
        """The die is gone."""
        if self.connected:
            self.die.client, self.connected, self.resolved, self.notify.notifies = None, False, False, False
            self.emit_properties_changed({"Connected": False, "ServicesResolved": False})

    @dbus_property(access=PropertyAccess.READ)
    def Address(self) -> "s":  # noqa: F821
        return self.die.address

    @dbus_property(access=PropertyAccess.READ)
    def AddressType(self) -> "s":  # noqa: F821
        return "random"

    @dbus_property(access=PropertyAccess.READ)
    def Name(self) -> "s":  # noqa: F821
        return self.die.name

    @dbus_property(access=PropertyAccess.READ)
    def Alias(self) -> "s":  # noqa: F821
        return self.die.name

    @dbus_property(access=PropertyAccess.READ)
    def Connected(self) -> "b":  # noqa: F821
        return self.connected

    @dbus_property(access=PropertyAccess.READ)
    def ServicesResolved(self) -> "b":  # noqa: F821
        return self.resolved

    @dbus_property(access=PropertyAccess.READ)
    def Paired(self) -> "b":  # noqa: F821
        return False

    @dbus_property(access=PropertyAccess.READ)
    def UUIDs(self) -> "as":  # noqa: F722
        return list(self.die.advert().service_uuids)

    @dbus_property(access=PropertyAccess.READ)
    def ManufacturerData(self) -> "a{qv}":  # noqa: F722
        return {maker: Variant("ay", data) for maker, data in self.die.advert().manufacturer_data.items()}

    @dbus_property(access=PropertyAccess.READ)
    def RSSI(self) -> "n":  # noqa: F821
        return self.die.rssi

    @dbus_property(access=PropertyAccess.READ)
    def Adapter(self) -> "o":  # noqa: F821
        return ADAPTER


class Service(ServiceInterface):
    def __init__(self, device: Device) -> None:
        super().__init__("org.bluez.GattService1")
        self.device = device

    @dbus_property(access=PropertyAccess.READ)
    def UUID(self) -> "s":  # noqa: F821
        return "a6b90001-7a5a-43f2-a962-350c8edc9b5b"

    @dbus_property(access=PropertyAccess.READ)
    def Device(self) -> "o":  # noqa: F821
        return self.device.path

    @dbus_property(access=PropertyAccess.READ)
    def Primary(self) -> "b":  # noqa: F821
        return True


class Characteristic(ServiceInterface):
    def __init__(self, device: Device, uuid: str, flags: list[str]) -> None:
        super().__init__("org.bluez.GattCharacteristic1")
        self.device, self.uuid, self.flags = device, uuid, flags
        self.notifies, self.value = False, b""

    def say(self, data: bytes) -> None:
        self.value = data
        self.emit_properties_changed({"Value": data})

    @method()
    def StartNotify(self):
        self.notifies = True

    @method()
    def StopNotify(self):
        self.notifies = False

    @method()
    def WriteValue(self, value: "ay", options: "a{sv}"):  # noqa: F821, F722
        self.device.die.hear(bytes(value))

    @dbus_property(access=PropertyAccess.READ)
    def UUID(self) -> "s":  # noqa: F821
        return self.uuid

    @dbus_property(access=PropertyAccess.READ)
    def Service(self) -> "o":  # noqa: F821
        return f"{self.device.path}/service0010"

    @dbus_property(access=PropertyAccess.READ)
    def Flags(self) -> "as":  # noqa: F722
        return self.flags

    @dbus_property(access=PropertyAccess.READ)
    def Value(self) -> "ay":  # noqa: F821
        return self.value

    @dbus_property(access=PropertyAccess.READ)
    def MTU(self) -> "q":  # noqa: F821
        return 247


async def advertise(bus: MessageBus, adapter: Adapter) -> None:
    """While it is looked for, each die that is awake and free is heard again and again, a little weaker or stronger."""
    devices = {name: Device(bus, die) for name, die in DICE.items()}
    known: set[str] = set()
    while True:
        await asyncio.sleep(0.1)
        for name, device in devices.items():
            if not adapter.discovering or not device.die.awake or device.connected:
                continue
            device.die.rssi = -51 if device.die.rssi == -50 else -50
            if name in known:
                device.emit_properties_changed({"RSSI": device.die.rssi})
            else:
                known.add(name)
                bus.export(device.path, device)


def obey(words: list[str], adapter: Adapter) -> str:
    if words[0] == "power":
        adapter.power = words[1] == "1"
        adapter.emit_properties_changed({"Powered": adapter.power})
    elif words[0] == "told":
        return " ".join(data.hex() for data in DICE[words[1]].told) + " "
    else:
        getattr(DICE[words[0]], words[1])(*map(int, words[2:]))
    return ""


async def main(address: str) -> None:
    bus = await MessageBus(bus_address=address, bus_type=BusType.SYSTEM).connect()
    adapter = Adapter()
    bus.export(ADAPTER, adapter)
    await bus.request_name("org.bluez")
    advertising = asyncio.create_task(advertise(bus, adapter))
    print("done", flush=True)
    while line := await asyncio.to_thread(sys.stdin.readline):
        print(f"{obey(line.split(), adapter)}done", flush=True)
    advertising.cancel()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
