import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import OpenAI from "openai";
import { configuration, metadata, protocols, sentence, thought } from "./configuration.mjs";
import { startGateway } from "./processes.mjs";

const models = {
  quick: ["mock-ok"],
  thinking: ["mock-reason"],
  refused: ["mock-bad-request"],
  broken: ["mock-fail-500"],
  fallback: ["mock-fail-503", "mock-ok"],
  "fallback-stream": ["mock-error-first", "mock-ok"],
  cut: ["mock-cut"],
};
const messages = [{ role: "user", content: "Say hello." }];

// The client speaks its own protocol, whichever the provider does.
for (const upstream of protocols) {
  describe(`openai: chat completions, upstream ${upstream}`, () => {
    let gateway, client;
    before(async () => {
      gateway = await startGateway(configuration(upstream, models));
      client = new OpenAI({ apiKey: "any", baseURL: `${gateway.url}/v1`, maxRetries: 0, defaultHeaders: metadata });
    });
    after(() => gateway?.stop());

    const collect = async (stream) => {
      let text = "";
      let usage;
      for await (const chunk of stream) {
        text += chunk.choices[0]?.delta.content ?? "";
        usage = chunk.usage ?? usage;
      }
      return { text, usage };
    };

    test("a whole answer", async () => {
      const asked = client.chat.completions.create({ model: "quick", messages });
      const { data: answer, response } = await asked.withResponse();
      assert.equal(answer.choices[0].message.content, sentence);
      assert.equal(answer.usage.completion_tokens, 6);
      assert.equal(response.headers.get("x-relay-translated"), String(upstream !== "openai-chat"));
    });

    test("a stream", async () => {
      const { text } = await collect(await client.chat.completions.create({ model: "quick", messages, stream: true }));
      assert.equal(text, sentence);
    });

    test("a stream with the usage asked for", async () => {
      const asked = { model: "quick", messages, stream: true, stream_options: { include_usage: true } };
      const { text, usage } = await collect(await client.chat.completions.create(asked));
      assert.equal(text, sentence);
      assert.equal(usage.completion_tokens, 6);
    });

    test("a tool call, streamed, and its result", async () => {
      const tools = [{ type: "function", function: { name: "weather", parameters: { type: "object" } } }];
      const call = await client.chat.completions.stream({ model: "quick", messages, tools }).finalMessage();
      assert.equal(call.tool_calls[0].function.name, "weather");
      assert.deepEqual(JSON.parse(call.tool_calls[0].function.arguments), { city: "Paris" });
      const result = { role: "tool", tool_call_id: call.tool_calls[0].id, content: "rain" };
      const told = [...messages, { role: "assistant", tool_calls: call.tool_calls }, result];
      const answer = await client.chat.completions.create({ model: "quick", messages: told, tools });
      assert.equal(answer.choices[0].message.content, sentence);
    });

    test("reasoning before the answer, whole and streamed", async () => {
      const asked = { model: "thinking", messages, reasoning_effort: "low" };
      const { message } = (await client.chat.completions.create(asked)).choices[0];
      assert.equal(message.content, sentence);
      assert.equal(message.reasoning_content, thought);
      let reasoning = "";
      let text = "";
      for await (const chunk of await client.chat.completions.create({ ...asked, stream: true })) {
        reasoning += chunk.choices[0]?.delta.reasoning_content ?? "";
        text += chunk.choices[0]?.delta.content ?? "";
      }
      assert.equal(reasoning, thought);
      assert.equal(text, sentence);
    });

    test("a request the provider refuses", async () => {
      await assert.rejects(client.chat.completions.create({ model: "refused", messages, temperature: 9 }), (error) => {
        assert.ok(error instanceof OpenAI.BadRequestError);
        if (upstream !== "anthropic-messages") assert.equal(error.param, "temperature"); // which says it in words only
        assert.match(error.message, /temperature/);
        return true;
      });
    });

    test("a provider that fails, and no layer left", async () => {
      const failing = client.chat.completions.create({ model: "broken", messages });
      await assert.rejects(failing, (error) => error instanceof OpenAI.InternalServerError && error.status === 500);
    });

    test("a model that is not served", async () => {
      await assert.rejects(client.chat.completions.create({ model: "absent", messages }), OpenAI.NotFoundError);
    });

    test("a fallback, whole", async () => {
      const asked = client.chat.completions.create({ model: "fallback", messages });
      const { data, response } = await asked.withResponse();
      assert.equal(data.choices[0].message.content, sentence);
      assert.equal(response.headers.get("x-relay-fallback"), "true");
      assert.equal(response.headers.get("x-relay-upstream-model"), "mock-ok");
    });

    test("a fallback, streamed", async () => {
      const asked = client.chat.completions.create({ model: "fallback-stream", messages, stream: true });
      const { data, response } = await asked.withResponse();
      assert.equal((await collect(data)).text, sentence);
      assert.equal(response.headers.get("x-relay-fallback"), "true");
    });

    test("a provider that dies in the middle is an error the client sees", async () => {
      const stream = await client.chat.completions.create({ model: "cut", messages, stream: true });
      await assert.rejects(collect(stream), OpenAI.APIError);
    });

    test("the list of models", async () => {
      const names = (await client.models.list()).data.map((model) => model.id);
      assert.deepEqual([...names].sort(), Object.keys(models).sort());
    });
  });
}
