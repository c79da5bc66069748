"""An MCP server for hardwon: any client's door to the memory.

A client waits for the first answers while it starts, and some go on without a server that is late. Everything that is
imported before the first call of a tool is therefore the standard library's and little of it, and `typing` is none of
that: modules on this path say `TYPE_CHECKING = False` themselves, which type checkers read as they read typing's. What
a call needs (the home, the store, pydantic) is imported by the functions below `work`.
"""
