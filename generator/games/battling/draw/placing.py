"""Setting up: the second player at an edge, then the first player at the one across."""

from __future__ import annotations

from collections.abc import Mapping

from generator.draw.streams import Streams
from generator.errors import WrongUsageError
from generator.games.battling.forces.machines import Pack
from generator.games.battling.forces.squads import Kinds
from generator.games.battling.ground.arena import ACROSS, Arena, Edge
from generator.games.battling.mirror import images
from generator.games.battling.scenario import OTHER, PREFIX, SIDES, Machine, Player, Side, Squad
from generator.games.logs import Step
from generator.grid.columns import Numbered


class Placing:
    """Where squads start on an arena: as wished for, or drawn among the open hexes of their edges."""

    def __init__(
        self,
        wishes: Mapping[str, str],
        arena: Arena,
        pack: Pack,
        streams: Streams,
        log: list[Step],
        *,
        mirrored: bool = False,
    ) -> None:
        self.wishes, self.arena, self.pack, self.streams, self.log = wishes, arena, pack, streams, log
        self.mirrored = mirrored

    def squads(self, first: Player, kinds: Mapping[Player, Kinds]) -> dict[Side, Squad]:
        """Both squads set up, the second player's before the first player's."""
        players: dict[Side, Player] = {"first": first, "second": "B" if first == "A" else "A"}
        typed = {
            side: self._typed(side, len(kinds[players[side]])) for side in SIDES if f"place-{side}" in self.wishes
        }
        if self.mirrored:
            typed = self._with_images(typed)
        second, stream = self._edge(typed, max(map(len, kinds.values())))
        edges: dict[Side, Edge] = {"first": ACROSS[second], "second": second}
        self.log.append(Step("edge", "second", stream, (second,)))
        squads = {}
        for side in ("second", "first"):
            cells, path = typed.get(side), ""
            if cells is None:
                draw = self.streams.under(side).at("deploy")
                own = kinds[players[side]]
                cells, path = draw.sample(self.arena.edge(edges[side]), len(own)), draw.path
                if self.mirrored:
                    typed = self._with_images({side: cells})
            machines = tuple(
                Machine(f"{PREFIX[side]}{i}", kind, cell, self.pack.machines[kind].hp)
                for i, (kind, cell) in enumerate(zip(kinds[players[side]], cells, strict=True), 1)
            )
            told = tuple(f"{m.id} {self.arena.field.name(m.cell)}" for m in machines)
            self.log.append(Step("deploy", side, path, told))
            squads[side] = Squad(side, machines, edges[side], players[side])
        return {side: squads[side] for side in SIDES}

    def _with_images(self, typed: dict[Side, list[Numbered]]) -> dict[Side, list[Numbered]]:
        """The hexes of either side and of the other's image; WrongUsageError where both are typed otherwise."""
        for side, cells in typed.items():
            if typed.get(OTHER[side], image := images(self.arena.field, cells)) != image:
                raise WrongUsageError("--place-first and --place-second are not each other's image")
        return typed | {OTHER[side]: images(self.arena.field, cells) for side, cells in typed.items()}

    def _edge(self, typed: Mapping[Side, list[Numbered]], room: int) -> tuple[Edge, str]:
        """The second player's edge, and the stream it comes from; none where it could be no other."""

        def fits(edge: Edge) -> bool:
            sides: dict[Side, Edge] = {"first": ACROSS[edge], "second": edge}
            return all(
                set(typed[side]) <= set(self.arena.edge(own)) if side in typed else len(self.arena.edge(own)) >= room
                for side, own in sides.items()
            )

        wish, stream = self.wishes.get("edge"), self.streams.at("edge")
        open_ = [edge for edge in self.arena.edges if wish in (None, edge) and fits(edge)]
        if not open_:
            raise WrongUsageError("no edge of this arena has room for the squads where they are wished for")
        return (open_[0], "") if wish or len(open_) == 1 else (stream.choice(open_), stream.path)

    def _typed(self, side: Side, count: int) -> list[Numbered]:
        """The hexes typed for a side's machines; WrongUsageError for one where nobody may start."""
        names = self.wishes[f"place-{side}"].replace(",", " ").split()
        if len(names) != count:
            raise WrongUsageError(f"--place-{side} names {len(names)} hexes for {count} machines")
        if len(set(names)) < count:
            raise WrongUsageError(f"--place-{side} names a hex twice")
        cells = []
        for name in names:
            cell = self.arena.field.find(name)
            if cell is None or self.arena.closed(cell):
                raise WrongUsageError(f"--place-{side}: " + (f"{name} is closed" if cell else f"no hex {name!r}"))
            cells.append(cell)
        return cells
