"""The rules of Gloria in one sentence each, for players."""

SENTENCES = {
    "COM-1": "Everybody throws, and the highest begins; those who tie throw again. You may also simply choose.",
    "COM-2": "Turns go around the table to the left.",
    "COM-3": "Only the player whose turn it is moves, and only their own pawns.",
    "COM-4": "If you can move, you must; if you cannot, you pass.",
    "COM-5": "Pawns of one colour are all alike: what counts is where they stand in the end.",
    "COM-6": "The game is over the moment the last pawn is home.",
    "COM-7": "Sit where you like; two players best sit opposite each other.",
    "GLO-1": "The player to your left reads you a question: know the answer, and you roll; if not, your turn is over.",
    "GLO-2": "With a 6 you may bring a pawn from your base onto your starting space.",
    "GLO-3": "A pawn goes once all the way round, over its own starting space, and then up its own lane.",
    "GLO-4": "Pawns move clockwise by the roll, and may pass other pawns; only where they end counts.",
    "GLO-5": "Land on another player's pawn anywhere on the track and it goes back to its base.",
    "GLO-6": "Move any pawn you like, but never onto one of your own; if none can move, your turn is over.",
    "GLO-7": "A home space is reached by the exact roll, if it is free; there the pawn rests and moves no more.",
    "GLO-8": "The first with four pawns at rest on the four home spaces wins.",
    "GLO-9": "If you play to the centre: the lane is part of the way, and the centre is reached by the exact roll.",
    "GLO-10": "If you open with more dice: throw them until your first 6; it brings in a pawn, which moves the others.",
    "GLO-11": "If sixes roll again: after a roll with a 6 you roll once more, without a question.",
    "GLO-12": "A team plays one colour and takes its turns as one player, its members in rotation.",
}
