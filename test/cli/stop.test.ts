// `selfware stop` unloads the models of Ollama that were asked within the last hour, and goes on if it cannot.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { resolveStateFolder } from '../../server/src/adapters/files/stateFolder.ts';
import { unloadAskedModels } from '../../server/src/app/unloadModels.ts';
import { cliEntry, createCommandLine } from '../helpers/commandLine.ts';
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

test('models asked more than an hour ago stay, and a damaged ledger is a note and is left as it is', async () => {
  const unloaded: string[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    if (request.url === '/api/generate') unloaded.push(JSON.parse(body).model);
    response.end(JSON.stringify({ models: ['old:latest', 'young:latest'].map((name) => ({ name })) }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const [repository, other] = [await createTemporaryRepository({}), await createTemporaryRepository({})];
  const selfware = await createCommandLine(repository.dir);
  const env = { HOME: selfware.home, SELFWARE_HOME: selfware.home };
  const fileOf = (dir: string) => join(resolveStateFolder(dir, env), 'ledger.db');
  try {
    await mkdir(dirname(fileOf(repository.dir)), { recursive: true });
    await mkdir(dirname(fileOf(other.dir)), { recursive: true });
    const ledger = new DatabaseSync(fileOf(repository.dir));
    ledger.exec('CREATE TABLE events (at INTEGER, type TEXT, data TEXT)');
    const add = ledger.prepare("INSERT INTO events VALUES (?, 'asked', ?)");
    add.run(Date.now() - 3_700_000, JSON.stringify({ proposer: `ollama:old@${url}` }));
    add.run(Date.now() - 60_000, JSON.stringify({ proposer: `ollama:young@${url}` }));
    ledger.close();
    await writeFile(fileOf(other.dir), 'no database '.repeat(100));
    const notes: string[] = [];
    const result = await unloadAskedModels([other.dir, repository.dir], env, (message) => notes.push(message));
    expect([result, unloaded]).toEqual([['young:latest'], ['young:latest']]);
    expect(notes).toEqual([expect.stringContaining(`Which models were asked for ${other.dir} cannot be read`)]);
    expect(await readdir(dirname(fileOf(other.dir)))).toEqual(['ledger.db']);
    expect(await readFile(fileOf(other.dir), 'utf8')).toBe('no database '.repeat(100));
  } finally {
    server.close();
    server.closeAllConnections();
    await selfware.dispose();
    await repository.dispose();
    await other.dispose();
  }
});

test('with a damaged ledger, what runs is ended all the same', async () => {
  const repository = await createTemporaryRepository({});
  const selfware = await createCommandLine(repository.dir);
  const env = { PATH: process.env.PATH, HOME: selfware.home, SELFWARE_HOME: selfware.home };
  await selfware.run(['score']);
  const server = spawn(process.execPath, [cliEntry, 'serve', '--mcp', '--repo', repository.dir], { env });
  try {
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`);
    await once(server.stdout, 'data');
    const hasEnded = once(server, 'exit');
    await writeFile(join(resolveStateFolder(repository.dir, env), 'ledger.db'), 'no database');
    const stopped = await selfware.run(['stop']);
    expect(stopped.code).toBe(2);
    expect(stopped.stderr).toContain('1 running process ended.');
    expect(stopped.stderr).toContain('The ledger is damaged');
    await hasEnded;
  } finally {
    server.kill('SIGKILL');
    await selfware.dispose();
    await repository.dispose();
  }
});
