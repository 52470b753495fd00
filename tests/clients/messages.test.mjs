import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import Anthropic from "@anthropic-ai/sdk";
import { configuration, metadata, protocols, sentence, thought } from "./configuration.mjs";
import { startGateway } from "./processes.mjs";

const models = {
  quick: ["mock-ok"],
  thinking: ["mock-reason"],
  refused: ["mock-bad-request"],
  broken: ["mock-fail-529"],
  fallback: ["mock-fail-401", "mock-ok"],
  "fallback-stream": ["mock-error-first", "mock-ok"],
  cut: ["mock-cut"],
};
const asked = { max_tokens: 50, messages: [{ role: "user", content: "Say hello." }] };

// The client speaks its own protocol, whichever the provider does.
for (const upstream of protocols) {
  describe(`anthropic: messages, upstream ${upstream}`, () => {
    let gateway, client;
    before(async () => {
      gateway = await startGateway(configuration(upstream, models));
      client = new Anthropic({ apiKey: "any", baseURL: gateway.url, maxRetries: 0, defaultHeaders: metadata });
    });
    after(() => gateway?.stop());

    test("a whole answer", async () => {
      const { data: answer, response } = await client.messages.create({ model: "quick", ...asked }).withResponse();
      assert.equal(answer.content[0].text, sentence);
      assert.equal(answer.usage.output_tokens, 6);
      assert.equal(response.headers.get("x-relay-translated"), String(upstream !== "anthropic-messages"));
    });

    test("a stream", async () => {
      const answer = await client.messages.stream({ model: "quick", ...asked }).finalMessage();
      assert.equal(answer.content[0].text, sentence);
      assert.equal(answer.stop_reason, "end_turn");
      assert.equal(answer.usage.output_tokens, 6);
    });

    test("a tool call, streamed, and its result", async () => {
      const tools = [{ name: "weather", input_schema: { type: "object" } }];
      const call = await client.messages.stream({ model: "quick", ...asked, tools }).finalMessage();
      assert.equal(call.stop_reason, "tool_use");
      assert.equal(call.content[0].name, "weather");
      assert.deepEqual(call.content[0].input, { city: "Paris" });
      const result = [{ type: "tool_result", tool_use_id: call.content[0].id, content: "rain" }];
      const told = [...asked.messages, { role: "assistant", content: call.content }, { role: "user", content: result }];
      const answer = await client.messages.create({ model: "quick", max_tokens: 50, messages: told, tools });
      assert.equal(answer.content[0].text, sentence);
    });

    // Another provider's reasoning has no signature, and is not shown on served models.
    test("reasoning before the answer, whole and streamed", async () => {
      const thinking = { model: "thinking", ...asked, thinking: { type: "adaptive" } };
      for (const answer of [
        await client.messages.create(thinking),
        await client.messages.stream(thinking).finalMessage(),
      ]) {
        const own = upstream === "anthropic-messages";
        assert.deepEqual(answer.content.map((block) => block.type), own ? ["thinking", "text"] : ["text"]);
        assert.equal(answer.content.at(-1).text, sentence);
        if (own) assert.equal(answer.content[0].thinking, thought);
      }
    });

    test("a request the provider refuses", async () => {
      await assert.rejects(client.messages.create({ model: "refused", ...asked, temperature: 9 }), (error) => {
        assert.ok(error instanceof Anthropic.BadRequestError);
        assert.equal(error.error.error.type, "invalid_request_error");
        assert.match(error.error.error.message, /temperature/);
        return true;
      });
    });

    test("a provider that fails, and no layer left", async () => {
      const failing = client.messages.create({ model: "broken", ...asked });
      await assert.rejects(failing, (error) => error instanceof Anthropic.APIError && error.status >= 500);
    });

    test("a fallback, whole", async () => {
      const { data, response } = await client.messages.create({ model: "fallback", ...asked }).withResponse();
      assert.equal(data.content[0].text, sentence);
      assert.equal(response.headers.get("x-relay-fallback"), "true");
    });

    test("a fallback, streamed", async () => {
      const { data, response } = await client.messages
        .create({ model: "fallback-stream", ...asked, stream: true })
        .withResponse();
      let text = "";
      for await (const event of data) text += event.type === "content_block_delta" ? event.delta.text : "";
      assert.equal(text, sentence);
      assert.equal(response.headers.get("x-relay-fallback"), "true");
    });

    test("a provider that dies in the middle is an error the client sees", async () => {
      await assert.rejects(client.messages.stream({ model: "cut", ...asked }).finalMessage(), Anthropic.APIError);
    });

    test("the estimate of tokens", async () => {
      const short = await client.messages.countTokens({ model: "quick", messages: asked.messages });
      const content = "a longer question ".repeat(100);
      const long = await client.messages.countTokens({ model: "quick", messages: [{ role: "user", content }] });
      assert.ok(short.input_tokens > 0);
      assert.ok(long.input_tokens > short.input_tokens);
    });
  });
}
