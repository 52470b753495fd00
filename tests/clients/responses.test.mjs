import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import OpenAI from "openai";
import { configuration, metadata, sentence } from "./configuration.mjs";
import { startGateway } from "./processes.mjs";

const models = {
  quick: ["mock-ok"],
  refused: ["mock-bad-request"],
  fallback: ["mock-fail-429", "mock-ok"],
  "fallback-stream": ["mock-error-first", "mock-ok"],
  cut: ["mock-cut"],
};
const input = "Say hello.";

describe("openai: responses", () => {
  let gateway, client;
  before(async () => {
    gateway = await startGateway(configuration("openai-responses", models));
    client = new OpenAI({ apiKey: "any", baseURL: `${gateway.url}/v1`, maxRetries: 0, defaultHeaders: metadata });
  });
  after(() => gateway?.stop());

  test("a whole answer", async () => {
    const answer = await client.responses.create({ model: "quick", input });
    assert.equal(answer.output_text, sentence);
    assert.equal(answer.usage.output_tokens, 6);
  });

  test("a stream", async () => {
    const answer = await client.responses.stream({ model: "quick", input }).finalResponse();
    assert.equal(answer.output_text, sentence);
    assert.equal(answer.status, "completed");
  });

  test("a request the provider refuses", async () => {
    await assert.rejects(client.responses.create({ model: "refused", input, temperature: 9 }), (error) => {
      assert.ok(error instanceof OpenAI.BadRequestError);
      assert.equal(error.param, "temperature");
      return true;
    });
  });

  test("a fallback, whole", async () => {
    const { data, response } = await client.responses.create({ model: "fallback", input }).withResponse();
    assert.equal(data.output_text, sentence);
    assert.equal(response.headers.get("x-relay-fallback"), "true");
  });

  test("a fallback, streamed", async () => {
    const asked = client.responses.create({ model: "fallback-stream", input, stream: true });
    const { data, response } = await asked.withResponse();
    let text = "";
    for await (const event of data) {
      assert.notEqual(event.type, "error");
      text += event.type === "response.output_text.delta" ? event.delta : "";
    }
    assert.equal(text, sentence);
    assert.equal(response.headers.get("x-relay-fallback"), "true");
  });

  test("a provider that dies in the middle is an error the client sees", async () => {
    const types = [];
    for await (const event of await client.responses.create({ model: "cut", input, stream: true })) {
      types.push(event.type);
    }
    assert.ok(types.includes("response.output_text.delta"));
    assert.match(types.at(-1), /^(error|response\.failed)$/);
  });
});
