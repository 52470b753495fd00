// INI for the gateway before the mock provider, one backend of one protocol.
const adapters = {
  "openai-chat": ["custom-chat-completions", "/v1/chat/completions"],
  "openai-responses": ["custom-responses", "/v1/responses"],
  "anthropic-messages": ["custom-anthropic", "/v1/messages"],
};

// `models`: served name to the upstream models of its layers, in order.
export function configuration(protocol, models, more = "") {
  const [adapter, path] = adapters[protocol];
  const upstream = [...new Set(Object.values(models).flat())];
  const served = Object.entries(models).map(
    ([name, layers]) =>
      `[model "${name}"]\n` +
      layers.map((model, i) => `[layer "${name}" "layer-${i + 1}"]\ntarget = mock/main ${model}\n`).join(""),
  );
  return (port) => `
[server]
listen = 127.0.0.1:0
[backend "mock"]
adapter = ${adapter}
endpoint = http://127.0.0.1:${port}${path}
[credential "mock" "main"]
api_key = key-of-the-mock
${upstream.map((model) => `[upstream-model "mock" "${model}"]\n`).join("")}
${served.join("")}
${more}`;
}

export const protocols = Object.keys(adapters);
export const sentence = "Hello from the mock provider.";
export const thought = "Let me think.";
export const metadata = { "x-relay-include-metadata": "1" };
