"""A game at one moment, as the tests of the rules of the pawn games ask it."""

from companion.model import Roll, Step


class PawnTable:
    """What a test plays and asks. `game` and `state` are set by the table of each game."""

    def rolls(self, *dice):
        self.state = self.game.hear(self.state, Roll(dice))
        return self

    def takes(self, *ways):
        for way in ways:
            self.state = self.game.take(self.state, self.step(way))
        return self

    def step(self, way, seat=None):
        origin, target = way.split(" > ")
        return Step(self.state.due if seat is None else seat, origin, target)

    def legal(self):
        return {f"{step.origin} > {step.target}" for step in self.game.legal_steps(self.state)}

    def broken(self, way, seat=None):
        return [objection.rule for objection in self.game.objections(self.state, self.step(way, seat))]

    def facts(self, way, rule):
        found = self.game.objections(self.state, self.step(way))
        return next(objection.facts for objection in found if objection.rule == rule)
