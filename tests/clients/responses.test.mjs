import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import OpenAI from "openai";
import { configuration, metadata, protocols, sentence, thought } from "./configuration.mjs";
import { startGateway } from "./processes.mjs";

const models = {
  quick: ["mock-ok"],
  thinking: ["mock-reason"],
  refused: ["mock-bad-request"],
  fallback: ["mock-fail-429", "mock-ok"],
  "fallback-stream": ["mock-error-first", "mock-ok"],
  cut: ["mock-cut"],
};
const input = "Say hello.";

// The client speaks its own protocol, whichever the provider does.
for (const upstream of protocols) {
  describe(`openai: responses, upstream ${upstream}`, () => {
    let gateway, client;
    before(async () => {
      gateway = await startGateway(configuration(upstream, models));
      client = new OpenAI({ apiKey: "any", baseURL: `${gateway.url}/v1`, maxRetries: 0, defaultHeaders: metadata });
    });
    after(() => gateway?.stop());

    test("a whole answer", async () => {
      const { data: answer, response } = await client.responses.create({ model: "quick", input }).withResponse();
      assert.equal(answer.output_text, sentence);
      assert.equal(answer.usage.output_tokens, 6);
      assert.equal(answer.usage.input_tokens_details.cached_tokens, 4);
      assert.equal(response.headers.get("x-relay-translated"), String(upstream !== "openai-responses"));
    });

    test("a stream", async () => {
      const answer = await client.responses.stream({ model: "quick", input }).finalResponse();
      assert.equal(answer.output_text, sentence);
      assert.equal(answer.status, "completed");
      assert.equal(answer.usage.output_tokens, 6);
    });

    test("events in their order, counted from 0", async () => {
      const types = [];
      for await (const event of await client.responses.create({ model: "quick", input, stream: true })) {
        assert.equal(event.sequence_number, types.length);
        types.push(event.type.replace("response.", ""));
      }
      const deltas = Array(6).fill("output_text.delta");
      assert.deepEqual(types, [
        ...["created", "in_progress", "output_item.added", "content_part.added", ...deltas],
        ...["output_text.done", "content_part.done", "output_item.done", "completed"],
      ]);
    });

    test("a tool call, streamed, and its result", async () => {
      const parameters = { type: "object", properties: {} };
      const tools = [{ type: "function", name: "weather", parameters, strict: false }];
      const called = await client.responses.stream({ model: "quick", input, tools }).finalResponse();
      const call = called.output.find((item) => item.type === "function_call");
      assert.equal(call.name, "weather");
      assert.notEqual(call.id, call.call_id);
      assert.deepEqual(JSON.parse(call.arguments), { city: "Paris" });
      const result = { type: "function_call_output", call_id: call.call_id, output: "rain" };
      const told = [{ role: "user", content: input }, ...called.output, result];
      const answer = await client.responses.create({ model: "quick", input: told, tools });
      assert.equal(answer.output_text, sentence);
    });

    test("reasoning before the answer, whole and streamed, and back in the next request", async () => {
      const asked = { model: "thinking", input, reasoning: { effort: "low" }, include: ["reasoning.encrypted_content"] };
      for (const answer of [await client.responses.create(asked), await client.responses.stream(asked).finalResponse()]) {
        assert.deepEqual(answer.output.map((item) => item.type), ["reasoning", "message"]);
        const [reasoning] = answer.output;
        const said = [...reasoning.summary, ...(reasoning.content ?? [])].map((part) => part.text).join("");
        assert.equal(said, thought);
        assert.equal(answer.output_text, sentence);
        const told = [{ role: "user", content: input }, ...answer.output, { role: "user", content: "Again." }];
        assert.equal((await client.responses.create({ ...asked, input: told })).output_text, sentence);
      }
    });

    test("a request the provider refuses", async () => {
      await assert.rejects(client.responses.create({ model: "refused", input, temperature: 9 }), (error) => {
        assert.ok(error instanceof OpenAI.BadRequestError);
        if (upstream !== "anthropic-messages") assert.equal(error.param, "temperature"); // which says it in words only
        assert.match(error.message, /temperature/);
        return true;
      });
    });

    test("a conversation that only its provider keeps", async () => {
      const asked = client.responses.create({ model: "quick", input, previous_response_id: "resp_1" });
      if (upstream === "openai-responses") {
        assert.equal((await asked).output_text, sentence);
      } else {
        await assert.rejects(asked, (error) => {
          assert.ok(error instanceof OpenAI.BadRequestError);
          assert.equal(error.param, "previous_response_id");
          return true;
        });
      }
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
}
