// What the plugin does in OpenCode, with the events that OpenCode 1.18.33 really sent.
import assert from "node:assert/strict"
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { after, describe, it } from "node:test"
import { pathToFileURL } from "node:url"

const room = mkdtempSync(join(tmpdir(), "hardwon-test-"))
after(() => rmSync(room, { recursive: true }))
let count = 0

const recorded = (name) => JSON.parse(readFileSync(join(process.env.HARDWON_FIXTURES, `${name}.json`), "utf8"))
const eventOf = (name) => ({ event: recorded(`event.${name}`).input })
const session = recorded("chat.message").input.sessionID
const USER = "msg_229cacaa1001lndxDgn4A66diX"

/** Load the plugin as it is installed, with a stub of the hook program in this mode; say what the stub heard. */
async function loaded(mode, { client = {}, command, jobs } = {}) {
  const folder = join(room, `plugins-${count++}`)
  const log = `${folder}.log`
  cpSync(process.env.HARDWON_PLUGIN, folder, { recursive: true })
  const stub = [process.execPath, process.env.HARDWON_STUB, log, mode]
  writeFileSync(join(folder, "hardwon", "data.json"), JSON.stringify({ format: 1, command: command ?? stub, limit: mode === "hang" ? 0.5 : 60, jobs }))
  const { HardwonPlugin } = await import(pathToFileURL(join(folder, "hardwon.js")))
  const hooks = await HardwonPlugin({ client, directory: "/home/you/project" })
  const heard = () => (existsSync(log) ? readFileSync(log, "utf8").trim().split("\n").map((line) => JSON.parse(line)) : [])
  return { hooks, heard }
}

/** Hear of the recorded session as one that begins now, so that it is no resumed one. */
function created(changes = {}) {
  const { event } = eventOf("session.created")
  Object.assign(event.properties.info, { time: { created: Date.now() + 5, updated: 0 } }, changes)
  return { event }
}

/** Hear of a message or a part as if it came now. */
function now(name) {
  const given = eventOf(name)
  const { info } = given.event.properties
  if (info) info.time = { ...info.time, created: Date.now() + 10 }
  return given
}

async function chat(hooks, text) {
  const { input, output } = recorded("chat.message")
  if (text !== undefined) output.parts[0].text = text
  await hooks["chat.message"](input, output)
  return output
}

/** The recorded turn: the user's words, a call of a tool, and the agent's answer. */
async function turn(hooks) {
  await hooks.event(now("message.updated"))
  await hooks.event(now("message.part.updated"))
  await hooks.event(now("message.part.updated.2"))
  await hooks.event(now("message.updated.2"))
  const tool = now("message.part.updated.4")
  await hooks.event(tool)
  tool.event.properties.part.state = { status: "completed", input: { query: "deploy" }, output: "vault 7", time: { end: 5000 } }
  await hooks.event(tool)
  const answer = now("message.part.updated.2")
  Object.assign(answer.event.properties.part, { id: "prt_z", messageID: tool.event.properties.part.messageID, text: "Done." })
  await hooks.event(answer)
}

/** A further question of the user's. */
async function anotherTurn(hooks, number, { isIdle = true } = {}) {
  for (const name of ["message.updated", "message.part.updated.2"]) {
    const { event } = now(name)
    const { info, part } = event.properties
    if (info) info.id = `msg_z${number}`
    if (part) Object.assign(part, { messageID: `msg_z${number}`, id: `prt_zz${number}`, text: "No, use uv." })
    await hooks.event({ event })
  }
  if (isIdle) await hooks.event(eventOf("session.idle"))
}

