"""Weights of `dice_sure`, fitted by logistic regression to pictures of known dice (docs/dice-by-camera.md)."""

_OF_SHAPE = (
    (-9.0059, -17.1915, -10.2606),  # constant
    (4.5967, 7.3901, 0.0),  # weakest pip
    (-6.2628, -7.8494, 0.0),  # emptiest place
    (0.8332, 0.2855, 1.8016),  # level of the pips (log)
    (0.0464, 0.0527, 0.3648),  # clearest end away from the camera: the least
    (0.0059, -0.1046, 0.3918),  # least end
    (0.0598, -0.0385, 0.613),  # second least end
    (0.2795, 0.9113, 0.3557),  # mean end
    (-0.9192, -0.7646, -1.6),  # roughness
    (-1.187, -3.7251, -4.1463),  # roughness to level
    (-0.077, -1.6853, -0.473),  # size (log)
    (-1.0862, 40.1302, 0.0),  # spacing
    (-2.033, -2.672, 0.0),  # two
    (-0.9203, -1.1019, 0.0),  # three
    (0.2308, 0.0347, 0.0),  # six
    (0.7398, 0.5637, 0.8507),  # lean
    (-0.505, -0.2824, 0.2527),  # least step at the foot
    (0.3051, 0.7244, 0.709),  # step at the nearest foot
    (0.7684, 0.8372, -0.3373),  # hue of the flank
    (-3.6794, -3.1215, -1.9381),  # lean × hue
    (2.1034, 1.3345, 0.9275),  # lean × step
    (0.6017, 1.3743, 1.3776),  # darkness of the flank
    (0.4562, 0.1028, -0.7404),  # unlike beyond
    (-1.764, -4.3831, -2.4645),  # lean × darkness
    (-0.5713, -1.2331, 0.0),  # oddness of the spacing
    (-0.8406, -0.5195, -0.8034),  # ground unlike that beyond
    (-0.0147, -0.0987, 0.7087),  # ground unlike the die
    (-0.5303, -2.0063, -2.5764),  # lean × ground unlike that beyond
    (1.3488, 2.01, 2.5412),  # lean × ground unlike the die
    (1.1166, 1.9695, 1.3145),  # outline: least step
    (0.8682, 1.1655, 0.4704),  # outline: second least step
    (-0.5291, -2.1601, -1.0176),  # outline: mean step
    (-0.0663, 0.0559, 0.271),  # outline: least crisp
    (-0.3122, -1.2317, 0.1969),  # outline: second least crisp
    (0.6696, 2.4067, 0.1996),  # outline: mean crispness
)
FIT, SHAPE, ACE_SHAPE = zip(*_OF_SHAPE, strict=True)
"""Of `shape_of`: whether a square has the size and turn of a die's top; whether it is that of a two to six; and of an
ace, for which what all aces share weighs nothing."""

LOOK = (
    3.22,  # constant
    0.8613,  # log odds by shape
    -0.0081,  # likeness, where both readings agree
    1.1976,  # lead over the next value, where they agree
    -0.757,  # contrast
    -0.2591,  # contrast to roughness
    0.4519,  # ace
    -0.305,  # two
    -0.3302,  # three
)
"""Of `look_of`."""

AMONG = (
    -2.3635,  # constant
    0.5071,  # log odds by look
    -0.0315,  # likeliest rival of another value here (log)
    -13.8241,  # unlike the other dice in size
    0.7465,  # there are others
    -3.4379,  # where a side of another is seen
    0.6148,  # room around it
    3.9598,  # likeness, where both readings agree
    -0.6271,  # lead over the next value
)
"""Of `dice.surroundings`."""

CEILING = 0.998
"""Nothing is surer than this: the weights were fitted to no more than 889 faces."""
