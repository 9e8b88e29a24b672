// What an editor offers besides improving: figures and ranks in a hover, figures above functions, suppress, dismiss,
// explain, fix all.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { CodeAction, CodeLens, Hover } from 'vscode-languageserver/node';
import { plainCapabilities, richCapabilities } from '../helpers/clientCapabilities.ts';
import type { LspClient } from '../helpers/lspClient.ts';
import { startInnerServer, type InnerServer } from '../helpers/lspServers.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../helpers/temporaryRepository.ts';

const text = 'one\n  poor two\nfunction grade(a) { return a ? 1 : a ? 2 : 3; }\n';
const files = { 'src/a.ts': text, 'src/b.ts': 'poor b\n', 'src/c.py': 'poor c\n', 'protected/p.ts': 'poor p\n' };
const cursor = (line: number, character = 0) => ({ start: { line, character }, end: { line, character } });
const snippets = {
  ...richCapabilities,
  workspace: {
    ...richCapabilities.workspace,
    workspaceEdit: { ...richCapabilities.workspace?.workspaceEdit, snippetEditSupport: true },
  },
};

let repository: TemporaryRepository;
beforeEach(async () => (repository = await createTemporaryRepository(files, { git: false })));
afterEach(() => repository.dispose());

async function start(
  options: Partial<Parameters<typeof startInnerServer>[1]> = {},
  path = 'src/a.ts',
): Promise<InnerServer> {
  const server = startInnerServer(repository.dir, { capabilities: richCapabilities, ...options });
  await server.client.initialize();
  await server.client.until(() => server.sessions.at(-1)?.calls.includes('indexed') ?? false);
  await server.client.open(path);
  return server;
}

async function actionsAt(
  client: LspClient,
  path: string,
  line: number,
  character: number,
  only?: string[],
): Promise<CodeAction[]> {
  return client.request('textDocument/codeAction', {
    textDocument: { uri: client.uri(path) },
    range: cursor(line, character),
    context: { diagnostics: [], ...(only ? { only } : {}) },
  });
}

const execute = (client: LspClient, command: string, argument: object) =>
  client.request('workspace/executeCommand', { command, arguments: [argument] });