describe("recall", () => {
  it("puts what the memory says of the session and of the prompt before the user's words, marked as nobody's", async () => {
    const { hooks, heard } = await loaded("answer")
    await hooks.event(created())
    const { parts, message } = await chat(hooks)
    assert.equal(parts.length, 2)
    const [added, typed] = parts
    assert.equal(added.text, "[session-start startup]\n\n[prompt what is the deploy key?]")
    assert.deepEqual([added.type, added.synthetic, added.messageID, added.sessionID], ["text", true, message.id, session])
    assert.ok(added.id.startsWith("prt_") && added.id < typed.id && added.id.length === typed.id.length)
    const asked = heard().find(({ event }) => event === "prompt")
    assert.deepEqual(asked, { event: "prompt", session, folder: "/home/you/project", subagent: false, prompt: "what is the deploy key?", turn: USER })
  })

  it("begins a session once, again when its history was compacted, and says when it is resumed", async () => {
    const { hooks, heard } = await loaded("answer")
    await hooks.event(eventOf("session.created")) // created in the past: OpenCode was started again
    await chat(hooks)
    await chat(hooks)
    await hooks.event({ event: { type: "session.compacted", properties: { sessionID: session } } })
    await chat(hooks)
    assert.deepEqual(heard().map(({ source }) => source).filter(Boolean), ["resume", "compact"])
  })

  it("asks OpenCode for a session that no event told of", async () => {
    const asked = []
    const get = async ({ path }) => (asked.push(path.id), { data: { directory: "/elsewhere", parentID: "ses_parent", time: { created: 1 } } })
    const { hooks, heard } = await loaded("silent", { client: { session: { get } } })
    await chat(hooks)
    await chat(hooks)
    assert.deepEqual(asked, [session])
    assert.deepEqual(heard().map(({ folder, subagent }) => [folder, subagent]), Array(3).fill(["/elsewhere", true]))
  })

  for (const client of [{ session: { get: () => new Promise(() => {}) } }, { session: { get: async () => { throw new Error("no") } } }]) {
    it("goes on where OpenCode does not tell", async () => {
      const { hooks } = await loaded("answer", { client })
      assert.equal((await chat(hooks)).parts.length, 2)
    })
  }

  it("takes the quotes off that `opencode run` puts around its argument, and no others", async () => {
    const { hooks, heard } = await loaded("silent")
    for (const text of ['"say \\"hi\\" twice"', 'say "hi" now', '"a" and "b"', '""']) await chat(hooks, text)
    const prompts = heard().filter(({ event }) => event === "prompt").map(({ prompt }) => prompt)
    assert.deepEqual(prompts, ['say "hi" twice', 'say "hi" now', '"a" and "b"'])
  })

  for (const mode of ["silent", "crash", "garbage", "hang", "huge", "half"]) {
    it(`leaves the message as it is where the hook program is ${mode}`, async () => {
      const { hooks } = await loaded(mode)
      assert.deepEqual(await chat(hooks), recorded("chat.message").output)
    })
  }

  it("leaves the message as it is where there is no Python any more", async () => {
    const { hooks } = await loaded("", { command: ["/nowhere/python3", "-I", "-S", "/nowhere/hook", "opencode"] })
    assert.deepEqual(await chat(hooks), recorded("chat.message").output)
    await turn(hooks)
    await hooks.event(eventOf("session.idle"))
    await hooks.dispose()
  })

  it("never throws, whatever OpenCode gives it, and says so in OpenCode's log", async () => {
    const said = []
    const client = { app: { log: async ({ body }) => said.push(body) } }
    const { hooks } = await loaded("answer", { client })
    await hooks["chat.message"]({ sessionID: session }, {})
    await hooks["chat.message"]({}, { parts: "x", message: null })
    await hooks["command.execute.before"](undefined)
    for (const event of [{}, { type: "message.updated" }, { type: "message.part.updated", properties: { part: 7 } }]) await hooks.event({ event })
    await hooks.event(undefined)
    await hooks.dispose()
    assert.ok(said.length && said.every(({ service, level }) => service === "hardwon" && level === "warn"))
  })

  it("takes a prompt of 1 MB, and many sessions at once", async () => {
    const { hooks, heard } = await loaded("answer")
    const prompt = "时区 ".repeat(250_000).trim()
    assert.equal((await chat(hooks, prompt)).parts.length, 2)
    assert.equal(heard().find(({ event }) => event === "prompt").prompt, prompt)
    const outputs = await Promise.all(Array.from({ length: 8 }, async (_, number) => {
      const { input, output } = recorded("chat.message")
      output.parts[0].text = `question ${number}`
      await hooks["chat.message"]({ ...input, sessionID: `ses_${number}` }, output)
      return output.parts[0]
    }))
    outputs.forEach((part, number) => {
      assert.equal(part.sessionID, `ses_${number}`)
      assert.ok(part.text.endsWith(`[prompt question ${number}]`))
    })
  })

  it("is not there in hardwon's own processes, nor where setup left no data", async () => {
    process.env.HARDWON_HOOKS = "off"
    assert.deepEqual((await loaded("answer")).hooks, {})
    delete process.env.HARDWON_HOOKS
    const said = []
    const client = { app: { log: async ({ body }) => said.push(body.message) } }
    assert.deepEqual((await loaded("answer", { client, command: "python" })).hooks, {})
    assert.match(said[0], /hardwon setup/)
  })
})

