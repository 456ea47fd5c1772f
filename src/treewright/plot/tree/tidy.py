"""Where the nodes of a tree stand beside each other: tidy, narrow, and in linear time.

A node stands in the middle above its first and last child; subtrees stand as near to each other as
the widths of nodes of the same depth allow; of several subtrees those between two large ones are
spread evenly (Reingold and Tilford 1981, *Tidier drawings of trees*; Buchheim, Jünger and Leipert
2002, *Improving Walker's algorithm to run in linear time*).

Each node knows the next one below it on the left and on the right outline of its subtree, and how
far to the right that one stands. Setting a subtree beside its siblings walks down both outlines as
far as the shorter one reaches, so the work is linear. Nothing calls itself: trees may be deep.
"""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["tidy_places"]

_NONE = -1


def tidy_places(
    children: Sequence[Sequence[int]], widths: Sequence[float], gap: float
) -> list[float]:
    """Place the nodes of a tree.

    Parameters
    ----------
    children : sequence of sequence of int
        The children of each node from left to right; node 0 is the root and children have larger
        numbers than their parents.
    widths : sequence of float
        How wide each node is.
    gap : float
        The least room between two nodes of the same depth.

    Returns
    -------
    list of float
        The middle of each node; the leftmost node starts at 0.

    Examples
    --------
    >>> tidy_places([[1, 2], [], []], [4.0, 2.0, 2.0], 1.0)
    [2.5, 1.0, 4.0]
    """
    n_nodes = len(children)
    outlines = _Outlines(widths, gap)
    shifts = [0.0] * n_nodes  # from the parent
    for node in range(n_nodes - 1, -1, -1):
        if children[node]:
            _put_together(node, children[node], outlines, shifts)
    places = [0.0] * n_nodes
    for node in range(n_nodes):
        for child in children[node]:
            places[child] = places[node] + shifts[child]
    start = min(place - 0.5 * width for place, width in zip(places, widths, strict=True))
    return [place - start for place in places]


class _Side:
    """One outline of every subtree: the node one level below each node, and how far right it is."""

    def __init__(self, n_nodes: int) -> None:
        self.following = [_NONE] * n_nodes
        self.step = [0.0] * n_nodes


class _Outlines:
    """Both outlines of the subtrees put together so far, and how many levels each has."""

    def __init__(self, widths: Sequence[float], gap: float) -> None:
        self.widths = widths
        self.gap = gap
        self.left, self.right = _Side(len(widths)), _Side(len(widths))
        self.heights = [1] * len(widths)


def _put_together(
    node: int, children: Sequence[int], outlines: _Outlines, shifts: list[float]
) -> None:
    """Set the subtrees of a node side by side, and the node above their middle."""
    places = _Siblings(children, outlines).places
    middle = 0.5 * (places[0] + places[-1])
    for child, place in zip(children, places, strict=True):
        shifts[child] = place - middle
    for side, child in ((outlines.left, children[0]), (outlines.right, children[-1])):
        side.following[node], side.step[node] = child, shifts[child]
    outlines.heights[node] = 1 + max(outlines.heights[child] for child in children)


class _Siblings:
    """Subtrees of one node, set side by side from left to right.

    `seen` are those that can be seen from the right, the nearest last: each is deeper than the ones
    behind it in the list. Subtrees that cannot be seen are spread between their neighbours at the
    end, which changes no outline.
    """

    def __init__(self, children: Sequence[int], outlines: _Outlines) -> None:
        self.children = children
        self.outlines = outlines
        self.places = [0.0]
        self.seen = [0]
        self.slopes = [0.0] * len(children)
        self.drops = [0.0] * len(children)
        for number in range(1, len(children)):
            self._add(number)
        self._spread()

    def _add(self, number: int) -> None:
        """Put the next subtree as near as its left outline and the others' right one allow."""
        outlines, gap = self.outlines, self.outlines.gap
        left, right, widths = outlines.left, outlines.right, outlines.widths
        root = self.children[number]
        # Nodes of one level: both outlines of the siblings so far, and both of the new subtree.
        first, last, near, far = self.children[0], self.children[number - 1], root, root
        at_first, at_last, at_near, at_far = self.places[0], self.places[-1], 0.0, 0.0
        place = at_last + 0.5 * (widths[last] + widths[root]) + gap
        level, owner = 0, len(self.seen) - 1
        while right.following[last] != _NONE and left.following[near] != _NONE:
            at_first += left.step[first]
            at_last += right.step[last]
            at_near += left.step[near]
            at_far += right.step[far]
            first, last = left.following[first], right.following[last]
            near, far = left.following[near], right.following[far]
            level += 1
            while outlines.heights[self.children[self.seen[owner]]] <= level:
                owner -= 1
            needed = at_last + 0.5 * (widths[last] + widths[near]) + gap - at_near
            if needed > place:
                self._widen(self.seen[owner], number, needed - place)
                place = needed
        if left.following[near] != _NONE:  # the new subtree goes on below all others
            left.step[first] = place + at_near + left.step[near] - at_first
            left.following[first] = left.following[near]
        elif right.following[last] != _NONE:
            right.step[far] = at_last + right.step[last] - place - at_far
            right.following[far] = right.following[last]
        height = outlines.heights[root]
        while self.seen and outlines.heights[self.children[self.seen[-1]]] <= height:
            self.seen.pop()
        self.seen.append(number)
        self.places.append(place)

    def _widen(self, before: int, after: int, room: float) -> None:
        """Remember that there is more room between two siblings, for those between them."""
        step = room / (after - before)
        self.slopes[before + 1] += step
        self.slopes[after] -= step
        self.drops[after] += step * (after - before - 1)

    def _spread(self) -> None:
        slope = shift = 0.0
        for number in range(len(self.children)):
            slope += self.slopes[number]
            shift += slope - self.drops[number]
            self.places[number] += shift
