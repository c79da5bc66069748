// hardwon in DSH: recall before each step that begins with a person's words, capture after each turn, tools.
//
// DSH does not start when a plugin of its composition cannot be loaded or waits for a service. So nothing here is
// required: what is missing is said in the log, and the rest goes on. DSH's start waits for the list of our tools, and
// a turn for the memory, each for a few seconds at most.

import { readFileSync } from "node:fs"

import { Capture } from "./capture.mjs"
import { everyDay } from "./daily.mjs"
import { HookProgram, isSwitchedOff } from "./hook_program.mjs"
import { Jobs } from "./jobs.mjs"
import { Recall } from "./recall.mjs"
import { offerTools } from "./tools.mjs"

/** Written beside this file by `hardwon setup dsh`. */
const DATA = new URL("./data.json", import.meta.url)

export const name = "hardwon"

export async function apply(ctx) {
  if (isSwitchedOff()) return
  const complain = (error) => ctx.logger(name).warn(String(error?.message ?? error))
  let data, program, createUserMessage
  try {
    data = JSON.parse(readFileSync(DATA, "utf8"))
    program = new HookProgram(data)
    createUserMessage = (await import("@deepseek-ai/dsh-llm")).createUserMessage
  } catch (error) {
    complain(error)
    return
  }
  const jobs = new Jobs(data.jobs)
  const said = (text) =>
    createUserMessage({ content: [{ type: "text", text }], source: { kind: "plugin", plugin: name, form: "recall" } })
  new Recall(program, jobs, said, complain).listen(ctx)
  new Capture(program, jobs, complain).listen(ctx)
  everyDay(ctx, data.daily)
  if (data.server) await offerTools(ctx, data.server, complain)
}
