// Which models of running servers are listed, and that nothing else at their addresses matters.

import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { LOCAL_SERVERS, listLocalServers } from '../../../server/src/adapters/models/localServers.ts';
import { parseProposerName } from '../../../server/src/adapters/models/proposerNames.ts';

const { signal } = new AbortController();

async function serve(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { program: 'a test', url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` };
}

const answer =
  (text: string): RequestListener =>
  (_, response) =>
    void response.end(text);

test('the models of a running server are listed by the name under which they can be asked', async () => {
  const paths: (string | undefined)[] = [];
  const server = await serve((request, response) => {
    paths.push(`${request.method} ${request.url}`);
    response.end(
      JSON.stringify({
        object: 'list',
        data: [{ id: 'qwen2.5-coder' }, { id: 'nomic-Embed-text' }, { id: 'org/model:4b' }],
      }),
    );
  });
  const listed = await listLocalServers(signal, [server]);
  expect(paths).toEqual(['GET /v1/models']);
  expect(listed).toEqual(
    ['qwen2.5-coder', 'org/model:4b'].map((model) => ({
      ...{ name: `openai-compatible:${model}@${server.url}`, destination: null, available: true },
      why: 'A model of a server on this machine, where a test listens.',
    })),
  );
  expect(parseProposerName(listed[1]!.name)).toMatchObject({ kind: 'hosted', model: 'org/model:4b', url: server.url });
});

test('what is no such server, or does not answer, is left out', async () => {
  const silent = await serve(() => undefined);
  const others = [
    answer('<html></html>'),
    answer('null'),
    answer('{"data": 1}'),
    answer('{"data": [null, 1, {"id": 2}, {"id": "two words"}, {"id": "a,b"}, {"id": "line\\nbreak"}]}'),
    answer(`{"data": [{"id": "m"}], "more": "${'x'.repeat(1_000_001)}"}`),
    (_: unknown, response: Parameters<RequestListener>[1]) =>
      void response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end(),
  ];
  const servers = [
    silent,
    ...(await Promise.all(others.map(serve))),
    { program: 'none', url: 'http://127.0.0.1:9/v1' },
  ];
  expect(await listLocalServers(signal, servers)).toEqual([]);
});

test('only this machine is asked', () => {
  for (const { url } of LOCAL_SERVERS) expect(new URL(url).hostname).toBe('127.0.0.1');
});
