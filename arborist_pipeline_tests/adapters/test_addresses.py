"""Which addresses a crawler may connect to, however they are written."""

import asyncio
import socket

import pytest
from aiohttp.abc import AbstractResolver

from arborist_pipeline.adapters.addresses import (
    BlockedAddressError,
    GuardedResolver,
    find_blocked,
    is_public_address,
    is_public_host,
)
from arborist_pipeline.adapters.fetchers.http import HttpFetcher
from arborist_pipeline.core.web.fetch import FailureKind, FetchRequest
from arborist_pipeline.core.web.url import canonicalize, split_origin

PRIVATE = """
127.0.0.1 127.1 127.0.1 2130706433 0x7f000001 0x7F.0x0.0x0.0x1 0177.0.0.1 017700000001 0x7f.1 127.0.0.1. 127.255.255.254
%31%32%37.0.0.1 ①②⑦.0.0.1 localhost localhost. LOCALHOST shop.localhost a.b.localhost.
0.0.0.0 0 0x0 0.1.2.3
10.0.0.1 10.255.255.255 167772161 172.16.0.1 172.31.255.255 192.168.0.1 192.168.1.254 0xC0A80101
169.254.169.254 169.254.169.254. 0xA9FEA9FE 2852039166 100.64.0.1 100.127.255.255
192.0.0.1 192.0.2.1 198.51.100.7 203.0.113.7 198.18.0.1 198.19.255.255 192.88.99.1
224.0.0.1 239.255.255.250 240.0.0.1 255.255.255.255
[::1] [0:0:0:0:0:0:0:1] [::] [::ffff:127.0.0.1] [::ffff:7f00:1] [::ffff:10.0.0.1] [::ffff:169.254.169.254]
[::127.0.0.1] [::10.0.0.1] [::ffff:0:127.0.0.1]
[64:ff9b::127.0.0.1] [64:ff9b::a00:1] [64:ff9b:1::7f00:1] [64:ff9b:1::808:808]
[2002:7f00:1::] [2002:a00:1::1] [2002:c0a8:101::1]
[2001:0:808:808::80ff:fffe]
[fe80::1] [febf::1] [fec0::1] [fc00::1] [fd12:3456:789a::1]
[ff02::1] [ff0e::1] [2001:db8::1] [3fff::1] [5f00::1] [100::1] [4000::1] [2001:2::1] [2001:10::1]
""".split()
PUBLIC = """
8.8.8.8 1.1.1.1 134744072 0x08080808 93.184.215.14 172.32.0.1 172.15.0.1 100.63.255.255 100.128.0.1 11.0.0.1 192.167.1.1
[2606:4700::1111] [2a00:1450:4001:800::200e] [::ffff:8.8.8.8] [64:ff9b::808:808] [2002:808:808::1]
shop.example localhost.example notlocalhost
""".split()


def host_of(written):
    return split_origin(canonicalize(f"http://{written}/")).host


@pytest.mark.parametrize("written", PRIVATE)
def test_an_address_that_is_not_public_is_refused_in_every_spelling(written):
    assert not is_public_host(host_of(written))


@pytest.mark.parametrize("written", PUBLIC)
def test_a_public_address_and_a_name_may_be_asked(written):
    assert is_public_host(host_of(written))


@pytest.mark.parametrize(
    "address", ["fe80::1%eth0", "::1%lo", "fe80::1%25eth0", "127.0.0.1%x", "", "shop.example", "1.2.3"]
)
def test_what_a_resolver_gives_is_refused_where_it_has_a_scope_or_is_no_address(address):
    assert not is_public_address(address)


@pytest.mark.parametrize("written", PRIVATE)
def test_the_fetcher_connects_to_none_of_them_and_says_so(written):
    async def fetch():
        async with HttpFetcher(user_agent="arborist-crawler/test", connections=1) as fetcher:
            return await fetcher.fetch(FetchRequest(url=canonicalize(f"http://{written}/"), timeout_seconds=5))

    result = asyncio.run(fetch())
    assert result.status is None
    assert result.failure.kind is FailureKind.BLOCKED_ADDRESS


class Names(AbstractResolver):
    """A resolver of made-up names."""

    def __init__(self, *addresses):
        self.addresses = addresses
        self.closed = False

    async def resolve(self, host, port=0, family=socket.AF_UNSPEC):
        del family
        return [{"hostname": host, "host": each, "port": port, "family": socket.AF_INET, "proto": 0, "flags": 0}
                for each in self.addresses]  # fmt: skip

    async def close(self):
        self.closed = True


def resolve(*addresses):
    async def run():
        guarded = GuardedResolver()
        await guarded._resolver.close()
        guarded._resolver = names = Names(*addresses)
        try:
            return [each["host"] for each in await guarded.resolve("shop.example", 80)]
        finally:
            await guarded.close()
            assert names.closed

    return asyncio.run(run())


def test_a_name_of_public_addresses_is_resolved():
    assert resolve("8.8.8.8", "1.1.1.1") == ["8.8.8.8", "1.1.1.1"]


@pytest.mark.parametrize(
    "addresses", [("127.0.0.1",), ("8.8.8.8", "10.0.0.1"), ("fe80::1%eth0",), ("::ffff:10.0.0.1",)]
)
def test_a_name_with_any_address_that_is_not_public_is_refused(addresses):
    with pytest.raises(BlockedAddressError, match=r"shop\.example leads to an address .*ARBORIST_ALLOW_PRIVATE=1"):
        resolve(*addresses)


def test_a_name_that_leads_inside_is_blocked_by_the_fetcher_itself():
    async def fetch():
        async with HttpFetcher(user_agent="arborist-crawler/test", connections=1) as fetcher:
            resolver = fetcher._sessions[0].connector._resolver
            await resolver._resolver.close()
            resolver._resolver = Names("127.0.0.1")
            return await fetcher.fetch(FetchRequest(url=canonicalize("http://shop.example/"), timeout_seconds=5))

    failure = asyncio.run(fetch()).failure
    assert failure.kind is FailureKind.BLOCKED_ADDRESS
    assert "ARBORIST_ALLOW_PRIVATE=1" in failure.message


def test_the_refusal_is_found_behind_what_the_library_made_of_it():
    refusal = BlockedAddressError("no")
    wrapped = RuntimeError("wrapped")
    wrapped.__cause__ = refusal
    nested = ConnectionError("connector")
    nested.os_error = refusal
    assert find_blocked(refusal) is find_blocked(wrapped) is find_blocked(nested) is refusal
    assert find_blocked(ValueError("another")) is None
