// Starts an agent with a model that this process plays: a server on the loopback of the enclosure, with the chat
// protocols of OpenAI, Anthropic and Google. The model calls two tools of the MCP server that the agent was told of:
// `search`, and then `propose`. Usage: node toolPeer.mjs OLD NEW PROGRAM ARGUMENTS…

import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';

const [before, after, program, ...args] = process.argv.slice(2);
const EDIT = { file: 'src/rate.mjs', search: before, replace: after };
const INPUTS = {
  search: { query: 'the rate' },
  propose: { title: 'A rate is per cent.', edits: [EDIT] },
};
const TEXT = 'I have proposed it.';

/**
 * The next call; null if both were made, or neither is offered. Some agents offer the tools only to those who search.
 */
let calls = 0;
let hasSearched = false;
function nextCall(names) {
  const wanted = Object.keys(INPUTS)[calls];
  if (wanted === undefined) return null;
  const name = names.find((one) => /selfware/.test(one) && one.endsWith(wanted));
  const finder = names.find((one) => one === 'ToolSearch' || one === 'tool_search');
  if (name === undefined && finder !== undefined && !hasSearched) {
    hasSearched = true;
    return { name: finder, input: { query: 'select:mcp__selfware__search,mcp__selfware__propose' } };
  }
  if (name === undefined) return null;
  calls += 1;
  return { name, input: INPUTS[wanted] };
}

let ids = 0;
const callId = () => `toolu_${(ids += 1)}`;

const protocols = [
  { path: /\/chat\/completions/, answer: chat },
  { path: /\/responses/, answer: responses },
  { path: /\/messages/, answer: messages },
  { path: /generateContent|GenerateContent/, answer: google },
];

const server = createServer((question, answer) => {
  let body = '';
  question
    .on('data', (part) => (body += part))
    .on('end', () => {
      const protocol = protocols.find(({ path }) => path.test(question.url));
      if (question.method !== 'POST' || !protocol || /count/i.test(question.url))
        return json(answer, { data: [], models: [], input_tokens: 1, totalTokens: 1 });
      protocol.answer(JSON.parse(body), answer, question.url);
    });
});

function chat({ tools = [], stream, model }, answer) {
  const call = nextCall(tools.map(({ function: { name } = {} }) => name ?? ''));
  const tool = call && {
    index: 0,
    id: callId(),
    type: 'function',
    function: { name: call.name, arguments: JSON.stringify(call.input) },
  };
  const message = tool
    ? { role: 'assistant', content: null, tool_calls: [tool] }
    : { role: 'assistant', content: TEXT };
  const finish = tool ? 'tool_calls' : 'stop';
  const usage = { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 };
  const head = { id: 'r', created: 1, model };
  if (!stream)
    return json(answer, {
      ...head,
      object: 'chat.completion',
      choices: [{ index: 0, message, finish_reason: finish }],
      usage,
    });
  const chunk = (delta, finish_reason, more) => ({
    ...head,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason }],
    ...more,
  });
  events(
    answer,
    [chunk(message, null), chunk({}, finish), { ...head, object: 'chat.completion.chunk', choices: [], usage }],
    '[DONE]',
  );
}

function responses({ tools = [] }, answer) {
  const offered = tools.flatMap((tool) =>
    tool.type === 'namespace'
      ? tool.tools.map(({ name }) => ({ namespace: tool.name, name }))
      : [{ name: tool.name ?? '' }],
  );
  const call = nextCall(offered.map(({ namespace = '', name }) => `${namespace} ${name}`));
  const [namespace, name] = call?.name.split(' ') ?? [];
  const item = call
    ? {
        type: 'function_call',
        id: 'f',
        call_id: callId(),
        name,
        ...(namespace ? { namespace } : {}),
        arguments: JSON.stringify(call.input),
      }
    : { type: 'message', id: 'm', role: 'assistant', content: [{ type: 'output_text', text: TEXT, annotations: [] }] };
  const usage = {
    input_tokens: 10,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 2,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 12,
  };
  const response = { id: 'r', object: 'response', status: 'completed', output: [item], usage };
  const added = call ? item : { ...item, content: [] };
  events(answer, [
    { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
    { type: 'response.output_item.added', output_index: 0, item: added },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response },
  ]);
}

