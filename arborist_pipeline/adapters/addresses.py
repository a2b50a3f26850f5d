"""Which addresses a crawler may connect to: public ones, unless it is told otherwise.

Names are resolved once; all their addresses are checked, and the connection goes to a checked one, so that a name
cannot change its mind between the check and the connection.
"""

import ipaddress
import socket

from aiohttp.abc import AbstractResolver, ResolveResult
from aiohttp.resolver import ThreadedResolver


class BlockedAddressError(OSError):
    """A name that leads to an address which is not public."""


class GuardedResolver(AbstractResolver):
    """The system's resolver, refusing names that have any address which is not public."""

    def __init__(self) -> None:
        self._resolver = ThreadedResolver()

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """Return the addresses of a name. Raises BlockedAddressError where one is not public."""
        found = await self._resolver.resolve(host, port, family)
        for result in found:
            if not is_public_address(result["host"]):
                raise BlockedAddressError(f"{host} leads to an address that is not public; to reach it on purpose set "
                                          "ARBORIST_ALLOW_PRIVATE=1")  # fmt: skip
        return found

    async def close(self) -> None:
        """Release the system's resolver."""
        await self._resolver.close()


def is_public_host(host: str) -> bool:
    """Whether a URL's host may be connected to as far as the name tells: a literal address must be public."""
    bare = host.strip("[]").rstrip(".").lower()
    if bare == "localhost" or bare.endswith(".localhost"):
        return False
    try:
        ipaddress.ip_address(bare.split("%", 1)[0])
    except ValueError:
        return True  # a name: its addresses are checked when they are known
    return is_public_address(bare)


def is_public_address(address: str) -> bool:
    """Whether an IP address is globally reachable; addresses that carry an IPv4 one inside count as that.

    Of the others only unicast addresses that are handed out (2000::/3) are: local-use NAT64, IPv4-compatible and
    site-local forms lead inside, whatever a registry calls them.
    """
    try:
        parsed = ipaddress.ip_address(address.split("%", 1)[0])
    except ValueError:
        return False
    if isinstance(parsed, ipaddress.IPv6Address):
        inner = parsed.ipv4_mapped or parsed.sixtofour or (parsed.teredo[1] if parsed.teredo else None)
        if inner is None and parsed in _NAT64:
            inner = ipaddress.IPv4Address(int(parsed) & 0xFFFFFFFF)
        if inner is not None:
            return _is_public_v4(inner)
        return parsed.is_global and parsed in _HANDED_OUT and parsed not in _DOCUMENTATION
    return _is_public_v4(parsed)


def _is_public_v4(address: ipaddress.IPv4Address) -> bool:
    return address.is_global and not address.is_multicast and address not in _RELAYS


_NAT64 = ipaddress.ip_network("64:ff9b::/96")
_HANDED_OUT = ipaddress.ip_network("2000::/3")
_DOCUMENTATION = ipaddress.ip_network("3fff::/20")  # RFC 9637; Python 3.11 does not know it
_RELAYS = ipaddress.ip_network("192.88.99.0/24")  # RFC 7526: 6to4 relays, no longer in use


def find_blocked(error: BaseException) -> BlockedAddressError | None:
    """Return the refusal behind an error of the HTTP library, if that is what it was."""
    link: BaseException | None = error
    while link is not None:
        if isinstance(link, BlockedAddressError):
            return link
        nested = getattr(link, "os_error", None)
        if isinstance(nested, BlockedAddressError):
            return nested
        link = link.__cause__ or link.__context__
    return None
