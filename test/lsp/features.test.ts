// Each feature of the language server, spoken to by a client, on a small session.

import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { CodeAction, CodeLens } from 'vscode-languageserver/node';
import { plainCapabilities, richCapabilities } from '../helpers/clientCapabilities.ts';
import type { LspClient } from '../helpers/lspClient.ts';
import { startInnerServer, type ClientOptions, type InnerServer } from '../helpers/lspServers.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../helpers/temporaryRepository.ts';

const files = { 'src/a.ts': 'one\npoor two\nthree\n', 'src/b.ts': 'poor b\n', 'src/rich.ts': 'rich\n' };
const cursor = (line: number, character = 0) => ({ start: { line, character }, end: { line, character } });

let repository: TemporaryRepository;
beforeEach(async () => (repository = await createTemporaryRepository(files, { git: false })));
afterEach(() => repository.dispose());

async function start(options: Partial<Parameters<typeof startInnerServer>[1]> = {}): Promise<InnerServer> {
  const server = startInnerServer(repository.dir, { capabilities: richCapabilities, ...options });
  await server.client.initialize();
  await server.client.until(() => server.sessions.at(-1)?.calls.includes('indexed') ?? false);
  return server;
}

async function actionsAt(client: LspClient, path: string, line: number, context: object = {}): Promise<CodeAction[]> {
  const actions = await client.request<CodeAction[]>('textDocument/codeAction', {
    textDocument: { uri: client.uri(path) },
    range: cursor(line),
    context: { diagnostics: [], ...context },
  });
  // What else can be decided has tests of its own (decisions.test.ts).
  return actions.filter(({ title }) => title.startsWith('Improve'));
}

describe('code actions', () => {
  test('offer a fix on the name, a refactoring in the construct, and get their command when resolved', async () => {
    const { client } = await start();
    await client.open('src/a.ts');
    const [action, ...others] = await actionsAt(client, 'src/a.ts', 1);
    expect(others).toEqual([]);
    expect(action).toMatchObject({
      title: 'Improve: A poor word',
      kind: 'quickfix',
      isPreferred: true,
      diagnostics: [{ code: 'poor-word' }],
    });
    expect(action?.command).toBeUndefined();
    const resolved = await client.request<CodeAction>('codeAction/resolve', action);
    expect(resolved.command).toMatchObject({
      command: 'selfware.server.improve',
      arguments: [{ opportunity: expect.any(String) }],
    });
    const away = await client.request('textDocument/codeAction', {
      textDocument: { uri: client.uri('src/a.ts') },
      range: cursor(1, 8),
      context: { diagnostics: [] },
    });
    expect(away).toMatchObject([{ kind: 'refactor.rewrite' }]);
    expect(await actionsAt(client, 'src/a.ts', 0)).toEqual([]);
    expect(await actionsAt(client, 'src/rich.ts', 0)).toEqual([]);
  });

  test.each([
    { only: ['quickfix'], count: 1 },
    { only: ['refactor'], count: 0 },
    { only: ['refactor.rewrite', 'quickfix'], count: 1 },
    { only: ['source'], count: 0 },
    { only: ['quick'], count: 0 },
  ])('of the kinds that are asked for: $only', async ({ only, count }) => {
    const { client } = await start();
    expect(await actionsAt(client, 'src/a.ts', 1, { only })).toHaveLength(count);
  });

  test('are disabled, with the reason, in an untrusted workspace', async () => {
    const { client } = await start({ initializationOptions: { trusted: false } });
    expect(await actionsAt(client, 'src/a.ts', 1)).toMatchObject([
      { disabled: { reason: expect.stringContaining('not trusted') } },
    ]);
    await client.notify('selfware/trust', { trusted: true });
    await client.waitFor(({ method }) => method === 'workspace/diagnostic/refresh', client.received.length);
    expect((await actionsAt(client, 'src/a.ts', 1))[0]?.disabled).toBeUndefined();
  });

  test('carry their command for clients that cannot resolve it', async () => {
    const { client } = await start({ capabilities: plainCapabilities });
    expect(await actionsAt(client, 'src/a.ts', 1)).toMatchObject([{ command: { command: 'selfware.server.improve' } }]);
  });
});

