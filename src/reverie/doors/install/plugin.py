"""The plugin for opencode, which has no hooks of programs: it calls ours at its own events."""

from __future__ import annotations

import json

from reverie.doors.install.commands import Commands

_MARK = "// Written by `reverie install opencode`; `reverie uninstall opencode` removes it."
_SCRIPT = """%(mark)s
import { spawn } from "node:child_process"

const COMMAND = %(command)s
const OPTIONS = %(options)s

// Give the event to the hook; return what it answers, or nothing. It ends by itself, and never fails us.
function hook(event, directory, session, fields) {
  return new Promise((resolve) => {
    try {
      const child = spawn(COMMAND[0], [...COMMAND.slice(1), event, ...OPTIONS], {
        cwd: directory, stdio: ["pipe", "pipe", "ignore"], timeout: 5000,
      })
      let out = ""
      child.stdout.on("data", (part) => { out += part })
      child.on("error", () => resolve(undefined))
      child.on("close", () => {
        try { resolve(out ? JSON.parse(out) : undefined) } catch { resolve(undefined) }
      })
      child.stdin.on("error", () => {})
      child.stdin.end(JSON.stringify({ session_id: session, cwd: directory, hook_event_name: event, ...fields }))
    } catch { resolve(undefined) }
  })
}

const text = (parts) => parts.filter((part) => part.type === "text" && !part.synthetic)
  .map((part) => part.text).join("\\n")

export const Reverie = async ({ client, directory }) => ({
  "chat.message": async (input, output) => {
    const answer = await hook("UserPromptSubmit", directory, input.sessionID, {
      prompt: text(output.parts), turn_id: output.message?.id,
    })
    if (answer?.context) {
      output.parts.push({
        id: `prt_reverie_${Date.now()}`, sessionID: input.sessionID, messageID: output.message?.id,
        type: "text", synthetic: true, text: answer.context,
      })
    }
  },
  "tool.execute.after": async (input, output) => {
    await hook("PostToolUse", directory, input.sessionID, {
      tool_name: input.tool, tool_input: input.args, tool_response: output.output, tool_use_id: input.callID,
    })
  },
  "experimental.session.compacting": async (input) => {
    await hook("PreCompact", directory, input.sessionID, {})
  },
  event: async ({ event }) => {
    const session = event.properties?.sessionID ?? event.properties?.info?.id
    if (event.type === "session.idle") {
      const found = await client.session.messages({ path: { id: session } }).catch(() => undefined)
      const last = found?.data?.filter((one) => one.info.role === "assistant").at(-1)
      if (last) await hook("Stop", directory, session, { last_assistant_message: text(last.parts) })
    }
    if (event.type === "session.deleted") await hook("SessionEnd", directory, session, {})
  },
})
"""


def plugin(commands: Commands) -> str:
    """Return the plugin's text."""
    program = json.dumps(list(commands.hook_parts("opencode")))
    return _SCRIPT % {"mark": _MARK, "command": program, "options": json.dumps(list(commands.options))}


def is_plugin(text: str) -> bool:
    """Return whether a file is our plugin, of whatever version."""
    return text.startswith(_MARK)
