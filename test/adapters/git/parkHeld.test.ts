// Held changes leave the branch of a night: its tip and the tree of the run lose them, and their commits stay.

import { once } from 'node:events';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openNightBranch, type NightBranch } from '../../../server/src/adapters/git/nightBranch.ts';
import { createGitRunner } from '../../../server/src/adapters/git/runGit.ts';
import { requireNight, type NightContext } from '../../../server/src/app/nights/night.ts';
import { beginRun, beginInTime } from '../../../server/src/app/nights/beginRun.ts';
import { handOver } from '../../../server/src/app/nights/handOver.ts';
import {
  computeNightAfterMove,
  parkAndRestore,
  forgetDecided,
  forgetParked,
  moveNight,
  findParkable,
  parkHeld,
} from '../../../server/src/app/nights/moveNight.ts';
import type { Session } from '../../../server/src/core/session.ts';
import { SelfwareError } from '../../../server/src/util/typedError.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../../helpers/temporaryRepository.ts';
import { createPart } from '../../helpers/createPart.ts';

const night = 'selfware/night-2026-11-25';
const run = 'run-1';
const begun = { branch: night, until: 4e12 };
const plan = { until: 1, maxChanges: 9, proposer: 'mailbox:x', places: null };
const { signal } = new AbortController();
const silent = { write() {} };

let repository: TemporaryRepository;
let branch: NightBranch;
let scratch: string;
let recorded: object[];
let context: NightContext;
let proposals: { readonly id: string; readonly status: string }[];

beforeEach(async () => {
  repository = await createTemporaryRepository({ 'a.txt': 'one\n' });
  scratch = `${repository.dir}-scratch`;
  await mkdir(scratch);
  branch = await openNightBranch(repository.dir, scratch, silent);
  const base = await branch.head();
  const places = { tree: join(scratch, 'tree'), replay: join(scratch, 'replay') };
  await branch.checkOut(places.tree, night, base, signal);
  recorded = [{ type: 'nightStarted', at: 0, data: { night, run, base, plan } }];
  proposals = [];
  const ledger = {
    query: async () => recorded,
    proposals: async () => proposals,
    isStopped: async () => false,
    record: async (event: object) => recorded.push({ ...event, at: 1 }),
  };
  context = createPart<NightContext>({
    request: { onEvent() {}, rootDir: repository.dir, env: { SELFWARE_HOME: join(scratch, 'home') }, signal, plan },
    places,
    branch,
    repository: { ledger },
  });
});
afterEach(async () => {
  await rm(scratch, { recursive: true, force: true });
  await repository.dispose();
});

/** A change that is on the branch, in the user's repository, and recorded. */
async function committed(proposal: string, author: 'recipe' | 'model'): Promise<string> {
  const { tree } = context.places;
  const git = createGitRunner(tree);
  await writeFile(join(tree, `${proposal}.txt`), proposal);
  await git.text(['add', '-A']);
  const who = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];
  await git.text([...who, 'commit', '-q', '-m', `Change\n\nSelfware-Proposal: ${proposal}`]);
  const commit = await branch.publish(tree, night, await branch.tip(night), signal);
  const change = { proposal, title: proposal, author, turns: [] };
  recorded.push({ type: 'nightCommitted', at: 1, data: { night, run, commit, change } });
  return commit;
}

const solved = () =>
  recorded.push({
    type: 'nightCanary',
    at: 2,
    data: { night, run, proposer: 'mailbox:x', test: 't', path: 'a', solved: true, reason: null },
  });
const session = createPart<Session>({
  ledger: { query: async () => [] },
  proposals: { all: async () => [], cost: async () => null },
});

/** The next start of a run, up to what it hands over. */
async function startedAgain() {
  const next = await beginRun(context, 0);
  expect(next.branch).toBe(night);
  return handOver(context, session, next);
}

const now = () => requireNight(context.repository.ledger, night);

