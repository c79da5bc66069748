// As much of DSH as the plugin sees: a context, sessions, and the two packages that it imports. The end-to-end script
// runs the same plugin in the real packages.
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { after } from "node:test"
import { pathToFileURL } from "node:url"

const room = mkdtempSync(join(tmpdir(), "hardwon-test-"))
after(() => rmSync(room, { recursive: true }))
let count = 0

const PACKAGES = {
  "dsh-llm":
    "export const createUserMessage = (given) => Object.freeze({ ...given, role: 'user', id: crypto.randomUUID() })",
  "dsh-tools": "export const defineTool = (options) => options",
}

export const HEADER = { cwd: "/home/you/project" }
export const user = (id, text, kind = "user") => ({
  id,
  role: "user",
  source: { kind },
  content: [{ type: "text", text }],
})

/** Load the plugin as it is installed, with a stub of the hook program in this mode. */
export async function loaded(mode, data = {}, packages = PACKAGES) {
  const folder = join(room, `hardwon-${count++}`)
  const log = `${folder}.log`
  cpSync(process.env.HARDWON_PLUGIN, folder, { recursive: true })
  for (const [name, source] of Object.entries(packages)) {
    const place = join(folder, "node_modules", "@deepseek-ai", name)
    mkdirSync(place, { recursive: true })
    writeFileSync(join(place, "package.json"), '{"type": "module", "exports": "./index.mjs"}')
    writeFileSync(join(place, "index.mjs"), source)
  }
  const command = [process.execPath, process.env.HARDWON_STUB, log, mode]
  writeFileSync(
    join(folder, "data.json"),
    JSON.stringify({ format: 1, command, limit: mode === "hang" ? 0.5 : 60, ...data }),
  )
  const context = new FakeContext()
  const plugin = await import(pathToFileURL(join(folder, "index.mjs")))
  await plugin.apply(context)
  const heard = () =>
    existsSync(log)
      ? readFileSync(log, "utf8")
          .trim()
          .split("\n")
          .map((line) => JSON.parse(line))
      : []
  return { context, heard, plugin, log }
}

/** A context of Cordis: listeners, effects, and services that are there or not. */
export class FakeContext {
  listeners = new Map()
  disposers = []
  warnings = []
  injected = []
  tools = { registered: [], register: (tool) => this.tools.registered.push(tool) }

  logger = () => ({ warn: (text) => this.warnings.push(text) })

  on(name, listener, options) {
    this.listeners.set(name, { listener, options })
  }

  effect(body) {
    this.disposers.push(body())
  }

  inject(names, callback) {
    this.injected.push(names)
    callback(this)
  }

  emit(name, ...given) {
    return this.listeners.get(name)?.listener(...given)
  }

  async dispose() {
    for (const dispose of this.disposers.reverse()) await dispose()
  }
}

/** One session with its agent, whose steps and events the plugin hears of. */
export class FakeSession {
  #seq = 0

  constructor(context, id = "s1", header = HEADER) {
    this.context = context
    this.agent = { id, session: { id, header } }
  }

  start(source) {
    this.context.emit("agent/session-start", { agent: this.agent, source })
  }

  /** Propose a step; return the messages that enter it. */
  async step(messages, { signal = new AbortController().signal, decision = { kind: "enter", messages } } = {}) {
    const step = { agent: this.agent, messages, turn: 1, step: 1, signal }
    return this.context.emit("agent/pre-step", step, async () => decision)
  }

  say(type, data, more = {}) {
    this.context.emit("session/event", this.agent.session, {
      seq: this.#seq++,
      time: 1_796_000_000_000,
      type,
      data,
      ...more,
    })
  }

  /** One turn: a question, a call of a tool that fails, and an answer. */
  turn(id = "u1", question = "why?") {
    this.say("turn/start", { turn: 1 })
    this.say("user/message", user(id, question))
    this.say("user/message", user("made", "what hardwon showed", "plugin"))
    this.say("tool/call", { callId: "c1", name: "bash", arguments: '{"command": "make\\n test"}' })
    const result = {
      type: "tool-result",
      toolCallId: "c1",
      content: [{ type: "text", text: "error 2" }],
      isError: true,
    }
    this.say("tool/result", { message: { id: `r-${id}`, source: { kind: "tool" }, content: [result] } })
    const content = [
      { type: "reasoning", text: "hm" },
      { type: "text", text: "Done." },
    ]
    this.say("assistant/message", { message: { id: `a-${id}`, content } })
    this.say("turn/end", { turn: 1, reason: { kind: "completed" } })
  }

  flush() {
    return this.context.emit("session/flush", this.agent.session)
  }

  dispose() {
    this.context.emit("session/disposed", this.agent.session)
  }
}
