// What is kept of OpenCode's sessions, once; and the jobs that are started meanwhile.
import assert from "node:assert/strict"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, it } from "node:test"

import { anotherTurn, chat, created, eventOf, loaded, now, room, session, turn, USER } from "./opencode.mjs"

describe("capture", () => {
  it("spools the turn when the session is idle: who said what, without what hardwon showed", async () => {
    const { hooks, heard } = await loaded("silent")
    await hooks.event(created())
    await turn(hooks)
    await hooks.event(eventOf("session.idle"))
    const [{ messages, ...head }] = heard()
    assert.deepEqual(head, { event: "turn-end", session, folder: "/home/you/project", turn: USER })
    assert.deepEqual(
      messages.map(({ at, ...message }) => message),
      [
        { id: USER, by: "user", text: "what is the deploy key?" },
        {
          id: "prt_229cadb70001049jEhFIatJqCm",
          by: "tool",
          text: "vault 7",
          tool: "memo_recall_note",
          request: "deploy",
          failed: false,
        },
        { id: "prt_z", by: "agent", text: "Done." },
      ],
    )
    assert.equal(messages[1].at, 5)
  })

  it("sends nothing twice, however often the session is idle and when it ends", async () => {
    const { hooks, heard } = await loaded("silent")
    await hooks.event(created())
    await turn(hooks)
    for (let time = 0; time < 3; time++) await hooks.event(eventOf("session.idle"))
    await hooks.event({
      event: { type: "session.status", properties: { sessionID: session, status: { type: "idle" } } },
    })
    await turn(hooks)
    await hooks.dispose()
    assert.deepEqual(
      heard().map(({ event }) => event),
      ["turn-end", "session-end"],
    )
  })

  it("spools at the end what no idle told, each turn by itself", async () => {
    const { hooks, heard } = await loaded("silent")
    await hooks.event(created())
    await turn(hooks)
    await anotherTurn(hooks, 1, { isIdle: false })
    await hooks.dispose()
    assert.deepEqual(
      heard().map(({ event, turn: id, messages }) => [event, id, messages?.length]),
      [
        ["turn-end", USER, 3],
        ["turn-end", "msg_z1", 1],
        ["session-end", undefined, undefined],
      ],
    )
  })

  it("does not tell again what OpenCode changes in a turn of long ago", async () => {
    const { hooks, heard } = await loaded("silent")
    await hooks.event(created())
    await turn(hooks)
    await hooks.event(eventOf("session.idle"))
    for (let number = 1; number <= 7; number++) await anotherTurn(hooks, number)
    await hooks.event(now("message.updated"))
    await hooks.event(now("message.part.updated.2"))
    await hooks.event(eventOf("session.idle"))
    await hooks.dispose()
    assert.deepEqual(
      heard().map(({ turn: id, event }) => id ?? event),
      [USER, ...[1, 2, 3, 4, 5, 6, 7].map((number) => `msg_z${number}`), "session-end"],
    )
  })

  it("tells again what the hook program did not take, before what came since", async () => {
    const { hooks, heard } = await loaded("once")
    await hooks.event(created())
    await turn(hooks)
    await hooks.event(eventOf("session.idle"))
    await anotherTurn(hooks, 1)
    assert.deepEqual(
      heard().map(({ turn: id }) => id),
      [USER, USER, "msg_z1"],
    )
  })

  it("leaves out sub-agents, sessions that were copied, and summaries", async () => {
    const { hooks, heard } = await loaded("silent")
    await hooks.event(created({ parentID: "ses_parent" }))
    await turn(hooks)
    await hooks.event(eventOf("session.idle"))
    const copy = await loaded("silent")
    await copy.hooks.event(created({ time: { created: Date.now() + 60_000 } }))
    await turn(copy.hooks)
    await copy.hooks.event(eventOf("session.idle"))
    const summary = await loaded("silent")
    await summary.hooks.event(created())
    const head = now("message.updated.2")
    head.event.properties.info.summary = true
    await summary.hooks.event(head)
    await turn(summary.hooks)
    await summary.hooks.event(eventOf("session.idle"))
    assert.deepEqual([heard(), copy.heard()], [[], []])
    assert.deepEqual(
      summary.heard()[0].messages.map(({ by }) => by),
      ["user"],
    )
  })

  it("of a slash command takes what the person typed, not its template", async () => {
    const { hooks, heard } = await loaded("silent")
    await hooks.event(created())
    await hooks["command.execute.before"](
      { command: "greet", sessionID: session, arguments: '"Jane Doe"' },
      { parts: [] },
    )
    await chat(hooks, "Say hello politely to Jane Doe and nothing more.")
    await turn(hooks)
    await hooks.event(eventOf("session.idle"))
    assert.equal(heard().find(({ event }) => event === "prompt").prompt, "Jane Doe")
    assert.equal(heard().find(({ event }) => event === "turn-end").messages[0].text, "Jane Doe")
  })

  it("forgets a message that the user took back, and a session that was deleted", async () => {
    const { hooks, heard } = await loaded("silent")
    await hooks.event(created())
    await turn(hooks)
    await hooks.event({ event: { type: "message.removed", properties: { sessionID: session, messageID: USER } } })
    await hooks.event(eventOf("session.idle"))
    assert.deepEqual(
      heard()[0].messages.map(({ by }) => by),
      ["tool", "agent"],
    )
    await turn(hooks)
    await hooks.event({ event: { type: "session.deleted", properties: { sessionID: session, info: {} } } })
    await hooks.dispose()
    assert.equal(heard().length, 1)
  })
})

describe("background work", () => {
  for (const moment of ["session-start", "turn-end", "session-end"]) {
    it(`is started at ${moment}, with our hooks off`, async () => {
      const log = join(room, `${moment}.txt`)
      const script = `require("fs").writeFileSync(${JSON.stringify(log)}, process.env.HARDWON_HOOKS)`
      const { hooks } = await loaded("silent", {
        jobs: [{ name: "x", moment, command: [process.execPath, "-e", script] }],
      })
      await hooks.event(created())
      await chat(hooks)
      await turn(hooks)
      await hooks.event(eventOf("session.idle"))
      await hooks.dispose()
      while (!existsSync(log) || !readFileSync(log, "utf8")) await new Promise((resolve) => setTimeout(resolve, 20))
      assert.equal(readFileSync(log, "utf8"), "off")
    })
  }
})
