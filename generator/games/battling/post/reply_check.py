"""Check a reply or an answer against the charts and its dice."""

from __future__ import annotations

from collections.abc import Iterable

from generator.games.battling.forces import Pack
from generator.games.battling.notation import Answer, BattlingReply, Reply, ShotReply
from generator.games.battling.play import Refusal
from generator.games.battling.post.pieces import Piece, Waiting
from generator.games.battling.tables import dice

HIT = {True: "H", False: "F"}


def fault(pack: Pack, of: Waiting, reply: Reply) -> Refusal | None:
    """Return the fault of a reply, or None if the reply is correct for one of the target's possible states."""
    attacker, target = of.attacker, of.target
    assert attacker and target, "only what waits without doubt is checked"
    if isinstance(reply, Answer):
        return _answered(of, attacker, reply)
    if of.shot != isinstance(reply, ShotReply):
        return Refusal("reply.shot" if of.shot else "reply.clash")
    found = (
        _shot(pack, attacker, target, distance, last, reply)
        if isinstance(reply, ShotReply)
        else _battling(pack, attacker, target, last, reply)
        for last in of.lasts
        for distance in of.distances
    )
    return _mildest(found)


def _mildest(found: Iterable[Refusal | None]) -> Refusal | None:
    faults = list(found)
    return None if None in faults else faults[0]


def _shot(pack: Pack, attacker: Piece, target: Piece, distance: int, last: str, reply: ShotReply) -> Refusal | None:
    shot = pack.shot(attacker.kind, target.kind, distance, last)
    if wrong := _no_face(reply.die, reply.damage):
        return wrong
    if shot.hit(reply.die) != reply.hit:
        values = {"die": reply.die, "change": f"{shot.change:+}", "number": shot.number}
        return Refusal("reply.hit", {**values, "right": HIT[not reply.hit], "wrong": HIT[reply.hit]})
    if reply.hit and reply.damage is None:
        return Refusal("reply.damage")
    if not reply.hit and reply.damage is not None:
        return Refusal("reply.no_damage")
    hurt = int(reply.damage is not None and shot.hurt(reply.damage))
    # The notation's own example of a miss ends with F, so the hit points may be omitted.
    return _left(target, hurt, reply.hp) if reply.hit or reply.hp is not None else None


def _battling(pack: Pack, attacker: Piece, target: Piece, last: str, reply: BattlingReply) -> Refusal | None:
    result_of = pack.battling_roll(attacker.kind, target.kind, last)
    if wrong := _no_face(reply.die):
        return wrong
    right = result_of.result(reply.die)
    if right != reply.result:
        difference = pack.machines[attacker.kind].battling[target.kind]
        values = {"die": reply.die, "change": f"{result_of.change:+}", "difference": f"{difference:+}"}
        return Refusal("reply.result", {**values, "right": right, "wrong": reply.result})
    return _left(target, dice().effects[right].target_loss, reply.hp)


def _answered(of: Waiting, attacker: Piece, answer: Answer) -> Refusal | None:
    if answer.result != of.result:
        return Refusal("answer.result", {"right": of.result, "wrong": answer.result})
    if answer.hp in of.hps:
        return None
    # The attacker may also write the hit points that are left at this point.
    return _left(attacker, 0, answer.hp)


def _no_face(*thrown: int | None) -> Refusal | None:
    wrong = (die for die in thrown if die is not None and die not in dice().faces)
    return next((Refusal("reply.die", {"die": die}) for die in wrong), None)


def _left(piece: Piece, lost: int, written: int | None) -> Refusal | None:
    if written is None:
        return Refusal("reply.no_hp")
    right = [max(0, hp - lost) for hp in piece.hps]
    if written in right:
        return None
    return Refusal("reply.hp", {"unit": piece.id, "right": right[0], "wrong": written})
