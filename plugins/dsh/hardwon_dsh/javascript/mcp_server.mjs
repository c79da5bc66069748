// Speaks with hardwon's MCP server: started for one request, in the folder that the session works in, which is what
// tells the server the project. It starts in a tenth of a second; nothing of it stays.

import { spawn } from "node:child_process"
import { createInterface } from "node:readline"

/** Milliseconds for the list of tools, and for one call: a call opens the store and may write. */
const LIST_LIMIT = 3_000
const CALL_LIMIT = 60_000
const CANCELLED = "The call was cancelled."
const INITIALIZE = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "dsh", version: "0.1.0" } }

export class McpServer {
  /** @param {string[]} command - the program and its arguments. */
  constructor(command) {
    this.command = command
  }

  /** Return the tools as the server lists them. Rejects when it does not answer. */
  async tools() {
    return (await this.#request("tools/list", {}, { limit: LIST_LIMIT })).tools
  }

  /** Return what a tool answers. Rejects with the tool's own words where it failed. */
  async call(name, given, folder, signal) {
    const result = await this.#request("tools/call", { name, arguments: given }, { limit: CALL_LIMIT, folder, signal })
    const text = result.content
      .filter(({ type }) => type === "text")
      .map((block) => block.text)
      .join("\n")
    if (result.isError) throw new Error(text)
    return text
  }

  #request(method, params, { limit, folder, signal }) {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(new Error(CANCELLED))
      const child = spawn(this.command[0], this.command.slice(1), {
        cwd: folder,
        stdio: ["pipe", "pipe", "ignore"],
        windowsHide: true,
      })
      const end = () => {
        clearTimeout(timer)
        signal?.removeEventListener("abort", cancelled)
      }
      const refuse = (message) => {
        end()
        child.kill()
        reject(new Error(message))
      }
      const fail = (reason) => refuse(`hardwon's MCP server ${reason}; \`hardwon doctor\` says more`)
      const cancelled = () => refuse(CANCELLED)
      const answered = (result) => {
        end()
        child.stdin.end() // It ends by itself, with what it does after an answer.
        child.unref()
        resolve(result)
      }
      const timer = setTimeout(() => fail(`did not answer within ${limit / 1000} s`), limit)
      signal?.addEventListener("abort", cancelled, { once: true })
      child.once("error", (error) => fail(`could not be started (${error.message})`))
      child.once("close", () => fail("ended without an answer"))
      child.stdin.on("error", () => {}) // It ended; `close` says so.
      createInterface({ input: child.stdout }).on("line", (line) => {
        const answer = answerTo(line)
        if (answer?.error) fail(`refused ${method} (${answer.error.message})`)
        else if (answer) answered(answer.result)
      })
      child.stdin.write(requestLines(method, params))
    })
  }
}

/** Return what a client says that wants one thing alone: its greeting, and the request. */
function requestLines(method, params) {
  const said = [
    { id: 0, method: "initialize", params: INITIALIZE },
    { method: "notifications/initialized" },
    { id: 1, method, params },
  ]
  return said.map((message) => JSON.stringify({ jsonrpc: "2.0", ...message }) + "\n").join("")
}

/** Return the answer to our request if a line is that; undefined for the greeting and anything else. */
function answerTo(line) {
  try {
    const message = JSON.parse(line)
    return message.id === 1 || (message.id === 0 && message.error) ? message : undefined
  } catch {
    return undefined
  }
}
