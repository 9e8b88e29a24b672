// Commits of an unattended run that a person has taken by git: they are kept changes, with all that follows.

import { mkdir, rm } from 'node:fs/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { resolveStateFolder } from '../../../server/src/adapters/files/stateFolder.ts';
import { openNightBranch } from '../../../server/src/adapters/git/nightBranch.ts';
import { recordMergedChanges } from '../../../server/src/app/mergedChanges.ts';
import { beginRun } from '../../../server/src/app/nights/beginRun.ts';
import type { NightContext } from '../../../server/src/app/nights/night.ts';
import { resolveNightFolders } from '../../../server/src/app/nights/nightFolders.ts';
import { openLedger } from '../../../server/src/app/nights/sharedKnowledge.ts';
import type { LedgerEvent } from '../../../server/src/core/ledger/events.ts';
import { createPart } from '../../helpers/createPart.ts';
import { createDecidedChanges, recordDecided } from '../../helpers/learnedLedger.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../../helpers/temporaryRepository.ts';

const changes = createDecidedChanges(4).map((change) => ({ ...change, ...change.edits[0]! }));
const NIGHT = 'selfware/night-2026-01-01';
const log = { write: () => undefined };
const plan = { until: null, maxChanges: 9, proposer: null, places: null };

let repository: TemporaryRepository;
let env: Record<string, string>;
beforeEach(async () => {
  repository = await createTemporaryRepository(Object.fromEntries(changes.map(({ path, before }) => [path, before!])));
  env = { SELFWARE_HOME: `${repository.dir}-home` };
  const places = resolveNightFolders(repository.dir, env);
  await recordDecided(resolveStateFolder(places.tree, places.env), createDecidedChanges(4));
  await repository.git('switch', '--quiet', '--create', NIGHT);
  const { ledger, close } = await openLedger(places.state, log);
  const record = (type: string, data: object) => ledger.record({ type, data } as unknown as LedgerEvent);
  const base = (await repository.git('rev-parse', 'main')).trim();
  await record('nightStarted', { night: NIGHT, run: 'r', base, plan, follows: 'refs/heads/main' });
  for (const { id, path, after } of changes) {
    await repository.write(path, after!);
    const commit = await commitAll(`Use const\n\nSelfware-Proposal: ${id}`);
    const change = { proposal: id, title: 'Use const', rule: 'prefer-const', recipe: 'prefer-const', author: 'recipe' };
    const facts = {
      rationale: '',
      strength: 'proven',
      claim: null,
      points: null,
      paths: [path],
      checks: [],
      cost: null,
    };
    await record('nightCommitted', { night: NIGHT, run: 'r', commit, change: { ...change, ...facts } });
  }
  await close();
});
afterEach(async () => {
  await repository.dispose();
  await rm(`${repository.dir}-home`, { recursive: true, force: true });
});

async function commitAll(message: string): Promise<string> {
  await repository.git('add', '--all');
  await repository.git('commit', '--quiet', '--message', message);
  return (await repository.git('rev-parse', 'HEAD')).trim();
}

/** Looks for merged changes, and returns the kept ones with the numbers of decisions about their rule. */
async function look() {
  await recordMergedChanges({ rootDir: repository.dir, env, log });
  const { ledger, close } = await openLedger(resolveNightFolders(repository.dir, env).state, log);
  try {
    const proposals = await ledger.proposals();
    return {
      kept: proposals.filter(({ status }) => status === 'kept').map(({ id }) => id),
      others: proposals.filter(({ status }) => status !== 'kept').map(({ id }) => id),
      edits: proposals.map(({ edits }) => edits.length),
      committed: [...(await ledger.commits()).keys()],
      trust: (await ledger.decisions()).get('prefer-const')?.kept ?? 0,
    };
  } finally {
    await close();
  }
}

test('a branch that is only looked at, under any name, or not merged, is not kept', async () => {
  expect((await look()).kept).toEqual([]);
  await repository.git('switch', '--quiet', '--create', 'review');
  expect((await look()).kept).toEqual([]);
  await repository.git('switch', '--quiet', 'main');
  expect(await look()).toMatchObject({ kept: [], others: [], trust: 0 });
});

test('merged changes are kept, once, unless they were undone since', async () => {
  await repository.git('switch', '--quiet', 'main');
  await repository.write('other.txt', 'Mine\n');
  await commitAll('Other work');
  await repository.git('merge', '--quiet', '--no-edit', NIGHT);
  await repository.write(changes[1]!.path, changes[1]!.before!);
  await commitAll('This one has to vary');
  const ids = ['p-0', 'p-2', 'p-3'];
  const expected = { kept: ids, others: [], edits: [1, 1, 1], committed: ids, trust: 3 };
  expect(await look()).toEqual(expected);
  expect(await look()).toEqual(expected);
});

test('a change that was cherry-picked is kept, and the others wait', async () => {
  await repository.git('switch', '--quiet', 'main');
  await repository.git('cherry-pick', `${NIGHT}~2`);
  expect(await look()).toMatchObject({ kept: ['p-1'], others: [], trust: 1 });
});

test.each([
  ['as git joins them', ['merge', '--quiet', '--squash', NIGHT], ['commit', '--quiet', '--no-edit']],
  ['as a service joins them', ['merge', '--quiet', '--squash', NIGHT], ['commit', '--quiet', '-m', squashed()]],
])('squashed changes are kept if the message names them, %s', async (_, merge, commit) => {
  await repository.git('switch', '--quiet', 'main');
  await repository.git(...merge);
  await repository.git(...commit);
  expect((await look()).kept).toEqual(changes.map(({ id }) => id));
});

test('all changes are imported before the first is kept, and settled only once their commits are recorded', async () => {
  await repository.git('switch', '--quiet', 'main');
  await repository.git('merge', '--quiet', NIGHT);
  await look();
  const { ledger, close } = await openLedger(resolveNightFolders(repository.dir, env).state, log);
  const types = (await ledger.query({})).map(({ type }) => type).filter((type) => !type.startsWith('nightCommitted'));
  await close();
  const [imported, kept] = [types.indexOf('proposed'), types.indexOf('committed')];
  expect(types.slice(imported, kept)).toEqual(changes.flatMap(() => ['proposed', 'verifying', 'verified']));
  expect(types.slice(kept)).toEqual(changes.flatMap(() => ['committed', 'nightMerged']));
});

test('a change that was cherry-picked is kept also if the branch of the night follows before the next start', async () => {
  await repository.git('switch', '--quiet', 'main');
  await repository.git('cherry-pick', `${NIGHT}~2`);
  for (const { id, path } of changes) if (id !== 'p-1') await repository.write(path, 'Mine\n');
  await commitAll('Other work in the same lines');
  const places = resolveNightFolders(repository.dir, env);
  await mkdir(places.scratch, { recursive: true });
  const opened = await openLedger(places.state, log);
  const { signal } = new AbortController();
  const context = createPart<NightContext>({
    request: { rootDir: repository.dir, env, log, signal, plan, onEvent: () => undefined },
    places,
    branch: await openNightBranch(repository.dir, places.scratch, log),
    repository: opened,
  });
  await beginRun(context, Date.now());
  const moved = await opened.ledger.query({ types: ['nightMoved'] });
  await opened.close();
  expect(moved).toMatchObject([{ data: { commits: [] } }]);
  expect(await look()).toMatchObject({ kept: ['p-1'], others: [] });
});

/** The message of a squashed pull request. */
function squashed(): string {
  return changes.map(({ id }) => `* Use const\n\nSelfware-Proposal: ${id}`).join('\n\n');
}
