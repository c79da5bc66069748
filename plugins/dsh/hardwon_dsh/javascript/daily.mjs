// Once a day, while DSH runs, the memory is consolidated in a process of its own, which ends when nothing is new.

import { start } from "./jobs.mjs"

const DAY = 24 * 60 * 60 * 1_000

/** Start a command each day for as long as the plugin is loaded; the first time after a day. */
export function everyDay(ctx, command) {
  if (!Array.isArray(command)) return
  ctx.effect(() => {
    const timer = setInterval(() => start(command), DAY)
    timer.unref()
    return () => clearInterval(timer)
  }, "hardwon: consolidate daily")
}
