// Vectors from a server: against a real one over HTTP.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import {
  createProviderEmbedder,
  type ProviderOptions,
} from '../../../server/src/adapters/embeddings/providerEmbedder.ts';

const never = new AbortController().signal;
const KEY = 'sk-very-secret';
const closers: (() => void)[] = [];

afterEach(() => {
  for (const close of closers.splice(0)) close();
});

interface Asked {
  readonly model: string;
  readonly input: readonly string[];
}

type Answer = (asked: Asked, response: ServerResponse, request: IncomingMessage) => void;

/** Answers request n with `answers[n]`, later ones with the last. */
async function serve(...answers: readonly Answer[]): Promise<{
  readonly baseUrl: string;
  readonly requests: {
    readonly asked: Asked;
    readonly authorization: string | undefined;
    readonly url: string | undefined;
  }[];
}> {
  const requests: { asked: Asked; authorization: string | undefined; url: string | undefined }[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const asked = JSON.parse(Buffer.concat(parts).toString()) as Asked;
      requests.push({ asked, authorization: request.headers.authorization, url: request.url });
      answers[Math.min(requests.length, answers.length) - 1]!(asked, response, request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, requests };
}

/** [length of the text, 1, 0], last text first, as the protocol allows. */
const vectors: Answer = ({ input }, response) => {
  response.setHeader('content-type', 'application/json');
  response.end(
    JSON.stringify({ data: input.map((text, index) => ({ index, embedding: [text.length, 1, 0] })).reverse() }),
  );
};
const status =
  (code: number, headers: Record<string, string> = {}): Answer =>
  (_asked, response) =>
    response.writeHead(code, headers).end('{"error":"no"}');
const body =
  (text: string): Answer =>
  (_asked, response) =>
    response.end(text);
const silence: Answer = () => {};

function connect(baseUrl: string, more: Partial<ProviderOptions> = {}, signal = never) {
  return createProviderEmbedder(
    { baseUrl, model: 'code-embed', apiKey: KEY, backoffMs: 1, timeoutMs: 5_000, ...more },
    signal,
  );
}

test('vectors of length 1 in the order of the texts, in batches', async () => {
  const { baseUrl, requests } = await serve(vectors);
  const embedder = await connect(`${baseUrl}/`, { batchSize: 2 });
  expect(embedder.dimensions).toBe(3);
  const made = await embedder.embed(['a', 'bb', 'cccc', ''], never);
  expect(made.map((vector) => Math.round(vector[0]! / vector[1]!))).toEqual([1, 2, 4, 1]);
  for (const vector of made) expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
  expect(requests.map(({ asked }) => asked.input.length)).toEqual([1, 2, 2]);
  expect(
    requests.every(
      ({ asked, url, authorization }) =>
        asked.model === 'code-embed' && url === '/v1/embeddings' && authorization === `Bearer ${KEY}`,
    ),
  ).toBe(true);
});

test('the profile tells models and servers apart and holds no key', async () => {
  const { baseUrl } = await serve(vectors);
  const profiles = await Promise.all(
    [
      connect(baseUrl),
      connect(baseUrl, { model: 'other' }),
      connect(`${baseUrl}/v2`),
      connect(baseUrl, { apiKey: 'another key' }),
    ].map(async (made) => (await made).profile),
  );
  expect(new Set(profiles).size).toBe(3);
  expect(profiles[3]).toBe(profiles[0]);
});

test.each([429, 500, 503])('%i is tried again', async (code) => {
  const { baseUrl, requests } = await serve(vectors, status(code, { 'retry-after': '0' }), status(code), vectors);
  const embedder = await connect(baseUrl);
  expect(await embedder.embed(['a'], never)).toHaveLength(1);
  expect(requests).toHaveLength(4);
});

test('after some tries it is given up', async () => {
  const { baseUrl, requests } = await serve(status(503));
  await expect(connect(baseUrl, { retries: 2 })).rejects.toMatchObject({ reason: 'unavailable' });
  expect(requests).toHaveLength(3);
});

test.each([400, 401, 403, 404])('%i is not tried again', async (code) => {
  const { baseUrl, requests } = await serve(status(code));
  await expect(connect(baseUrl)).rejects.toMatchObject({
    reason: 'unavailable',
    message: expect.stringContaining(String(code)),
  });
  expect(requests).toHaveLength(1);
});

const two = (embedding: unknown, index: unknown = 0) => JSON.stringify({ data: [{ index, embedding }] });
test.each([
  ['no JSON', '<html>'],
  ['no data', '{"object":"list"}'],
  ['no vectors', '{"data":[]}'],
  ['words for numbers', two(['a', 'b', 'c'])],
  ['an empty vector', two([])],
  ['numbers that are none', '{"data":[{"index":0,"embedding":[1,null,2]}]}'],
  ['a number out of range', two([1, 2, 3], 7)],
  ['other dimensions', two([1, 2])],
])('refused: %s', async (_what, text) => {
  const { baseUrl } = await serve(vectors, body(text));
  const embedder = await connect(baseUrl);
  await expect(embedder.embed(['a'], never)).rejects.toMatchObject({ reason: 'unavailable' });
});

test('the same number twice is refused', async () => {
  const { baseUrl } = await serve(
    vectors,
    body('{"data":[{"index":0,"embedding":[1,2,3]},{"index":0,"embedding":[1,2,3]}]}'),
  );
  const embedder = await connect(baseUrl);
  await expect(embedder.embed(['a', 'b'], never)).rejects.toMatchObject({ reason: 'unavailable' });
});

test('a server that hangs can be cancelled', async () => {
  const cancel = new AbortController();
  const { baseUrl } = await serve(vectors, () => cancel.abort());
  const embedder = await connect(baseUrl);
  await expect(embedder.embed(['a'], cancel.signal)).rejects.toMatchObject({ reason: 'cancelled' });
});

test('cancelled while it waits to try again', async () => {
  const cancel = new AbortController();
  const { baseUrl } = await serve(vectors, (asked, response, request) => {
    response.once('close', () => cancel.abort());
    status(429, { 'retry-after': '3600', connection: 'close' })(asked, response, request);
  });
  const embedder = await connect(baseUrl);
  await expect(embedder.embed(['a'], cancel.signal)).rejects.toMatchObject({ reason: 'cancelled' });
});

test('a server that hangs ends in a timeout', async () => {
  const { baseUrl, requests } = await serve(silence);
  await expect(connect(baseUrl, { timeoutMs: 1000, retries: 1 })).rejects.toMatchObject({ reason: 'timedOut' });
  expect(requests).toHaveLength(2);
});

test('nobody listens', async () => {
  await expect(connect('http://127.0.0.1:1/v1', { retries: 1 })).rejects.toMatchObject({
    reason: 'unavailable',
    action: expect.stringContaining('static'),
  });
});

test('a redirect is not followed: the key stays where it was meant to go', async () => {
  const other = await serve(vectors);
  const { baseUrl } = await serve(status(307, { location: `${other.baseUrl}/embeddings` }));
  await expect(connect(baseUrl, { retries: 0 })).rejects.toMatchObject({ reason: 'unavailable' });
  expect(other.requests).toEqual([]);
});

test.each(['not a url', 'ftp://127.0.0.1/v1', 'http://name:password@127.0.0.1/v1'])(
  '%s is no address',
  async (baseUrl) => {
    await expect(connect(baseUrl)).rejects.toMatchObject({ reason: 'usage' });
  },
);

test('no message holds the key', async () => {
  for (const answer of [status(401), status(500), body('<html>')]) {
    const { baseUrl } = await serve(answer);
    const trouble = await connect(baseUrl, { retries: 0 }).catch(
      (error: unknown) => error as Error & { action: string | null },
    );
    expect(`${String(trouble)} ${JSON.stringify(trouble)}`).not.toContain(KEY);
  }
});
