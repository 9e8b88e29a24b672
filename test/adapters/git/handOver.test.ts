// A run hands its commits over to the user's repository, unless its branch belongs to somebody else by now; and two
// runs cannot take the same name.

import { once } from 'node:events';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { followBranch } from '../../../server/src/adapters/git/followedBranch.ts';
import { openNightBranch, type NightBranch } from '../../../server/src/adapters/git/nightBranch.ts';
import { createGitRunner } from '../../../server/src/adapters/git/runGit.ts';
import { beginInTime, beginRun } from '../../../server/src/app/nights/beginRun.ts';
import { cherryPickCommand } from '../../../server/src/core/run/report/leftReport.ts';
import { handOver } from '../../../server/src/app/nights/handOver.ts';
import { readKeptCommits } from '../../../server/src/app/nights/open/keptCommits.ts';
import type { NightContext } from '../../../server/src/app/nights/night.ts';
import { recordLateRun } from '../../../server/src/app/nights/recordLateRun.ts';
import { foldNights } from '../../../server/src/core/run/nights.ts';
import type { TimedNightEvent } from '../../../server/src/core/run/nightTypes.ts';
import type { Session } from '../../../server/src/core/session.ts';
import { SelfwareError } from '../../../server/src/util/typedError.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../../helpers/temporaryRepository.ts';
import { createPart } from '../../helpers/createPart.ts';

const name = 'selfware/night-2026-11-25';
const plan = { until: 1, maxChanges: 9, proposer: null, places: null };
const begun = { branch: name, run: 'run-1', since: 0, ...plan };
const signal = new AbortController().signal;
const silent = { write() {} };

let repository: TemporaryRepository;
let branch: NightBranch;
let tree: string;
let head: string;
let recorded: unknown[];
let context: NightContext;

beforeEach(async () => {
  repository = await createTemporaryRepository({ 'a.txt': 'one\n' });
  const scratch = join(repository.dir, '..', `scratch-${Date.now()}`);
  await mkdir(scratch);
  tree = join(scratch, 'tree');
  branch = await openNightBranch(repository.dir, scratch, silent);
  head = await branch.head();
  await branch.checkOut(tree, name, head, signal);
  recorded = [{ type: 'nightStarted', at: 0, data: { night: name, run: 'run-1', base: head, plan } }];
  const ledger = {
    query: async () => recorded,
    proposals: async () => [],
    record: async (event: object) => recorded.push({ ...event, at: 1 }),
  };
  context = createPart<NightContext>({ request: { onEvent() {} }, places: { tree }, branch, repository: { ledger } });
});
afterEach(async () => {
  await rm(join(tree, '..'), { recursive: true, force: true });
  await repository.dispose();
});

const session = createPart<Session>({
  ledger: { query: async () => [] },
  proposals: { all: async () => [], cost: async () => null },
});

/** A commit of the run that is not in the user's repository yet. */
async function committed(proposal: string): Promise<string> {
  const git = createGitRunner(tree);
  await writeFile(join(tree, `${proposal}.txt`), proposal);
  await git.text(['add', '-A']);
  const who = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];
  await git.text([...who, 'commit', '-q', '-m', `Change\n\nSelfware-Proposal: ${proposal}`]);
  return (await git.text(['rev-parse', 'HEAD'])).trim();
}

test('new commits arrive once, each recorded', async () => {
  const first = await committed('p1');
  expect((await handOver(context, session, begun))?.map(({ commit }) => commit)).toEqual([first]);
  expect(await handOver(context, session, begun)).toEqual([]);
  const second = await committed('p2');
  expect((await handOver(context, session, begun))?.map(({ commit }) => commit)).toEqual([second]);
  expect(await branch.tip(name)).toBe(second);
});

