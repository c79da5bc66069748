// As much of OpenCode as the plugin sees, with the events that OpenCode 1.18.33 really sent.
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { after } from "node:test"
import { pathToFileURL } from "node:url"

export const room = mkdtempSync(join(tmpdir(), "hardwon-test-"))
after(() => rmSync(room, { recursive: true }))
let count = 0

export const recorded = (name) => JSON.parse(readFileSync(join(process.env.HARDWON_FIXTURES, `${name}.json`), "utf8"))
export const eventOf = (name) => ({ event: recorded(`event.${name}`).input })
export const session = recorded("chat.message").input.sessionID
export const USER = "msg_229cacaa1001lndxDgn4A66diX"

/** Load the plugin as it is installed, with a stub of the hook program in this mode; say what the stub heard. */
export async function loaded(mode, { client = {}, command, jobs } = {}) {
  const folder = join(room, `plugins-${count++}`)
  const log = `${folder}.log`
  cpSync(process.env.HARDWON_PLUGIN, folder, { recursive: true })
  const stub = [process.execPath, process.env.HARDWON_STUB, log, mode]
  writeFileSync(
    join(folder, "hardwon", "data.json"),
    JSON.stringify({ format: 1, command: command ?? stub, limit: mode === "hang" ? 0.5 : 60, jobs }),
  )
  const { HardwonPlugin } = await import(pathToFileURL(join(folder, "hardwon.js")))
  const hooks = await HardwonPlugin({ client, directory: "/home/you/project" })
  const heard = () =>
    existsSync(log)
      ? readFileSync(log, "utf8")
          .trim()
          .split("\n")
          .map((line) => JSON.parse(line))
      : []
  return { hooks, heard }
}

/** Hear of the recorded session as one that begins now, so that it is no resumed one. */
export function created(changes = {}) {
  const { event } = eventOf("session.created")
  Object.assign(event.properties.info, { time: { created: Date.now() + 5, updated: 0 } }, changes)
  return { event }
}

/** Hear of a message or a part as if it came now. */
export function now(name) {
  const given = eventOf(name)
  const { info } = given.event.properties
  if (info) info.time = { ...info.time, created: Date.now() + 10 }
  return given
}

export async function chat(hooks, text) {
  const { input, output } = recorded("chat.message")
  if (text !== undefined) output.parts[0].text = text
  await hooks["chat.message"](input, output)
  return output
}

/** The recorded turn: the user's words, a call of a tool, and the agent's answer. */
export async function turn(hooks) {
  await hooks.event(now("message.updated"))
  await hooks.event(now("message.part.updated"))
  await hooks.event(now("message.part.updated.2"))
  await hooks.event(now("message.updated.2"))
  const tool = now("message.part.updated.4")
  await hooks.event(tool)
  tool.event.properties.part.state = {
    status: "completed",
    input: { query: "deploy" },
    output: "vault 7",
    time: { end: 5000 },
  }
  await hooks.event(tool)
  const answer = now("message.part.updated.2")
  Object.assign(answer.event.properties.part, {
    id: "prt_z",
    messageID: tool.event.properties.part.messageID,
    text: "Done.",
  })
  await hooks.event(answer)
}

/** A further question of the user's. */
export async function anotherTurn(hooks, number, { isIdle = true } = {}) {
  for (const name of ["message.updated", "message.part.updated.2"]) {
    const { event } = now(name)
    const { info, part } = event.properties
    if (info) info.id = `msg_z${number}`
    if (part) Object.assign(part, { messageID: `msg_z${number}`, id: `prt_zz${number}`, text: "No, use uv." })
    await hooks.event({ event })
  }
  if (isIdle) await hooks.event(eventOf("session.idle"))
}
