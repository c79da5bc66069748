// Starts work in the background that `hardwon` scheduled in a harness: a command that ends at once, and that no session
// waits for.

import { spawn } from "node:child_process"

/** Start a command apart from this process. It belongs to hardwon: no hook of its own may run in it. */
export function start(command) {
  const environment = { ...process.env, HARDWON_HOOKS: "off" }
  const child = spawn(command[0], command.slice(1), {
    detached: true,
    stdio: "ignore",
    env: environment,
    windowsHide: true,
  })
  child.once("error", () => {}) // The program is gone; `hardwon status` says so.
  child.unref()
}

/** The jobs that are scheduled, as `hardwon` wrote them down. */
export class Jobs {
  /** @param {{moment: string, command: string[]}[]} scheduled - what is to be started at which moment. */
  constructor(scheduled) {
    this.scheduled = Array.isArray(scheduled) ? scheduled : []
  }

  /** Start what is scheduled for a moment: session-start, prompt, turn-end or session-end. */
  begin(moment) {
    for (const job of this.scheduled) if (job.moment === moment) start(job.command)
  }
}
