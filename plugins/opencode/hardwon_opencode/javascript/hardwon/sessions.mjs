// The sessions of this process, by what OpenCode tells of them.

import { Session } from "./session.mjs"

/** Milliseconds. OpenCode answers from its own process; whoever waits for it is the user. */
const LONGEST_LOOK = 500

export class Sessions {
  #known = new Map()
  #loadedAt = Date.now()

  constructor(client, folder) {
    this.client = client
    this.folder = folder
  }

  /** Return the session of this id; of one that no event told about yet, OpenCode is asked. */
  async get(id) {
    const session = this.#session(id)
    if (!session.isKnown) session.learn(await this.#look(id))
    return session
  }

  /** Return every session that was heard of. */
  all() {
    return [...this.#known.values()]
  }

  /** Take what one event says; return its session, or undefined where it tells nothing of one. */
  hear({ type, properties }) {
    const id = properties?.sessionID ?? properties?.info?.sessionID ?? properties?.part?.sessionID
    if (typeof id !== "string") return undefined
    if (type === "session.deleted") {
      this.#known.delete(id)
      return undefined
    }
    const session = this.#session(id)
    if (type === "session.created" || type === "session.updated") session.learn(properties.info)
    if (type === "message.updated") session.hearMessage(properties.info)
    if (type === "message.part.updated") session.hearPart(properties.part)
    if (type === "message.removed") session.forgetMessage(properties.messageID)
    if (type === "session.compacted") session.isCompacted()
    return session
  }

  #session(id) {
    if (!this.#known.has(id)) this.#known.set(id, new Session(id, this.folder, this.#loadedAt))
    return this.#known.get(id)
  }

  /** Ask OpenCode for a session; undefined where it does not tell in time. */
  async #look(id) {
    let timer
    const late = new Promise((resolve) => (timer = setTimeout(resolve, LONGEST_LOOK)))
    const asked = Promise.resolve(this.client?.session?.get?.({ path: { id } })).then((answer) => answer?.data)
    try {
      return await Promise.race([asked.catch(() => undefined), late])
    } finally {
      clearTimeout(timer)
    }
  }
}