test('a commit that a person adds stays, and so does a deleted branch', async () => {
  await committed('p1');
  await handOver(context, session, begun);
  const files = (await repository.git('rev-parse', `${name}^{tree}`)).trim();
  const theirs = (await repository.git('commit-tree', files, '-p', name, '-m', 'mine')).trim();
  await repository.git('update-ref', `refs/heads/${name}`, theirs);
  await committed('p2');
  expect(await handOver(context, session, begun)).toBeNull();
  expect(await branch.tip(name)).toBe(theirs);
  await repository.git('update-ref', '-d', `refs/heads/${name}`);
  expect(await handOver(context, session, begun)).toBeNull();
  expect(await branch.tip(name)).toBeNull();
});

test('a branch that a person has checked out is not moved', async () => {
  const first = await committed('p1');
  await handOver(context, session, begun);
  await repository.git('checkout', '-q', name);
  await committed('p2');
  expect(await handOver(context, session, begun)).toBeNull();
  expect(await branch.tip(name)).toBe(first);
});

test('the tree of a run knows the name and address of an author or a committer, however they are set', async () => {
  await repository.git('config', 'author.name', 'Ada');
  await repository.git('config', 'committer.email', 'bot@example.com');
  await branch.checkOut(tree, name, head, signal);
  const git = createGitRunner(tree);
  expect(await git.text(['var', 'GIT_AUTHOR_IDENT'])).toMatch(/^Ada <test@example.com>/);
  expect(await git.text(['var', 'GIT_COMMITTER_IDENT'])).toMatch(/^Test Person <bot@example.com>/);
});

test('the tree of a run learns who commits now, also from the variable EMAIL', async () => {
  await repository.git('config', '--unset', 'user.email');
  // An address in a person's own configuration would take precedence.
  for (const name of ['HOME', 'XDG_CONFIG_HOME']) vi.stubEnv(name, tree);
  vi.stubEnv('EMAIL', 'ada@example.com');
  try {
    await branch.copyIdentity(tree);
  } finally {
    vi.unstubAllEnvs();
  }
  const git = createGitRunner(tree);
  for (const who of ['GIT_AUTHOR_IDENT', 'GIT_COMMITTER_IDENT'])
    expect(await git.text(['var', who])).toMatch(/^Test Person <ada@example.com>/);
});

test('a run whose branch is gone continues on another one, and ends on the first', async () => {
  await committed('p1');
  await handOver(context, session, begun);
  await repository.git('update-ref', '-d', `refs/heads/${name}`);
  const env = { SELFWARE_HOME: join(tree, '..', 'home') };
  const request = { ...context.request, rootDir: repository.dir, env, signal, plan };
  const places = { ...context.places, replay: join(tree, '..', 'replay') };
  const next = await beginRun({ ...context, request, places }, Date.now(), begun);
  expect(next).toMatchObject({ since: 0 });
  expect(next.branch).not.toBe(name);
  const data = { night: name, run: 'run-1', reason: `It continued on ${next.branch}.`, passedOver: {} };
  expect(recorded.slice(-2)).toMatchObject([{ type: 'nightStarted' }, { type: 'nightEnded', data }]);
});

/** Continues the run as after a hand-over that was not possible. */
async function continued() {
  const env = { SELFWARE_HOME: join(tree, '..', 'home') };
  const request = { ...context.request, rootDir: repository.dir, env, signal, plan };
  const places = { ...context.places, replay: join(tree, '..', 'replay') };
  const next = { ...context, request, places, branch: followBranch(branch, { ref: 'refs/heads/main', commit: head }) };
  await next.branch.checkOut(join(tree, '..', 'unused'), name, head, signal);
  return { next, begunRun: await beginRun(next, Date.now(), begun) };
}

test('a change that was made while a person had checked the branch out begins the next branch', async () => {
  await committed('p1');
  await handOver(context, session, begun);
  await repository.git('checkout', '-q', name);
  const second = await committed('p2');
  expect(await handOver(context, session, begun)).toBeNull();
  const { next, begunRun } = await continued();
  expect(begunRun.branch).not.toBe(name);
  expect((await handOver(next, session, begunRun))?.map(({ proposal }) => proposal)).toEqual(['p2']);
  expect(await branch.tip(begunRun.branch)).toBe(second);
  expect(recorded.at(-1)).toMatchObject({
    type: 'nightCommitted',
    data: { night: begunRun.branch, run: begunRun.run },
  });
});

