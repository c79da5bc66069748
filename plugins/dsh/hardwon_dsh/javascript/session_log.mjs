// One session's log as far as the spool does not have it yet.

import { requestOf, shortened } from "./messages.mjs"
import { wordsOf } from "./words.mjs"

/** Turns kept that could not be told (no hook program); then the oldest are given up. */
const LONGEST_BACKLOG = 100

export class SessionLog {
  /** Whether anything was said that is worth an end. */
  wasHeard = false
  #turn = []
  #ended = []
  #calls = new Map()

  constructor(id, folder) {
    this.about = { session: id, folder }
  }

  /** Take one event of the log; return whether a turn ended with it. */
  hear({ type, time, data, surfaceOp }) {
    // A summary or a shortened result that takes the place of what was said, was not said.
    if (typeof surfaceOp === "object") return false
    const at = time / 1000
    if (type === "user/message" && data.source.kind === "user")
      this.#say({ id: data.id, by: "user", text: wordsOf(data), at })
    if (type === "assistant/message") this.#say({ id: data.message.id, by: "agent", text: wordsOf(data.message), at })
    if (type === "tool/call") this.#calls.set(data.callId, data)
    if (type === "tool/result") this.#result(data.message, at)
    if (type !== "turn/end") return false
    this.close()
    return this.#ended.length > 0
  }

  /** The turn that is open, if any, goes no further. */
  close() {
    if (this.#turn.length) this.#ended.push({ turn: this.#turn[0].id, messages: this.#turn })
    if (this.#ended.length > LONGEST_BACKLOG) this.#ended.shift()
    this.#turn = []
    this.#calls.clear()
  }

  /** Return the turns that ended and are not told. */
  waiting() {
    return [...this.#ended]
  }

  /** The spool has this turn. */
  told(turn) {
    this.#ended = this.#ended.filter((each) => each !== turn)
  }

  #say(message) {
    if (!message.text && !message.tool) return
    this.wasHeard = true
    this.#turn.push(message)
  }

  #result({ id, content: [result] }, at) {
    const call = this.#calls.get(result.toolCallId)
    this.#say({
      id,
      by: "tool",
      text: shortened(wordsOf(result)),
      at,
      tool: call?.name ?? "unknown",
      request: requestOf(argumentsOf(call)),
      failed: result.isError === true,
    })
  }
}

/** Return the arguments of a call: the model writes them as JSON, and not always as good JSON. */
function argumentsOf(call) {
  try {
    return JSON.parse(call?.arguments ?? "{}")
  } catch {
    return call.arguments
  }
}