describe('hover', () => {
  const at = (client: LspClient, line: number, character: number) =>
    client.request<Hover | null>('textDocument/hover', {
      textDocument: { uri: client.uri('src/a.ts') },
      position: { line, character },
    });

  test('on the name of a function: its figures, and where each point comes from', async () => {
    const { client } = await start({ settings: { 'hover.details': true } });
    expect((await at(client, 2, 11))?.contents).toEqual({
      kind: 'markdown',
      value:
        '**grade** (Selfware): cognitive complexity 2, cyclomatic 3, nesting 0, 1 statement, 0 parameters.\n\n- line 3: `?:` +1\n- line 3: `?:` +1',
    });
    expect(await at(client, 2, 25)).toBeNull();
    expect(await at(client, 0, 0)).toBeNull();
  });

  test('by default one line where an opportunity is, and nothing anywhere else: the signature of a function is for others to tell', async () => {
    const { client } = await start();
    expect(await at(client, 2, 11)).toBeNull();
    const value = ((await at(client, 1, 3))?.contents as { readonly value: string }).value;
    expect(value).toMatch(/^Selfware: A poor word \(/);
    expect(value.split('\n')).toHaveLength(1);
  });

  test('a finding comes before the figures of the function that it is on', async () => {
    await writeFile(join(repository.dir, 'src/a.ts'), 'function poor(a) { return a ? 1 : 2; }\n');
    const { client } = await start({ settings: { 'hover.details': true } });
    expect((await at(client, 0, 10))?.contents).toMatchObject({
      value: expect.stringMatching(/^A poor word[^]*cognitive complexity/),
    });
  });

  test('with details on an opportunity: what it is, its evidence and its rank', async () => {
    const { client } = await start({ settings: { 'hover.details': true } });
    const hover = await at(client, 1, 3);
    expect(hover?.range).toEqual({ start: { line: 1, character: 2 }, end: { line: 1, character: 6 } });
    expect(hover?.contents).toMatchObject({
      value: expect.stringContaining('Why this rank: Priority 50 = impact 50.'),
    });
  });

  test('as plain text for editors that show no Markdown, and not at all where the settings say so', async () => {
    const plain = await start({
      initializationOptions: { settings: { 'hover.details': true } },
      capabilities: {
        ...plainCapabilities,
        textDocument: { ...plainCapabilities.textDocument, hover: { contentFormat: ['plaintext'] } },
      },
    });
    expect((await at(plain.client, 2, 11))?.contents).toMatchObject({
      kind: 'plaintext',
      value: expect.not.stringContaining('*'),
    });
    const off = await start({ settings: { 'hover.enable': false, 'hover.details': true } });
    expect(await at(off.client, 2, 11)).toBeNull();
    expect(await at(off.client, 1, 3)).toBeNull();
  });
});

describe('figures above functions', () => {
  const lensesOf = (client: LspClient) =>
    client.request<CodeLens[]>('textDocument/codeLens', { textDocument: { uri: client.uri('src/a.ts') } });

  test('are off by default', async () => expect(await lensesOf((await start()).client)).toEqual([]));

  test('where the settings ask for them', async () => {
    const { client } = await start({ settings: { 'codeLens.figures': true } });
    expect(await lensesOf(client)).toMatchObject([
      { range: cursor(2), command: { title: 'cognitive 2 · cyclomatic 3 · nesting 0 · 1 statement · 0 parameters' } },
    ]);
  });

  test('with a button where a recipe can do something in the function, and only where its code may be run', async () => {
    const options = { settings: { 'codeLens.figures': true } };
    await writeFile(join(repository.dir, 'src/a.ts'), 'function poor(a) { return a ? 1 : 2; }\n');
    const buttons = async (more: object) =>
      (await lensesOf((await start({ ...options, ...more })).client)).filter(
        ({ command }) => command?.title === 'Improve',
      );
    expect(await buttons({})).toMatchObject([
      {
        range: cursor(0),
        command: {
          command: 'selfware.server.improve',
          tooltip: expect.any(String),
          arguments: [{ opportunity: expect.any(String) }],
        },
      },
    ]);
    expect(await buttons({ initializationOptions: { trusted: false } })).toEqual([]);
  });
});

describe('suppress', () => {
  test('as a snippet with a place for the reason', async () => {
    const { client } = await start({ capabilities: snippets });
    const action = (await actionsAt(client, 'src/a.ts', 1, 2)).find(({ title }) => title.startsWith('Suppress'));
    expect(action).toMatchObject({ title: 'Suppress poor-word here, with a reason', kind: 'quickfix' });
    expect(action?.edit).toBeUndefined();
    const { edit } = await client.request<CodeAction>('codeAction/resolve', action);
    expect(edit?.documentChanges).toEqual([
      {
        textDocument: { uri: client.uri('src/a.ts'), version: 1 },
        edits: [
          {
            range: cursor(1),
            snippet: { kind: 'snippet', value: '  // selfware-ignore-next-line poor-word: ${0:reason}\n' },
          },
        ],
      },
    ]);
  });

  test.each([
    {
      path: 'src/a.ts',
      line: 1,
      character: 2,
      after: 'one\n  // selfware-ignore-next-line poor-word: As intended\n  poor two\n',
    },
    { path: 'src/c.py', line: 0, character: 0, after: '# selfware-ignore-next-line poor-word: As intended\npoor c\n' },
  ])('by a command that asks for the reason: $path', async ({ path, line, character, after }) => {
    const { client } = await start({ choose: () => 'As intended' }, path);
    const action = (await actionsAt(client, path, line, character)).find(({ title }) => title.startsWith('Suppress'));
    expect(await execute(client, action?.command?.command ?? '', action?.command?.arguments?.[0])).toMatchObject({
      ok: true,
      message: 'Suppressed: A poor word',
    });
    expect(client.text(path)).toMatch(new RegExp(`^${after.replace(/[.*+?^$()|]/g, '\\$&')}`));
    // Written into the buffer; saving is up to the person.
    expect(await repository.read(path)).toBe(files[path as keyof typeof files]);
  });

  test('who leaves without a reason leaves the text as it is', async () => {
    const { client } = await start({ choose: () => null });
    const action = (await actionsAt(client, 'src/a.ts', 1, 2)).find(({ title }) => title.startsWith('Suppress'));
    expect(await execute(client, action?.command?.command ?? '', action?.command?.arguments?.[0])).toEqual({
      ok: false,
      message: 'Cancelled.',
      review: null,
    });
    expect(client.text('src/a.ts')).toBe(text);
  });
});

describe('dismiss', () => {
  const params = async (client: LspClient) =>
    (await actionsAt(client, 'src/a.ts', 1, 2)).find(({ title }) => title.startsWith('Dismiss'))?.command
      ?.arguments?.[0];

  test('with a kind and a reason: it is not shown any more', async () => {
    const { client, sessions } = await start();
    expect(
      await execute(client, 'selfware.server.dismiss', {
        ...(await params(client)),
        kind: 'wrong',
        reason: 'No word is poor.',
      }),
    ).toMatchObject({ ok: true, message: 'Dismissed: A poor word' });
    expect(await sessions[0]?.opportunities.dismissals()).toMatchObject([
      { kind: 'wrong', reason: 'No word is poor.', rule: 'poor-word', path: 'src/a.ts' },
    ]);
    expect(
      await client.request('textDocument/diagnostic', { textDocument: { uri: client.uri('src/a.ts') } }),
    ).toMatchObject({ items: [] });
    await client.waitFor(({ method }) => method === 'workspace/diagnostic/refresh');
  });

  test('any client is asked for the kind', async () => {
    const { client, sessions } = await start({ capabilities: plainCapabilities, choose: () => 'Not now' });
    await execute(client, 'selfware.server.dismiss', await params(client));
    const asked = client.received.find(({ method }) => method === 'window/showMessageRequest');
    expect(asked?.params.actions.map(({ title }: { title: string }) => title)).toEqual([
      'Not a problem here',
      'The rule is wrong',
      'Not now',
      'Nobody edits this file',
      'Another reason',
    ]);
    expect(await sessions[0]?.opportunities.dismissals()).toMatchObject([{ kind: 'later', reason: null }]);
    await client.until(() => client.published('src/a.ts')?.length === 0);
  });

  test.each([{ kind: 'nonsense' }, { opportunity: 'gone' }, { uri: 'file:///elsewhere.ts' }, { uri: 7 }])(
    'trouble is a sentence: %j',
    async (more) => {
      const { client, sessions } = await start();
      expect(await execute(client, 'selfware.server.dismiss', { ...(await params(client)), ...more })).toMatchObject({
        ok: false,
        message: expect.stringMatching(/\.$/),
      });
      expect(await sessions[0]?.opportunities.dismissals()).toEqual([]);
    },
  );
});

test('explain says what there is to say where there is no page', async () => {
  const { client } = await start();
  const action = (await actionsAt(client, 'src/a.ts', 1, 2)).find(({ title }) => title.startsWith('Explain'));
  expect(await execute(client, action?.command?.command ?? '', action?.command?.arguments?.[0])).toMatchObject({
    ok: true,
    message: expect.stringContaining('A poor word (poor-word)'),
  });
  expect((await client.waitFor(({ method }) => method === 'window/showMessage')).params.message).toContain(
    'Why this rank',
  );
});

describe('fix all', () => {
  test('asked for by its kind: one edit of this document, of this version', async () => {
    const { client } = await start();
    for (const kind of ['source.fixAll', 'source.fixAll.selfware']) {
      expect(await actionsAt(client, 'src/a.ts', 0, 0, [kind])).toEqual([
        {
          title: 'Selfware: fix all safe',
          kind: 'source.fixAll.selfware',
          edit: {
            documentChanges: [
              {
                textDocument: { uri: client.uri('src/a.ts'), version: 1 },
                edits: [
                  {
                    range: { start: { line: 1, character: 0 }, end: { line: 2, character: 0 } },
                    newText: '  rich two\n',
                  },
                ],
              },
            ],
          },
        },
      ]);
    }
    await client.type('src/a.ts', 'rich\n');
    expect(await actionsAt(client, 'src/a.ts', 0, 0, ['source.fixAll.selfware'])).toEqual([]);
  });

  test('in a menu it is worked out when it is chosen', async () => {
    const { client } = await start();
    const [action] = await actionsAt(client, 'src/a.ts', 0, 0, ['source']);
    expect(action).toMatchObject({ kind: 'source.fixAll.selfware' });
    expect(action?.edit).toBeUndefined();
    expect((await client.request<CodeAction>('codeAction/resolve', action)).edit?.documentChanges).toHaveLength(1);
    expect((await actionsAt(client, 'src/a.ts', 1, 2)).map(({ kind }) => kind)).not.toContain('source.fixAll.selfware');
  });

  test('other fix-alls are not ours; protected files and restricted workspaces are left alone', async () => {
    const { client } = await start();
    expect(await actionsAt(client, 'src/a.ts', 0, 0, ['source.fixAll.eslint'])).toEqual([]);
    expect(await actionsAt(client, 'src/a.ts', 0, 0, ['source.organizeImports'])).toEqual([]);
    await client.open('protected/p.ts');
    expect(await actionsAt(client, 'protected/p.ts', 0, 0, ['source.fixAll'])).toEqual([]);
    const restricted = await start({ initializationOptions: { trusted: false } });
    expect(await actionsAt(restricted.client, 'src/a.ts', 0, 0, ['source.fixAll'])).toEqual([]);
  });

  test('of the whole folder: all are verified, the first is told of, and nothing is written', async () => {
    const { client } = await start({ initializationOptions: { canSave: true } });
    expect(await execute(client, 'selfware.server.fixAll', {})).toMatchObject({
      ok: true,
      message: '4 proposals wait for your decision.',
    });
    expect(
      client.received.filter(({ method }) => method === 'selfware/reviewReady').map(({ params }) => params.status),
    ).toEqual(['verified']);
    for (const [path, content] of Object.entries(files)) expect(await repository.read(path)).toBe(content);
    expect(client.edits).toEqual([]);
  });
});