test('a change that was made while a person moved the branch is kept by a ref, and its loss is recorded', async () => {
  const first = await committed('p1');
  await handOver(context, session, begun);
  const theirs = (await repository.git('commit-tree', `${name}^{tree}`, '-p', name, '-m', 'mine')).trim();
  await repository.git('update-ref', `refs/heads/${name}`, theirs);
  const second = await committed('p2');
  expect(await handOver(context, session, begun)).toBeNull();
  const { begunRun } = await continued();
  expect(await branch.tip(begunRun.branch)).toBeNull();
  const left = [expect.objectContaining({ proposal: 'p2', title: 'Change', lost: true, commit: second })];
  const moved = { night: name, base: head, commits: [{ proposal: 'p1', commit: first }], left };
  expect(recorded).toContainEqual(
    expect.objectContaining({ type: 'nightMoved', data: expect.objectContaining(moved) }),
  );
  expect(await repository.git('show', `refs/selfware/left/${name}/p2:p2.txt`)).toBe('p2');
});

test.each([
  ['the run goes on', false],
  ['the next run begins', true],
])(
  'a change that was made while a person merged and deleted the branch begins the next one: %s',
  async (_, isEnded) => {
    const first = await committed('p1');
    await handOver(context, session, begun);
    const second = await committed('p2');
    await repository.git('merge', '-q', name);
    await repository.git('branch', '-q', '-d', name);
    // The person's own ledger learns of the merge, so that the night counts as accepted.
    const proposals = async () => [{ id: 'p1', status: 'kept' }];
    context = createPart<NightContext>({
      ...context,
      repository: { ledger: { ...context.repository.ledger, proposals } },
    });
    expect(await handOver(context, session, begun)).toBeNull();
    if (isEnded) {
      const data = { night: name, run: 'run-1', reason: 'Its time is up.', passedOver: {} };
      recorded.push({ type: 'nightEnded', at: 1, data });
    }
    head = first;
    const { next, begunRun } = await continued();
    expect(begunRun.branch).not.toBe(name);
    expect((await handOver(next, session, begunRun))?.map(({ commit }) => commit)).toEqual([second]);
    expect(await branch.tip(begunRun.branch)).toBe(second);
  },
);

test.each([
  ['begins its branch', false],
  ['is kept by a ref after a commit of the user', true],
])('a change whose branch was deleted survives a start that came too late: it %s', async (_, hasMoved) => {
  const second = await committed('p2');
  await repository.git('branch', '-q', name, head);
  recorded.push({
    type: 'nightCommitted',
    at: 1,
    data: { night: name, run: 'run-1', commit: head, change: { proposal: 'p1' } },
  });
  await repository.git('branch', '-q', '-D', name);
  const late = await recordLateRun({ ...context, request: { ...context.request, plan } });
  expect(late.branch).not.toBe(name);
  if (hasMoved) {
    await repository.git('commit', '-q', '--allow-empty', '-m', 'Work of the user');
    head = await branch.head();
  }
  const { next, begunRun } = await continued();
  expect(begunRun.branch).toBe(late.branch);
  const added = (await handOver(next, session, begunRun))?.map(({ commit }) => commit);
  expect(added).toEqual(hasMoved ? [] : [second]);
  const kept = await readKeptCommits(repository.dir, foldNights(recorded as TimedNightEvent[]));
  const entry = { night: name, proposal: 'p2', commit: second, title: 'Change', isUntried: true };
  const reason = expect.stringContaining('was checked out, moved or deleted');
  expect(kept).toEqual(hasMoved ? [{ ...entry, reason }] : []);
  if (hasMoved) {
    expect(await repository.git('show', `refs/selfware/left/${name}/p2:p2.txt`)).toBe('p2');
    const take = cherryPickCommand(kept)!;
    expect(take).toBe(`git cherry-pick ${second.slice(0, 12)}`);
    await repository.git(...take.split(' ').slice(1));
    expect(await readKeptCommits(repository.dir, [])).toEqual([]);
  }
  if (!hasMoved) expect(await branch.tip(late.branch)).toBe(second);
});

