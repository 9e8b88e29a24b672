// "Judge This Branch…": which bases are offered, and the page of a judgement, with progress and an end.

import { afterEach, beforeEach, expect, test } from 'vitest';
import { findBases } from '../../server/src/adapters/git/baseRevisions.ts';
import type { Judgement } from '../../server/src/core/model/judgement.ts';
import type { Judging } from '../../server/src/lsp/serverContext.ts';
import { SelfwareError } from '../../server/src/util/typedError.ts';
import { richCapabilities } from '../helpers/clientCapabilities.ts';
import type { LspClient } from '../helpers/lspClient.ts';
import { startInnerServer, startRealServer } from '../helpers/lspServers.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../helpers/temporaryRepository.ts';

const signal = new AbortController().signal;
const judgement: Judgement = {
  base: '0123456789abcdef',
  head: null,
  authors: [],
  files: { changed: 1, added: 0, deleted: 0, renamed: 0, binary: 0, paths: [], remaining: [] },
  strength: 'unchecked',
  claims: [],
  verdicts: [{ gate: 'tests', outcome: 'failed', reason: '1 test fails.', evidence: {}, millis: 1 }],
  tests: { changes: [], added: 0 },
  points: { before: null, after: null },
  policy: { source: null, met: false, rules: [] },
  notes: [],
  seconds: 1,
};

let repository: TemporaryRepository;
beforeEach(async () => (repository = await createTemporaryRepository({ 'src/a.ts': 'fine\n' })));
afterEach(() => repository.dispose());

async function start(judging: Omit<Judging, 'identify'>, trusted = true) {
  const { client } = startInnerServer(repository.dir, {
    capabilities: richCapabilities,
    initializationOptions: { canSave: true, trusted },
    judging: { ...judging, identify: async () => '' },
  });
  await client.initialize();
  return client;
}

const execute = (client: LspClient, argument: object = {}) =>
  client.request('workspace/executeCommand', { command: 'selfware.server.judgeBranch', arguments: [argument] });

test('without a base those that may be meant are told; with one the answer is the page', async () => {
  const asked: string[] = [];
  const client = await start({
    bases: async () => [{ name: 'origin/main', detail: 'from 01234567 on' }],
    judge: async ({ base }) => (asked.push(base), judgement),
  });
  expect(await execute(client)).toMatchObject({ ok: true, bases: [{ name: 'origin/main' }] });
  expect(asked).toEqual([]);
  expect(await execute(client, { base: 'origin/main' })).toMatchObject({
    ok: true,
    message: 'This check fails: Tests (unchecked).',
    page: { title: 'Selfware: Judge This Branch', markdown: expect.stringContaining('1 test fails.') },
  });
  expect(asked).toEqual(['origin/main']);
});

test('nothing is judged in a workspace that is not trusted; what cannot be judged is said in words of the palette', async () => {
  const judge = () =>
    Promise.reject(
      new SelfwareError('notFound', 'No such commit.', { action: 'Run `selfware setup` or `selfware setup --at x`.' }),
    );
  const judging = { bases: async () => [], judge };
  expect(await execute(await start(judging, false), { base: 'main' })).toMatchObject({
    ok: false,
    message: expect.stringContaining('not trusted'),
  });
  const client = await start(judging);
  expect(await execute(client)).toMatchObject({ ok: false, message: expect.stringContaining('no commit here') });
  expect((await execute(client, { base: 'x' })).message).toBe(
    'No such commit. Run "Selfware: Set Up Tests…" or `selfware setup --at x`.',
  );
});

test('it tells how far it is, and ends when it is cancelled', async () => {
  const client = await start({
    bases: async () => [],
    judge: (asked) =>
      new Promise((_, reject) => asked.signal.addEventListener('abort', () => reject(asked.signal.reason))),
  });
  const answer = execute(client, { base: 'main' });
  const { params } = await client.waitFor(
    ({ method, params: given }) =>
      method === '$/progress' &&
      given.value.kind === 'begin' &&
      /judging this branch from main/.test(given.value.title),
  );
  await client.notify('window/workDoneProgress/cancel', { token: params.token });
  expect(await answer).toMatchObject({ ok: false, cancelled: true });
});

test('the default branch comes first, each shared commit once, and what is not committed last', async () => {
  const { git, write, dir } = repository;
  expect(await findBases(dir, signal)).toEqual([{ name: 'HEAD', detail: 'uncommitted work only' }]);
  await git('update-ref', 'refs/remotes/origin/main', 'HEAD');
  await git('switch', '--quiet', '--create', 'fix');
  await write('src/a.ts', 'finer\n');
  await git('commit', '--quiet', '--all', '--message', 'finer');
  const from = (await git('rev-parse', '--short=8', 'main')).trim();
  expect(await findBases(dir, signal)).toEqual([
    { name: 'origin/main', detail: `1 commit since ${from}, and uncommitted work` },
    { name: 'HEAD', detail: 'uncommitted work only' },
  ]);
});

test('the built server judges the working tree and leaves it as it is', async () => {
  const { client, dispose } = await startRealServer(repository.dir, { capabilities: richCapabilities });
  await client.initialize();
  await repository.write('notes.md', 'New.\n');
  const before = await repository.git('status', '--porcelain');
  expect(await execute(client, { base: 'HEAD' })).toMatchObject({
    ok: true,
    page: { markdown: expect.stringContaining('nothing speaks against this change') },
  });
  expect(await repository.git('status', '--porcelain')).toBe(before);
  await dispose();
});
