import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { configuration, sentence } from "./configuration.mjs";
import { startGateway } from "./processes.mjs";

const client = '[client "alice"]\nkey = key-of-alice\n';
const messages = [{ role: "user", content: "Say hello." }];

describe("a gateway that knows its clients", () => {
  let chat, anthropic;
  before(async () => {
    chat = await startGateway(configuration("openai-chat", { quick: ["mock-ok"] }, client));
    anthropic = await startGateway(configuration("anthropic-messages", { quick: ["mock-ok"] }, client));
  });
  after(async () => {
    await chat?.stop();
    await anthropic?.stop();
  });

  const askChat = (apiKey) =>
    new OpenAI({ apiKey, baseURL: `${chat.url}/v1`, maxRetries: 0 }).chat.completions.create({ model: "quick", messages });
  const askMessages = (apiKey) =>
    new Anthropic({ apiKey, baseURL: anthropic.url, maxRetries: 0 }).messages.create({
      model: "quick",
      max_tokens: 50,
      messages,
    });

  test("openai: the right key", async () => {
    assert.equal((await askChat("key-of-alice")).choices[0].message.content, sentence);
  });
  test("openai: a wrong key", async () => {
    await assert.rejects(askChat("key-of-mallory"), OpenAI.AuthenticationError);
  });
  test("anthropic: the right key", async () => {
    assert.equal((await askMessages("key-of-alice")).content[0].text, sentence);
  });
  test("anthropic: a wrong key", async () => {
    await assert.rejects(askMessages("key-of-mallory"), Anthropic.AuthenticationError);
  });
});