describe("capture", () => {
  it("spools the turn when the session is idle: who said what, without what hardwon showed", async () => {
    const { hooks, heard } = await loaded("silent")
    await hooks.event(created())
    await turn(hooks)
    await hooks.event(eventOf("session.idle"))
    const [{ messages, ...head }] = heard()
    assert.deepEqual(head, { event: "turn-end", session, folder: "/home/you/project", turn: USER })
    assert.deepEqual(messages.map(({ at, ...message }) => message), [
      { id: USER, by: "user", text: "what is the deploy key?" },
      { id: "prt_229cadb70001049jEhFIatJqCm", by: "tool", text: "vault 7", tool: "memo_recall_note", request: "deploy", failed: false },
      { id: "prt_z", by: "agent", text: "Done." },
    ])
    assert.equal(messages[1].at, 5)
  })

  it("sends nothing twice, however often the session is idle and when it ends", async () => {
    const { hooks, heard } = await loaded("silent")
    await hooks.event(created())
    await turn(hooks)
    for (let time = 0; time < 3; time++) await hooks.event(eventOf("session.idle"))
    await hooks.event({ event: { type: "session.status", properties: { sessionID: session, status: { type: "idle" } } } })
    await turn(hooks)
    await hooks.dispose()
    assert.deepEqual(heard().map(({ event }) => event), ["turn-end", "session-end"])
  })

  it("spools at the end what no idle told, each turn by itself", async () => {
    const { hooks, heard } = await loaded("silent")
    await hooks.event(created())
    await turn(hooks)
    await anotherTurn(hooks, 1, { isIdle: false })
    await hooks.dispose()
    assert.deepEqual(heard().map(({ event, turn: id, messages }) => [event, id, messages?.length]), [
      ["turn-end", USER, 3], ["turn-end", "msg_z1", 1], ["session-end", undefined, undefined],
    ])
  })

  it("does not tell again what OpenCode changes in a turn of long ago", async () => {
    const { hooks, heard } = await loaded("silent")
    await hooks.event(created())
    await turn(hooks)
    await hooks.event(eventOf("session.idle"))
    for (const number of [1, 2]) await anotherTurn(hooks, number)
    await hooks.event(now("message.updated"))
    await hooks.event(now("message.part.updated.2"))
    await hooks.event(eventOf("session.idle"))
    await hooks.dispose()
    assert.deepEqual(heard().map(({ turn: id, event }) => id ?? event), [USER, "msg_z1", "msg_z2", "session-end"])
  })

  it("tells again what the hook program did not take, before what came since", async () => {
    const { hooks, heard } = await loaded("once")
    await hooks.event(created())
    await turn(hooks)
    await hooks.event(eventOf("session.idle"))
    await anotherTurn(hooks, 1)
    assert.deepEqual(heard().map(({ turn: id }) => id), [USER, USER, "msg_z1"])
  })

  it("leaves out sub-agents, sessions that were copied, and summaries", async () => {
    const { hooks, heard } = await loaded("silent")
    await hooks.event(created({ parentID: "ses_parent" }))
    await turn(hooks)
    await hooks.event(eventOf("session.idle"))
    const copy = await loaded("silent")
    await copy.hooks.event(created({ time: { created: Date.now() + 60_000 } }))
    await turn(copy.hooks)
    await copy.hooks.event(eventOf("session.idle"))
    const summary = await loaded("silent")
    await summary.hooks.event(created())
    const head = now("message.updated.2")
    head.event.properties.info.summary = true
    await summary.hooks.event(head)
    await turn(summary.hooks)
    await summary.hooks.event(eventOf("session.idle"))
    assert.deepEqual([heard(), copy.heard()], [[], []])
    assert.deepEqual(summary.heard()[0].messages.map(({ by }) => by), ["user"])
  })

  it("of a slash command takes what the person typed, not its template", async () => {
    const { hooks, heard } = await loaded("silent")
    await hooks.event(created())
    await hooks["command.execute.before"]({ command: "greet", sessionID: session, arguments: '"Jane Doe"' }, { parts: [] })
    await chat(hooks, "Say hello politely to Jane Doe and nothing more.")
    await turn(hooks)
    await hooks.event(eventOf("session.idle"))
    assert.equal(heard().find(({ event }) => event === "prompt").prompt, "Jane Doe")
    assert.equal(heard().find(({ event }) => event === "turn-end").messages[0].text, "Jane Doe")
  })

  it("forgets a message that the user took back, and a session that was deleted", async () => {
    const { hooks, heard } = await loaded("silent")
    await hooks.event(created())
    await turn(hooks)
    await hooks.event({ event: { type: "message.removed", properties: { sessionID: session, messageID: USER } } })
    await hooks.event(eventOf("session.idle"))
    assert.deepEqual(heard()[0].messages.map(({ by }) => by), ["tool", "agent"])
    await turn(hooks)
    await hooks.event({ event: { type: "session.deleted", properties: { sessionID: session, info: {} } } })
    await hooks.dispose()
    assert.equal(heard().length, 1)
  })
})

describe("background work", () => {
  for (const moment of ["session-start", "turn-end", "session-end"]) {
    it(`is started at ${moment}, with our hooks off`, async () => {
      const log = join(room, `${moment}.txt`)
      const script = `require("fs").writeFileSync(${JSON.stringify(log)}, process.env.HARDWON_HOOKS)`
      const { hooks } = await loaded("silent", { jobs: [{ name: "x", moment, command: [process.execPath, "-e", script] }] })
      await hooks.event(created())
      await chat(hooks)
      await turn(hooks)
      await hooks.event(eventOf("session.idle"))
      await hooks.dispose()
      while (!existsSync(log) || !readFileSync(log, "utf8")) await new Promise((resolve) => setTimeout(resolve, 20))
      assert.equal(readFileSync(log, "utf8"), "off")
    })
  }
})
