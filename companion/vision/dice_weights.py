"""Weights of `dice_sure`, fitted by logistic regression to pictures of known dice (docs/dice-by-camera.md)."""

SHAPE = (
    -8.4987,  # constant
    1.7988,  # weakest pip
    -2.1696,  # emptiest place
    0.7009,  # level of the pips (log)
    -0.0533,  # clearest end away from the camera: the least
    -0.0738,  # least end
    0.1,  # second least end
    1.0109,  # mean end
    -1.1566,  # roughness
    0.7222,  # roughness to level
    0.8115,  # size (log)
    -0.7344,  # spacing
    -2.3925,  # two
    -3.0914,  # three
    -0.23,  # six
    0.344,  # lean
    -0.0167,  # least step at the foot
    0.3033,  # step at the nearest foot
    -0.4289,  # hue of the flank
    0.3214,  # lean × hue
    2.6228,  # lean × step
    0.1157,  # darkness of the flank
    0.5621,  # unlike beyond
    -1.2567,  # lean × darkness
)
"""Of `shape_of`, for twos to sixes."""

ACE_SHAPE = (
    -17.0135,  # constant
    0.0,  # weakest pip
    0.0,  # emptiest place
    2.0724,  # level of the pips (log)
    0.3818,  # clearest end away from the camera: the least
    -0.0318,  # least end
    1.2866,  # second least end
    0.1194,  # mean end
    -2.8227,  # roughness
    5.032,  # roughness to level
    2.0113,  # size (log)
    0.0,  # spacing
    0.0,  # two
    0.0,  # three
    0.0,  # six
    1.0896,  # lean
    0.2545,  # least step at the foot
    0.5556,  # step at the nearest foot
    -0.9189,  # hue of the flank
    1.6126,  # lean × hue
    2.2926,  # lean × step
    1.441,  # darkness of the flank
    0.1418,  # unlike beyond
    -4.1013,  # lean × darkness
)
"""Of `shape_of`, for aces: what all aces share weighs nothing."""

LOOK = (
    0.3091,  # constant
    0.9012,  # log odds by shape
    3.6872,  # likeness, where both readings agree
    0.983,  # lead over the next value, where they agree
    -0.7647,  # contrast
    -0.419,  # contrast to roughness
    0.7555,  # ace
    -0.5688,  # two
    1.1505,  # three
)
"""Of `look_of`."""

AMONG = (
    -5.7097,  # constant
    1.0928,  # log odds by look
    -0.1354,  # likeliest rival of another value here (log)
    -9.0111,  # unlike the other dice in size
    0.5085,  # there are others
    -19.4985,  # where a side of another is seen
    2.276,  # room around it
    2.7973,  # likeness, where both readings agree
    0.6615,  # lead over the next value
)
"""Of `dice.surroundings`."""