test('before a task is “solved” nothing is held; then what the proposer made leaves the branch, and its commit stays', async () => {
  const honest = await committed('p1', 'recipe');
  const held = await committed('p2', 'model');
  await parkHeld(context, begun);
  expect(await branch.tip(night)).toBe(held);
  solved();
  const told: unknown[] = [];
  const onEvent = (event: unknown) => told.push(event);
  await parkHeld({ ...context, request: { ...context.request, onEvent } } as NightContext, begun);
  // Nobody is told that their own branch has new commits.
  expect(told).toMatchObject([{ type: 'moved', kept: 1, left: 0, parked: 1 }]);
  expect(await branch.tip(night)).toBe(honest);
  await repository.git('merge', '--quiet', night);
  expect(await repository.read('p1.txt')).toBe('p1');
  expect(await repository.read('p2.txt')).toBeNull();
  await expect(readFile(join(context.places.tree, 'p2.txt'))).rejects.toThrow('ENOENT');
  const after = await now();
  expect(after).toMatchObject({ changes: [{ proposal: 'p1', commit: honest }], parked: [{ proposal: 'p2' }] });
  expect(await repository.git('show', `${after.parked[0]!.commit}:p2.txt`)).toBe('p2');
  expect(await repository.git('for-each-ref', '--format=%(objectname)', 'refs/selfware/held')).toBe(`${held}\n`);
  expect(await findParkable(context, begun)).toEqual([]);
  await forgetParked(context, night, ['p2']);
  expect(await repository.git('for-each-ref', 'refs/selfware/held')).toBe('');
});

test('a branch of held changes alone is at its base again', async () => {
  await committed('p1', 'model');
  solved();
  await parkHeld(context, begun);
  expect(await branch.tip(night)).toBe(await branch.head());
  expect(await now()).toMatchObject({ changes: [], parked: [{ proposal: 'p1' }] });
});

test('a branch that a person has checked out keeps them', async () => {
  const held = await committed('p1', 'model');
  solved();
  await repository.git('checkout', '--quiet', night);
  await parkHeld(context, begun);
  expect(await branch.tip(night)).toBe(held);
  expect(await now()).toMatchObject({ changes: [{ proposal: 'p1' }], parked: [] });
});

test('what a person drops from the end of the branch does not come back with the next run', async () => {
  const first = await committed('p1', 'recipe');
  await committed('p2', 'recipe');
  const open = await now();
  await moveNight(context, open, { onto: open.base, without: new Set(['p2']) });
  // The tree of the run still holds it.
  await expect(readFile(join(context.places.tree, 'p2.txt'), 'utf8')).resolves.toBe('p2');
  expect(await handOver(context, session, { ...begun, run, since: 0, ...plan })).toBeNull();
  expect(await startedAgain()).toEqual([]);
  expect(await branch.tip(night)).toBe(first);
  expect(await now()).toMatchObject({ changes: [{ proposal: 'p1' }], gone: ['p2'] });
});

test('a process that dies after parking, before the tree has lost the changes, brings none back', async () => {
  const first = await committed('p1', 'recipe');
  await committed('p2', 'model');
  solved();
  const checkOut = branch.checkOut;
  context = { ...context, branch: { ...branch, checkOut: dies(checkOut, context.places.tree) } };
  expect(await parkHeld(context, begun)).toContain('It died.');
  context = { ...context, branch };
  expect(await startedAgain()).toEqual([]);
  expect(await branch.tip(night)).toBe(first);
  expect((await now()).parked.map(({ proposal }) => proposal)).toEqual(['p2']);
});

/** `checkOut` that fails for this folder. */
function dies(checkOut: NightBranch['checkOut'], folder: string): NightBranch['checkOut'] {
  return async (...given) => {
    if (given[0] === folder) throw new Error('It died.');
    await checkOut(...given);
  };
}

test('a move whose process died is recorded: what was being parked is parked, what a person dropped is not', async () => {
  await committed('p1', 'model');
  await committed('p2', 'model');
  solved();
  const ledger = { ...context.repository.ledger, record: () => Promise.reject(new Error('It died.')) };
  const dying = createPart<NightContext>({ ...context, repository: { ledger } });
  const open = await now();
  await expect(moveNight(dying, open, { onto: open.base, without: new Set(['p2']) })).rejects.toThrow('It died.');
  expect(await computeNightAfterMove(context, open)).toMatchObject({
    changes: [{ proposal: 'p1' }],
    parked: [],
    gone: ['p2'],
  });
  expect(await parkHeld(dying, begun)).toContain('It died.');
  expect(await computeNightAfterMove(context, await now())).toMatchObject({
    changes: [],
    parked: [{ proposal: 'p1' }],
  });
});

