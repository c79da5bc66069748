// hardwon in OpenCode: recall with each message, capture after each turn.
//
// OpenCode runs this in its own process: an exception, a hang or a malformed part would end the user's turn. So every
// hook is wrapped, what it waits for is limited in time, and it changes something only when it has all it needs.
// OpenCode takes every export of this file for a plugin, and no other file of this folder's subfolders.

import { readFileSync } from "node:fs"

import { HookProgram, isSwitchedOff } from "./hardwon/hook_program.mjs"
import { Jobs } from "./hardwon/jobs.mjs"
import { askedIn, injectedPart } from "./hardwon/parts.mjs"
import { Sessions } from "./hardwon/sessions.mjs"

/** Written beside the modules by `hardwon setup opencode`. */
const DATA = new URL("./hardwon/data.json", import.meta.url)

export const HardwonPlugin = async ({ client, directory }) => {
  if (isSwitchedOff()) return {}
  const complain = async (error) => {
    const body = { service: "hardwon", level: "warn", message: String(error?.message ?? error) }
    await Promise.resolve()
      .then(() => client.app.log({ body }))
      .catch(() => {}) // There is nobody else to tell.
  }
  try {
    const data = JSON.parse(readFileSync(DATA, "utf8"))
    return hooksOf(new HookProgram(data), new Jobs(data.jobs), new Sessions(client, directory), complain)
  } catch (error) {
    void complain(error)
    return {}
  }
}

function hooksOf(program, jobs, sessions, complain) {
  const guarded =
    (hook) =>
    async (...given) => {
      try {
        await hook(...given)
      } catch (error) {
        void complain(error)
      }
    }
  return {
    "chat.message": guarded(async (input, output) => {
      const session = await sessions.get(input.sessionID)
      const source = session.begins()
      const text = await recall(program, session, source, session.asks(askedIn(output.parts)), output.message.id)
      if (source) jobs.begin("session-start")
      if (text) output.parts.unshift(injectedPart(text, input.sessionID, output.message.id))
    }),
    "command.execute.before": guarded(async ({ sessionID, arguments: typed }) => {
      ;(await sessions.get(sessionID)).commandIsTyped(typed)
    }),
    event: guarded(async ({ event }) => {
      const session = sessions.hear(event)
      if (session && isIdle(event) && capture(program, session)) jobs.begin("turn-end")
    }),
    dispose: guarded(async () => {
      const heard = sessions.all().filter((session) => session.wasHeard())
      await Promise.all(heard.map((session) => close(program, session)))
      if (heard.length) jobs.begin("session-end")
    }),
  }
}

/** Return what the memory has to say to a session's beginning, where this is its first message, and to the message. */
async function recall(program, session, source, prompt, turn) {
  const about = { session: session.id, folder: session.folder, subagent: session.isSubagent }
  const questions = []
  if (source) questions.push(program.ask({ event: "session-start", ...about, source }))
  if (prompt) questions.push(program.ask({ event: "prompt", ...about, prompt, turn }))
  return (await Promise.all(questions)).filter(Boolean).join("\n\n")
}

function isIdle({ type, properties }) {
  return type === "session.idle" || (type === "session.status" && properties.status?.type === "idle")
}

/**
 * Give what is new in a session to the spool, blocking: OpenCode awaits no handler of events, and may end next.
 * What is not taken is given again the next time. Return whether there was anything.
 */
function capture(program, session) {
  const turns = session.untold()
  for (const turn of turns) {
    if (!program.tellNow({ event: "turn-end", session: session.id, folder: session.folder, ...turn })) break
    session.told(turn)
  }
  return turns.length > 0
}

/** Give what is left of a session to the spool, and its end. */
async function close(program, session) {
  const about = { session: session.id, folder: session.folder }
  for (const turn of session.untold()) {
    if (!(await program.tell({ event: "turn-end", ...about, ...turn }))) return
    session.told(turn)
  }
  await program.tell({ event: "session-end", ...about })
}
