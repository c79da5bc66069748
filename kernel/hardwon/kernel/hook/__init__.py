"""The hook program: what a coding agent waits for. The standard library alone, and little of that.

`use_cases/hook_program.py` assembles these modules and those that they import into one file in the home, whose start
is `launcher.py`. Measured on the machine this was written on, the bare interpreter takes 9 ms; json adds 10, re 7, enum
5, dataclasses 17, typing 8, pathlib 9, functools 4, so that none of them is imported before something needs it.
"""
