// hardwon's tools for the agent: those of its MCP server, which does the work, as tools of DSH.

import { McpServer } from "./mcp_server.mjs"

/** What DSH's schemas know beside types; limits of length and number are left to the server, which says them. */
const KNOWN = ["type", "description", "enum"]

/** Offer the tools that the server lists; they are there before the first request, for which DSH waits for us. */
export async function offerTools(ctx, command, complain) {
  try {
    const { defineTool } = await import("@deepseek-ai/dsh-tools")
    const server = new McpServer(command)
    const tools = (await server.tools()).map((tool) => defineTool(definitionOf(tool, server)))
    ctx.inject(["tools"], (inner) => {
      for (const tool of tools) inner.tools.register(tool)
    })
  } catch (error) {
    complain(error)
  }
}

/** Return what `defineTool` needs to know of one tool of the server. */
export function definitionOf(tool, server) {
  return {
    name: tool.name,
    description: tool.description,
    parameters: parametersOf(tool.inputSchema),
    output: { schema: { type: "string" }, render: (_, text) => [{ type: "text", text }] },
    isConcurrencySafe: () => tool.annotations?.readOnlyHint === true,
    execute: (given, { signal, agent }) => server.call(tool.name, given, agent?.session.header.cwd, signal),
  }
}

function parametersOf({ properties = {}, required = [] }) {
  const parameters = Object.entries(properties).map(([name, schema]) => {
    const kept = valueOf(schema)
    return [name, required.includes(name) ? { ...kept, required: true } : kept]
  })
  return Object.fromEntries(parameters)
}

function valueOf(schema) {
  const kept = Object.fromEntries(KNOWN.filter((name) => name in schema).map((name) => [name, schema[name]]))
  return schema.items ? { ...kept, items: valueOf(schema.items) } : kept
}
