// One session with one question in DSH's real core packages, composed and started by DSH's own boot code: the core as
// base, then the user's `$DSH_HOME/cordis.patch.yml`, as every profile has it. The model is asked over loopback.
//
// Usage: node dsh_session.mjs MODULES FOLDER PROMPT, with $DSH_FAKE_MODEL, the URL of a fake model that speaks OpenAI's
// chat completions.
import { mkdirSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"

const [modules, folder, prompt] = process.argv.slice(2)
const require = createRequire(join(modules, "any.js"))
const load = (name) => import(pathToFileURL(require.resolve(`@deepseek-ai/${name}`)))
const { boot, healProfilesModuleFallback, loadOptionalPatches } = await load("dsh-app-boot")
const { resolveDshHome } = await load("dsh-home-paths")
const { CallId, LlmAdapter, createUserMessage } = await load("dsh-llm")
const { SessionId } = await load("dsh-session")
const { defineTool } = await load("dsh-tools")

const CORE = ["llm", "session", "system-prompt", "tools", "agent", "agent-loop"].map((name) => ({
  id: name,
  name: pathToFileURL(require.resolve(`@deepseek-ai/dsh-${name}`)).href,
  config: name === "agent-loop" ? { agents: [] } : {},
}))

/** Asks the fake model, and gives its answer as a stream of DSH's. */
class FakeModel extends LlmAdapter {
  resolveModel(provider, model) {
    return Promise.resolve({ provider, id: model, name: model })
  }

  async *stream({ system, messages, tools, signal }) {
    const said = [...(system ? [{ role: "system", content: system }] : []), ...messages.flatMap(asOpenAI)]
    const offered = (tools ?? []).map((tool) => ({ type: "function", function: tool }))
    const answer = await fetch(`${process.env.DSH_FAKE_MODEL}/v1/chat/completions`, {
      method: "POST",
      body: JSON.stringify({ model: "fake-model", messages: said, tools: offered }),
      signal,
    })
    const { message } = (await answer.json()).choices[0]
    const calls = message.tool_calls ?? []
    for (const [index, call] of calls.entries()) yield* called(index, call)
    if (!calls.length) yield* spoken(message.content)
    yield { type: "usage", usage: { inputTokens: 10, outputTokens: 10 } }
    yield { type: "finish", reason: { kind: calls.length ? "tool-calls" : "stop" } }
  }
}

function* spoken(text) {
  yield { type: "block-start", index: 0, blockType: "text" }
  yield { type: "text-delta", index: 0, text }
  yield { type: "block-end", index: 0, block: { type: "text", text } }
}

function* called(index, { id, function: { name, arguments: given } }) {
  yield { type: "block-start", index, blockType: "tool-call" }
  yield { type: "tool-call-delta", index, id: CallId(id), name, argumentsDelta: given }
  yield { type: "block-end", index, block: { type: "tool-call", id: CallId(id), name, arguments: given } }
}

/** Return one message of DSH as OpenAI's protocol has it: results of tools are messages of their own there. */
function asOpenAI({ role, content }) {
  const words = (blocks) =>
    blocks
      .filter(({ type }) => type === "text")
      .map(({ text }) => text)
      .join("\n")
  const results = content.filter(({ type }) => type === "tool-result")
  if (results.length)
    return results.map((each) => ({ role: "tool", tool_call_id: each.toolCallId, content: words(each.content) }))
  const calls = content.filter(({ type }) => type === "tool-call")
  const tool_calls = calls.map((each) => ({
    id: each.id,
    type: "function",
    function: { name: each.name, arguments: each.arguments },
  }))
  return [{ role, content: words(content), ...(calls.length ? { tool_calls } : {}) }]
}

const home = resolveDshHome()
healProfilesModuleFallback(join(dirname(modules), "package.json"), home)
const profile = join(home, "profiles", "end-to-end")
mkdirSync(profile, { recursive: true })
writeFileSync(join(profile, "cordis.yml"), "[]\n")
const patches = [{ insert: CORE }, ...(loadOptionalPatches("dsh", join(home, "cordis.patch.yml")) ?? [])]
const ctx = await boot("dsh", join(profile, "cordis.yml"), patches)
ctx.get("tools").register(
  defineTool({
    name: "clock",
    description: "Tell the time: an agent has a tool of its own.",
    parameters: {},
    output: { schema: { type: "string" }, render: (_, text) => [{ type: "text", text }] },
    execute: async () => new Date().toISOString(),
  }),
)
ctx.get("llm").registerAdapter(["fake"], new FakeModel())
const options = { provider: "fake", model: "fake-model" }
const agent = ctx.get("agentLoop").create(SessionId(crypto.randomUUID()), options, { cwd: folder })
agent.followup(createUserMessage({ content: [{ type: "text", text: prompt }], source: { kind: "user" } }))
await agent.whenIdle()
const ended = agent.session.events.findLast(({ type }) => type === "turn/end")
console.log(JSON.stringify(ended?.data.reason))
await ctx.fiber.dispose()
process.exitCode = ended?.data.reason.kind === "completed" ? 0 : 1