describe('commands', () => {
  const execute = (client: LspClient, command: string, argument?: object) =>
    client.request('workspace/executeCommand', {
      command: `selfware.server.${command}`,
      arguments: argument === undefined ? [] : [argument],
    });
  const ours: Partial<ClientOptions> = { initializationOptions: { canSave: true } };

  test('improve, review, apply and roll back through an editor that can save', async () => {
    const { client } = await start(ours);
    await client.open('src/a.ts');
    const improved = await execute(client, 'improve');
    expect(improved).toMatchObject({
      ok: true,
      review: {
        status: 'verified',
        pointsBefore: 98,
        pointsAfter: 99,
        files: [
          {
            path: 'src/a.ts',
            uri: client.uri('src/a.ts'),
            created: false,
            hunks: [{ index: 0, beforeLine: 2, afterLine: 2, added: 1, removed: 1 }],
          },
        ],
      },
    });
    const ready = await client.waitFor(({ method }) => method === 'selfware/reviewReady');
    expect(ready.params).toEqual(improved.review);
    expect(await client.request('selfware/review', { proposal: improved.review.id })).toEqual(improved.review);
    expect(await repository.read('src/a.ts')).toBe(files['src/a.ts']);

    const lenses = await client.request<CodeLens[]>('textDocument/codeLens', {
      textDocument: { uri: client.uri('src/a.ts') },
    });
    const resolved = await Promise.all(lenses.map((lens) => client.request<CodeLens>('codeLens/resolve', lens)));
    expect(resolved.map(({ command }) => [command?.title, command?.command])).toEqual([
      ['Selfware: review “Enrich src/a.ts”', 'selfware.server.showProposal'],
      ['Apply', 'selfware.server.apply'],
      ['Reject', 'selfware.server.reject'],
    ]);
    expect(lenses[0]?.range.start).toEqual({ line: 1, character: 0 });
    expect(await client.request('textDocument/codeLens', { textDocument: { uri: client.uri('src/b.ts') } })).toEqual(
      [],
    );

    expect(await execute(client, 'apply', { proposal: improved.review.id })).toMatchObject({
      ok: true,
      message: 'Applied: Enrich src/a.ts.',
    });
    expect(client.text('src/a.ts')).toBe('one\nrich two\nthree\n');
    expect(await repository.read('src/a.ts')).toBe('one\nrich two\nthree\n');
    expect(client.edits).toMatchObject([
      {
        label: 'Enrich src/a.ts',
        edit: {
          documentChanges: [
            { textDocument: { version: 1 }, edits: [{ newText: 'rich two\n', annotationId: 'selfware' }] },
          ],
          changeAnnotations: { selfware: { needsConfirmation: false } },
        },
      },
    ]);
    expect(await execute(client, 'rollback')).toMatchObject({ ok: true, message: 'Rolled back: Enrich src/a.ts.' });
    // The second half of a double click.
    expect(await execute(client, 'rollback', { checkpoint: 'c-1' })).toMatchObject({
      ok: true,
      message: 'Rolled back already: Enrich src/a.ts.',
    });
    expect([client.text('src/a.ts'), await repository.read('src/a.ts')]).toEqual([
      files['src/a.ts'],
      files['src/a.ts'],
    ]);
  });

  test.each<{ choice: (string | null)[]; text: string }>([
    { choice: ['Show diff', 'Apply'], text: 'one\nrich two\nthree\n' },
    { choice: ['Reject'], text: files['src/a.ts'] },
    { choice: [null], text: files['src/a.ts'] },
    { choice: ['Later'], text: files['src/a.ts'] },
  ])('ask other clients for the decision: $choice', async ({ choice, text }) => {
    const { client } = await start({ capabilities: plainCapabilities, choose: (_, count) => choice[count] ?? null });
    await client.open('src/a.ts');
    expect(await execute(client, 'improve')).toMatchObject({ ok: true });
    await client.until(
      () => client.received.filter(({ method }) => method === 'window/showMessageRequest').length === choice.length,
    );
    const asked = client.received
      .filter(({ method }) => method === 'window/showMessageRequest')
      .map(({ params }) => params.message);
    expect(asked[0]).toContain('Points: 98.00 → 99.00 (+1.000)');
    if (choice.includes('Show diff')) expect(asked[1]).toContain('-poor two\n+rich two');
    if (choice.includes('Apply') || choice.includes('Reject'))
      await client.waitFor(
        ({ method, params }) => method === 'window/showMessage' && /Applied|Rejected/.test(params.message),
      );
    expect([client.text('src/a.ts'), await repository.read('src/a.ts')]).toEqual([text, text]);
  });

  test('cancel in the middle ends the verification', async () => {
    let reached = (): void => {};
    const verifying = new Promise<void>((resolve) => (reached = resolve));
    const { client } = await start({
      ...ours,
      onVerify: (signal) =>
        new Promise((_, reject) => (signal.addEventListener('abort', () => reject(new Error('aborted'))), reached())),
    });
    const improving = execute(client, 'improve');
    await verifying;
    const begun = await client.waitFor(
      ({ method, params }) =>
        method === '$/progress' && params.value.kind === 'begin' && params.value.title === 'Selfware: improving',
    );
    expect(begun.params.value.cancellable).toBe(true);
    await client.notify('window/workDoneProgress/cancel', { token: begun.params.token });
    expect(await improving).toEqual({ ok: false, message: 'Cancelled.', review: null, cancelled: true });
    await client.waitFor(
      ({ method, params }) =>
        method === '$/progress' && params.token === begun.params.token && params.value.kind === 'end',
    );
    expect(client.received.some(({ method }) => method === 'window/showMessage')).toBe(false);
  });

  test('progress goes to the token of the request when there is one', async () => {
    const { client } = await start(ours);
    await client.request('workspace/executeCommand', {
      command: 'selfware.server.improve',
      arguments: [],
      workDoneToken: 'mine',
    });
    expect(
      client.received
        .filter(({ method, params }) => method === '$/progress' && params.token === 'mine')
        .map(({ params }) => params.value.kind),
    ).toEqual(['begin', 'report', 'end']);
    expect(
      client.received.filter(
        ({ method, params }) => method === '$/progress' && params.value.title === 'Selfware: improving',
      ),
    ).toHaveLength(1);
  });

  test('the diff is shown as a document where the client can', async () => {
    const { client } = await start({ choose: (_, count) => ['Show diff', 'Later'][count] ?? null });
    await execute(client, 'improve');
    const { params } = await client.waitFor(({ method }) => method === 'window/showDocument');
    expect(await readFile(new URL(params.uri), 'utf8')).toContain('-poor two\n+rich two');
    await client.until(
      () => client.received.filter(({ method }) => method === 'window/showMessageRequest').length === 2,
    );
  });

  test.each([
    { command: 'apply', argument: {}, message: /No proposal waits/ },
    { command: 'apply', argument: { proposal: 'p-9' }, message: /no proposal p-9/ },
    { command: 'apply', argument: { proposal: 7 }, message: /proposal is a text/ },
    { command: 'apply', argument: { proposal: 'p-1', hunks: ['x'] }, message: /hunks must be a list/ },
    { command: 'improve', argument: { opportunity: 'gone' }, message: /opportunity gone no longer exists/ },
    { command: 'rollback', argument: {}, message: /There is no applied change/ },
    { command: 'nonsense', argument: {}, message: /no command/ },
  ])('answer trouble with a sentence: $command $argument', async ({ command, argument, message }) => {
    const { client } = await start();
    const outcome = await execute(client, command, argument);
    expect(outcome).toMatchObject({ ok: false, message: expect.stringMatching(message), review: null });
    await client.waitFor(
      ({ method, params }) => method === 'window/showMessage' && params.type === 1 && message.test(params.message),
    );
  });

  test('an untrusted workspace proposes nothing', async () => {
    const { client } = await start({ initializationOptions: { trusted: false, canSave: true } });
    expect(await execute(client, 'improve')).toMatchObject({
      ok: false,
      message: expect.stringContaining('not trusted'),
    });
  });

  test('unsaved changes are never overwritten', async () => {
    const { client } = await start(ours);
    await client.open('src/a.ts');
    const { review } = await execute(client, 'improve');
    await client.type('src/a.ts', 'mine\npoor two\nthree\n');
    expect(await execute(client, 'apply', { proposal: review.id })).toMatchObject({
      ok: false,
      message: expect.stringContaining('unsaved changes'),
    });
    expect(client.text('src/a.ts')).toBe('mine\npoor two\nthree\n');
    expect(client.edits).toEqual([]);
    await client.type('src/a.ts', files['src/a.ts']);
    expect(await execute(client, 'apply', { proposal: review.id })).toMatchObject({ ok: true });
  });

  test('a file that was saved elsewhere is waited for until the editor has read it again', async () => {
    const { client } = await start(ours);
    await client.open('src/a.ts');
    const { review } = await execute(client, 'improve');
    const elsewhere = `${files['src/a.ts']}// Added elsewhere.\n`;
    await repository.write('src/a.ts', elsewhere);
    const applied = execute(client, 'apply', { proposal: review.id });
    // An editor hears of it from its system, a little later.
    setTimeout(() => void client.type('src/a.ts', elsewhere), 400);
    expect(await applied).toMatchObject({
      ok: false,
      message: expect.stringContaining('src/a.ts has changed since the change was planned.'),
    });
  });
});