test('kept commits come after those that they were made on, with their reasons, unless a branch has them', async () => {
  // All within one second, by names against their order.
  const [z, y, x] = [await committed('z'), await committed('y'), await committed('x')];
  await repository.git('fetch', '-q', tree, 'HEAD');
  const night = { left: [{ title: 'Y', reason: 'The same lines were changed meanwhile.', commit: y }] };
  for (const [proposal, commit] of Object.entries({ x, y, z }))
    await repository.git('update-ref', `refs/selfware/left/${name}/${proposal}`, commit);
  const kept = await readKeptCommits(repository.dir, [night]);
  expect(kept.map(({ proposal, reason, isUntried }) => [proposal, reason, isUntried])).toEqual([
    ['z', null, false],
    ['y', 'The same lines were changed meanwhile.', false],
    ['x', null, false],
  ]);
  expect(cherryPickCommand(kept)).toBeNull();
  // Another branch has the first one, and one that is not checked out has the last one in a squashed commit.
  await repository.git('branch', '-q', 'other', z);
  await repository.git('checkout', '-q', '-b', 'picked');
  await repository.git('commit', '-q', '--allow-empty', '-m', 'Squashed', '-m', '    Selfware-Proposal: x');
  await repository.git('checkout', '-q', '-');
  expect((await readKeptCommits(repository.dir, [night])).map(({ proposal }) => proposal)).toEqual(['y']);
  await repository.git('checkout', '-q', '--orphan', 'empty');
  expect(await readKeptCommits(repository.dir, [])).toHaveLength(1);
});

test.each([
  ['on its own branch', false],
  ['on another branch', true],
])('a tree whose commits cannot be read is moved aside, and the run works %s', async (_, isDeleted) => {
  await committed('p1');
  await handOver(context, session, begun);
  if (isDeleted) await repository.git('update-ref', '-d', `refs/heads/${name}`);
  await committed('p2');
  // After a power failure, the newest object may be empty.
  const blob = (await createGitRunner(tree).text(['rev-parse', 'HEAD:p2.txt'])).trim();
  const object = join(tree, '.git/objects', blob.slice(0, 2), blob.slice(2));
  await rm(object);
  await writeFile(object, '');
  const notes: string[] = [];
  const onEvent: NightContext['request']['onEvent'] = (event) => void (event.type === 'note' && notes.push(event.text));
  context = { ...context, request: { ...context.request, onEvent } };
  const { next, begunRun } = await continued();
  expect(begunRun.branch === name).toBe(!isDeleted);
  expect(await handOver(next, session, begunRun)).toEqual([]);
  const folder = (await readdir(join(tree, '..'))).find((entry) => entry.startsWith('tree-unreadable-'))!;
  expect(notes).toEqual([expect.stringContaining(folder)]);
  expect(await readFile(join(tree, '..', folder, 'p2.txt'), 'utf8')).toBe('p2');
  const left = [expect.objectContaining({ proposal: 'p2', lost: true, reason: expect.stringContaining(folder) })];
  expect(recorded).toContainEqual(
    expect.objectContaining({ type: 'nightMoved', data: expect.objectContaining({ night: name, left }) }),
  );
  await committed('p3');
  expect((await handOver(next, session, begunRun))?.map(({ proposal }) => proposal)).toEqual(['p3']);
});

test('a start that cannot be recorded leaves no branch, and the next one has the change of the earlier branch', async () => {
  await committed('p1');
  await handOver(context, session, begun);
  await repository.git('checkout', '-q', name);
  const second = await committed('p2');
  const before = await repository.git('for-each-ref');
  const { ledger } = context.repository;
  let fails = true;
  const record = (event: Parameters<typeof ledger.record>[0]) => {
    if (fails && event.type === 'nightStarted') throw new Error('It cannot be recorded.');
    return ledger.record(event);
  };
  context = createPart<NightContext>({ ...context, repository: { ledger: { ...ledger, record } } });
  for (const _ of [1, 2]) await expect(continued()).rejects.toThrow('It cannot be recorded.');
  expect(await repository.git('for-each-ref')).toBe(before);
  fails = false;
  const { next, begunRun } = await continued();
  expect((await handOver(next, session, begunRun))?.map(({ commit }) => commit)).toEqual([second]);
});

