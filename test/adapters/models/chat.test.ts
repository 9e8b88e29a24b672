// The chat protocols against a server that answers well and badly: every question ends as a whole reply, or with a
// reason; what was cut never counts as whole.

import { inspect } from 'node:util';
import { expect, test, vi } from 'vitest';
import { createHostedProposer } from '../../../server/src/adapters/models/hosted.ts';
import { createOllamaProposer } from '../../../server/src/adapters/models/ollama.ts';
import { REPLY_SCHEMA } from '../../../server/src/core/proposers/replySchema.ts';
import type { Proposer, ProposerReply, ProposerRequest } from '../../../server/src/core/ports/proposers.ts';
import { createPeer, TEXT, type Manner, type Protocol } from './peer.ts';

const KEY = 'sk-canary-0123456789';
const request = (seconds = 60): ProposerRequest => ({
  id: 'r',
  task: { kind: 'request', id: 'k', opportunity: null, path: null },
  messages: [
    { role: 'system', content: 's' },
    { role: 'user', content: 'u' },
  ],
  maxTokens: 100,
  deadline: Date.now() + seconds * 1000,
});

function proposerAt(protocol: Protocol, url: string): Proposer {
  return protocol === 'ollama'
    ? createOllamaProposer({ name: 'peer', model: 'm', url, backoffMs: 1 })
    : createHostedProposer({
        name: 'peer',
        protocol,
        model: 'm',
        url,
        key: KEY,
        keyFrom: 'SELFWARE_MODEL_KEY',
        backoffMs: 1,
      });
}

const nobody = new AbortController().signal;
const quietly = () => undefined;
const whole = { text: TEXT.join(''), finished: true, model: 'peer-1', usage: { input: 7, output: 5 } };
const cut = { finished: false };
/** Google's library does not tell the model that answered. */
const wholeBy = (protocol: Protocol) => (protocol === 'google' ? { ...whole, model: null } : whole);

const HOSTED = ['openai', 'anthropic', 'google'] as const;
const ALL = [...HOSTED, 'ollama'] as const;
const SILENT = /gave no answer/;

const OUTCOMES: readonly (readonly [Protocol, readonly Manner[], object | RegExp])[] = [
  ...HOSTED.flatMap((protocol): (typeof OUTCOMES)[number][] => [
    [protocol, ['key refused'], /HTTP 401/],
    [protocol, ['echoes the key'], /HTTP 401/],
  ]),
  ...ALL.flatMap((protocol): (typeof OUTCOMES)[number][] => [
    [protocol, ['fine'], wholeBy(protocol)],
    [protocol, ['busy', 'busy', 'fine'], wholeBy(protocol)],
    [protocol, ['overloaded', 'overloaded', 'fine'], wholeBy(protocol)],
    [protocol, ['broken', 'fine'], wholeBy(protocol)],
    [protocol, ['busy'], /HTTP 429/],
    [protocol, ['overloaded'], /HTTP 503/],
    [protocol, ['broken'], /HTTP 500/],
    [protocol, ['cut'], SILENT],
    [protocol, ['no end'], protocol === 'google' || protocol === 'anthropic' ? cut : SILENT],
    [protocol, ['malformed'], SILENT],
    [protocol, ['limit'], cut],
    [protocol, ['page'], SILENT],
    [protocol, ['redirects'], SILENT],
  ]),
];

test.each(OUTCOMES)('%s, a server that is %s', async (protocol, manners, outcome) => {
  await using peer = await createPeer(protocol, manners);
  const told = await proposerAt(protocol, peer.url)
    .ask(request(), nobody, quietly)
    .catch((error: Error) => error);
  if (outcome instanceof RegExp) {
    expect(told).toMatchObject({ reason: 'unavailable', message: expect.stringMatching(outcome) });
    expect(inspect(told, { depth: null, showHidden: true })).not.toContain(KEY.slice(0, 6));
  } else expect(told as ProposerReply).toMatchObject(outcome);
});

