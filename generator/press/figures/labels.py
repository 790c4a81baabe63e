"""Where labels stand: a search over weighted places, so that no label lies over what must be seen."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from operator import itemgetter
from typing import Generic, NamedTuple, TypeVar

from generator.model.picture import XY
from generator.symbols.shapes import Box

# Each label brings the places where it may stand, each with what it weighs. What may never be hidden stands in the
# way (`Ground`); what would better not be weighs. The labels that are left in each other's way are settled together:
# the sum of their weights is the least there is, as long as the search stays within its budget.

T = TypeVar("T")

LOST_WEIGHT = 1e6
"""What a label weighs that stands nowhere: more than all others together."""
SEARCH_BUDGET = 2_000
"""How many choices are tried for labels that are in each other's way, before the best so far is taken."""
_TOLERANCE = 1e-6


class Candidate(NamedTuple, Generic[T]):
    """A place for a label: what it covers, what it weighs, and what is drawn there."""

    box: Box
    weight: float
    item: T


def overlap(a: Box, b: Box) -> bool:
    """Whether two boxes have more in common than an edge."""
    return (
        a[0] < b[2] - _TOLERANCE
        and b[0] < a[2] - _TOLERANCE
        and a[1] < b[3] - _TOLERANCE
        and b[1] < a[3] - _TOLERANCE
    )


def shared_area(a: Box, b: Box) -> float:
    """The area that two boxes share."""
    return max(0.0, min(a[2], b[2]) - max(a[0], b[0])) * max(0.0, min(a[3], b[3]) - max(a[1], b[1]))


def crosses_box(box: Box, a: XY, b: XY) -> bool:
    """Whether a straight line from point to point runs through a box."""
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
    """What lies on a map: boxes and lines that no label covers, and boxes that weigh by the area that is covered."""

    def __init__(self, pitch: float) -> None:
        """Kept in squares of so many mm, so that only what is near is looked at."""
        self._pitch = pitch
        self._boxes: dict[tuple[int, int], list[tuple[Box, float]]] = {}
        self._lines: dict[tuple[int, int], list[tuple[XY, XY]]] = {}

    def copy(self) -> Obstacles:
        """The same, of which more may be told."""
        other = Obstacles(self._pitch)
        other._boxes = {key: list(found) for key, found in self._boxes.items()}
        other._lines = {key: list(found) for key, found in self._lines.items()}
        return other

    def forbid(self, box: Box) -> None:
        """Nothing covers this."""
        self.add_weight(box, LOST_WEIGHT)

    def add_weight(self, box: Box, weight: float) -> None:
        """What covers this weighs so much for each square millimetre; LOST and more is never done."""
        for key in self._keys(box):
            self._boxes.setdefault(key, []).append((box, weight))

    def forbid_crossing(self, a: XY, b: XY) -> None:
        """Nothing lies across this line."""
        around = min(a[0], b[0]), min(a[1], b[1]), max(a[0], b[0]), max(a[1], b[1])
        for key in self._keys(around):
            self._lines.setdefault(key, []).append((a, b))

    def cost(self, box: Box) -> float | None:
        """What a label there weighs for what it covers; None where it may not stand."""
        keys = self._keys(box)
        weight, seen = 0.0, set[tuple[Box, float]]()
        left, bottom, right, top = box[0] + _TOLERANCE, box[1] + _TOLERANCE, box[2] - _TOLERANCE, box[3] - _TOLERANCE
        for key in keys:
            for found in self._boxes.get(key, ()):
                a, b, c, d = found[0]
                # As `meet`, which would be called thousands of times.
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
    """Those of a label's candidates that may stand, with what they cover weighed, the lightest first.

    They are looked at in their order, and no farther than to the `most`th that is found. A label that is `alone`, in
    no other's way, and whose candidates come with the lightest first, needs none behind one that covers nothing.
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
    """Which candidate each label takes, so that none lies over another; None for one that finds no room.

    As few as can be find none, and then the sum of all weights is the least. The same labels are settled alike.
    """
    chosen: list[Candidate[T] | None] = [None] * len(labels)
    left = {i: sorted(of, key=lambda one: one.weight) for i, of in enumerate(labels) if of}
    conflicts = _find_conflicts(left)
    # A label whose lightest place is in nobody's way takes it; what it leaves free may be another's.
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
    """For each label those that could be in its way."""
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
    """The box around them all."""
    lefts, bottoms, rights, tops = zip(*boxes, strict=True)
    return min(lefts), min(bottoms), max(rights), max(tops)


def _conflict_group(first: int, left: dict[int, list[Candidate[T]]], conflicts: dict[int, set[int]]) -> list[int]:
    """All labels that hang together with one; those that are in most others' way first."""
    found, queue = {first}, [first]
    while queue:
        news = {j for j in conflicts[queue.pop()] if j in left} - found
        found |= news
        queue += sorted(news)
    return sorted(found, key=lambda i: (-len(conflicts[i] & found), i))


def _search(labels: Sequence[Sequence[Candidate[T]]], budget: int) -> list[Candidate[T] | None]:
    """The lightest choice, by trying all that may still be lighter than the best so far."""
    first = [0]
    for label in labels:
        first.append(first[-1] + len(label))
    # Of each candidate, as bits, those of later labels that it rules out.
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
        """What the labels from one on weigh at least, by themselves: each its first candidate that is free."""
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
