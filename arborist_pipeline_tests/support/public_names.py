"""Names and public addresses that lead to loopback, for fetchers that may reach public addresses alone.

No packet leaves the machine: a connection to a public address is made to the port of loopback that stands for it, one
to any other address is refused, and both are noted.
"""

import socket
from collections.abc import Mapping, Sequence

from aiohttp.abc import AbstractResolver, ResolveResult

from arborist_pipeline.adapters.fetchers.http import HttpFetcher

PUBLIC = "93.184.215.14"


class PublicNames:
    """What each name leads to, one list of addresses for each time it is asked for, the last one for ever.

    `asked` has the names in order, `connected` the addresses that were to be connected to.
    """

    def __init__(self, names: Mapping[str, Sequence[Sequence[str]]], ports: Mapping[str, int]) -> None:
        self.names = {name: [list(answer) for answer in answers] for name, answers in names.items()}
        self.ports = ports
        self.asked: list[str] = []
        self.connected: list[str] = []

    def install(self, fetcher: HttpFetcher) -> None:
        """Put these names in place of the system's, in a fetcher that is open."""
        for session in fetcher._sessions:
            session.connector._resolver._resolver = _Resolver(self)
            session.connector._socket_factory = self._make_socket

    def forget(self, fetcher: HttpFetcher) -> None:
        """Let what was resolved grow old, so that names are asked for again."""
        for session in fetcher._sessions:
            session.connector.clear_dns_cache()

    def _make_socket(self, address: tuple[object, ...]) -> socket.socket:
        family, kind, protocol = address[0], address[1], address[2]
        made = _RoutedSocket(family, kind, protocol)
        made.routes = self
        return made


class _RoutedSocket(socket.socket):
    routes: PublicNames

    def connect(self, address: tuple[str, int]) -> None:
        self.routes.connected.append(address[0])
        port = self.routes.ports.get(address[0])
        if port is None:
            raise ConnectionRefusedError(f"no test may connect to {address[0]}")
        super().connect(("127.0.0.1", port))


class _Resolver(AbstractResolver):
    def __init__(self, names: PublicNames) -> None:
        self._names = names

    async def resolve(self, host: str, port: int = 0, family: int = socket.AF_UNSPEC) -> list[ResolveResult]:
        del family
        self._names.asked.append(host)
        answers = self._names.names[host]
        addresses = answers.pop(0) if len(answers) > 1 else answers[0]
        return [
            {"hostname": host, "host": each, "port": port, "family": socket.AF_INET, "proto": 0, "flags": 0}
            for each in addresses
        ]

    async def close(self) -> None:
        pass
