// Diagnostics as editors get them: pulled and pushed, of open and of closed files, while a person types.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CancellationTokenSource } from 'vscode-languageserver/node';
import type { Opportunity } from '../../server/src/core/model.ts';
import { toDiagnostic } from '../../server/src/lsp/toProtocol.ts';
import { plainCapabilities, richCapabilities } from '../helpers/clientCapabilities.ts';
import { startInnerServer, type InnerServer } from '../helpers/lspServers.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../helpers/temporaryRepository.ts';
import { createPart } from '../helpers/createPart.ts';

const files = { 'src/a.ts': 'one\npoor two\nthree\n', 'src/b.ts': 'poor b\n', 'src/rich.ts': 'rich\n' };

let repository: TemporaryRepository;
beforeEach(async () => (repository = await createTemporaryRepository(files, { git: false })));
afterEach(() => repository.dispose());

async function start(options: Partial<Parameters<typeof startInnerServer>[1]> = {}): Promise<InnerServer> {
  const server = startInnerServer(repository.dir, { capabilities: richCapabilities, ...options });
  await server.client.initialize();
  await server.client.until(() => server.sessions.at(-1)?.calls.includes('indexed') ?? false);
  return server;
}

describe('diagnostics', () => {
  test('are pulled, of the text in the editor, and unchanged ones are not sent again', async () => {
    const { client } = await start();
    await client.open('src/a.ts');
    const textDocument = { uri: client.uri('src/a.ts') };
    const report = await client.request('textDocument/diagnostic', { textDocument });
    expect(report.items).toMatchObject([
      {
        code: 'poor-word',
        source: 'selfware',
        severity: 3,
        message: 'A poor word',
        range: { start: { line: 1, character: 0 }, end: { line: 1, character: 4 } },
        data: { id: expect.any(String) },
      },
    ]);
    expect(
      await client.request('textDocument/diagnostic', { textDocument, previousResultId: report.resultId }),
    ).toEqual({ kind: 'unchanged', resultId: report.resultId });
    await client.type('src/a.ts', '// 😀\n\n  a 😀 poor\n');
    const typed = await client.request('textDocument/diagnostic', { textDocument, previousResultId: report.resultId });
    expect(typed.items).toMatchObject([
      { range: { start: { line: 2, character: 7 }, end: { line: 2, character: 11 } } },
    ]);
  });

  test('are plain text: an editor shows the marks of code as they are written', () => {
    const at = { startLine: 1, startColumn: 1, endLine: 1, endColumn: 2 };
    const opportunity = createPart<Opportunity>({
      rule: 'unused-import',
      severity: 'information',
      message: '`round` is imported but never read.',
      nameRange: at,
      related: [{ path: 'b.ts', range: at, message: '`round` is here.' }],
    });
    const told = toDiagnostic(opportunity, { rulesDir: '/none', uriOf: (path) => path });
    expect(told.message).toBe("'round' is imported but never read.");
    expect(told.relatedInformation?.[0]?.message).toBe("'round' is here.");
  });

  test('a client that does not ask after a change is told to ask again', async () => {
    const { client } = await start();
    await client.open('src/a.ts');
    const textDocument = { uri: client.uri('src/a.ts') };
    const { resultId } = await client.request('textDocument/diagnostic', { textDocument });
    const from = client.received.length;
    await client.type('src/a.ts', 'rich\n');
    await client.waitFor(({ method }) => method === 'workspace/diagnostic/refresh', from);
    const report = await client.request('textDocument/diagnostic', { textDocument, previousResultId: resultId });
    expect(report).toMatchObject({ kind: 'full' });
  });

  test('of a burst of typing only the newest text is looked at, and in full after a pause', async () => {
    let release = (): void => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    const { client, sessions } = await start({ onGlance: (text) => (text === 'poora' ? held : undefined) });
    await client.open('src/a.ts');
    const textDocument = { uri: client.uri('src/a.ts') };
    await client.request('textDocument/diagnostic', { textDocument });
    const asked = [];
    for (let length = 1; length <= 20; length++) {
      await client.type('src/a.ts', 'poor'.padEnd(4 + length, 'a'));
      asked.push(client.request('textDocument/diagnostic', { textDocument }));
    }
    // Asked last and answered: the server has read all that came before.
    await client.request('workspace/symbol', { query: '' });
    release();
    const reports = await Promise.all(asked);
    expect(new Set(reports.map(({ resultId }) => resultId)).size).toBe(1);
    expect(reports[0].items).toHaveLength(1);
    const calls = () => sessions[0]?.calls.filter((call) => /^(analyse|glance) /.test(call));
    expect(calls()).toEqual(['glance src/a.ts 19', 'analyse src/a.ts 19', 'glance src/a.ts 5', 'glance src/a.ts 24']);
    await client.until(() => calls()?.at(-1) === 'analyse src/a.ts 24');
  });

  test('are pushed to clients that do not ask, and withdrawn', async () => {
    const { client } = await start({ capabilities: plainCapabilities });
    await client.open('src/a.ts');
    await client.until(() => client.published('src/a.ts')?.length === 1);
    await client.type('src/a.ts', 'fine\n');
    await client.until(() => client.published('src/a.ts')?.length === 0);
    await client.type('src/a.ts', 'poor\n');
    await client.until(() => client.published('src/a.ts')?.length === 1);
    await client.close('src/a.ts');
    await client.until(() => client.published('src/a.ts')?.length === 0);
    expect(client.published('src/b.ts')).toBeUndefined();
  });

  test('of the whole repository are pushed when the settings say so', async () => {
    const { client } = await start({
      capabilities: plainCapabilities,
      initializationOptions: { settings: { diagnostics: { scope: 'all' } } },
    });
    await client.until(() => client.published('src/b.ts')?.length === 1);
    await repository.write('src/b.ts', 'fine\n');
    await client.notify('workspace/didChangeWatchedFiles', { changes: [{ uri: client.uri('src/b.ts'), type: 2 }] });
    await client.until(() => client.published('src/b.ts')?.length === 0);
    expect(client.published('src/a.ts')).toHaveLength(1);
  });

  test('of the whole repository are pulled; a client that knows all waits for news', async () => {
    const { client } = await start({ settings: { 'diagnostics.scope': 'all' } });
    const registration = await client.waitFor(
      ({ method, params }) =>
        method === 'client/registerCapability' &&
        params.registrations[0].method === 'textDocument/diagnostic' &&
        params.registrations[0].registerOptions.workspaceDiagnostics,
    );
    expect(registration.params.registrations[0].registerOptions.identifier).toBe('selfware');
    const first = await client.request('workspace/diagnostic', { previousResultIds: [] });
    expect(first.items.map(({ uri }: { uri: string }) => uri).sort()).toEqual([
      client.uri('src/a.ts'),
      client.uri('src/b.ts'),
    ]);
    const known = first.items.map(({ uri, resultId }: { uri: string; resultId: string }) => ({ uri, value: resultId }));
    const next = client.request('workspace/diagnostic', { previousResultIds: known });
    await repository.write('src/b.ts', 'fine\n');
    await client.notify('workspace/didChangeWatchedFiles', { changes: [{ uri: client.uri('src/b.ts'), type: 2 }] });
    expect((await next).items.filter(({ kind }: { kind: string }) => kind === 'full')).toMatchObject([
      { uri: client.uri('src/b.ts'), items: [] },
    ]);
  });

  test('follow the settings while the server runs', async () => {
    const { client, sessions, opened } = await start({ capabilities: plainCapabilities });
    await client.open('src/a.ts');
    await client.until(() => client.published('src/a.ts')?.length === 1);
    await client.notify('workspace/didChangeConfiguration', {
      settings: { selfware: { diagnostics: { enable: false } } },
    });
    await client.until(() => client.published('src/a.ts')?.length === 0);
    expect(sessions.map(({ calls }) => calls.includes('close'))).toEqual([true, false]);
    // The session with the new settings continues the budgets of the one before it.
    expect(opened).toHaveLength(2);
    expect(opened[1]!.windowRun).toBe(opened[0]!.windowRun);
    expect(opened[0]!.windowRun.startedAt).toBeGreaterThan(0);
  });

  test('a server that is started again begins new budgets, whatever others have spent since the window was opened', async () => {
    const before = Date.now();
    const { opened } = await start({ initializationOptions: { windowOpenedAt: 1000 } });
    expect(opened[0]!.windowRun.startedAt).toBeGreaterThanOrEqual(before);
    expect(opened[0]).not.toHaveProperty('runStartedAt');
  });
});

