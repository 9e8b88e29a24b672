// `selfware stop` and the end of a run unload the models of Ollama that Selfware has loaded, and go on if they cannot.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { resolveStateFolder } from '../../server/src/adapters/files/stateFolder.ts';
import { resolveNightFolders } from '../../server/src/app/nights/nightFolders.ts';
import { unloadAskedModels, type AskingRun } from '../../server/src/app/unloadModels.ts';
import { cliEntry, createCommandLine } from '../helpers/commandLine.ts';
import { manifestOf } from '../helpers/manifest.ts';
import { createTemporaryRepository } from '../helpers/temporaryRepository.ts';
import { thoroughTest } from '../helpers/thorough.ts';

const EDIT = { file: 'a.ts', search: "'a'", replace: "'b'" };

thoroughTest('models that were asked are unloaded from Ollama, and others stay', async () => {
  const loaded = new Set(['other:latest']);
  const asks: string[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    const { model, keep_alive: keepAlive } = body === '' ? {} : JSON.parse(body);
    if (request.url === '/api/ps')
      return response.end(JSON.stringify({ models: [...loaded].map((name) => ({ name, model: name })) }));
    if (request.url === '/api/generate' && keepAlive === 0) loaded.delete(model);
    if (request.url !== '/api/chat') return response.end('{"done": true}');
    loaded.add(`${model}:latest`);
    asks.push(model);
    const content = JSON.stringify({ description: 'One is b', edits: [EDIT] });
    response.end(`${JSON.stringify({ model, message: { content }, done: true, done_reason: 'stop' })}\n`);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const repository = await createTemporaryRepository({
    'a.ts': "export const one = 'a';\n",
    'package.json': manifestOf('numbers'),
    // A failing test is what a run asks for first.
    'test/one.test.js': `import assert from 'node:assert';
import test from 'node:test';
import { one } from '../a.ts';
test('one', () => assert.strictEqual(one, 'c'));
`,
  });
  const selfware = await createCommandLine(repository.dir);
  try {
    // The end of a run unloads what the run has loaded, and leaves what was loaded before.
    for (const model of ['fresh', 'other'])
      await selfware.run(['improve', '--auto', '--proposer', `ollama:${model}@${url}`, '--json']);
    expect([...new Set(asks)]).toEqual(['fresh', 'other']);
    expect([...loaded]).toEqual(['other:latest']);
    // A single question leaves its model to Ollama, which keeps it for the next one.
    await selfware.run(['propose', '--request', '-', '--no-verify', '--proposer', `ollama:small@${url}`, '--json'], {
      input: '{"request": "Let one in a.ts be b"}',
    });
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

test('models asked more than five minutes ago stay, and those that another program has loaded; a damaged ledger is a note and is left as it is', async () => {
  const unloaded: string[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    if (request.url === '/api/generate') unloaded.push(JSON.parse(body).model);
    response.end(
      JSON.stringify({
        models: ['old', 'young', 'long', 'foreign', 'reloaded', 'refused', 'slow', 'unknown', 'shared', 'ofNight'].map(
          (name) => ({
            name: `${name}:latest`,
          }),
        ),
      }),
    );
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
    const add = ledger.prepare('INSERT INTO events VALUES (?, ?, ?)');
    let count = 0;
    const minutesAgo = (minutes: number, model: string, loads?: boolean, run = 'mine', seconds = 0) => {
      const ask = `ask-${(count += 1)}`;
      const question = { ask, run, proposer: `ollama:${model}@${url}`, loads, budget: { seconds } };
      add.run(Date.now() - minutes * 60_000, 'asked', JSON.stringify(question));
      const ended = (at: number, data: object) =>
        add.run(Date.now() - at * 60_000, 'answered', JSON.stringify({ ask, ...data }));
      return { ended };
    };
    minutesAgo(6, 'old', true);
    minutesAgo(1, 'young', true);
    // It was loaded long ago, and asked again and again.
    for (const minutes of [12, 8, 4]) minutesAgo(minutes, 'long', minutes === 12);
    // Another program has loaded it: before the first question, or since Ollama has unloaded it.
    minutesAgo(1, 'foreign', false);
    minutesAgo(9, 'reloaded', true);
    minutesAgo(1, 'reloaded', false);
    minutesAgo(1, 'unknown');
    // The question ended before its model was loaded, and another program has loaded it then.
    minutesAgo(2, 'refused', true).ended(2, { outcome: 'cancelled', usage: null });
    minutesAgo(1, 'refused', false);
    // Its answer took long.
    minutesAgo(10, 'slow', true, 'mine', 600).ended(4, { outcome: 'proposed', usage: null });
    // Another run asks it, too.
    minutesAgo(2, 'shared', true);
    minutesAgo(1, 'shared', false, 'other');
    ledger.close();
    // An unattended run has a ledger of its own.
    const stateOfNight = join(resolveNightFolders(repository.dir, env).env['SELFWARE_HOME']!, 'tree-1');
    await mkdir(stateOfNight, { recursive: true });
    const ledgerOfNight = new DatabaseSync(join(stateOfNight, 'ledger.db'));
    ledgerOfNight.exec('CREATE TABLE events (at INTEGER, type TEXT, data TEXT)');
    const ofNight = JSON.stringify({ ask: 'n', run: 'r', night: 7, proposer: `ollama:ofNight@${url}`, loads: true });
    ledgerOfNight.prepare("INSERT INTO events VALUES (?, 'asked', ?)").run(Date.now(), ofNight);
    ledgerOfNight.close();
    await writeFile(fileOf(other.dir), 'no database '.repeat(100));
    const notes: string[] = [];
    const unload = async (ended?: AskingRun) => {
      notes.length = 0;
      unloaded.length = 0;
      const result = await unloadAskedModels([other.dir, repository.dir], env, (note) => notes.push(note), ended);
      expect(unloaded.toSorted()).toEqual(result);
      return result;
    };
    // At the end of a run, the models of other runs stay.
    expect(await unload({ run: 'mine' })).toEqual(['long:latest', 'slow:latest', 'young:latest']);
    expect(await unload({ night: 7 })).toEqual(['ofNight:latest']);
    expect(await unload({ night: 8 })).toEqual([]);
    expect(await unload()).toEqual(['long:latest', 'ofNight:latest', 'shared:latest', 'slow:latest', 'young:latest']);
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
