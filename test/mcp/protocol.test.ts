// The protocol itself: every generation of clients, garbage on the pipe, an end in time, an untrusted repository, a
// huge one.

import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, expect, test } from 'vitest';
import { storeEditorSettings } from '../../server/src/app/editorSettings.ts';
import { cliEntry } from '../helpers/commandLine.ts';
import { connectMcp } from '../helpers/mcpClient.ts';
import { sampleProject } from '../helpers/sampleProject.ts';
import { sharedCode } from '../helpers/compiledCode.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../helpers/temporaryRepository.ts';
import { estimateTokens } from '../../server/src/util/tokens.ts';
import { thoroughTest } from '../helpers/thorough.ts';

const leftovers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const remove of leftovers.splice(0).toReversed()) await remove();
});

async function repositoryOf(files: Readonly<Record<string, string>>, options = {}): Promise<TemporaryRepository> {
  const repository = await createTemporaryRepository(files, options);
  leftovers.push(() => repository.dispose());
  return repository;
}

async function connected(...args: Parameters<typeof connectMcp>): ReturnType<typeof connectMcp> {
  const mcp = await connectMcp(...args);
  leftovers.push(() => mcp.dispose());
  return mcp;
}

/** The server with bare pipes: lines in, messages out. */
async function bare(dir: string) {
  const home = await mkdtemp(join(tmpdir(), 'selfware-home-'));
  const child = spawn(process.execPath, [cliEntry, 'serve', '--mcp', '--repo', dir], {
    env: { PATH: process.env['PATH'], HOME: home, SELFWARE_HOME: home, ...sharedCode },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  leftovers.push(async () => {
    child.kill('SIGKILL');
    await exited;
    await rm(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  });
  return {
    child,
    exited,
    send: (message: unknown) =>
      child.stdin.write(typeof message === 'string' ? message : `${JSON.stringify(message)}\n`),
    /** The next line of standard output; it has to be a message. */
    next: async () => JSON.parse((await lines.next()).value ?? 'null'),
  };
}

const hello = (protocolVersion: string) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion, capabilities: {}, clientInfo: { name: 'old', version: '1' } },
});

test('an editor that publishes the server names what the person has set in it', async () => {
  const { dir } = await repositoryOf({ 'a.ts': 'export const one = 1;\n' });
  const home = await mkdtemp(join(tmpdir(), 'selfware-home-'));
  leftovers.push(() => rm(home, { recursive: true, force: true }));
  const given = { 'charter.approval': 'moderate', 'charter.maxChanges': 3, 'agents.mcpServer': true };
  await storeEditorSettings(dir, given, { SELFWARE_HOME: home });
  const names = JSON.stringify(['selfware.charter.approval', 'selfware.charter.maxChanges']);
  const mcp = await connected(dir, { env: { SELFWARE_HOME: home, SELFWARE_EDITOR_SETTINGS: names } });
  const { structuredContent } = await mcp.call('status');
  expect(structuredContent.charter).toMatchObject({ approval: 'moderate', changesAllowed: 3 });
});

test.each(['2024-11-05', '2025-03-26', '2025-06-18'])('a client of %s is served', async (version) => {
  const { dir } = await repositoryOf({ 'a.ts': 'export const one = 1;\n' });
  const server = await bare(dir);
  server.send(hello(version));
  expect(await server.next()).toMatchObject({
    id: 1,
    result: {
      protocolVersion: version,
      serverInfo: { name: 'selfware' },
      capabilities: { tools: {}, resources: {}, prompts: {} },
    },
  });
  server.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  server.send({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'metrics', arguments: {} } });
  expect(await server.next()).toMatchObject({
    id: 2,
    result: { isError: false, structuredContent: { total: expect.any(Number) } },
  });
});

test('a client of the newest protocol is served', async () => {
  const { dir } = await repositoryOf({ 'a.ts': 'export const one = 1;\n' });
  const mcp = await connected(dir, { options: { versionNegotiation: { mode: { pin: '2026-07-28' } } } });
  expect((await mcp.client.listTools()).tools.length).toBeGreaterThan(10);
  await mcp.waitUntilComplete();
  expect((await mcp.call('search', { query: 'one' })).structuredContent.hits[0]).toMatchObject({ path: 'a.ts' });
});

test('garbage on the pipe is survived; the end of input ends the server', async () => {
  const { dir } = await repositoryOf({ 'a.ts': 'export const one = 1;\n' });
  const server = await bare(dir);
  for (const garbage of [
    '\n',
    'not json\n',
    '{"jsonrpc":"2.0"\n',
    '[]\n',
    'null\n',
    '\u0000\u0001\u0002\n',
    '{"jsonrpc":"1.0","id":7,"method":"tools/list"}\n',
    `${'x'.repeat(200_000)}\n`,
  ])
    server.send(garbage);
  server.child.stdin.write(Buffer.from([0xff, 0xfe, 0x0a]));
  server.send(hello('2025-06-18'));
  let answer = await server.next();
  while (answer.id !== 1) answer = await server.next();
  expect(answer).toMatchObject({ id: 1, result: { serverInfo: { name: 'selfware' } } });
  server.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  for (const [id, method, params] of [
    [2, 'tools/call', {}],
    [3, 'no/such', {}],
    [4, 'tools/call', { name: 7 }],
  ] as const) {
    server.send({ jsonrpc: '2.0', id, method, params });
    expect(await server.next()).toMatchObject({ id, error: { code: expect.any(Number) } });
  }
  server.child.stdin.end();
  expect(await server.exited).toBe(0);
});

