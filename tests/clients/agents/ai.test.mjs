// The ai package with its openai and anthropic providers, before each protocol's provider.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { generateText, stepCountIs, streamText, tool } from "ai";
import { z } from "zod";
import { configuration, sentence } from "./configuration.mjs";
import { startGateway } from "./processes.mjs";

const models = { quick: ["mock-ok"] };
const clients = {
  "openai-chat": (options) => createOpenAI(options).chat("quick"),
  "openai-responses": (options) => createOpenAI(options).responses("quick"),
  "anthropic-messages": (options) => createAnthropic(options)("quick"),
};
const prompt = "Say hello.";

for (const upstream of Object.keys(clients)) {
  for (const [protocol, connect] of Object.entries(clients)) {
    describe(`ai: ${protocol}, upstream ${upstream}`, () => {
      let gateway, model;
      before(async () => {
        gateway = await startGateway(configuration(upstream, models));
        model = connect({ baseURL: `${gateway.url}/v1`, apiKey: "any" });
      });
      after(() => gateway?.stop());

      const tools = (asked) => ({
        weather: tool({
          description: "The weather of a city",
          inputSchema: z.object({ city: z.string() }),
          execute: async ({ city }) => {
            asked.push(city);
            return { celsius: 21 };
          },
        }),
      });

      test("a whole answer", async () => {
        const { text, usage, finishReason } = await generateText({ model, prompt, maxRetries: 0 });
        assert.equal(text, sentence);
        assert.equal(usage.outputTokens, 6);
        assert.equal(finishReason, "stop");
      });

      test("a stream", async () => {
        const answer = streamText({ model, prompt, maxRetries: 0 });
        let text = "";
        for await (const part of answer.textStream) text += part;
        assert.equal(text, sentence);
        assert.equal(await answer.finishReason, "stop");
      });

      test("a tool loop", async () => {
        const asked = [];
        const all = { model, prompt, maxRetries: 0, tools: tools(asked), stopWhen: stepCountIs(3) };
        const { text, steps } = await generateText(all);
        assert.deepEqual(asked, ["Paris"]);
        assert.equal(steps.length, 2);
        assert.equal(text, sentence);
      });

      test("a tool loop, streamed", async () => {
        const asked = [];
        const answer = streamText({ model, prompt, maxRetries: 0, tools: tools(asked), stopWhen: stepCountIs(3) });
        assert.equal((await answer.steps).length, 2);
        assert.deepEqual(asked, ["Paris"]);
        assert.equal(await answer.text, sentence);
      });
    });
  }
}
