// One session: where it is held, what was said in it, and how much of that the spool has already.
//
// OpenCode says that a session is idle after each run and not at its end, and may say it twice: what is told is marked.

import { messageOf, typedWords } from "./parts.mjs"

/** Messages of a session that are kept: those of its last turn, and all while there is no hook program to tell. */
const LONGEST_BACKLOG = 1_000

export class Session {
  isKnown = false
  isSubagent = false
  #messages = new Map()
  #told = new Set()
  #createdAt = 0
  #next = "startup"
  #command = undefined

  constructor(id, folder, loadedAt) {
    this.id = id
    this.folder = folder
    this.loadedAt = loadedAt
  }

  /** Take what OpenCode says of the session. */
  learn(info) {
    if (!info) return
    this.isKnown = true
    this.isSubagent = Boolean(info.parentID)
    if (typeof info.directory === "string") this.folder = info.directory
    const createdAt = info.time?.created
    if (typeof createdAt !== "number" || this.#createdAt) return
    this.#createdAt = createdAt
    if (createdAt < this.loadedAt && this.#next === "startup") this.#next = "resume"
  }

  /** Return why the session begins with this message (startup, resume, compact); "" where it began before. */
  begins() {
    const source = this.#next
    this.#next = ""
    return source
  }

  /** The history was replaced by a summary: what was shown at the beginning is gone. */
  isCompacted() {
    this.#next = "compact"
  }

  /** A slash command was typed: the next message is its template, of which only these words are the person's. */
  commandIsTyped(words) {
    this.#command = typeof words === "string" ? words : ""
  }

  /** Return the words of the message that comes now as the person typed them. */
  asks(text) {
    return typedWords(this.#command ?? text)
  }

  /** Take a message's head. What is older than the session was said in another one, which this is a copy of. */
  hearMessage(info) {
    if (!info?.id || info.time?.created < this.#createdAt || this.#messages.has(info.id)) return
    const isUsers = info.role === "user"
    const at = typeof info.time?.created === "number" ? info.time.created / 1000 : undefined
    const typed = isUsers ? this.#command : undefined
    this.#messages.set(info.id, { id: info.id, isUsers, isSummary: info.summary === true, at, typed, said: new Map() })
    if (isUsers) this.#command = undefined
    if (this.#messages.size > LONGEST_BACKLOG) this.#messages.delete(this.#messages.keys().next().value)
  }

  /** Take a part of a message as it is now; what a tool gave is long, and only its ends are kept. */
  hearPart(part) {
    const message = this.#messages.get(part?.messageID)
    const said = message && messageOf(part, message.at)
    if (said && !message.isSummary) message.said.set(part.id, said)
  }

  /** The user took a message back. */
  forgetMessage(id) {
    this.#messages.delete(id)
  }

  /** Tell whether anything was said here that is worth an end. */
  wasHeard() {
    return this.#told.size > 0 || this.untold().length > 0
  }

  /** Return what was said and not told, by turns: a person's words and all that came of them. */
  untold() {
    if (this.isSubagent) return []
    const turns = []
    for (const message of this.#messages.values()) {
      if (!message.said.size) continue
      if (message.isUsers || !turns.length) turns.push({ turn: message.id, messages: [] })
      turns.at(-1).messages.push(...messagesIn(message).filter(({ id }) => !this.#told.has(id)))
    }
    return turns.filter(({ messages }) => messages.length)
  }

  /** The spool has this turn: of what was said before it, no more is kept than that it was told. */
  told(turn) {
    for (const { id } of turn.messages) this.#told.add(id)
    for (const id of this.#messages.keys()) {
      if (id === turn.turn) break
      this.#messages.delete(id)
    }
  }
}

/** Return what a message says: of a person's, their own words as one; of the agent's, each part by itself. */
function messagesIn({ id, isUsers, at, typed, said }) {
  const parts = [...said.values()]
  if (!isUsers) return parts
  const text = typedWords(typed ?? parts.map((part) => part.text).join("\n"))
  return text ? [{ id, by: "user", text, at }] : []
}
