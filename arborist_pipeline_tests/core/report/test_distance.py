from hypothesis import given
from hypothesis import strategies as st

from arborist_pipeline.core.report.distance import UNREACHED, shortest_distances

NODES = 8
node = st.integers(0, NODES - 1)
graphs = st.tuples(st.lists(st.tuples(node, node), max_size=30), st.dictionaries(node, node, max_size=4))


def slow_clicks(seed, links, redirects):
    """Relax every edge until nothing changes (Bellman-Ford)."""
    clicks = {seed: 0}
    edges = [(one, other, 1) for one, other in links] + [(one, other, 0) for one, other in redirects.items()]
    for _ in range(NODES):
        for one, other, cost in edges:
            if one in clicks and clicks[one] + cost < clicks.get(other, NODES):
                clicks[other] = clicks[one] + cost
    return [clicks.get(n, UNREACHED) for n in range(NODES)]


@given(graphs, node)
def test_distances_are_those_of_bellman_ford(graph, seed):
    links, redirects = graph
    assert list(shortest_distances(NODES, [seed], links, redirects).clicks) == slow_clicks(seed, links, redirects)


@given(graphs, node)
def test_each_step_back_is_a_link_or_a_redirect_and_ends_at_the_seed(graph, seed):
    links, redirects = graph
    clicks, previous = shortest_distances(NODES, [seed], links, redirects)
    for n in range(NODES):
        if clicks[n] == UNREACHED or n == seed:
            assert previous[n] == UNREACHED
        else:
            assert (previous[n], n) in links or redirects.get(previous[n]) == n
            assert clicks[n] - clicks[previous[n]] in (0, 1)


@given(graphs, node, st.randoms())
def test_the_order_in_which_links_come_changes_nothing(graph, seed, random):
    links, redirects = graph
    shuffled = links[:]
    random.shuffle(shuffled)
    one, other = (shortest_distances(NODES, [seed], form, redirects) for form in (links, shuffled))
    assert one == other


def test_no_seed_reaches_nothing():
    assert list(shortest_distances(2, [], [(0, 1)], {}).clicks) == [UNREACHED, UNREACHED]