test.each(ALL.flatMap((protocol) => [[protocol, 'stalls'] as const, [protocol, 'hangs'] as const]))(
  '%s, a server that %s: the deadline ends it, and the connection closes',
  async (protocol, manner) => {
    await using peer = await createPeer(protocol, [manner]);
    const asking = proposerAt(protocol, peer.url).ask(request(0.5), nobody, quietly);
    await expect(asking).rejects.toMatchObject({ reason: 'timedOut' });
    await peer.left;
  },
);

test.each([
  ...ALL.map((protocol) => [protocol, 'ignores the limit'] as const),
  ...(['openai', 'ollama'] as const).map((protocol) => [protocol, 'thinks without end'] as const),
])('%s, a server that %s: the answer is cut, what came is counted, the connection closes', async (protocol, manner) => {
  await using peer = await createPeer(protocol, [manner]);
  let characters = 0;
  const reply = await proposerAt(protocol, peer.url).ask(request(600), nobody, (total) => (characters = total));
  await peer.left;
  expect(reply).toMatchObject({
    finished: false,
    refused: expect.stringMatching(
      /^The reply was cut off, .*: peer does not keep the limit of 100 tokens; some \d+ had/,
    ),
    usage: { input: 2, cached: 0, estimated: true },
  });
  expect(reply.text).toHaveLength(characters);
  // 200 tokens are allowed, and a piece has some 29; a few more can be under way.
  expect(reply.usage?.output).toBeGreaterThan(200);
  if (manner === 'ignores the limit') expect(reply.usage?.output).toBe(Math.ceil(reply.text.length / 3.5));
  expect(peer.requests).toHaveLength(1);
});

test.each(ALL)('%s: a cancelled question closes its connection', async (protocol) => {
  await using peer = await createPeer(protocol, ['stalls']);
  const cancelled = new AbortController();
  const asking = proposerAt(protocol, peer.url).ask(request(), cancelled.signal, () => cancelled.abort());
  await expect(asking).rejects.toMatchObject({ reason: 'cancelled' });
  await peer.left;
});

test.each(ALL)('%s: a question that is cancelled while its answer comes reads nothing more of it', async (protocol) => {
  // The server writes until its connection is closed.
  await using peer = await createPeer(protocol, ['ignores the limit']);
  const cancelled = new AbortController();
  let readAfterwards = 0;
  const asking = proposerAt(protocol, peer.url).ask(request(), cancelled.signal, () => {
    if (cancelled.signal.aborted) readAfterwards += 1;
    cancelled.abort();
  });
  await expect(asking).rejects.toMatchObject({ reason: 'cancelled' });
  await peer.left;
  expect(readAfterwards).toBe(0);
});

test('a key goes along as a header, and Ollama is told how much it has to read', async () => {
  await using openai = await createPeer('openai', ['fine']);
  await using ollama = await createPeer('ollama', ['fine']);
  await proposerAt('openai', openai.url).ask(request(), nobody, quietly);
  await proposerAt('ollama', ollama.url).ask(request(), nobody, quietly);
  expect(openai.requests[0]).toMatchObject({ path: '/v1/chat/completions', key: `Bearer ${KEY}` });
  expect(JSON.parse(ollama.requests[0]!.body)).toMatchObject({ options: { num_ctx: 1024, num_predict: 100 } });
});

test('Anthropic and Google get the key in a header of their own, and never in the address', async () => {
  for (const protocol of ['anthropic', 'google'] as const) {
    await using peer = await createPeer(protocol, ['fine']);
    await proposerAt(protocol, peer.url).ask(request(), nobody, quietly);
    expect(peer.requests[0]).toMatchObject({ key: KEY });
    expect(peer.requests[0]?.path).not.toContain(KEY);
  }
});