test('a lock that another process has left is an error with its name, and the branch is not taken for a moved one', async () => {
  await committed('p1');
  await handOver(context, session, begun);
  const lock = join(repository.dir, '.git/refs/heads', `${name}.lock`);
  await writeFile(lock, '');
  const second = await committed('p2');
  const error = { reason: 'unavailable', message: expect.stringContaining(`${name}.lock`) };
  await expect(handOver(context, session, begun)).rejects.toMatchObject(error);
  await rm(lock);
  expect((await handOver(context, session, begun))?.map(({ commit }) => commit)).toEqual([second]);
});

test('a person who ends the run while its branch moves ends the move, too', async () => {
  await committed('p1');
  await handOver(context, session, begun);
  await repository.git('commit', '-q', '--allow-empty', '-m', 'Work of the user');
  let isAsked = false;
  const checkOut: NightBranch['checkOut'] = async (...[, , , stop]) => {
    isAsked = true;
    if (!stop.aborted) await once(stop, 'abort');
    throw new SelfwareError('cancelled', 'Cancelled.');
  };
  const ledger = { ...context.repository.ledger, isStopped: async () => isAsked };
  const env = { SELFWARE_HOME: join(tree, '..', 'home') };
  const request = { ...context.request, rootDir: repository.dir, env, signal, plan };
  const places = { ...context.places, replay: join(tree, '..', 'replay') };
  const moving = createPart<NightContext>({ request, places, branch: { ...branch, checkOut }, repository: { ledger } });
  expect(await beginInTime(moving, { ...begun, until: Date.now() + 3_600_000 })).toBeNull();
  expect(isAsked).toBe(true);
});

test('a run that follows a branch works also while the user is on a branch without a commit', async () => {
  const followed = followBranch(branch, { ref: 'refs/heads/main', commit: head });
  const first = await committed('p1');
  await repository.git('switch', '-q', '--orphan', 'empty');
  expect(await followed.reserve(name)).toBe(true);
  await followed.release(name);
  expect((await handOver({ ...context, branch: followed }, session, begun))?.map(({ commit }) => commit)).toEqual([
    first,
  ]);
  expect(await branch.tip(name)).toBe(first);
});

test('a name is taken once; one that cannot be written is an error, not a taken name', async () => {
  expect(await branch.reserve(name)).toBe(true);
  expect(await branch.reserve(name)).toBe(false);
  await branch.release(name);
  expect(await branch.reserve(name)).toBe(true);
  await branch.release(name);
  await rm(join(repository.dir, '.git', 'refs', 'selfware'), { recursive: true, force: true });
  await writeFile(join(repository.dir, '.git', 'refs', 'selfware'), 'in the way');
  await expect(branch.reserve(name)).rejects.toThrow();
});

test('the branch of a run works in a repository with SHA-256', async () => {
  const long = await createTemporaryRepository({ 'a.txt': 'one\n' }, { format: 'sha256' });
  const scratch = `${long.dir}-scratch`;
  try {
    const branches = await openNightBranch(long.dir, scratch, silent);
    const base = await branches.head();
    expect(base).toHaveLength(64);
    expect([await branches.reserve(name), await branches.reserve(name)]).toEqual([true, false]);
    await branches.release(name);
    const folder = join(scratch, 'tree');
    await branches.checkOut(folder, name, base, signal);
    await createGitRunner(folder).text(['commit', '-q', '--allow-empty', '-m', 'Change']);
    const tip = await branches.publish(folder, name, null, signal);
    expect(await branches.tip(name)).toBe(tip);
    await branches.remove(name, tip);
    expect(await branches.tip(name)).toBeNull();
  } finally {
    await long.dispose();
    await rm(scratch, { recursive: true, force: true });
  }
});
