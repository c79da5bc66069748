// Stands in for hardwon's MCP server. Usage: node stub_mcp_server.mjs MODE, of answer, refuse, hang, die, error.
import { createInterface } from "node:readline"

const mode = process.argv[2]
const TOOLS = [
  {
    name: "memory_search",
    description: "Search.",
    inputSchema: {
      type: "object",
      properties: {
        query: { type: "string", description: "What to find.", minLength: 1, maxLength: 100 },
        limit: { type: "integer", minimum: 1, maximum: 20 },
        include: { type: "array", items: { type: "string", enum: ["observed"] }, maxItems: 2 },
      },
      required: ["query"],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true },
  },
  { name: "memory_save", description: "Save.", inputSchema: { type: "object", properties: {}, required: [] } },
]

const answer = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\n")
if (mode === "die") process.exit(1)
createInterface({ input: process.stdin })
  .on("line", (line) => {
    const { id, method, params } = JSON.parse(line)
    if (method === "initialize")
      answer({ id, result: { protocolVersion: params.protocolVersion, capabilities: {}, serverInfo: {} } })
    if (method === "tools/list" && mode === "error") answer({ id, error: { code: -32603, message: "no home" } })
    else if (method === "tools/list") answer({ id, result: { tools: TOOLS } })
    if (method !== "tools/call" || mode === "hang") return
    const said = `${params.name} ${JSON.stringify(params.arguments)} in ${process.cwd()}`
    const text = mode === "refuse" ? "“query” is missing; give it." : said
    answer({ id, result: { content: [{ type: "text", text }], isError: mode === "refuse" } })
  })
  .on("close", () => process.exit(0))