test('a run that ends meanwhile takes off the held change and what came after it, without judging; nothing throws', async () => {
  const first = await committed('p1', 'recipe');
  const held = await committed('p2', 'model');
  const later = await committed('p3', 'recipe');
  solved();
  context = { ...context, request: { ...context.request, signal: AbortSignal.abort() } };
  const end = await parkAndRestore(context, begun, async () => 'moved');
  expect(end).toEqual({ reason: 'It was ended by a signal, such as Ctrl+C.', passedOver: {} });
  expect(await branch.tip(night)).toBe(first);
  expect(await now()).toMatchObject({ parked: [{ commit: held }, { commit: later }], changes: [{ commit: first }] });
  const refs = await repository.git('for-each-ref', '--format=%(objectname)', 'refs/selfware/held');
  expect(refs.trim().split('\n').sort()).toEqual([held, later].sort());
});

test('after its time nothing is judged, and held changes that cannot be taken off still leave the run an end', async () => {
  const held = await committed('p1', 'model');
  const later = await committed('p2', 'recipe');
  const ended = { reason: 'Its time is up.', passedOver: {} };
  const notes: string[] = [];
  const onEvent = (event: { type: string; text?: string }) => event.type === 'note' && notes.push(event.text ?? '');
  const broken = createPart<NightContext>({
    ...context,
    request: { ...context.request, onEvent },
    branch: { ...branch, checkOut: dies(branch.checkOut, context.places.replay) },
  });
  const run = async () => {
    solved();
    return ended;
  };
  expect(await parkAndRestore(broken, begun, run)).toEqual(ended);
  expect(notes.at(-1)).toContain('Held changes could not be taken off');
  expect(await branch.tip(night)).toBe(later);
  expect(await parkAndRestore(broken, begun, async () => 'moved')).toMatchObject({
    reason: expect.stringContaining('It died.'),
  });
  expect(await parkHeld(context, { ...begun, until: 1 })).toBeNull();
  expect(await now()).toMatchObject({ changes: [], parked: [{ commit: held }, { commit: later }] });
});

test('a run whose time is up ends, instead of beginning again on a moved branch', async () => {
  await committed('p1', 'recipe');
  const past = { ...begun, until: 1 };
  expect(await parkAndRestore(context, past, async () => 'moved')).toEqual({
    reason: 'Its time is up.',
    passedOver: {},
  });
  expect(await parkAndRestore(context, begun, async () => 'moved')).toBe('moved');
  const running = { ...begun, run, since: 0, maxChanges: 9, proposer: null, places: null };
  const before = recorded.length;
  expect(await beginInTime(context, { ...running, until: 1 })).toBeNull();
  // Its time is over while the branch is moved.
  await repository.git('commit', '--quiet', '--allow-empty', '-m', 'Mine');
  const checkOut: NightBranch['checkOut'] = async (...[, , , asked]) => {
    if (!asked.aborted) await once(asked, 'abort');
    throw new SelfwareError('cancelled', 'It was cancelled.');
  };
  const slow = createPart<NightContext>({ ...context, branch: { ...branch, checkOut } });
  expect(await beginInTime(slow, { ...running, until: Date.now() + 500 })).toBeNull();
  expect(recorded).toHaveLength(before);
});

test('the ref of a parked change goes once a person has applied or rejected it', async () => {
  await committed('p1', 'model');
  await committed('p2', 'model');
  solved();
  await parkHeld(context, begun);
  const refs = () => repository.git('for-each-ref', '--format=%(refname)', 'refs/selfware/held');
  await repository.git('update-ref', 'refs/selfware/held/another-tree/p1', 'HEAD');
  proposals = [
    { id: 'p1', status: 'kept' },
    { id: 'p2', status: 'verified' },
  ];
  await forgetDecided(context);
  expect(await refs()).toBe(`refs/selfware/held/another-tree/p1\nrefs/selfware/held/${night}/p2\n`);
  proposals = [{ id: 'p2', status: 'rejected' }];
  await beginRun(context, 0);
  expect(await refs()).toBe('refs/selfware/held/another-tree/p1\n');
});
