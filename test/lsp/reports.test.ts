// Checks with a page for an answer: the set-up, the ledger, the baseline. Dismissals taken back. And what "Improve
// This" means where places belong together.

import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { richCapabilities } from '../helpers/clientCapabilities.ts';
import type { LspClient } from '../helpers/lspClient.ts';
import { startInnerServer } from '../helpers/lspServers.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../helpers/temporaryRepository.ts';

const files = { 'src/a.ts': 'poor a\n', 'src/b.ts': 'fine b\n', 'src/c.ts': 'fine c\npoor c like src/b.ts\n' };
const good = { name: 'git', outcome: 'good', detail: 'on main', action: null } as const;
const degraded = {
  name: 'isolation',
  outcome: 'degraded',
  detail: 'none | here',
  action: 'Install one. Then `selfware resume`.',
} as const;

let repository: TemporaryRepository;
beforeEach(async () => (repository = await createTemporaryRepository(files, { git: false })));
afterEach(() => repository.dispose());

async function start(options: Partial<Parameters<typeof startInnerServer>[1]> = {}) {
  const server = startInnerServer(repository.dir, {
    capabilities: richCapabilities,
    initializationOptions: { canSave: true },
    ...options,
  });
  await server.client.initialize();
  await server.client.until(() => server.sessions.at(-1)?.calls.includes('analysed') ?? false);
  return server;
}

const execute = (client: LspClient, command: string, argument: object = {}) =>
  client.request('workspace/executeCommand', { command: `selfware.server.${command}`, arguments: [argument] });

