// A coding agent run once in an empty HOME and an empty folder, with a dummy key.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { access, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const patience = 300_000; // a busy machine takes a minute for what takes five seconds
export const key = "a-dummy-key";

// opencode's own entry wants an install script to have run; the program it would start is there already.
const programs = {
  codex: "node_modules/.bin/codex",
  opencode: `node_modules/opencode-linux-${process.arch}/bin/opencode`,
};

// Runs a program of this folder's packages. `files` are written first: those named `home/…` belong to the agent's HOME, the
// others to where it works. Gives what it said and whether the command that mock-shell asks for was run there.
export async function runAgent(program, args, files) {
  const folder = await mkdtemp(join(tmpdir(), "agent-"));
  try {
    const home = join(folder, "home");
    const work = join(folder, "work");
    await mkdir(home);
    await mkdir(work);
    for (const [name, content] of Object.entries(files)) {
      const path = name.startsWith("home/") ? join(folder, name) : join(work, name);
      await mkdir(join(path, ".."), { recursive: true });
      await writeFile(path, content);
    }
    const child = spawn(join(process.cwd(), programs[program]), args, {
      cwd: work,
      env: { PATH: process.env.PATH, HOME: home, GATEWAY_KEY: key, OPENCODE_DISABLE_MODELS_FETCH: "1" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const said = { out: "", err: "" };
    child.stdout.on("data", (bytes) => (said.out += bytes));
    child.stderr.on("data", (bytes) => (said.err += bytes));
    const timer = setTimeout(() => child.kill("SIGKILL"), patience);
    const [code, signal] = await once(child, "close");
    clearTimeout(timer);
    const ran = await access(join(work, "shell-ran")).then(() => true, () => false);
    return { code: code ?? signal, text: said.out.trim(), log: said.err, ran };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
