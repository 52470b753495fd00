// codex and opencode, each speaking its protocol, before a provider that speaks another one: a turn of text, and a loop in
// which the model has a command run and then answers.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { key, runAgent } from "./agent.mjs";
import { configuration, sentence } from "./configuration.mjs";
import { startGateway } from "./processes.mjs";

const models = { text: ["mock-text"], shell: ["mock-shell"] };
const protocols = ["openai-chat", "openai-responses", "anthropic-messages"];

function codex(url, model) {
  const config = `
model = "${model}"
model_provider = "gateway"
[model_providers.gateway]
name = "gateway"
base_url = "${url}/v1"
wire_api = "responses"
env_key = "GATEWAY_KEY"
request_max_retries = 0
stream_max_retries = 0
`;
  const args = ["exec", "--skip-git-repo-check", "-s", "danger-full-access", "Say hello."];
  return runAgent("codex", args, { "home/.codex/config.toml": config });
}

const opencode = (npm) => (url, model) => {
  const provider = { npm, name: "gateway", options: { baseURL: `${url}/v1`, apiKey: key } };
  const config = {
    autoupdate: false,
    share: "disabled",
    enabled_providers: ["gateway"],
    small_model: `gateway/${model}`,
    provider: { gateway: { ...provider, models: { [model]: { tool_call: true, limit: { context: 100000, output: 4000 } } } } },
  };
  return runAgent("opencode", ["run", "-m", `gateway/${model}`, "Say hello."], {
    "opencode.json": JSON.stringify(config),
  });
};

const agents = [
  { name: "codex", protocol: "openai-responses", run: codex },
  { name: "opencode with chat completions", protocol: "openai-chat", run: opencode("@ai-sdk/openai-compatible") },
  { name: "opencode with responses", protocol: "openai-responses", run: opencode("@ai-sdk/openai") },
  { name: "opencode with messages", protocol: "anthropic-messages", run: opencode("@ai-sdk/anthropic") },
];

for (const upstream of protocols) {
  describe(`upstream ${upstream}`, { concurrency: 2 }, () => {
    let gateway;
    before(async () => {
      gateway = await startGateway(configuration(upstream, models));
    });
    after(() => gateway?.stop());

    for (const agent of agents.filter(({ protocol }) => protocol !== upstream)) {
      test(`${agent.name}: a turn of text`, async () => {
        const { code, text, log } = await agent.run(gateway.url, "text");
        assert.equal(code, 0, log);
        assert.equal(text, sentence, log);
      });

      test(`${agent.name}: a tool loop`, async () => {
        const { code, text, log, ran } = await agent.run(gateway.url, "shell");
        assert.equal(code, 0, log);
        assert.ok(ran, `the command was not run: ${log}`);
        assert.ok(text.endsWith(sentence), `${text}\n${log}`);
      });
    }
  });
}
