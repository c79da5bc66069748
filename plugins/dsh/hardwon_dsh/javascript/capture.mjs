// What was said goes to the spool when a turn ends: DSH's log is fed to us live, so nothing has to be read again.

import { isSubagent } from "./words.mjs"
import { SessionLog } from "./session_log.mjs"

export class Capture {
  #logs = new Map()
  #underway = new Map()

  constructor(program, jobs, complain) {
    this.program = program
    this.jobs = jobs
    this.complain = complain
  }

  listen(ctx) {
    ctx.on("session/event", (session, event) => {
      if (!isSubagent(session.header)) this.#hear(session, event)
    })
    ctx.on("session/flush", (session) => this.#underway.get(session.id))
    ctx.on("session/disposed", (session) => this.#end(session.id))
    ctx.effect(
      () => async () => {
        for (const id of this.#logs.keys()) this.#end(id)
        await Promise.all(this.#underway.values())
      },
      "hardwon: spool what is left",
    )
  }

  #hear(session, event) {
    try {
      const log = this.#logs.get(session.id) ?? new SessionLog(session.id, session.header.cwd ?? process.cwd())
      this.#logs.set(session.id, log)
      if (!log.hear(event)) return
      this.#afterwards(session.id, () => this.#tell(log))
      this.jobs.begin("turn-end")
    } catch (error) {
      this.complain(error)
    }
  }

  #end(id) {
    const log = this.#logs.get(id)
    if (!this.#logs.delete(id) || !log.wasHeard) return
    this.#afterwards(id, async () => {
      log.close()
      await this.#tell(log)
      await this.program.tell({ event: "session-end", ...log.about })
    })
    this.jobs.begin("session-end")
  }

  /** Do something once what is under way for a session is done: its turns reach the spool in their order. */
  #afterwards(id, work) {
    const done = (this.#underway.get(id) ?? Promise.resolve()).then(work).catch(this.complain)
    this.#underway.set(id, done)
    void done.then(() => {
      if (this.#underway.get(id) === done) this.#underway.delete(id)
    })
  }

  /** Give the spool the turns that ended; what it does not take is given again with the next. */
  async #tell(log) {
    for (const turn of log.waiting()) {
      if (!(await this.program.tell({ event: "turn-end", ...log.about, ...turn }))) return
      log.told(turn)
    }
  }
}