const ADVICE: readonly (readonly [Protocol, Manner, RegExp, RegExp])[] = [
  ['openai', 'key refused', /\(HTTP 401\): not now\.$/, /^Check the key in SELFWARE_MODEL_KEY\.$/],
  ['openai', 'has no such model', /does not exist\.$/, /^Check the address http:\S+\/v1 and the name of the model\.$/],
  ['openai', 'asks for money', /\(HTTP 402\): Insufficient credits\.$/, /^Check your account at 127/],
  ['openai', 'reads too little', /4096 tokens\.$/, /^Lower models\.contextTokens/],
  ['openai', 'asks for an hour', /\(HTTP 429\): not now\.$/, /^Wait for 60 min, or name another model\.$/],
  ['openai', 'asks for a date', /\(HTTP 429\): not now\.$/, /^Wait for (?:59|60) min, or name another model\.$/],
  ['openai', 'broken', /\(HTTP 500\): not now\.$/, /^Try again later, or look at the log of the server at 127/],
  // The client may notice the cut before it has read anything.
  ['openai', 'cut', /: (?:The connection ended before the answer was complete|Cannot connect to API: .*)\.$/, /./],
  ['openai', 'no end', /: Its answer has no end, so it may be cut\.$/, /^Try again, or use another model\.$/],
  ['openai', 'fails within its answer', /: overloaded\.$/, /^Try again, or use another model\.$/],
  ['openai', 'page', /\/v1\/chat\/completions is a web page\.$/, /^Check the address/],
  ['openai', 'page without end', /is a web page\.$/, /^Check the address/],
  ['openai', 'error without end', /^The answer of peer does not end\.$/, /^Check the address/],
  ['ollama', 'fails within its answer', /: overloaded\.$/, /^Try again, or use another model\.$/],
  ['ollama', 'asks for an hour', /\(HTTP 429\): not now\.$/, /^Wait for 60 min, or name another model\.$/],
  ['ollama', 'overloaded', /\(HTTP 503\): not now\.$/, /^Try again later, or look at the log of the server at 127/],
  ['ollama', 'has no such model', /: Ollama has no model m\.$/, /^Run `ollama pull m`, or name one/],
  ['ollama', 'page without end', /is a web page\.$/, /^Check the address/],
  ['ollama', 'error without end', /^The answer of peer does not end\.$/, /^Check the address/],
];

test.each(ADVICE)('%s, a server that %s: the message says what happened and what to do', async (...row) => {
  const [protocol, manner, message, action] = row;
  await using peer = await createPeer(protocol, [manner]);
  // The deadline is further away than the test may take: the answer itself ends the question.
  const asking = proposerAt(protocol, peer.url).ask(request(600), nobody, quietly);
  await expect(asking).rejects.toMatchObject({
    reason: 'unavailable',
    message: expect.stringMatching(message),
    action: expect.stringMatching(action),
  });
});

test('nobody at the address, and an address without a key', async () => {
  const [name, model, url, keyFrom] = ['peer', 'm', 'http://127.0.0.1:9/v1', 'SELFWARE_MODEL_KEY'];
  const absent = createHostedProposer({ name, protocol: 'openai', model, url, key: null, keyFrom });
  await expect(absent.ask(request(), nobody, quietly)).rejects.toMatchObject({
    message: expect.stringMatching(/: Cannot connect to API: .+\.$/),
    action: 'Check that a server answers at 127.0.0.1:9.',
  });
  const ollama = createOllamaProposer({ name, model, url: 'http://127.0.0.1:9' });
  await expect(ollama.ask(request(), nobody, quietly)).rejects.toMatchObject({
    message: expect.not.stringContaining('fetch failed'),
  });
  await using peer = await createPeer('openai', ['key refused']);
  const keyless = createHostedProposer({ name, protocol: 'openai', model, url: peer.url, key: null, keyFrom });
  await expect(keyless.ask(request(), nobody, quietly)).rejects.toMatchObject({
    action: expect.stringMatching(/^No key was sent\. Put it into the environment variable SELFWARE_MODEL_KEY/),
  });
});

test('what has begun to come is not asked for twice', async () => {
  await using peer = await createPeer('openai', ['cut', 'fine']);
  await expect(proposerAt('openai', peer.url).ask(request(), nobody, quietly)).rejects.toMatchObject({
    reason: 'unavailable',
  });
  expect(peer.requests).toHaveLength(1);
});

