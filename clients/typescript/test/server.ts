/** `reverie serve` as a process, for one file of tests. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Server {
  url: string;
  token: string;
  stop(): Promise<void>;
}

/** Start a server with an empty bank. The environment's PYTHON is one that has Reverie. */
export async function serve(): Promise<Server> {
  const folder = await mkdtemp(join(tmpdir(), "reverie-ts-"));
  const options = ["--bank", join(folder, "a.bank"), "--also", `work=${join(folder, "b.bank")}`];
  const server = spawn(
    process.env["PYTHON"] ?? "python3",
    ["-m", "reverie", "serve", "--json", "--port", "0", "--unencrypted", "--no-loop", ...options,
      "--tokens", join(folder, "tokens.json")],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  const ended = once(server, "exit");
  let said = "";
  for await (const part of server.stdout.iterator({ destroyOnReturn: false })) {
    said += String(part);
    if (said.endsWith("}\n")) break;
  }
  server.stdout.resume(); // whatever else it says is not waited for
  const { url, token } = JSON.parse(said) as { url: string; token: string };
  const stop = async () => {
    server.kill("SIGTERM");
    await ended;
    await rm(folder, { recursive: true });
  };
  return { url, token, stop };
}
