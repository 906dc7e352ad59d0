"""The rules of Parcheesi, print-and-cut edition, in one sentence each, for players."""

SENTENCES = {
    "COM-1": "Everybody throws one die, and the highest begins; those who tie throw again.",
    "COM-2": "Turns go around the table to the left.",
    "COM-3": "Only the player whose turn it is moves, and only their own pieces.",
    "COM-4": "If you can move, you must; if you cannot, you pass.",
    "COM-5": "Pieces of one colour are all alike: what counts is where they stand in the end.",
    "COM-6": "The game is over the moment the last piece is home.",
    "COM-7": "Sit where you like; two players best sit opposite each other.",
    "PRN-1": "Throw one die or both, as you like.",
    "PRN-2": "A piece leaves its nest on a total of five: a 5 with one die, 4+1 or 3+2 with two.",
    "PRN-3": "On a total of five a piece must leave the nest if it can, and that uses the whole roll.",
    "PRN-4": "With no piece out of the nest and no five, your turn is over.",
    "PRN-5": "Each die moves a piece forward by its number; use as much of the dice as you can.",
    "PRN-6": "A double gives four moves: the two numbers on top and the two underneath, for any of your pieces.",
    "PRN-7": "Land on a lone piece of another player and it goes back; your piece may move on 20 at once.",
    "PRN-8": "On a ringed space a piece is safe, but for one that leaves its nest and finds a lone piece there.",
    "PRN-9": "Two pieces of one colour are a blockade: others cannot land on it or pass it. No space holds three.",
    "PRN-10": "The two pieces of a blockade may not be moved on to stand together again in the same turn.",
    "PRN-11": "A piece goes up its own strip only, and home by exact count; four pieces home win.",
}