test('all are given the schema of the answer', async () => {
  const schemas: unknown[] = [];
  for (const protocol of ALL) {
    await using peer = await createPeer(protocol, ['fine']);
    const reply = await proposerAt(protocol, peer.url).ask({ ...request(), schema: REPLY_SCHEMA }, nobody, quietly);
    expect(reply).toMatchObject(wholeBy(protocol));
    const body = JSON.parse(peer.requests[0]!.body);
    const named = body.response_format?.json_schema ?? body.generationConfig?.responseJsonSchema ?? body.output_config;
    const schema = named?.format ?? named ?? body.format;
    schemas.push(schema?.schema ?? schema);
  }
  expect(schemas).toEqual([REPLY_SCHEMA, REPLY_SCHEMA, REPLY_SCHEMA, REPLY_SCHEMA]);
});

test.each(
  ALL.flatMap((protocol) => [
    [protocol, 'knows no schema', [2, 3]] as const,
    [protocol, 'breaks at a schema', [2, 4]] as const,
  ]),
)('%s: a server that %s is asked without one, and from then on only if it refused it', async (...row) => {
  const [protocol, manner, totals] = row;
  await using peer = await createPeer(protocol, [manner]);
  const proposer = proposerAt(protocol, peer.url);
  for (const total of totals) {
    const reply = await proposer.ask({ ...request(), schema: REPLY_SCHEMA }, nobody, quietly);
    expect(reply).toMatchObject(wholeBy(protocol));
    expect(peer.requests).toHaveLength(total);
  }
});

test.each(ALL)('%s: a busy server is asked again with the schema', async (protocol) => {
  await using peer = await createPeer(protocol, ['overloaded', 'busy', 'fine']);
  const asking = proposerAt(protocol, peer.url).ask({ ...request(), schema: REPLY_SCHEMA }, nobody, quietly);
  expect(await asking).toMatchObject(wholeBy(protocol));
  expect(peer.requests.map(({ body }) => body)).toEqual(Array(3).fill(peer.requests[0]?.body));
  expect(peer.requests[0]?.body).toMatch(/"(?:response_format|responseJsonSchema|output_config|format)":/);
});

test.each([
  ['m', 'max_tokens', 1],
  ['gpt-5', 'max_completion_tokens', 2],
  ['o3-mini', 'max_completion_tokens', 2],
])('%s at another address learns that the server wants %s, and keeps the schema', async (model, field, requests) => {
  await using peer = await createPeer('openai', ['fine']);
  const [name, keyFrom] = ['peer', 'SELFWARE_MODEL_KEY'];
  const proposer = createHostedProposer({ name, protocol: 'openai', model, url: peer.url, key: null, keyFrom });
  for (const total of [requests, requests + 1]) {
    expect(await proposer.ask({ ...request(), schema: REPLY_SCHEMA }, nobody, quietly)).toMatchObject(whole);
    expect(peer.requests).toHaveLength(total);
  }
  expect(JSON.parse(peer.requests.at(-1)!.body)).toMatchObject({
    [field]: 100,
    response_format: { type: 'json_schema' },
  });
});

test.each(['gpt-5', 'o4-mini', 'gpt-4.1'])('%s at OpenAI itself is never sent max_tokens', async (model) => {
  const bodies: unknown[] = [];
  vi.stubGlobal('fetch', async (_: string, { body }: { readonly body: string }) => {
    bodies.push(JSON.parse(body));
    return new Response('{"error": {"message": "not now"}}', { status: 400 });
  });
  try {
    const [name, url, keyFrom] = ['peer', 'https://api.openai.com/v1', 'OPENAI_API_KEY'];
    const proposer = createHostedProposer({ name, protocol: 'openai', model, url, key: KEY, keyFrom });
    await expect(proposer.ask(request(), nobody, quietly)).rejects.toMatchObject({ reason: 'unavailable' });
  } finally {
    vi.unstubAllGlobals();
  }
  expect(bodies).toEqual([expect.objectContaining({ model, max_completion_tokens: 100 })]);
  expect(bodies[0]).not.toHaveProperty('max_tokens');
});