function messages({ tools = [], stream, model }, answer) {
  const call = nextCall(tools.map(({ name }) => name ?? ''));
  const content = call
    ? { type: 'tool_use', id: callId(), name: call.name, input: call.input }
    : { type: 'text', text: TEXT };
  const stop = call ? 'tool_use' : 'end_turn';
  const usage = { input_tokens: 10, output_tokens: 2 };
  const message = {
    id: 'm',
    type: 'message',
    role: 'assistant',
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage,
  };
  if (!stream) return json(answer, { ...message, content: [content], stop_reason: stop });
  const delta = call
    ? { type: 'input_json_delta', partial_json: JSON.stringify(call.input) }
    : { type: 'text_delta', text: TEXT };
  events(answer, [
    { type: 'message_start', message },
    {
      type: 'content_block_start',
      index: 0,
      content_block: call ? { ...content, input: {} } : { type: 'text', text: '' },
    },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: stop, stop_sequence: null }, usage },
    { type: 'message_stop' },
  ]);
}

function google({ tools = [], generationConfig = {} }, answer, url) {
  // The agent asks a smaller model which model should answer, and wants JSON.
  const schema = generationConfig.responseJsonSchema ?? generationConfig.responseSchema;
  const call = schema
    ? null
    : nextCall(tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations.map(({ name }) => name)));
  const part = schema
    ? { text: JSON.stringify(filled(schema)) }
    : call
      ? { functionCall: { name: call.name, args: call.input } }
      : { text: TEXT };
  const reply = {
    candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP', index: 0 }],
    usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 2, totalTokenCount: 12 },
  };
  if (url.includes('stream')) events(answer, [reply]);
  else json(answer, reply);
}

/** The least value that fits a schema. */
function filled(schema) {
  const type = String(schema?.type ?? '').toLowerCase();
  if (schema?.enum) return schema.enum[0];
  if (type === 'object')
    return Object.fromEntries(Object.entries(schema.properties ?? {}).map(([name, one]) => [name, filled(one)]));
  return { array: [], number: 1, integer: 1, boolean: false }[type] ?? 'x';
}

function json(answer, value) {
  answer.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

function events(answer, list, last) {
  answer.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of list)
    answer.write(`${event.type ? `event: ${event.type}\n` : ''}data: ${JSON.stringify(event)}\n\n`);
  answer.end(last === undefined ? '' : `data: ${last}\n\n`);
}

/** Writes settings of an agent, which name this server. */
function settings(path, text) {
  const place = join(process.env.HOME, path);
  mkdirSync(dirname(place), { recursive: true });
  writeFileSync(place, text);
}

server.listen(0, '127.0.0.1', () => {
  const url = `http://127.0.0.1:${server.address().port}`;
  const provider = {
    npm: '@ai-sdk/openai-compatible',
    options: { baseURL: `${url}/v1`, apiKey: 'peer' },
    models: { m: {} },
  };
  settings('.config/opencode/opencode.json', JSON.stringify({ model: 'peer/m', provider: { peer: provider } }));
  settings('.gemini/settings.json', JSON.stringify({ security: { auth: { selectedType: 'gemini-api-key' } } }));
  const codex = `model_provider = "peer"\nmodel = "gpt-5"\n[model_providers.peer]\nname = "peer"\n`;
  settings('.codex/config.toml', `${codex}base_url = "${url}/v1"\nwire_api = "responses"\n`);
  const env = {
    ...process.env,
    ...{ GEMINI_API_KEY: 'peer', GOOGLE_GEMINI_BASE_URL: url },
    ...{ ANTHROPIC_API_KEY: 'peer', ANTHROPIC_BASE_URL: url },
    ...{ OPENAI_API_KEY: 'peer', OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: 'm' },
    ...{ COPILOT_PROVIDER_BASE_URL: `${url}/v1`, COPILOT_MODEL: 'm', COPILOT_OFFLINE: 'true' },
  };
  const agent = spawn(program, args, { stdio: 'inherit', env });
  agent.on('exit', (code) => process.exit(code ?? 1));
});