describe('the set-up', () => {
  test('each finding is a row, what to do stands below in the words of the palette, and nothing in them is markup', async () => {
    const { client } = await start({ findings: async () => [good, degraded] });
    const { ok, message, page } = await execute(client, 'doctor');
    expect([ok, message]).toEqual([true, 'Not as it should be: isolation (none | here).']);
    expect(page.markdown.split('\n')).toEqual(
      expect.arrayContaining([
        '# The set-up',
        '| ✓\u00a0good | git | on main |',
        '| !\u00a0degraded | isolation | none \\| here |',
        '- **isolation:** Install one. Then "Selfware: Resume".',
      ]),
    );
  });

  test('what is bad is trouble; what is good says so', async () => {
    expect(
      await execute((await start({ findings: async () => [{ ...good, outcome: 'bad' }] })).client, 'doctor'),
    ).toMatchObject({ ok: false });
    expect(await execute((await start({ findings: async () => [good] })).client, 'doctor')).toMatchObject({
      ok: true,
      message: 'Everything is as it should be.',
    });
  });

  test('of several folders: a section for each', async () => {
    const { client, sessions } = await start({ findings: async () => [good] });
    const other = await createTemporaryRepository({ 'src/x.ts': 'fine\n' }, { git: false });
    await client.notify('workspace/didChangeWorkspaceFolders', {
      event: { added: [{ uri: pathToFileURL(other.dir).href, name: 'other' }], removed: [] },
    });
    await client.until(() => sessions.filter(({ calls }) => calls.includes('analysed')).length === 2);
    const { page } = await execute(client, 'doctor');
    expect(page.markdown.match(/^## .*/gm)).toEqual(['## folder', '## other']);
    await other.dispose();
  });

  test('it can be cancelled', async () => {
    let begun = (): void => {};
    const running = new Promise<void>((done) => (begun = done));
    const { client } = await start({
      findings: (signal) =>
        new Promise((_, reject) => (begun(), signal.addEventListener('abort', () => reject(signal.reason)))),
    });
    const answer = execute(client, 'doctor');
    await running;
    const { params } = await client.waitFor(
      ({ method, params: given }) =>
        method === '$/progress' && given.value.kind === 'begin' && /set-up/.test(given.value.title),
    );
    await client.notify('window/workDoneProgress/cancel', { token: params.token });
    expect(await answer).toMatchObject({ ok: false, message: 'Cancelled.', cancelled: true });
  });
});

describe('the ledger', () => {
  test('intact: how many events', async () => {
    const { client } = await start({ verification: { events: 1234, intact: true, brokenAt: null, reason: null } });
    expect(await execute(client, 'verifyLedger')).toMatchObject({
      ok: true,
      message: '1,234 events, chain intact.',
      page: { markdown: expect.stringContaining('✓ 1,234 events') },
    });
  });

  test('broken: where and why, and that is trouble', async () => {
    const { client } = await start({
      verification: { events: 9, intact: false, brokenAt: 7, reason: 'Its hash is another.' },
    });
    expect(await execute(client, 'verifyLedger')).toMatchObject({
      ok: false,
      message: 'The ledger is broken at event 7: Its hash is another.',
      page: { markdown: expect.stringContaining('✗ **Broken at event 7:** Its hash is another.') },
    });
  });
});

describe('a change', () => {
  const verdicts = [
    { gate: 'types', then: 'passed', now: 'passed', reason: 'No error.' },
    { gate: 'tests', then: 'passed', now: 'failed', reason: '1 test | fails.' },
  ];

  async function proved(proof: object) {
    const { client } = await start({ proof });
    const { review } = await execute(client, 'improve', { uris: [client.uri('src/a.ts')] });
    return execute(client, 'verifyChange', { change: review.id });
  }

  test('what holds says so', async () => {
    expect(await proved({ holds: true, verdicts: verdicts.slice(0, 1) })).toMatchObject({
      ok: true,
      message: expect.stringMatching(/: holds\.$/),
      page: { markdown: expect.stringContaining('| Types | passed | the same | No error. |') },
    });
  });

  test('what does not hold is trouble, with the gate that says otherwise and what was altered', async () => {
    const { ok, message, page } = await proved({ holds: false, verdicts, problems: ['The receipt was altered.'] });
    expect([ok, message]).toEqual([false, expect.stringMatching(/: does not hold\.$/)]);
    expect(page.markdown).toMatch(
      /\| Tests \| passed \| \*\*failed\*\* \| 1 test \\\| fails\. \|\n\n- The receipt was altered\./,
    );
  });

  test('where nothing can be shown, that is no success', async () => {
    expect(await proved({ holds: null })).toMatchObject({
      ok: false,
      message: expect.stringMatching(/: cannot be shown again\.$/),
    });
  });

  test('one that is not there, and none given', async () => {
    const { client } = await start();
    expect(await execute(client, 'verifyChange', { change: 'nobody' })).toMatchObject({ ok: false });
    expect(await execute(client, 'verifyChange')).toMatchObject({
      ok: false,
      message: expect.stringContaining('change must be the id of a kept change'),
    });
  });
});

describe('the baseline', () => {
  const report = {
    path: '.selfware/baseline.json',
    entries: 3,
    held: 3,
    byRule: { 'poor-word': 1, 'long-line': 2 },
    fixed: [{ path: 'src/old.ts', rule: 'poor-word', symbol: null, id: 'x' }],
  };

  test.each([
    {
      action: 'create',
      asked: ['create', false],
      message: '.selfware/baseline.json holds 3 opportunities. Commit it, and only what is new is shown.',
    },
    {
      action: 'renew',
      asked: ['create', true],
      message: '.selfware/baseline.json holds 3 opportunities. Commit it, and only what is new is shown.',
    },
    { action: 'update', asked: ['update', false], message: '1 opportunity fixed and removed, 3 left.' },
    {
      action: 'show',
      asked: ['show', false],
      message: '.selfware/baseline.json holds 3 opportunities, 1 entry is fixed.',
    },
  ])('$action', async ({ action, asked, message }) => {
    const calls: unknown[] = [];
    const { client } = await start({ onBaseline: (...given) => (calls.push(given), report) });
    const outcome = await execute(client, 'baseline', { action });
    expect(calls).toEqual([asked]);
    expect(outcome).toMatchObject({ ok: true, message });
    // The fullest rule first, and what is fixed by name.
    expect(outcome.page.markdown).toMatch(
      /\| long-line \| 2 \|\n\| poor-word \| 1 \|[^]*\| src\/old\.ts \| poor-word \|/,
    );
  });

  test('removed there is nothing to read', async () => {
    const outcome = await execute((await start({ onBaseline: () => null })).client, 'baseline', { action: 'remove' });
    expect(outcome).toMatchObject({ ok: true, message: 'The baseline is removed. Everything is shown again.' });
    expect(outcome.page).toBeUndefined();
  });

  test('trouble and nonsense are sentences', async () => {
    const { client } = await start();
    expect(await execute(client, 'baseline', { action: 'show' })).toMatchObject({
      ok: false,
      message: 'No baseline here.',
    });
    expect(await execute(client, 'baseline', { action: 'burn' })).toMatchObject({
      ok: false,
      message: expect.stringContaining('action must be one of'),
    });
  });
});

describe('undismiss', () => {
  test('what was dismissed is listed with its reason, the newest first, and shown again when it is taken back', async () => {
    const { client, sessions } = await start();
    await client.open('src/a.ts');
    const items = async () =>
      (await client.request('textDocument/diagnostic', { textDocument: { uri: client.uri('src/a.ts') } })).items;
    for (const [path, kind, reason] of [
      ['src/a.ts', 'wrong', 'No word is poor.'],
      ['src/c.ts', 'other', 'It is a quotation.'],
    ] as const) {
      const [found] = (await sessions[0]?.opportunities.shown([path])) ?? [];
      expect(
        await execute(client, 'dismiss', { uri: client.uri(path), opportunity: found?.id, kind, reason }),
      ).toMatchObject({ ok: true });
    }
    expect(await items()).toEqual([]);
    const { dismissals } = await client.request('selfware/dismissals');
    expect(await client.request('selfware/state')).toMatchObject({ dismissed: 2 });
    expect(dismissals).toMatchObject([
      { path: 'src/c.ts', why: 'It is a quotation.' },
      {
        path: 'src/a.ts',
        rule: 'poor-word',
        why: 'The rule is wrong: No word is poor.',
        folder: 'folder',
        until: null,
      },
    ]);
    expect(
      await execute(client, 'undismiss', {
        opportunities: dismissals.map(({ opportunity }: { opportunity: string }) => opportunity),
      }),
    ).toMatchObject({ ok: true, message: '2 are shown again.' });
    expect(await client.request('selfware/dismissals')).toEqual({ dismissals: [] });
    expect(await client.request('selfware/state')).toMatchObject({ dismissed: 0 });
    expect(await items()).toMatchObject([{ code: 'poor-word' }]);
  });

  test('without naming any it says what is needed', async () => {
    expect(await execute((await start()).client, 'undismiss')).toMatchObject({
      ok: false,
      message: 'opportunities must be a list of ids. "Selfware: Undismiss…" lists what is dismissed.',
    });
  });
});

describe('Improve This', () => {
  const improveThis = async (client: LspClient, path: string) =>
    (await execute(client, 'improve', { uris: [client.uri(path)] })).review?.files.map(
      (file: { path: string }) => file.path,
    );

  test('on a place that an opportunity elsewhere speaks of: that one', async () => {
    expect(await improveThis((await start()).client, 'src/b.ts')).toEqual(['src/c.ts']);
  });

  test('what lies in the file itself comes first', async () => {
    await repository.write('src/b.ts', 'poor b\n');
    expect(await improveThis((await start()).client, 'src/b.ts')).toEqual(['src/b.ts']);
  });
});
