// What the memory has to say, put before the words that a step begins with.
//
// `agent/session-start` is awaited by nobody, and a preset may discard sections of the system prompt; the waterfall
// `agent/pre-step` is awaited and reaches every agent.

import { isSubagent, wordsOf } from "./words.mjs"

export class Recall {
  #sources = new Map()

  constructor(program, jobs, said, complain) {
    this.program = program
    this.jobs = jobs
    this.said = said
    this.complain = complain
  }

  listen(ctx) {
    ctx.on("agent/session-start", ({ agent, source }) => {
      this.#sources.set(agent.id, source)
      this.jobs.begin("session-start")
    })
    ctx.on("agent/disposed", ({ agent }) => {
      this.#sources.delete(agent.id)
    })
    ctx.on("agent/pre-step", (step, next) => this.#beforeStep(step, next), { prepend: true })
  }

  async #beforeStep(step, next) {
    const decision = await next()
    if (decision.kind !== "enter") return decision
    try {
      const text = await this.#recalled(step, decision.messages)
      return text ? { ...decision, messages: [this.said(text), ...decision.messages] } : decision
    } catch (error) {
      this.complain(error)
      return decision
    }
  }

  /** Return what the memory has to say to a session's beginning and to what a person asked; "" to any other step. */
  async #recalled({ agent, signal }, messages) {
    const typed = messages.filter(({ source }) => source.kind === "user")
    const prompt = typed.map(wordsOf).filter(Boolean).join("\n")
    if (!prompt) return ""
    const { header, id } = agent.session
    const about = { session: id, folder: header.cwd ?? process.cwd(), subagent: isSubagent(header) }
    const questions = []
    const source = this.#begins(agent)
    if (source) questions.push(this.program.ask({ event: "session-start", ...about, source }, signal))
    questions.push(this.program.ask({ event: "prompt", ...about, prompt, turn: typed[0].id }, signal))
    return (await Promise.all(questions)).filter(Boolean).join("\n\n")
  }

  /** Return why the session begins with this step; "" where it began before. An agent that was there first, resumes. */
  #begins(agent) {
    const source = this.#sources.get(agent.id) ?? "resume"
    this.#sources.set(agent.id, "")
    return source
  }
}
