// Unattended runs over the wire: what hinders one, what can be chosen, and a whole night of the built server: started,
// ended without the window, shown, taken for review, and dropped.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { CommandOutcome } from '#protocol/review';
import type { SidebarState } from '#protocol/state';
import type { AskedRun, Nights } from '../../server/src/app/nights/windowNights.ts';
import { SelfwareError } from '../../server/src/util/typedError.ts';
import type { Night } from '../../server/src/core/run/nightTypes.ts';
import { richCapabilities } from '../helpers/clientCapabilities.ts';
import type { LspClient } from '../helpers/lspClient.ts';
import { startInnerServer, startRealServer } from '../helpers/lspServers.ts';
import { createCommandLine } from '../helpers/commandLine.ts';
import { createTemporaryRepository } from '../helpers/temporaryRepository.ts';
import { createPeer } from '../adapters/models/peer.ts';
import { manifestOf } from '../helpers/manifest.ts';

const HOUR = 3_600_000;
/** A function with a needless `else`, which a recipe removes with a proof. */
const source = `/** Grades a number. */
export function grade(value) {
  if (value >= 90) {
    return 'A';
  } else {
    const best = 100;
    const half = best / 2;
    const good = value >= half;
    const mark = good ? 'B' : 'C';
    return mark;
  }
}
`;
const files = {
  '.selfware/settings.json': '{"analysis.rules": {"else-after-return": "hint"}}',
  'package.json': manifestOf('numbers'),
  'src/grade.js': source,
  'test/grade.test.js': `import test from 'node:test';
import assert from 'node:assert';
import { grade } from '../src/grade.js';
test('grade', () => assert.deepStrictEqual([95, 60, 5].map(grade), ['A', 'B', 'C']));
`,
};

const execute = (client: LspClient, command: string, argument: object = {}) =>
  client.request<CommandOutcome>('workspace/executeCommand', {
    command: `selfware.server.${command}`,
    arguments: [argument],
  });

/** The newest night, once no process works on it. */
async function settled(client: LspClient): Promise<SidebarState['night']> {
  for (;;) {
    const { night } = await client.request<SidebarState>('selfware/state', {});
    if (night?.state !== 'running' && night?.state !== 'waiting') return night;
    await sleep(500);
  }
}

async function inner(nights: Partial<Nights>, trusted = true) {
  const repository = await createTemporaryRepository(files);
  const { client } = startInnerServer(repository.dir, {
    capabilities: richCapabilities,
    initializationOptions: { canSave: true, trusted },
    nights,
  });
  await client.initialize();
  return { client, dispose: () => repository.dispose() };
}

test('without an end nothing starts: the answer is what can be chosen', async () => {
  const started: AskedRun[] = [];
  const { client, dispose } = await inner({ start: async (run) => (started.push(run), null) });
  const outcome = await execute(client, 'runOvernight');
  const outlook = expect.stringContaining('The run looks for missing tests first');
  expect(outcome).toMatchObject({ ok: true, night: { maxChanges: 10, leftOut: 0, outlook, money: null } });
  expect(outcome.night).toMatchObject({ folders: ['src', 'test'], kinds: expect.any(Array) });
  expect(outcome.night?.unasked.at(-1)).toContain('never happens');
  expect(started).toEqual([]);
  const until = Date.now() + HOUR;
  expect(await execute(client, 'runOvernight', { until, maxChanges: 3 })).toMatchObject({ ok: true });
  expect(started).toMatchObject([{ until, maxChanges: 3, proposer: null, scope: { places: [], kinds: null } }]);
  const scope = { places: ['src'], excluded: ['src/old'], kinds: ['tests'] };
  await execute(client, 'runOvernight', { until, ...scope, maxCost: 2.5 });
  expect(started.at(-1)).toMatchObject({ scope, maxCost: 2.5 });
  await dispose();
});