test('a signal ends it, in the middle of the first look', async () => {
  const { dir } = await repositoryOf(sampleProject);
  const server = await bare(dir);
  server.send(hello('2025-06-18'));
  await server.next();
  server.child.kill('SIGTERM');
  // By itself, or by the signal, which a shell tells as 143.
  expect([0, 143, null]).toContain(await server.exited);
});

thoroughTest('two servers on one repository both answer', async () => {
  const { dir } = await repositoryOf(sampleProject);
  const one = await connected(dir);
  const other = await connected(dir, { home: one.home });
  await Promise.all([one.waitUntilComplete(), other.waitUntilComplete()]);
  const [first, second] = await Promise.all([
    one.call('search', { query: 'clamp', excerpts: false }),
    other.call('search', { query: 'clamp', excerpts: false }),
  ]);
  expect(first.structuredContent.hits[0].path).toBe('src/clamp.ts');
  expect(second.structuredContent.hits).toEqual(first.structuredContent.hits);
});

thoroughTest('an untrusted repository is read and measured, and nothing else', async () => {
  const repository = await repositoryOf(sampleProject);
  const mcp = await connected(repository.dir, { args: ['--untrusted'] });
  await mcp.waitUntilComplete();
  expect((await mcp.call('opportunities')).structuredContent.total).toBeGreaterThan(0);
  expect((await mcp.call('search', { query: 'clamp' })).isError).toBe(false);
  expect((await mcp.call('status')).structuredContent).toMatchObject({ trusted: false });
  for (const [name, input] of [
    ['propose_patch', { title: 'x', edits: [{ file: 'src/grade.ts', search: ', unusedHelper', replace: '' }] }],
    ['propose_transform', { kind: 'addFunction', path: 'src/clamp.ts', source: 'function f() {}' }],
    ['propose_improvement', {}],
  ] as const) {
    const answer = await mcp.call(name, input);
    expect([name, answer.isError, answer.structuredContent.error?.reason]).toEqual([name, true, 'untrusted']);
  }
  expect((await mcp.call('proposal', { all: true })).structuredContent.total).toBe(0);
});

test('a folder that cannot be opened is said with each call, and tried again', async () => {
  const repository = await repositoryOf(sampleProject);
  const place = join(repository.dir, 'later');
  const mcp = await connected(place);
  const answer = await mcp.call('search', { query: 'one' });
  expect([answer.isError, answer.structuredContent.error.message]).toEqual([true, expect.stringContaining('later')]);
  await repository.write('later/a.ts', 'export const one = 1;\n');
  await mcp.waitUntilComplete();
  expect((await mcp.call('search', { query: 'one' })).structuredContent.hits[0]).toMatchObject({ path: 'a.ts' });
});

test('answers on a large repository are bounded, and pages come to an end', async () => {
  const long = 'a word of it '.repeat(8);
  const files = Object.fromEntries(
    Array.from({ length: 150 }, (_, at) => [
      `src/part${at}/${'deep'.repeat(20)}${at}.ts`,
      `import { unused${at} } from './nowhere${at}.ts';\n${`// ${long}\n`.repeat(40)}export function work${at}(a: number): number {\n  if (a > ${at}) {\n    return 1;\n  } else {\n    const b = a * 2;\n    const c = b + 1;\n    const d = c + 1;\n    const e = d + 1;\n    return e;\n  }\n}\n`,
    ]),
  );
  const { dir } = await repositoryOf(files, { git: false });
  const mcp = await connected(dir);
  const ask = async (name: string, input: object = {}) => {
    const { structuredContent, content, isError } = await mcp.call(name, input);
    expect(isError, name).toBe(false);
    expect(estimateTokens(JSON.stringify(structuredContent)), name).toBeLessThan(12_000);
    expect(estimateTokens(JSON.stringify(content)), name).toBeLessThan(12_000);
    return structuredContent;
  };
  await mcp.waitUntilComplete();
  const page = await ask('opportunities', { limit: 100 });
  expect(page.total).toBeGreaterThanOrEqual(150);
  expect(page.nextOffset).toBeGreaterThan(0);
  expect((await ask('opportunities', { offset: page.total })).nextOffset).toBeNull();
  expect((await ask('metrics', { limit: 200 })).nextOffset).toBeGreaterThan(0);
  await ask('search', { query: 'work', limit: 50 });
  await ask('context', { task: 'change all the work', budget_tokens: 8000 });
  await ask('graph', { question: 'central', limit: 200 });
  await ask('status');
});
