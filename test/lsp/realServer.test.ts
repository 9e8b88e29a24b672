// The built language server in a process of its own, on a real repository: the whole path, and how it ends.

import { execFileSync, fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  CancellationTokenSource,
  IPCMessageReader,
  IPCMessageWriter,
  type CodeAction,
  type Diagnostic,
} from 'vscode-languageserver/node';
import { plainCapabilities, richCapabilities } from '../helpers/clientCapabilities.ts';
import { createLspClient, type LspClient } from '../helpers/lspClient.ts';
import { serverEntry, startRealServer, type ClientOptions, type RealServer } from '../helpers/lspServers.ts';
import { typedProject } from '../helpers/sampleProject.ts';
import { sharedCode } from '../helpers/compiledCode.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../helpers/temporaryRepository.ts';
import { thoroughTest } from '../helpers/thorough.ts';

const file = 'src/grade.ts';
const before = typedProject[file] ?? '';
const ours: ClientOptions = { capabilities: richCapabilities, initializationOptions: { canSave: true, trusted: true } };

let repository: TemporaryRepository;
let server: RealServer | null = null;
beforeEach(async () => (repository = await createTemporaryRepository(typedProject)));
afterEach(async () => {
  await server?.dispose();
  server = null;
  await repository.dispose();
});

async function start(options: ClientOptions = ours): Promise<LspClient> {
  server = await startRealServer(repository.dir, options);
  await server.client.initialize();
  return server.client;
}

const execute = (client: LspClient, command: string, argument: object = {}) =>
  client.request('workspace/executeCommand', { command: `selfware.server.${command}`, arguments: [argument] });

test('initialize is answered', async () => {
  const started = await startRealServer(repository.dir, ours);
  const { result } = await started.client.initialize();
  expect(result.serverInfo?.name).toBe('Selfware');
  expect(result.capabilities).toMatchObject({
    codeActionProvider: { resolveProvider: true },
    codeLensProvider: { resolveProvider: true },
    executeCommandProvider: { commands: expect.arrayContaining(['selfware.server.improve']) },
  });
  await started.dispose();
});

describe('the whole path', () => {
  test('diagnostics, code action, improve, review, apply, checkpoint, roll back', async () => {
    const client = await start();
    await client.open(file);
    const report = await client.request('textDocument/diagnostic', { textDocument: { uri: client.uri(file) } });
    const found: Diagnostic = report.items.find(({ code }: Diagnostic) => code === 'else-after-return');
    expect(found).toMatchObject({ source: 'selfware', range: { start: { line: 7 } } });
    expect(existsSync(new URL(found.codeDescription?.href ?? ''))).toBe(true);
    expect(report.items.find(({ code }: Diagnostic) => code === 'unused-import')).toMatchObject({
      tags: [1],
      range: { start: { line: 0, character: 16 } },
    });

    const actions = await client.request<CodeAction[]>('textDocument/codeAction', {
      textDocument: { uri: client.uri(file) },
      range: found.range,
      context: { diagnostics: [found], only: ['quickfix'] },
    });
    const action = await client.request<CodeAction>(
      'codeAction/resolve',
      actions.find(({ diagnostics }) => diagnostics?.[0]?.data.id === found.data.id),
    );
    const improved = await client.request('workspace/executeCommand', {
      command: action.command?.command,
      arguments: action.command?.arguments,
    });
    expect(improved).toMatchObject({ ok: true, review: { status: 'verified', files: [{ path: file }] } });
    expect(
      improved.review.verdicts.map(({ gate, outcome }: { gate: string; outcome: string }) => [gate, outcome]),
    ).toContainEqual(['tests', 'passed']);
    expect(improved.review.pointsAfter).toBeGreaterThanOrEqual(improved.review.pointsBefore);
    expect(await repository.read(file)).toBe(before);
    expect((await client.waitFor(({ method }) => method === 'selfware/reviewReady')).params.id).toBe(
      improved.review.id,
    );

    expect(await execute(client, 'apply', { proposal: improved.review.id })).toMatchObject({
      ok: true,
      review: { status: 'kept' },
    });
    expect(await repository.read(file)).toBe(improved.review.files[0].after);
    expect(client.text(file)).toBe(improved.review.files[0].after);
    // What was saved is being taken in; that ends by itself.
    let state = await client.request('selfware/state');
    while (state.activity !== 'idle') {
      await client.waitFor(({ method }) => method === 'selfware/stateChanged');
      state = await client.request('selfware/state');
    }
    expect(state).toMatchObject({
      charter: { changesUsed: 1 },
      checkpoints: [{ paths: [file], rolledBack: false }],
      pending: [],
    });
    const after = await client.request('textDocument/diagnostic', { textDocument: { uri: client.uri(file) } });
    expect(after.items.map(({ code }: Diagnostic) => code)).not.toContain('else-after-return');

    expect(await execute(client, 'rollback', { checkpoint: state.checkpoints[0].id })).toMatchObject({ ok: true });
    expect([await repository.read(file), client.text(file)]).toEqual([before, before]);
    expect(await client.request('selfware/state')).toMatchObject({ checkpoints: [{ rolledBack: true }] });
    expect(await repository.git('status', '--porcelain')).toBe('');
  });

  thoroughTest('for an editor that knows only the basics', async () => {
    const client = await start({ capabilities: plainCapabilities, choose: () => 'Apply' });
    await client.open(file);
    await client.until(() => (client.published(file)?.length ?? 0) > 0);
    const actions = await client.request<CodeAction[]>('textDocument/codeAction', {
      textDocument: { uri: client.uri(file) },
      range: { start: { line: 0, character: 16 }, end: { line: 0, character: 16 } },
      context: { diagnostics: [] },
    });
    expect(await client.request('workspace/executeCommand', actions[0]?.command)).toMatchObject({ ok: true });
    await client.waitFor(
      ({ method, params }) => method === 'window/showMessage' && params.message.startsWith('Selfware: Applied: '),
    );
    expect(client.text(file)).not.toContain('unusedHelper');
    expect(await repository.read(file)).toBe(client.text(file));
    await client.until(() => !client.published(file)?.some(({ code }) => code === 'unused-import'));
  });

  test('without trust nothing of the repository is run or changed', async () => {
    const client = await start({ ...ours, initializationOptions: { canSave: true, trusted: false } });
    await client.open(file);
    expect(
      (await client.request('textDocument/diagnostic', { textDocument: { uri: client.uri(file) } })).items.length,
    ).toBeGreaterThan(0);
    expect(await execute(client, 'improve')).toMatchObject({
      ok: false,
      message: expect.stringContaining('not trusted'),
    });
    await client.notify('selfware/trust', { trusted: true });
    await client.waitFor(({ method }) => method === 'selfware/stateChanged');
    await client.until(
      () =>
        client.received.filter(({ method, params }) => method === '$/progress' && params.value.kind === 'end').length >=
        2,
    );
    expect(await client.request('selfware/state')).toMatchObject({ trusted: true });
  });
});

