"""An MCP server for hardwon: any client's door to the memory."""
