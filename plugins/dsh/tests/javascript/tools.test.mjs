// The agent's tools are those of the MCP server; jobs are started apart, and without hooks of their own.
import assert from "node:assert/strict"
import { existsSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { describe, it, mock } from "node:test"
import { fileURLToPath } from "node:url"

import { FakeSession, loaded } from "./dsh.mjs"

const here = dirname(fileURLToPath(import.meta.url))
const server = (mode) => [process.execPath, join(here, "stub_mcp_server.mjs"), mode]

const offered = (mode) => loaded("silent", { server: server(mode) })

const run = (agent) => ({ signal: new AbortController().signal, agent })

describe("tools", () => {
  it("are offered as the server lists them, without the limits that DSH's schemas do not know", async () => {
    const { context } = await offered("answer")
    assert.deepEqual(context.injected, [["tools"]])
    const [search] = context.tools.registered
    assert.equal(search.name, "memory_search")
    assert.deepEqual(search.parameters, {
      query: { type: "string", description: "What to find.", required: true },
      limit: { type: "integer" },
      include: { type: "array", items: { type: "string", enum: ["observed"] } },
    })
    assert.deepEqual([search.isConcurrencySafe({}), context.tools.registered[1].isConcurrencySafe({})], [true, false])
    assert.deepEqual(search.output.render({}, "found"), [{ type: "text", text: "found" }])
  })

  it("call the server in the session's folder", async () => {
    const { context } = await offered("answer")
    const { agent } = new FakeSession(context, "s1", { cwd: here })
    const answer = await context.tools.registered[0].execute({ query: "时区" }, run(agent))
    assert.equal(answer, `memory_search {"query":"时区"} in ${here}`)
  })

  it("fail with the server's own words, or say what to do where it does not answer", async () => {
    const { context } = await offered("refuse")
    await assert.rejects(context.tools.registered[0].execute({}, run()), /^Error: “query” is missing; give it\.$/)
    for (const mode of ["die", "error"]) {
      const { context: other } = await offered(mode)
      assert.deepEqual(other.tools.registered, [])
      assert.match(other.warnings[0], /MCP server .*hardwon doctor/)
    }
    const { context: gone } = await loaded("silent", { server: ["/nowhere/python3"] })
    assert.match(gone.warnings[0], /could not be started/)
  })

  it("end when their turn is cancelled", async () => {
    const { context } = await offered("hang")
    const cancelled = new AbortController()
    const called = context.tools.registered[0].execute({}, { signal: cancelled.signal })
    cancelled.abort()
    await assert.rejects(called, /cancelled/)
    await assert.rejects(context.tools.registered[0].execute({}, { signal: cancelled.signal }), /cancelled/)
  })

  it("are not offered where the server is not installed", async () => {
    assert.deepEqual((await loaded("silent", { server: null })).context.injected, [])
  })
})

describe("background work", () => {
  const writing = (log) => [
    process.execPath,
    "-e",
    `require("fs").writeFileSync(${JSON.stringify(log)}, process.env.HARDWON_HOOKS)`,
  ]

  async function written(log) {
    while (!existsSync(log) || !readFileSync(log, "utf8")) await new Promise((resolve) => setTimeout(resolve, 20))
    return readFileSync(log, "utf8")
  }

  for (const moment of ["session-start", "turn-end", "session-end"]) {
    it(`is started at ${moment}, with our hooks off`, async () => {
      const log = join(process.env.HARDWON_ROOM, `${moment}.txt`)
      const { context } = await loaded("silent", {
        jobs: [
          { name: "x", moment, command: writing(log) },
          { moment, command: ["/nowhere"] },
        ],
      })
      const session = new FakeSession(context)
      session.start("startup")
      session.turn()
      await session.flush()
      session.dispose()
      assert.equal(await written(log), "off")
      await context.dispose()
    })
  }

  it("consolidates each day, as long as the plugin is loaded", async () => {
    mock.timers.enable({ apis: ["setInterval"] })
    const log = join(process.env.HARDWON_ROOM, "daily.txt")
    const { context } = await loaded("silent", { daily: writing(log) })
    mock.timers.tick(24 * 60 * 60 * 1_000 - 1)
    assert.equal(existsSync(log), false)
    mock.timers.tick(1)
    mock.timers.reset()
    assert.equal(await written(log), "off")
    await context.dispose()
  })
})