test.each([
  ['the workspace is not trusted', {}, false, { until: Date.now() + HOUR }, /not trusted/],
  [
    'a run is in progress',
    { isRunning: async () => true },
    true,
    {},
    /in progress.*Selfware: Show Last Night.*Selfware: End the Night/,
  ],
  ['the end has passed', {}, true, { until: Date.now() - HOUR }, /within the next 24 days/],
  ['a folder is no text', {}, true, { until: Date.now() + HOUR, places: [3] }, /places must be a list of texts/],
  ['the limit is no number', {}, true, { maxChanges: 0.5 }, /whole number/],
  ['the model belongs to the window', {}, true, { until: Date.now() + HOUR, proposer: 'editor:a/b' }, /outlives it/],
] as const)('nothing starts when %s', async (_, nights, trusted, params, message) => {
  // Starting rejects in this helper.
  const { client, dispose } = await inner(nights, trusted);
  const outcome = await execute(client, 'runOvernight', params);
  expect(outcome).toMatchObject({ ok: false, message: expect.stringMatching(message) });
  await dispose();
});

test('without a night there is nothing to show, to take or to drop', async () => {
  const { client, dispose } = await inner({});
  for (const command of ['showNight', 'acceptNight', 'dropNight'])
    expect(await execute(client, command)).toMatchObject({
      ok: false,
      message: 'There was no unattended run here. Start one: "Selfware: Run Overnight…".',
    });
  await dispose();
});

test('held changes are named when a night is taken', async () => {
  const night = { branch: 'selfware/night-2026-11-25' } as Night;
  const taken = async (changes: readonly string[], held: readonly string[]) => {
    const file = async () => ({ changes, held });
    const { client, dispose } = await inner({ last: async () => night, isRunning: async () => false, file });
    const { message } = await execute(client, 'acceptNight');
    await dispose();
    return message;
  };
  const message = await taken([], ['Round up']);
  expect(message).toMatch(/^1 change is held, .*: Round up\. .*"Selfware: Take the Night's Changes…"/);
  expect(message).not.toContain('decided already');
  expect(await taken([], [])).toBe('All its changes have been decided already.');
});

test('decisions reach the night as the person made them, and the answer says what is left', async () => {
  const night = { branch: 'selfware/night-2026-11-25' } as Night;
  const calls: unknown[] = [];
  const alsoLeft = [{ title: 'Round down', reason: 'A test failed.' }];
  const { client, dispose } = await inner({
    last: async () => night,
    file: async (_root, branch, _operation, changes) => (
      calls.push(['file', branch, changes]), { changes: [], held: [] }
    ),
    drop: async (_root, branch, _operation, changes, reason) => {
      calls.push(['drop', branch, changes, reason]);
      return { night: night.branch, remaining: 1, alsoLeft };
    },
    squash: async () => ({ branch: night.branch, commit: 'a'.repeat(40) }),
    pullRequest: async () => ({ address: 'https://example.org/pull/1' }),
  });
  await execute(client, 'acceptNight', { changes: ['p1', '2'] });
  const dropped = await execute(client, 'dropNight', { night: night.branch, changes: ['p2'], reason: 'Not now.' });
  expect(dropped.message).toBe(
    'Taken out, and not proposed again. selfware/night-2026-11-25 now holds 1 change, checked again where that was ' +
      'needed. Also left out: Round down: A test failed.',
  );
  expect((await execute(client, 'dropNight')).message).toContain('is deleted');
  expect(calls).toEqual([
    ['file', night.branch, ['p1', '2']],
    ['drop', night.branch, ['p2'], 'Not now.'],
    ['drop', null, [], null],
  ]);
  expect((await execute(client, 'squashNight')).message).toContain('is one commit now: aaaaaaaaaaaa.');
  expect(await execute(client, 'nightPullRequest')).toMatchObject({ ok: true, address: 'https://example.org/pull/1' });
  expect(await execute(client, 'acceptNight', { changes: 'p1' })).toMatchObject({ ok: false });
  await dispose();
});

/** A server with a proposal for each of two files, which a night of that name holds. */
async function withTwoProposals(nights: Partial<Nights>) {
  const repository = await createTemporaryRepository({ 'src/a.ts': 'poor a\n', 'src/b.ts': 'poor b\n' });
  const { client, sessions } = startInnerServer(repository.dir, {
    capabilities: richCapabilities,
    initializationOptions: { canSave: true },
    nights: { last: async () => ({ branch: 'selfware/night-2026-11-25' }) as Night, ...nights },
  });
  await client.initialize();
  await client.until(() => sessions.some(({ calls }) => calls.includes('analysed')));
  const session = sessions[0]!;
  const { signal } = new AbortController();
  const ids: string[] = [];
  for (const path of ['src/a.ts', 'src/b.ts']) {
    const [opportunity] = await session.opportunities.shown([path]);
    const made = await session.proposals.propose({ opportunity: opportunity!.id, signal });
    ids.push((await session.verification.verify(made.proposal!.id, { signal })).id);
  }
  return { client, repository, ids };
}

