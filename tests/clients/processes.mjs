// The mock provider and the gateway as child processes, both on ports the system chooses, ended by their own ids.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const patience = 30_000;

class Process {
  constructor(command, args, wanted) {
    this.output = "";
    this.child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"] });
    this.ended = once(this.child, "close");
    this.port = new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`no line like ${wanted}: ${this.output}`)), patience);
      const read = (bytes) => {
        this.output += bytes;
        const found = wanted.exec(this.output);
        if (found) {
          clearTimeout(timer);
          resolve(Number(found[1]));
        }
      };
      this.child.stdout.on("data", read);
      this.child.stderr.on("data", read);
      this.child.on("error", reject);
      this.child.on("close", (code) => {
        clearTimeout(timer);
        reject(new Error(`${command} ended with ${code}: ${this.output}`));
      });
    });
    this.port.catch(() => {}); // whoever awaits it is told
  }

  async stop() {
    this.child.kill("SIGTERM");
    const timer = setTimeout(() => this.child.kill("SIGKILL"), patience);
    const [code, signal] = await this.ended;
    clearTimeout(timer);
    if (code !== 0) throw new Error(`${this.child.spawnfile} ended with ${code ?? signal}: ${this.output}`);
  }
}

// `configure(port)` gives the gateway's INI for a mock provider on that port.
export async function startGateway(configure) {
  const mock = new Process(process.env.MOCK_PROVIDER, ["--port", "0"], /listening on 127\.0\.0\.1:(\d+)/);
  const folder = await mkdtemp(join(tmpdir(), "client-sdks-"));
  let gateway;
  const stop = async () => {
    try {
      await gateway?.stop();
    } finally {
      await mock.stop();
      await rm(folder, { recursive: true });
    }
  };
  try {
    const config = join(folder, "watermaster.ini");
    await writeFile(config, configure(await mock.port), { mode: 0o600 });
    gateway = new Process(
      process.env.WATERMASTER,
      ["serve", "--config", config, "--plugins", process.env.PLUGINS, "--policies", process.env.POLICIES],
      /listening on http:\/\/127\.0\.0\.1:(\d+)/,
    );
    return { url: `http://127.0.0.1:${await gateway.port}`, stop };
  } catch (error) {
    await stop().catch(() => {});
    throw error;
  }
}
