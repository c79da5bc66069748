"""The life of a rule: which later lessons bear on it, and which changes of it the evidence asks for.

Nothing here changes a rule. `weighing` says what speaks for or against one; the other modules each make proposals of
one kind, for the user to decide.
"""