test('only the named changes are applied; others of the night that wait stay as they are', async () => {
  const settled: unknown[] = [];
  const { client, repository, ids } = await withTwoProposals({
    file: async (_root, _branch, _operation, changes) => ({ changes, held: [] }),
    settle: async (_root, branch) => void settled.push(branch),
  });
  const outcome = await execute(client, 'acceptNight', { changes: [ids[1]!], apply: true });
  expect(outcome).toMatchObject({ ok: true, message: expect.stringMatching(/^1 of 1 change applied\./) });
  expect([await repository.read('src/a.ts'), await repository.read('src/b.ts')]).toEqual(['poor a\n', 'rich b\n']);
  expect(settled).toEqual(['selfware/night-2026-11-25']);
  await repository.dispose();
});

test('what was applied is told even if the night cannot be settled afterwards', async () => {
  const { client, repository, ids } = await withTwoProposals({
    file: async (_root, _branch, _operation, changes) => ({ changes, held: [] }),
    settle: () => Promise.reject(new SelfwareError('locked', 'An unattended run is in progress.')),
  });
  const outcome = await execute(client, 'acceptNight', { changes: ids, apply: true });
  expect(outcome.ok).toBe(true);
  expect(outcome.message).toMatch(/^2 of 2 changes applied\..*could not be brought up to date: .*in progress/);
  await repository.dispose();
});

test('changes are only dropped in a trusted workspace, because the others are verified again', async () => {
  const { client, dispose } = await inner({ last: async () => ({ branch: 'selfware/night-1' }) as Night }, false);
  const dropped = await Promise.all([{ changes: ['p1'] }, {}].map((params) => execute(client, 'dropNight', params)));
  expect(dropped).toMatchObject([
    { ok: false, message: expect.stringContaining('not trusted, so nothing of it is run') },
    { ok: false, message: expect.stringContaining('not trusted, so nothing is decided in it') },
  ]);
  await dispose();
});

test('the remaining changes are verified with the settings of the editor', async () => {
  const kept: unknown[] = [];
  const repository = await createTemporaryRepository(files);
  const { client } = startInnerServer(repository.dir, {
    capabilities: richCapabilities,
    initializationOptions: { canSave: true, settings: { checkpoints: { keep: 7 } } },
    nights: {
      last: async () => ({ branch: 'selfware/night-1' }) as Night,
      drop: async (_root, _branch, operation) => {
        kept.push(operation.settings['checkpoints.keep']);
        return { night: 'selfware/night-1', remaining: 1, alsoLeft: [] };
      },
    },
  });
  await client.initialize();
  expect(await execute(client, 'dropNight', { changes: ['p1'] })).toMatchObject({ ok: true });
  expect(kept).toEqual([7]);
  await repository.dispose();
});

test('nothing starts in a folder without git', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'selfware-plain-'));
  const { client, dispose } = await startRealServer(dir, { capabilities: richCapabilities });
  await client.initialize();
  const outcome = await execute(client, 'runOvernight', { until: Date.now() + HOUR });
  expect(outcome).toMatchObject({ ok: false, message: expect.stringContaining('not a git repository') });
  await dispose();
  await rm(dir, { recursive: true, force: true });
});

