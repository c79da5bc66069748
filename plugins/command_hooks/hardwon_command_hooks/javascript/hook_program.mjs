// Asks hardwon's hook program from inside a harness that runs plugins in its own process (OpenCode, DSH).
//
// Whatever becomes of the program, the harness goes on: an answer is a text or nothing, never an error, and never late.
// No dependencies: the file is copied as it is into folders that have none.

import { spawn, spawnSync } from "node:child_process"

/** Bytes. The program's answers have at most 9,000 characters; what says more is not our program. */
const LONGEST_ANSWER = 1_000_000

/** Whether this is a process of hardwon's own (a model asked through a harness): its sessions are no sessions. */
export const isSwitchedOff = () => process.env.HARDWON_HOOKS === "off"

/** The hook program of one home, as `hardwon setup` wrote its command line down. */
export class HookProgram {
  /**
   * @param {{command: string[], limit: number}} data - the program and its arguments; the seconds that it may take. It
   * ends itself long before, at its own deadline: the limit is for a program that cannot even start.
   */
  constructor({ command, limit }) {
    if (!Array.isArray(command) || !command.length || command.some((word) => typeof word !== "string")) {
      throw new TypeError("the command line of hardwon's hook program is missing; run `hardwon setup` again")
    }
    this.command = command
    this.limit = 1_000 * limit
  }

  /**
   * Give the program one event and return the text that it answers with; "" where it has none or fails.
   * @param {object} payload - hardwon's canonical event (docs/reference/hook-program.md).
   * @param {AbortSignal} [signal] - ends the question early.
   * @returns {Promise<string>}
   */
  async ask(payload, signal) {
    const { kept, output } = await this.#run(payload, signal)
    return kept ? textOf(output) : ""
  }

  /**
   * Give the program one event that has no answer; return whether the program took it.
   * @param {object} payload - hardwon's canonical event.
   * @returns {Promise<boolean>}
   */
  async tell(payload) {
    return (await this.#run(payload)).kept
  }

  /**
   * Give the program one event and wait, blocking, until it took it: for a harness that awaits nobody and may end next.
   * @param {object} payload - hardwon's canonical event.
   * @returns {boolean} whether the program took it.
   */
  tellNow(payload) {
    try {
      const done = spawnSync(this.command[0], this.command.slice(1), {
        input: written(payload),
        stdio: ["pipe", "ignore", "ignore"],
        timeout: this.limit,
        killSignal: "SIGKILL",
        windowsHide: true,
      })
      return done.status === 0
    } catch {
      return false
    }
  }

  #run(payload, signal) {
    return new Promise((resolve) => {
      const nothing = { kept: false, output: "" }
      if (signal?.aborted) return resolve(nothing)
      let child
      try {
        child = spawn(this.command[0], this.command.slice(1), { stdio: ["pipe", "pipe", "ignore"], windowsHide: true })
      } catch {
        return resolve(nothing)
      }
      const giveUp = () => end(nothing)
      const timer = setTimeout(giveUp, this.limit)
      const end = (result) => {
        clearTimeout(timer)
        signal?.removeEventListener("abort", giveUp)
        if (result === nothing) letGo(child)
        resolve(result)
      }
      signal?.addEventListener("abort", giveUp, { once: true })
      child.once("error", giveUp)
      const output = collect(child.stdout, giveUp)
      child.once("close", (code) => end(code === 0 ? { kept: true, output: output() } : nothing))
      child.stdin.on("error", () => {}) // It may answer without reading to the end.
      child.stdin.end(written(payload))
    })
  }
}

/** Return an event as JSON without halves of characters, which UTF-8 cannot say: a text that was cut may end in one. */
function written(payload) {
  return JSON.stringify(payload, (_, value) => (typeof value === "string" ? value.toWellFormed() : value))
}

/** Gather what a stream says; call `tooMuch` when that is no answer of ours. */
function collect(stream, tooMuch) {
  const chunks = []
  let size = 0
  stream.on("error", () => {})
  stream.on("data", (chunk) => {
    size += chunk.length
    if (size > LONGEST_ANSWER) tooMuch()
    else chunks.push(chunk)
  })
  return () => Buffer.concat(chunks).toString("utf8")
}

/** End a program that is not waited for any more, and everything that would keep this process from ending. */
function letGo(child) {
  child.kill("SIGKILL")
  child.stdin?.destroy()
  child.stdout?.destroy()
  child.unref()
}

/** Return the text of the program's answer, which is one JSON object or nothing. */
function textOf(output) {
  try {
    const text = JSON.parse(output).text
    return typeof text === "string" ? text : ""
  } catch {
    return ""
  }
}