describe('the rest', () => {
  test('the state for the sidebar, told about at most four times a second', async () => {
    const { client } = await start({ initializationOptions: { canSave: true } });
    expect(await client.request('selfware/state')).toMatchObject({
      trusted: true,
      activity: 'idle',
      index: { files: 3 },
      points: { total: 98 },
      opportunityCount: 2,
      waiting: 0,
      charter: { approval: 'strict', ownPaths: 0 },
    });
    const before = client.received.length;
    for (let time = 0; time < 20; time++)
      await client.request('workspace/executeCommand', { command: 'selfware.server.resume' });
    await client.waitFor(({ method }) => method === 'selfware/stateChanged', before);
    expect(
      client.received.slice(before).filter(({ method }) => method === 'selfware/stateChanged').length,
    ).toBeLessThan(6);
  });

  test('opportunities are asked for page by page; another list has another number', async () => {
    const { client } = await start({ initializationOptions: { canSave: true } });
    // Afterwards nothing looks at the folder by itself any more.
    await client.request('workspace/executeCommand', { command: 'selfware.server.index' });
    const page = await client.request('selfware/opportunities', { limit: 1 });
    expect(page).toMatchObject({ total: 2, matching: 2, rows: [{ path: 'src/a.ts', line: 2, fixable: true }] });
    expect(await client.request('selfware/opportunities', { filter: { text: 'b.ts' } })).toMatchObject({
      revision: page.revision,
      matching: 1,
      rows: [{ path: 'src/b.ts' }],
    });
    expect(await client.request('selfware/opportunityFiles', {})).toMatchObject({
      total: 2,
      files: [{ path: 'src/a.ts', count: 1 }, { path: 'src/b.ts' }],
    });
    expect((await client.request('selfware/state')).opportunityRevision).toBe(page.revision);
    await client.request('workspace/executeCommand', {
      command: 'selfware.server.dismiss',
      arguments: [{ uri: client.uri('src/a.ts'), opportunity: page.rows[0].id, kind: 'wrong' }],
    });
    const next = await client.request('selfware/opportunities', {});
    expect(next).toMatchObject({ total: 1 });
    expect(next.revision).not.toBe(page.revision);
  });

  test('a window without a folder is answered', async () => {
    const { client } = startInnerServer(null, { capabilities: richCapabilities });
    await client.initialize();
    expect(await client.request('selfware/state')).toMatchObject({
      index: null,
      notices: [{ message: 'No folder is open.' }],
    });
    expect(await client.request('workspace/executeCommand', { command: 'selfware.server.improve' })).toMatchObject({
      ok: false,
      message: expect.stringContaining('No folder is open'),
    });
  });

  test('folders come and go', async () => {
    const { client, sessions } = await start();
    const other = await createTemporaryRepository({ 'c.ts': 'poor c\n' }, { git: false });
    const folder = { uri: `file://${other.dir}`, name: 'other' };
    await client.notify('workspace/didChangeWorkspaceFolders', { event: { added: [folder], removed: [] } });
    await client.until(() => sessions[1]?.calls.includes('indexed') ?? false);
    await client.notify('textDocument/didOpen', {
      textDocument: { uri: `${folder.uri}/c.ts`, languageId: 'typescript', version: 1, text: 'poor c\n' },
    });
    const report = await client.request('textDocument/diagnostic', { textDocument: { uri: `${folder.uri}/c.ts` } });
    expect(report.items).toHaveLength(1);
    const { review } = await client.request('workspace/executeCommand', {
      command: 'selfware.server.improve',
      arguments: [{ opportunity: report.items[0].data.id }],
    });
    expect(review.files[0].uri).toBe(`${folder.uri}/c.ts`);
    await client.notify('workspace/didChangeWorkspaceFolders', { event: { added: [], removed: [folder] } });
    await client.until(() => sessions[1]?.calls.includes('close') ?? false);
    await other.dispose();
  });

  test('a fault in a feature is logged and the rest serves on', async () => {
    const fault = { error: new Error('a fault') as Error | null };
    const { client, logged } = await start({ fault: () => fault.error });
    await client.open('src/a.ts');
    const textDocument = { uri: client.uri('src/a.ts') };
    expect(await client.request('textDocument/diagnostic', { textDocument })).toEqual({ kind: 'full', items: [] });
    expect(await actionsAt(client, 'src/a.ts', 1)).toEqual([]);
    expect(logged).toContain('error textDocument/diagnostic failed.');
    for (const params of [{}, { textDocument: 7, range: 'x', context: [] }])
      expect(await client.request('textDocument/codeAction', params)).toEqual([]);
    expect(await client.request('codeLens/resolve', { range: null, data: 7 })).toMatchObject({ data: 7 });
    fault.error = null;
    expect((await client.request('textDocument/diagnostic', { textDocument })).items).toHaveLength(1);
  });
});