describe('of closed files', () => {
  test.each([
    { scope: 'openFiles', changed: ['src/b.ts'], paths: [] },
    { scope: 'changedFiles', changed: ['src/b.ts'], paths: ['src/b.ts'] },
    { scope: 'changedFiles', changed: [], paths: [] },
    { scope: 'all', changed: [], paths: ['src/a.ts', 'src/b.ts'] },
  ])('$scope, changed: $changed', async ({ scope, changed, paths }) => {
    const { client } = await start({ settings: { 'diagnostics.scope': scope }, changedPaths: () => changed });
    const { items } = await client.request('workspace/diagnostic', { previousResultIds: [] });
    expect(items.map(({ uri }: { uri: string }) => uri).sort()).toEqual(paths.map((path) => client.uri(path)));
  });

  test('what was saved in this session stays, though it is committed', async () => {
    const { client } = await start();
    await client.open('src/b.ts');
    await client.save('src/b.ts');
    await client.close('src/b.ts');
    const { items } = await client.request('workspace/diagnostic', { previousResultIds: [] });
    expect(items.map(({ uri }: { uri: string }) => uri)).toEqual([client.uri('src/b.ts')]);
  });

  test('a client that takes parts gets parts, then an answer without any', async () => {
    for (let file = 0; file < 250; file++) await repository.write(`many/${file}.ts`, 'poor\n');
    const { client } = await start({ settings: { 'diagnostics.scope': 'all' } });
    expect(
      await client.request('workspace/diagnostic', { previousResultIds: [], partialResultToken: 'parts' }),
    ).toEqual({ items: [] });
    const parts = client.received.filter(({ method, params }) => method === '$/progress' && params.token === 'parts');
    expect(parts.map(({ params }) => params.value.items.length)).toEqual([100, 100, 52]);
  });

  test('a file is reported as it is on disk, though what was just written to it is not analysed yet', async () => {
    const { client, sessions } = await start({ changedPaths: () => ['src/b.ts'] });
    const diagnose = () => client.request('textDocument/diagnostic', { textDocument: { uri: client.uri('src/b.ts') } });
    await repository.write('src/b.ts', 'fine\nand poor\n');
    expect((await diagnose()).items).toMatchObject([{ range: { start: { line: 1, character: 4 } } }]);
    await repository.write('src/b.ts', 'fine\n');
    expect((await diagnose()).items).toEqual([]);
    expect(sessions[0]?.calls.filter((call) => call === 'indexed')).toHaveLength(1);
  });

  test('a document that is opened with other diagnostics than were told of it while it was closed is asked for again', async () => {
    const { client } = await start({ changedPaths: () => ['src/b.ts'] });
    const uri = client.uri('src/b.ts');
    const told = await client.request('textDocument/diagnostic', { textDocument: { uri } });
    await repository.write('src/b.ts', 'fine\npoor\n');
    const from = client.received.length;
    // As VS Code does where it knows an answer for this version of the document: no request.
    await client.open('src/b.ts');
    await client.waitFor(({ method }) => method === 'workspace/diagnostic/refresh', from);
    expect(
      (await client.request('textDocument/diagnostic', { textDocument: { uri }, previousResultId: told.resultId }))
        .items,
    ).toMatchObject([{ range: { start: { line: 1 } } }]);
  });

  test('where there is nothing to report, only the first answer comes at once: git is not asked every two seconds', async () => {
    let changed: readonly string[] = [];
    let asked = 0;
    const { client } = await start({ changedPaths: () => (asked++, changed) });
    const pull = () =>
      client.request('workspace/diagnostic', { previousResultIds: [], partialResultToken: `parts ${asked}` });
    expect(await pull()).toEqual({ items: [] });
    let answered = false;
    const next = pull().then(() => (answered = true));
    await client.request('workspace/symbol', { query: '' });
    await client.request('workspace/symbol', { query: '' });
    expect(answered).toBe(false);
    changed = ['src/b.ts'];
    const before = client.received.length;
    await client.notify('workspace/didChangeWatchedFiles', { changes: [{ uri: client.uri('src/b.ts'), type: 2 }] });
    await next;
    expect(
      client.received
        .slice(before)
        .filter(({ method }) => method === '$/progress')
        .flatMap(({ params }) => params.value.items ?? []),
    ).toMatchObject([{ kind: 'full', uri: client.uri('src/b.ts') }]);
  });

  test('a request that is cancelled while it waits for news is answered so', async () => {
    const { client } = await start({ settings: { 'diagnostics.scope': 'all' } });
    const { items } = await client.request('workspace/diagnostic', { previousResultIds: [] });
    const cancel = new CancellationTokenSource();
    const waiting = client.request(
      'workspace/diagnostic',
      {
        previousResultIds: items.map(({ uri, resultId }: { uri: string; resultId: string }) => ({
          uri,
          value: resultId,
        })),
      },
      cancel.token,
    );
    cancel.cancel();
    await expect(waiting).rejects.toMatchObject({ code: -32800 });
  });
});

