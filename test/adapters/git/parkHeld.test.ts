// Held changes leave the branch of a night: its tip and the tree of the run lose them, and their commits stay.

import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openNightBranch, type NightBranch } from '../../../server/src/adapters/git/nightBranch.ts';
import { createGitRunner } from '../../../server/src/adapters/git/runGit.ts';
import { nightOn, type NightContext } from '../../../server/src/app/nights/night.ts';
import { forgetParked, parkable, parkHeld } from '../../../server/src/app/nights/moveNight.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../../helpers/temporaryRepository.ts';

const night = 'selfware/night-2026-11-25';
const run = 'run-1';
const begun = { branch: night };
const plan = { until: 1, maxChanges: 9, proposer: 'mailbox:x', places: null };
const { signal } = new AbortController();
const silent = { write() {} };

let repository: TemporaryRepository;
let branch: NightBranch;
let scratch: string;
let recorded: object[];
let context: NightContext;

beforeEach(async () => {
  repository = await createTemporaryRepository({ 'a.txt': 'one\n' });
  scratch = `${repository.dir}-scratch`;
  await mkdir(scratch);
  branch = await openNightBranch(repository.dir, scratch, silent);
  const base = await branch.head();
  const places = { tree: join(scratch, 'tree'), replay: join(scratch, 'replay') };
  await branch.checkOut(places.tree, night, base, signal);
  recorded = [{ type: 'nightStarted', at: 0, data: { night, run, base, plan } }];
  const ledger = {
    query: async () => recorded,
    proposals: async () => [],
    record: async (event: object) => recorded.push({ ...event, at: 1 }),
  };
  context = { request: { onEvent() {}, signal }, places, branch, repository: { ledger } } as unknown as NightContext;
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
const now = () => nightOn(context.repository.ledger, night);

test('before a task is “solved” nothing is held; then what the proposer made leaves the branch, and its commit stays', async () => {
  const honest = await committed('p1', 'recipe');
  const held = await committed('p2', 'model');
  await parkHeld(context, begun);
  expect(await branch.tip(night)).toBe(held);
  solved();
  await parkHeld(context, begun);
  expect(await branch.tip(night)).toBe(honest);
  await repository.git('merge', '--quiet', night);
  expect(await repository.read('p1.txt')).toBe('p1');
  expect(await repository.read('p2.txt')).toBeNull();
  await expect(readFile(join(context.places.tree, 'p2.txt'))).rejects.toThrow('ENOENT');
  const after = await now();
  expect(after).toMatchObject({ changes: [{ proposal: 'p1', commit: honest }], parked: [{ proposal: 'p2' }] });
  expect(await repository.git('show', `${after.parked[0]!.commit}:p2.txt`)).toBe('p2');
  expect(await repository.git('for-each-ref', '--format=%(objectname)', 'refs/selfware/held')).toBe(`${held}\n`);
  expect(await parkable(context, begun)).toEqual([]);
  await forgetParked(context, after, new Set(['p2']));
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