test('a whole night: it goes on without the window, is shown, taken and dropped', async () => {
  const repository = await createTemporaryRepository(files);
  const home = await mkdtemp(join(tmpdir(), 'selfware-home-'));
  const cli = await createCommandLine(repository.dir);
  await using peer = await createPeer('openai', ['fine']);
  const initializationOptions = { canSave: true, canAskModels: true, canStoreKeys: true };
  const options = { capabilities: richCapabilities, initializationOptions };
  const first = await startRealServer(repository.dir, options, home);
  await first.client.initialize();
  const started = await execute(first.client, 'runOvernight', { until: Date.now() + HOUR, maxChanges: 1 });
  expect(started).toMatchObject({ ok: true, message: expect.stringContaining('works in the background until') });
  expect((await first.client.request<SidebarState>('selfware/state', {})).night?.line).toMatch(
    /^Unattended run: running until \d\d:\d\d, no change yet$/,
  );
  expect(await execute(first.client, 'runOvernight', { until: Date.now() + HOUR })).toMatchObject({ ok: false });
  await first.dispose();

  const { client, dispose } = await startRealServer(repository.dir, options, home);
  await client.initialize();
  let night = await settled(client);
  expect(night).toMatchObject({ state: 'ended', line: 'Last night: 1 change', changes: 1, untaken: 1 });
  expect((await execute(client, 'showNight')).page?.markdown).toContain('## 1. ');
  expect(await repository.read('src/grade.js')).toBe(source);

  const taken = await execute(client, 'acceptNight');
  expect(taken).toMatchObject({ ok: true, message: expect.stringContaining('1 change waits for your decision') });
  const proposal = taken.review!.id;
  const state = await client.request<SidebarState>('selfware/state', {});
  expect(state.pending.map(({ id }) => id)).toEqual([proposal]);
  expect(state.night?.untaken).toBe(0);
  expect(await repository.read('src/grade.js')).toBe(source);

  expect(await execute(client, 'dropNight', { night: night!.branch })).toMatchObject({ ok: true });
  expect((await repository.git('branch', '--list', 'selfware/*')).trim()).toBe('');
  expect((await client.request<SidebarState>('selfware/state', {})).pending).toEqual([]);

  // What was dropped is not tried again, so the next run asks for the wish, with the key that the window keeps.
  await cli.run(['tonight', 'add', 'Grade 100 as S.'], { env: { SELFWARE_HOME: home } });
  await client.request('selfware/model/keys', { keys: { [new URL(peer.url).host]: 'stored' } });
  const proposer = `openai-compatible:m@${peer.url}`;
  expect(await execute(client, 'runOvernight', { until: Date.now() + HOUR, proposer })).toMatchObject({ ok: true });
  await expect.poll(() => peer.requests[0]?.key).toBe('Bearer stored');
  expect(await execute(client, 'stop')).toMatchObject({ ok: true });
  night = await settled(client);
  expect(night).toMatchObject({ changes: 0, state: expect.stringMatching(/^(?:ended|lost)$/) });
  expect(await execute(client, 'runOvernight', {})).toMatchObject({
    ok: false,
    message: expect.stringContaining('Run "Selfware: Resume" first.'),
  });
  await dispose();
  await cli.dispose();
  await rm(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  await repository.dispose();
});

test('a run ends with its window if the person wants that, and says why', async () => {
  const repository = await createTemporaryRepository(files);
  const home = await mkdtemp(join(tmpdir(), 'selfware-home-'));
  const window = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  await once(window, 'spawn');
  const settings = { night: { keepAfterWindow: false } };
  const initializationOptions = { canSave: true, settings };
  const options = { capabilities: richCapabilities, initializationOptions };
  const first = await startRealServer(repository.dir, { ...options, processId: window.pid! }, home);
  await first.client.initialize();
  expect((await execute(first.client, 'runOvernight')).night).toMatchObject({ keepsAfterWindow: false });
  const started = await execute(first.client, 'runOvernight', { until: Date.now() + HOUR });
  expect(started).toMatchObject({
    ok: true,
    message: expect.stringContaining('Closing or reloading this window ends'),
  });
  // A server that is started again in the same window does not end the run.
  await first.dispose();
  const { client, dispose } = await startRealServer(repository.dir, options, home);
  await client.initialize();
  expect((await client.request<SidebarState>('selfware/state', {})).night?.state).toMatch(/^(?:running|waiting)$/);
  window.kill('SIGKILL');
  const night = await settled(client);
  expect(night?.state).toBe('ended');
  expect((await execute(client, 'showNight')).page?.markdown).toContain('The window that started it was closed');
  await dispose();
  await repository.dispose();
  await rm(home, { recursive: true, force: true, maxRetries: 5 });
});