test('cancel in the middle of a verification ends the commands of the repository', async () => {
  // In a sandbox it can tell nobody its number, but everybody can see its command line.
  const mark = `hanging-${repository.dir.split('/').at(-1)}`;
  const hang = `node -e "setInterval(() => {}, 1000, '${mark}')"`;
  await repository.write('package.json', JSON.stringify({ name: 'hanging', type: 'module', scripts: { test: hang } }));
  await repository.git('commit', '--quiet', '--all', '--message', 'Tests that hang');
  const client = await start();
  const cancel = new CancellationTokenSource();
  const improving = client.request(
    'workspace/executeCommand',
    { command: 'selfware.server.improve', arguments: [] },
    cancel.token,
  );
  await client.until(() => isRunning(mark));
  cancel.cancel();
  expect(await improving).toEqual({ ok: false, message: 'Cancelled.', review: null, cancelled: true });
  await client.until(() => !isRunning(mark));
  expect(await client.request('selfware/state')).toMatchObject({ activity: 'idle' });
  expect(await repository.read(file)).toBe(before);
});

describe('trouble', () => {
  test('garbage is survived', async () => {
    const client = await start();
    const stdin = server?.process.stdin;
    const send = (body: string) => stdin?.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
    send('{"jsonrpc": "2.0", "id": 1, "method": ');
    send('[]');
    send('{"jsonrpc":"2.0"}');
    send('{"jsonrpc":"2.0","id":{},"method":7}');
    send(
      '{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":"file:///nowhere","version":null},"contentChanges":[{"text":1}]}}',
    );
    send('{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{}}');
    send('{"jsonrpc":"2.0","method":"workspace/didChangeWatchedFiles","params":{"changes":[{}]}}');
    await expect(client.request('no/such/method', {})).rejects.toMatchObject({ code: -32601 });
    expect(await client.request('textDocument/codeAction', { textDocument: null })).toEqual([]);
    expect(await client.request('selfware/review', { proposal: 'p-none' })).toBeNull();
    expect(await client.request('selfware/state')).toMatchObject({ rootName: repository.dir.split('/').at(-1) });
  });

  test('a folder that is no repository is indexed; improving says what is missing', async () => {
    const plain = await createTemporaryRepository(typedProject, { git: false });
    const started = await startRealServer(plain.dir, ours);
    await started.client.initialize();
    expect(await execute(started.client, 'improve')).toMatchObject({
      ok: false,
      message: expect.stringContaining('not a git repository'),
    });
    expect(await started.client.request('selfware/state')).toMatchObject({
      git: null,
      index: { files: Object.keys(typedProject).length },
    });
    await started.dispose();
    await plain.dispose();
  });
});

describe('the end', () => {
  test('shutdown and exit: code 0', async () => {
    const client = await start();
    await client.shutdown();
    expect(await server?.exited).toBe(0);
  });

  test('over IPC, as VS Code starts it, the server goes with its parent', async () => {
    const home = await mkdtemp(join(tmpdir(), 'selfware-home-'));
    const child = fork(serverEntry, ['--node-ipc'], {
      env: { PATH: process.env['PATH'], HOME: home, SELFWARE_HOME: home, ...sharedCode },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const exited = new Promise((resolve) => child.once('exit', resolve));
    const client = createLspClient({
      capabilities: richCapabilities,
      rootDir: repository.dir,
      reader: new IPCMessageReader(child),
      writer: new IPCMessageWriter(child),
    });
    await client.initialize();
    expect(await client.request('selfware/state')).toMatchObject({ rootName: repository.dir.split('/').at(-1) });
    client.connection.dispose();
    child.disconnect();
    expect(await exited).toBe(0);
    await rm(home, { recursive: true, force: true });
  });

  test('standard input closes while it is indexing', async () => {
    const client = await start();
    await client.waitFor(({ method, params }) => method === '$/progress' && params.value.kind === 'begin');
    server?.process.stdin?.end();
    expect(await server?.exited).toBe(0);
    expect(server?.stderr()).toBe('');
  });
});

/** Whether a process has this in its command line. */
function isRunning(mark: string): boolean {
  return execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).includes(mark);
}
