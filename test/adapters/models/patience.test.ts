// A model may take longer to begin than Node's own `fetch` waits: only the limits of the answer end a question.

import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { createModelFetch } from '../../../server/src/adapters/models/modelFetch.ts';

const SYMBOLS = [1, 2].map((version) => Symbol.for(`undici.globalDispatcher.${version}`));

/** A server that answers `/at-once` at once and keeps all other requests waiting. */
async function createPatientServer() {
  const waiting: ServerResponse[] = [];
  const server = createServer((request, response) => {
    if (request.url === '/at-once') response.end('an answer');
    else waiting.push(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  // Node installs its dispatchers with the first request.
  await fetch(`${url}/at-once`);
  const before = SYMBOLS.map((symbol) => Reflect.get(globalThis, symbol) as Dispatcher | undefined);
  const restore = () => {
    for (const [index, symbol] of SYMBOLS.entries()) Reflect.set(globalThis, symbol, before[index]);
    server.closeAllConnections();
    server.close();
  };
  return { waiting, url, before, restore };
}

interface Dispatcher {
  dispatch(...args: readonly unknown[]): boolean;
}

/** What Node 26 installs for clients of the older interface. */
class Dispatcher1Wrapper {
  readonly #inner: Dispatcher;
  constructor(inner: unknown) {
    if (typeof (inner as Dispatcher).dispatch !== 'function') throw new TypeError('Argument must be a dispatcher');
    this.#inner = inner as Dispatcher;
  }
  dispatch(...args: readonly unknown[]): boolean {
    return this.#inner.dispatch(...args);
  }
}

test.each(['first', 'second', 'both'] as const)(
  'a model can be asked if the %s of the installed dispatchers is a wrapper',
  async (wrapped) => {
    const { url, before, restore } = await createPatientServer();
    try {
      for (const [index, symbol] of SYMBOLS.entries())
        if (before[index] && (wrapped === 'both' || index === (wrapped === 'first' ? 0 : 1)))
          Reflect.set(globalThis, symbol, new Dispatcher1Wrapper(before[index]));
      expect(await (await createModelFetch('m')(`${url}/at-once`)).text()).toBe('an answer');
    } finally {
      restore();
    }
  },
);

test('a question outlasts the limit that ends any other request of this process', async () => {
  const { waiting, url, before, restore } = await createPatientServer();
  for (const [index, symbol] of SYMBOLS.entries()) {
    const Agent = before[index]?.constructor as (new (options: object) => object) | undefined;
    if (Agent?.name === 'Agent')
      Reflect.set(globalThis, symbol, new Agent({ headersTimeout: 1000, bodyTimeout: 1000 }));
  }
  try {
    const question = createModelFetch('m')(`${url}/question`).then((response) => response.text());
    question.catch(() => undefined);
    await expect.poll(() => waiting.length).toBe(1);
    // It is sent later, and ended earlier.
    await expect(fetch(`${url}/other`)).rejects.toMatchObject({ cause: { code: 'UND_ERR_HEADERS_TIMEOUT' } });
    waiting[0]!.end('an answer');
    expect(await question).toBe('an answer');
  } finally {
    restore();
  }
});
