"""Place labels without overlaps by searching weighted candidate positions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from operator import itemgetter
from typing import Generic, NamedTuple, TypeVar

from generator.model.picture import XY
from generator.symbols.shapes import Box

# Each label has candidate positions with weights. `Obstacles` contains areas that labels must not cover and areas
# that add weight if they are covered. Labels in conflict with each other are placed so that the sum of their weights
# is minimal, unless the search exceeds its budget.

T = TypeVar("T")

LOST_WEIGHT = 1e6
"""Weight of a label without a position. It is larger than the sum of all other weights."""
SEARCH_BUDGET = 2_000
"""Number of choices that are tried for a group of labels in conflict before the best choice so far is used."""
_TOLERANCE = 1e-6
"""Overlaps smaller than this are ignored, in mm."""


class Candidate(NamedTuple, Generic[T]):
    """A position for a label: the box that the label covers, the weight, and the item to draw."""

    box: Box
    weight: float
    item: T


def overlap(a: Box, b: Box) -> bool:
    """Return whether two boxes share more than an edge."""
    return (
        a[0] < b[2] - _TOLERANCE
        and b[0] < a[2] - _TOLERANCE
        and a[1] < b[3] - _TOLERANCE
        and b[1] < a[3] - _TOLERANCE
    )


def shared_area(a: Box, b: Box) -> float:
    """Return the area that two boxes share."""
    return max(0.0, min(a[2], b[2]) - max(a[0], b[0])) * max(0.0, min(a[3], b[3]) - max(a[1], b[1]))


def crosses_box(box: Box, a: XY, b: XY) -> bool:
    """Return whether the straight line from `a` to `b` passes through a box."""
    low, high = 0.0, 1.0
    for start, way, near_side, far_side in ((a[0], b[0] - a[0], box[0], box[2]), (a[1], b[1] - a[1], box[1], box[3])):
        if abs(way) < _TOLERANCE:
            if not near_side < start < far_side:
                return False
            continue
        first, last = sorted(((near_side - start) / way, (far_side - start) / way))
        low, high = max(low, first), min(high, last)
    return low < high


class Obstacles:
    """Boxes and lines that labels must not cover, and boxes that add weight to labels that cover them."""

    def __init__(self, pitch: float) -> None:
        """Create an empty set of obstacles, indexed by squares with sides of `pitch` mm."""
        self._pitch = pitch
        self._boxes: dict[tuple[int, int], list[tuple[Box, float]]] = {}
        self._lines: dict[tuple[int, int], list[tuple[XY, XY]]] = {}

    def copy(self) -> Obstacles:
        """Return a copy to which more obstacles can be added."""
        other = Obstacles(self._pitch)
        other._boxes = {key: list(found) for key, found in self._boxes.items()}
        other._lines = {key: list(found) for key, found in self._lines.items()}
        return other

    def forbid(self, box: Box) -> None:
        """Forbid labels to cover a box."""
        self.add_weight(box, LOST_WEIGHT)

    def add_weight(self, box: Box, weight: float) -> None:
        """Add weight to labels that cover a box, per square millimetre.

        LOST_WEIGHT or more forbids covering the box.
        """
        for key in self._keys(box):
            self._boxes.setdefault(key, []).append((box, weight))

    def forbid_crossing(self, a: XY, b: XY) -> None:
        """Forbid labels to cross a line."""
        around = min(a[0], b[0]), min(a[1], b[1]), max(a[0], b[0]), max(a[1], b[1])
        for key in self._keys(around):
            self._lines.setdefault(key, []).append((a, b))

    def cost(self, box: Box) -> float | None:
        """Return the weight of the area that a label covers, or None if the label is not allowed there."""
        keys = self._keys(box)
        weight, seen = 0.0, set[tuple[Box, float]]()
        left, bottom, right, top = box[0] + _TOLERANCE, box[1] + _TOLERANCE, box[2] - _TOLERANCE, box[3] - _TOLERANCE
        for key in keys:
            for found in self._boxes.get(key, ()):
                a, b, c, d = found[0]
                # This is the same test as in `overlap`, inlined because it runs thousands of times.
                if a < right and left < c and b < top and bottom < d and found not in seen:
                    if found[1] >= LOST_WEIGHT:
                        return None
                    seen.add(found)
                    weight += found[1] * shared_area(found[0], box)
        for key in keys if self._lines else ():
            if any(crosses_box(box, start, end) for start, end in self._lines.get(key, ())):
                return None
        return weight

    def _keys(self, box: Box) -> list[tuple[int, int]]:
        pitch = self._pitch
        rows = range(int(box[1] // pitch), int(box[3] // pitch) + 1)
        return [(x, y) for x in range(int(box[0] // pitch), int(box[2] // pitch) + 1) for y in rows]


def allowed_candidates(
    ground: Obstacles, candidates: Iterable[Candidate[T]], max_count: int = 0, alone: bool = False
) -> list[Candidate[T]]:
    """Return a label's allowed candidates, lightest first, with the weight of the obstacles that they cover.

    Candidates are tried in order until `max_count` allowed candidates have been found. If the label is `alone`, it
    has no conflicts and its lightest candidates come first, so the search ends at the first candidate that covers
    nothing.
    """
    found: list[Candidate[T]] = []
    for candidate in candidates:
        weight = ground.cost(candidate.box)
        if weight is not None:
            found.append(Candidate(candidate.box, candidate.weight + weight, candidate.item) if weight else candidate)
            if len(found) == max_count or (alone and not weight):
                break
    return sorted(found, key=itemgetter(1))


def choose_candidates(
    labels: Sequence[Sequence[Candidate[T]]], budget: int = SEARCH_BUDGET
) -> list[Candidate[T] | None]:
    """Choose a candidate for each label so that none of them overlap. A label without room gets None.

    The result has as few labels without room as possible and, among such results, the smallest sum of weights. It
    is deterministic. For groups of labels that exceed the search budget, the best choice found is used.
    """
    chosen: list[Candidate[T] | None] = [None] * len(labels)
    left = {i: sorted(of, key=lambda one: one.weight) for i, of in enumerate(labels) if of}
    conflicts = _find_conflicts(left)
    # A label gets its lightest position if that position conflicts with no other label. This may in turn resolve
    # conflicts of other labels.
    queue = sorted(left)
    while queue:
        i = queue.pop(0)
        if i not in left:
            continue
        if not any(overlap(left[i][0].box, other.box) for j in conflicts[i] if j in left for other in left[j]):
            chosen[i] = left.pop(i)[0]
            queue += sorted(j for j in conflicts[i] if j in left)
    while left:
        group = _conflict_group(next(iter(left)), left, conflicts)
        best = _search([left[i] for i in group], budget)
        for i, candidate in zip(group, best, strict=True):
            chosen[i] = candidate
            del left[i]
    return chosen


def _find_conflicts(left: dict[int, list[Candidate[T]]]) -> dict[int, set[int]]:
    """Return for each label the labels that could conflict with it."""
    around = {i: bounding_box([one.box for one in of]) for i, of in left.items()}
    conflicts: dict[int, set[int]] = {i: set() for i in left}
    order = sorted(left, key=lambda i: around[i])
    near: list[int] = []
    for i in order:
        near = [j for j in near if around[j][2] > around[i][0]]
        for j in near:
            if overlap(around[i], around[j]) and any(overlap(a.box, b.box) for a in left[i] for b in left[j]):
                conflicts[i].add(j)
                conflicts[j].add(i)
        near.append(i)
    return conflicts


def bounding_box(boxes: Sequence[Box]) -> Box:
    """Return the bounding box of several boxes."""
    lefts, bottoms, rights, tops = zip(*boxes, strict=True)
    return min(lefts), min(bottoms), max(rights), max(tops)


def points_box(points: Sequence[XY]) -> Box:
    """Return the bounding box of several points."""
    xs, ys = zip(*points, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def _conflict_group(first: int, left: dict[int, list[Candidate[T]]], conflicts: dict[int, set[int]]) -> list[int]:
    """Return all labels that are linked to a label by conflicts, directly or indirectly, most conflicts first."""
    found, queue = {first}, [first]
    while queue:
        news = {j for j in conflicts[queue.pop()] if j in left} - found
        found |= news
        queue += sorted(news)
    return sorted(found, key=lambda i: (-len(conflicts[i] & found), i))


def _search(labels: Sequence[Sequence[Candidate[T]]], budget: int) -> list[Candidate[T] | None]:
    """Return the choice of candidates with the smallest sum of weights, found by branch and bound."""
    first = [0]
    for label in labels:
        first.append(first[-1] + len(label))
    # For each candidate, a bit mask of the candidates of later labels that conflict with it.
    rules_out = [[0] * len(label) for label in labels]
    arounds = [bounding_box([one.box for one in label]) for label in labels]
    for i, label in enumerate(labels):
        for j in range(i + 1, len(labels)):
            if not overlap(arounds[i], arounds[j]):
                continue
            for at, one in enumerate(label):
                if overlap(one.box, arounds[j]):
                    for k, other in enumerate(labels[j]):
                        if overlap(one.box, other.box):
                            rules_out[i][at] |= 1 << first[j] + k
    weights = [[one.weight for one in label] for label in labels]
    all_weights = [weight for of in weights for weight in of]
    masks = [(1 << behind) - (1 << start) for start, behind in pairwise(first)]

    def lower_bound(i: int, barred: int) -> float:
        """Return a lower bound for the weight of labels from `i` on.

        Each label gets its first free candidate.
        """
        total, free = 0.0, ~barred
        for mask in masks[i:]:
            bits = free & mask
            total += all_weights[(bits & -bits).bit_length() - 1] if bits else LOST_WEIGHT
        return total

    best: list[int] = []
    lightest = float("inf")
    tried = 0

    def search(i: int, taken: list[int], weight: float, barred: int) -> None:
        nonlocal best, lightest, tried
        tried += 1
        if (tried > budget and best) or weight + lower_bound(i, barred) >= lightest - _TOLERANCE:
            return
        if i == len(labels):
            best, lightest = taken, weight
            return
        bits = barred >> first[i]
        for k, more in enumerate(weights[i]):
            if not bits >> k & 1:
                search(i + 1, [*taken, k], weight + more, barred | rules_out[i][k])
        search(i + 1, [*taken, -1], weight + LOST_WEIGHT, barred)

    search(0, [], 0.0, 0)
    return [None if k < 0 else label[k] for k, label in zip(best, labels, strict=True)]
