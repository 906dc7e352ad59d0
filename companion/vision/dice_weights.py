"""Weights of `dice_sure`, fitted by logistic regression to pictures of known dice (docs/dice-by-camera.md)."""

FIT = (
    -9.392,  # constant
    4.5653,  # weakest pip
    -5.6545,  # emptiest place
    0.8764,  # level of the pips (log)
    0.0046,  # clearest end away from the camera: the least
    0.0234,  # least end
    0.0955,  # second least end
    0.2283,  # mean end
    -0.975,  # roughness
    -0.9155,  # roughness to level
    -0.0158,  # size (log)
    -1.0955,  # spacing
    -2.0334,  # two
    -1.0156,  # three
    0.083,  # six
    0.8692,  # lean
    -0.4491,  # least step at the foot
    0.332,  # step at the nearest foot
    0.7557,  # hue of the flank
    -3.7073,  # lean × hue
    1.5716,  # lean × step
    0.7164,  # darkness of the flank
    0.5134,  # unlike beyond
    -1.9554,  # lean × darkness
    -0.5921,  # oddness of the spacing
    -0.7442,  # ground unlike that beyond
    -0.2122,  # ground unlike the die
    -0.8103,  # lean × ground unlike that beyond
    2.0972,  # lean × ground unlike the die
    1.1204,  # outline: least step
    0.9583,  # outline: second least step
    -0.5321,  # outline: mean step
    -0.0889,  # outline: least crisp
    -0.3033,  # outline: second least crisp
    0.6282,  # outline: mean crispness
)
"""Of `shape_of`: whether a square has the size and turn of a die's top."""

SHAPE = (
    -18.8935,  # constant
    6.9951,  # weakest pip
    -6.3197,  # emptiest place
    0.5279,  # level of the pips (log)
    0.0503,  # clearest end away from the camera: the least
    -0.121,  # least end
    0.0007,  # second least end
    0.9158,  # mean end
    -0.9199,  # roughness
    -2.9156,  # roughness to level
    -1.404,  # size (log)
    41.5404,  # spacing
    -2.6812,  # two
    -1.0891,  # three
    -0.3143,  # six
    0.5088,  # lean
    -0.4134,  # least step at the foot
    0.7719,  # step at the nearest foot
    0.8185,  # hue of the flank
    -3.3115,  # lean × hue
    1.2684,  # lean × step
    1.4473,  # darkness of the flank
    0.1079,  # unlike beyond
    -4.4929,  # lean × darkness
    -1.2633,  # oddness of the spacing
    -0.519,  # ground unlike that beyond
    -0.2675,  # ground unlike the die
    -1.9654,  # lean × ground unlike that beyond
    2.5126,  # lean × ground unlike the die
    1.994,  # outline: least step
    1.1876,  # outline: second least step
    -1.9281,  # outline: mean step
    -0.1589,  # outline: least crisp
    -1.0201,  # outline: second least crisp
    2.1328,  # outline: mean crispness
)
"""Of `shape_of`, for twos to sixes."""

ACE_SHAPE = (
    -11.3822,  # constant
    0.0,  # weakest pip
    0.0,  # emptiest place
    2.0644,  # level of the pips (log)
    0.5559,  # clearest end away from the camera: the least
    0.4246,  # least end
    0.4072,  # second least end
    -0.1147,  # mean end
    -1.6779,  # roughness
    -4.1434,  # roughness to level
    -0.3148,  # size (log)
    0.0,  # spacing
    0.0,  # two
    0.0,  # three
    0.0,  # six
    0.8097,  # lean
    0.2123,  # least step at the foot
    0.8436,  # step at the nearest foot
    -0.2281,  # hue of the flank
    -1.6616,  # lean × hue
    0.8611,  # lean × step
    0.495,  # darkness of the flank
    -0.3391,  # unlike beyond
    0.0716,  # lean × darkness
    0.0,  # oddness of the spacing
    -0.8038,  # ground unlike that beyond
    0.6292,  # ground unlike the die
    -2.4989,  # lean × ground unlike that beyond
    2.5375,  # lean × ground unlike the die
    1.0531,  # outline: least step
    0.8179,  # outline: second least step
    -1.1124,  # outline: mean step
    0.1849,  # outline: least crisp
    0.3673,  # outline: second least crisp
    -0.1977,  # outline: mean crispness
)
"""Of `shape_of`, for aces: what all aces share weighs nothing."""

LOOK = (
    2.7471,  # constant
    0.8761,  # log odds by shape
    0.6596,  # likeness, where both readings agree
    0.9418,  # lead over the next value, where they agree
    -0.7255,  # contrast
    -0.248,  # contrast to roughness
    0.3812,  # ace
    -0.3667,  # two
    -0.3053,  # three
)
"""Of `look_of`."""

AMONG = (
    -4.6484,  # constant
    0.4508,  # log odds by look
    -0.0874,  # likeliest rival of another value here (log)
    -11.075,  # unlike the other dice in size
    0.7365,  # there are others
    -4.3164,  # where a side of another is seen
    0.6969,  # room around it
    6.3322,  # likeness, where both readings agree
    -0.7866,  # lead over the next value
)
"""Of `dice.surroundings`."""

CEILING = 0.998
"""Nothing is surer than this: the weights were fitted to no more than 762 faces."""