describe('odd documents', () => {
  const diagnose = (server: InnerServer, uri: string) =>
    server.client.request('textDocument/diagnostic', { textDocument: { uri } });
  const openText = (server: InnerServer, uri: string, text: string) =>
    server.client.notify('textDocument/didOpen', { textDocument: { uri, languageId: 'typescript', version: 1, text } });

  test.each(['untitled:Untitled-1', 'git:/src/a.ts', 'file:///elsewhere/a.ts', 'not a uri'])(
    "%s is nobody's",
    async (uri) => {
      const server = await start();
      await openText(server, uri, 'poor');
      expect(await diagnose(server, uri)).toMatchObject({ kind: 'full', items: [] });
    },
  );

  test("line ends of Windows and a byte order mark: positions are the editor's", async () => {
    const server = await start();
    const uri = server.client.uri('src/windows.ts');
    await openText(server, uri, '\uFEFFone\r\n😀 poor\r\n');
    expect((await diagnose(server, uri)).items).toMatchObject([
      { range: { start: { line: 1, character: 3 }, end: { line: 1, character: 7 } } },
    ]);
  });

  test('a file that was deleted on disk while it is open is looked at as it stands in the editor', async () => {
    const server = await start();
    await server.client.open('src/b.ts');
    const { rm } = await import('node:fs/promises');
    await rm(`${repository.dir}/src/b.ts`);
    await server.client.notify('workspace/didChangeWatchedFiles', {
      changes: [{ uri: server.client.uri('src/b.ts'), type: 3 }],
    });
    await server.client.until(() => server.sessions[0]!.calls.filter((call) => call === 'indexed').length === 2);
    expect((await diagnose(server, server.client.uri('src/b.ts'))).items).toHaveLength(1);
    await server.client.close('src/b.ts');
    expect((await diagnose(server, server.client.uri('src/b.ts'))).items).toEqual([]);
  });

  test('a document that is closed while it is looked at answers nothing, and the next one is served', async () => {
    let release = (): void => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    const server = await start({ onGlance: (text) => (text.startsWith('held') ? held : undefined) });
    await server.client.open('src/a.ts');
    await diagnose(server, server.client.uri('src/a.ts'));
    await server.client.type('src/a.ts', 'held poor');
    const asked = diagnose(server, server.client.uri('src/a.ts'));
    await server.client.close('src/a.ts');
    // Answered: the server has read all that came before.
    await server.client.request('workspace/symbol', { query: '' });
    release();
    expect((await asked).items).toEqual([]);
    await server.client.open('src/b.ts');
    expect((await diagnose(server, server.client.uri('src/b.ts'))).items).toHaveLength(1);
  });

  test('what the whole analysis knows better after a pause is told by itself', async () => {
    const server = await start({ glanceFinds: () => [] });
    await server.client.open('src/a.ts');
    const uri = server.client.uri('src/a.ts');
    expect((await diagnose(server, uri)).items).toHaveLength(1);
    await server.client.type('src/a.ts', 'poor\npoor\n');
    expect((await diagnose(server, uri)).items).toHaveLength(0);
    await server.client.waitFor(
      ({ method }) => method === 'workspace/diagnostic/refresh',
      server.client.received.length,
    );
    expect((await diagnose(server, uri)).items).toHaveLength(2);
  });
});
