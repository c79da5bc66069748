"""The languages that texts are told apart by, in the order in which arrays have them."""

LANGUAGES = ("en", "zh")
