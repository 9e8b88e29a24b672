// A model may take longer to begin than Node's own `fetch` waits: only the limits of the answer end a question.

import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { modelFetch } from '../../../server/src/adapters/models/modelFetch.ts';

test('a question outlasts the limit that ends any other request of this process', async () => {
  const installed = Symbol.for('undici.globalDispatcher.1');
  const waiting: ServerResponse[] = [];
  const server = createServer((request, response) => {
    if (request.url === '/at-once') response.end();
    else waiting.push(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  // Node installs its dispatcher with the first request.
  await fetch(`${url}/at-once`);
  const before = Reflect.get(globalThis, installed) as object;
  const Dispatcher = before.constructor as new (options: object) => object;
  Reflect.set(globalThis, installed, new Dispatcher({ headersTimeout: 1000, bodyTimeout: 1000 }));
  try {
    const question = modelFetch('m')(`${url}/question`).then((response) => response.text());
    question.catch(() => undefined);
    await expect.poll(() => waiting.length).toBe(1);
    // It is sent later, and ended earlier.
    await expect(fetch(`${url}/other`)).rejects.toMatchObject({ cause: { code: 'UND_ERR_HEADERS_TIMEOUT' } });
    waiting[0]!.end('an answer');
    expect(await question).toBe('an answer');
  } finally {
    Reflect.set(globalThis, installed, before);
    server.closeAllConnections();
    server.close();
  }
});
