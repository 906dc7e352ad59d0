"""Games, dice and panels of other people: entered, put on trial, and named where they fail."""

from companion.service.addons.entering import add_dice, add_game, add_panel, addons, enter_addons, is_name

__all__ = ["add_dice", "add_game", "add_panel", "addons", "enter_addons", "is_name"]
