// `selfware stop` unloads the models of Ollama that it has asked, and leaves those of other programs alone.

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { createCommandLine } from '../helpers/commandLine.ts';
import { createTemporaryRepository } from '../helpers/temporaryRepository.ts';

const EDIT = { file: 'a.ts', search: "'a'", replace: "'b'" };

test('models that were asked are unloaded from Ollama, and others stay', async () => {
  const loaded = new Set(['other:latest']);
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    const { model, keep_alive: keepAlive } = body === '' ? {} : JSON.parse(body);
    if (request.url === '/api/ps')
      return response.end(JSON.stringify({ models: [...loaded].map((name) => ({ name, model: name })) }));
    if (request.url === '/api/generate' && keepAlive === 0) loaded.delete(model);
    if (request.url !== '/api/chat') return response.end('{"done": true}');
    loaded.add(`${model}:latest`);
    const content = JSON.stringify({ description: 'One is b', edits: [EDIT] });
    response.end(`${JSON.stringify({ model, message: { content }, done: true, done_reason: 'stop' })}\n`);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const repository = await createTemporaryRepository({ 'a.ts': "export const one = 'a';\n" });
  const selfware = await createCommandLine(repository.dir);
  try {
    const asked = await selfware.run(
      ['propose', '--request', '-', '--no-verify', '--proposer', `ollama:small@${url}`, '--json'],
      { input: '{"request": "Let one in a.ts be b"}' },
    );
    expect(asked.code, asked.stderr).toBe(1);
    expect([...loaded]).toEqual(['other:latest', 'small:latest']);
    const stopped = await selfware.run(['stop', '--json']);
    expect(JSON.parse(stopped.stdout)).toMatchObject({ stopped: true, unloaded: ['small:latest'] });
    expect([...loaded]).toEqual(['other:latest']);
    server.close();
    server.closeAllConnections();
    const unreachable = await selfware.run(['stop', '--all', '--json']);
    expect(JSON.parse(unreachable.stdout)).toMatchObject({ stopped: true, unloaded: [] });
  } finally {
    server.close();
    await selfware.dispose();
    await repository.dispose();
  }
});
