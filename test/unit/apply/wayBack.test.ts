// Rolling back, recovering and forgetting: the user's own work always stays.

import { expect, test } from 'vitest';
import { applyEdits } from '../../../server/src/core/apply/apply.ts';
import { putEntry } from '../../../server/src/core/apply/checkpointBook.ts';
import { pruneCheckpoints } from '../../../server/src/core/apply/prune.ts';
import { recover } from '../../../server/src/core/apply/recover.ts';
import { rollback } from '../../../server/src/core/apply/rollback.ts';
import type { Checkpoint } from '../../../server/src/core/model.ts';
import { bytes, createWorld, end, proposal, signal, start } from './world.ts';
import type { JournalEntry } from '../../../server/src/core/ports/files.ts';

type World = ReturnType<typeof createWorld>;

async function changedWorld(
  options: Parameters<typeof createWorld>[1] = {},
): Promise<{ world: World; checkpoint: Checkpoint }> {
  const world = createWorld(start, options);
  return { world, checkpoint: await applyEdits(world.ctx, { proposal }, signal) };
}

/** Writes as the journal would hold them for the change of the tests. */
const writes: JournalEntry['writes'] = [
  { path: 'a.txt', before: bytes('a1\r\n'), after: bytes('a2\r\n'), mode: 0o644 },
  { path: 'b.txt', before: bytes('b1\n'), after: null, mode: 0o644 },
  { path: 'new/c.txt', before: null, after: bytes('c2\n'), mode: 0o644 },
];
const entry: JournalEntry = { id: 'c-9', kind: 'apply', checkpoint: 'c-9', startedAt: 1, writes };

test('rolling back restores every byte, once', async () => {
  const { world, checkpoint } = await changedWorld();
  world.clock.advance(10);
  const restored = await rollback(world.ctx, checkpoint, signal);
  expect(restored).toEqual({ ...checkpoint, rolledBackAt: world.clock.now() });
  expect(world.tree.all()).toEqual(start);
  expect(await world.openEntries()).toBe(0);
  expect((await recover(world.ctx)).settled).toEqual([
    { checkpoint: checkpoint.id, proposal: 'p-1', outcome: 'rolledBack', record: restored },
  ]);
  await expect(rollback(world.ctx, restored, signal)).rejects.toMatchObject({ reason: 'illegalStep' });
});

test.each<[string, Readonly<Record<string, string | null>>, readonly string[]]>([
  ['a modified file was edited', { 'a.txt': 'mine' }, ['a.txt']],
  ['a modified file was deleted', { 'a.txt': null }, ['a.txt']],
  ['a created file was edited', { 'new/c.txt': 'mine' }, ['new/c.txt']],
  ['a deleted file was made anew', { 'b.txt': 'mine' }, ['b.txt']],
  ['a folder took the place of a created file', { 'new/c.txt': null, 'new/c.txt/x': 'x' }, ['new/c.txt']],
  ['all at once', { 'a.txt': '1', 'new/c.txt': '2', 'b.txt': '3' }, ['a.txt', 'b.txt', 'new/c.txt']],
])('a conflict leaves everything as it is: %s', async (_what, changes, named) => {
  const { world, checkpoint } = await changedWorld();
  for (const [path, content] of Object.entries(changes)) world.tree.set(path, content);
  const before = world.tree.all();
  const error: unknown = await rollback(world.ctx, checkpoint, signal).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ reason: 'conflict' });
  for (const path of named) expect((error as Error).message).toContain(path);
  expect(world.tree.all()).toEqual(before);
  expect(await world.openEntries()).toBe(0);
});

test.each([
  ['a link that leads back to its own name', { path: 'a.txt', throughLink: true }],
  ['a file that the disk knows by another name', { path: 'A.txt', throughLink: false }],
  ['a place outside of the repository', null],
])('a rollback writes nothing where a file has become %s', async (_what, place) => {
  const { world, checkpoint } = await changedWorld();
  const resolve: typeof world.tree.resolve = async (path) => (path === 'a.txt' ? place : world.tree.resolve(path));
  await expect(rollback({ ...world.ctx, files: { ...world.tree, resolve } }, checkpoint, signal)).rejects.toMatchObject(
    { reason: 'conflict', message: expect.stringContaining('since: a.txt.') },
  );
  expect(world.tree.all()).toEqual(end);
  expect(await world.openEntries()).toBe(0);
});

test.each<[string, Readonly<Record<string, string | null>>]>([
  ['one', { 'a.txt': 'a1\r\n' }],
  ['a created file that is gone', { 'new/c.txt': null }],
  ['a deleted file that is there again', { 'b.txt': 'b1\n' }],
  ['all', { 'a.txt': 'a1\r\n', 'new/c.txt': null, 'b.txt': 'b1\n' }],
])('what is back already is no conflict: %s', async (_what, changes) => {
  const { world, checkpoint } = await changedWorld();
  for (const [path, content] of Object.entries(changes)) world.tree.set(path, content);
  await rollback(world.ctx, checkpoint, signal);
  expect(world.tree.all()).toEqual(start);
});

test('either copy of the pre-images is enough, and only a whole one', async () => {
  const withoutCopy = await changedWorld();
  await withoutCopy.world.documents.remove!(`checkpoint-${withoutCopy.checkpoint.id}`);
  await rollback(withoutCopy.world.ctx, withoutCopy.checkpoint, signal);
  expect(withoutCopy.world.tree.all()).toEqual(start);

  const damagedCopy = await changedWorld();
  damagedCopy.world.documents.damage(`checkpoint-${damagedCopy.checkpoint.id}`);
  await rollback(damagedCopy.world.ctx, damagedCopy.checkpoint, signal);
  expect(damagedCopy.world.tree.all()).toEqual(start);

  const forgedCopy = await changedWorld();
  await forgedCopy.world.documents.write(`checkpoint-${forgedCopy.checkpoint.id}`, {
    files: [{ path: 'a.txt', base64: 'AAAA' }],
  });
  await rollback(forgedCopy.world.ctx, forgedCopy.checkpoint, signal);
  expect(forgedCopy.world.tree.all()).toEqual(start);

  const withoutRef = await changedWorld();
  await withoutRef.world.git.deleteCheckpoint(withoutRef.checkpoint.ref!);
  await rollback(withoutRef.world.ctx, withoutRef.checkpoint, signal);
  expect(withoutRef.world.tree.all()).toEqual(start);

  const withNeither = await changedWorld();
  await withNeither.world.git.deleteCheckpoint(withNeither.checkpoint.ref!);
  await withNeither.world.documents.remove!(`checkpoint-${withNeither.checkpoint.id}`);
  await expect(rollback(withNeither.world.ctx, withNeither.checkpoint, signal)).rejects.toMatchObject({
    reason: 'notFound',
    message: expect.stringContaining('a.txt'),
  });
  expect(withNeither.world.tree.all()).toEqual(end);
});

test('a rollback that fails half-way leaves the change in place', async () => {
  const { world, checkpoint } = await changedWorld();
  let failures = 0;
  world.failAt('b.txt', () => (failures += 1) > 1);
  await expect(rollback(world.ctx, checkpoint, signal)).rejects.toMatchObject({ reason: 'diskFull' });
  expect(world.tree.all()).toEqual(end);
  expect(await world.openEntries()).toBe(0);
  await rollback(world.restarted(), checkpoint, signal);
  expect(world.tree.all()).toEqual(start);
});

test('a rollback waits for nobody', async () => {
  const { world, checkpoint } = await changedWorld();
  await expect(rollback(world.ctx, checkpoint, AbortSignal.abort())).rejects.toMatchObject({ reason: 'cancelled' });
  world.held.add('apply');
  await expect(rollback(world.ctx, checkpoint, signal)).rejects.toMatchObject({ reason: 'locked' });
  expect(world.tree.all()).toEqual(end);
});

test.each<[string, Readonly<Record<string, string>>, Readonly<Record<string, string>>, string, readonly string[]]>([
  ['nothing was written', start, start, 'notApplied', []],
  ['one file was written', { ...start, 'a.txt': 'a2\r\n' }, start, 'notApplied', []],
  ['two files were written', { 'a.txt': 'a2\r\n', 'keep.txt': 'k\n' }, start, 'notApplied', []],
  ['everything was written', end, end, 'applied', []],
  [
    'the user has edited one meanwhile',
    { ...end, 'a.txt': 'mine' },
    { ...start, 'a.txt': 'mine' },
    'notApplied',
    ['a.txt'],
  ],
  [
    'the user has edited what was not written yet',
    { ...start, 'a.txt': 'a2\r\n', 'b.txt': 'mine' },
    { ...start, 'b.txt': 'mine' },
    'notApplied',
    ['b.txt'],
  ],
])('recovery after a crash: %s', async (_what, left, expected, outcome, named) => {
  const world = createWorld(left);
  await world.journal.begin(entry);
  const recovery = await recover(world.ctx);
  expect(world.tree.all()).toEqual(expected);
  expect(recovery.settled.map((settled) => settled.outcome)).toEqual([outcome]);
  expect(recovery.notices).toHaveLength(named.length > 0 ? 1 : 0);
  for (const path of named) expect(recovery.notices[0]?.message).toContain(path);
  expect(await world.openEntries()).toBe(0);
  expect(await recover(world.ctx)).toMatchObject({ notices: [] });
  expect(world.tree.all()).toEqual(expected);
});

test('a change that was noted as done is done, whatever was edited since', async () => {
  const { world, checkpoint } = await changedWorld();
  await world.journal.begin({ ...entry, id: checkpoint.id, checkpoint: checkpoint.id });
  world.tree.set('a.txt', 'mine');
  const recovery = await recover(world.ctx);
  expect(recovery).toEqual({
    notices: [],
    settled: [{ checkpoint: checkpoint.id, proposal: 'p-1', outcome: 'applied', record: checkpoint }],
  });
  expect(world.tree.all()).toEqual({ ...end, 'a.txt': 'mine' });
  expect(await world.openEntries()).toBe(0);
});

test('a damaged journal entry is told and kept; the others are settled', async () => {
  const world = createWorld({ ...start, 'a.txt': 'a2\r\n' });
  await world.journal.begin({ ...entry, id: 'c-8', checkpoint: 'c-8' });
  world.journal.damage('c-8');
  await world.journal.begin(entry);
  for (const settled of [1, 0]) {
    const recovery = await recover(world.ctx);
    expect(recovery.notices).toMatchObject([{ severity: 'error', message: expect.stringContaining('c-8') }]);
    expect(recovery.settled).toHaveLength(settled);
  }
  expect(world.tree.all()).toEqual(start);
  expect((await world.journal.openEntries()).damaged).toEqual(['c-8']);
});

test('without the list of checkpoints the files are put right, and the rest waits for it', async () => {
  const world = createWorld({ ...start, 'a.txt': 'a2\r\n' });
  await world.journal.begin(entry);
  world.documents.damage('checkpoints');
  expect(await recover(world.ctx)).toMatchObject({ notices: [{ severity: 'error' }], settled: [] });
  expect(world.tree.all()).toEqual(start);
  expect(await world.openEntries()).toBe(1);
  await world.documents.remove!('checkpoints');
  expect(await recover(world.ctx)).toMatchObject({ notices: [], settled: [{ outcome: 'notApplied' }] });
  expect(await world.openEntries()).toBe(0);
});

test.each([true, false])(
  'a checkpoint of a change that never began is cleared away (with its ref noted: %s)',
  async (noted) => {
    const { world, checkpoint } = await changedWorld();
    const images = [{ path: 'a.txt', bytes: bytes('a1\r\n'), mode: 0o644 }];
    const ref = await world.git.saveCheckpoint('c-7', 'Change', images);
    const abandoned: Checkpoint = { ...checkpoint, id: 'c-7', proposal: 'p-7', ref: noted ? ref : null };
    await world.documents.write('checkpoint-c-7', { files: [] });
    await putEntry(world.ctx, { checkpoint: abandoned, state: 'prepared', copySize: 0 });
    expect((await recover(world.ctx)).settled).toEqual([
      { checkpoint: 'c-7', proposal: 'p-7', outcome: 'notApplied', record: null },
      { checkpoint: checkpoint.id, proposal: 'p-1', outcome: 'applied', record: checkpoint },
    ]);
    expect(world.git.refs()).toEqual([checkpoint.ref]);
    expect(await world.documents.read('checkpoint-c-7')).toBeNull();
    expect((await recover(world.ctx)).settled.map((one) => one.checkpoint)).toEqual([checkpoint.id]);
    expect(world.tree.all()).toEqual(end);
  },
);

test('a change that is under way in another process is left alone', async () => {
  const world = createWorld({ ...start, 'a.txt': 'a2\r\n' });
  await world.journal.begin(entry);
  world.held.add('apply');
  expect(await recover(world.ctx)).toEqual({ notices: [], settled: [] });
  expect(world.tree.text('a.txt')).toBe('a2\r\n');
});

async function severalChanges(
  count: number,
  options: Parameters<typeof createWorld>[1] = {},
): Promise<{ world: World; checkpoints: Checkpoint[] }> {
  const world = createWorld({ f: '0'.repeat(300) }, options);
  const checkpoints: Checkpoint[] = [];
  for (let number = 1; number <= count; number += 1) {
    const edits = [{ path: 'f', before: String(number - 1).repeat(300), after: String(number).repeat(300) }];
    checkpoints.push(await applyEdits(world.ctx, { proposal: { id: `p-${number}`, title: 't', edits } }, signal));
  }
  return { world, checkpoints };
}

test('the oldest checkpoints are forgotten, and the rest still lead back', async () => {
  const { world, checkpoints } = await severalChanges(5);
  const names = checkpoints.map(({ id }) => id);
  expect((await pruneCheckpoints(world.ctx, checkpoints, 2)).toSorted()).toEqual(names.slice(0, 3));
  expect(world.git.refs()).toEqual(checkpoints.slice(3).map(({ ref }) => ref));
  expect(await world.documents.read(`checkpoint-${names[0]}`)).toBeNull();
  expect(await pruneCheckpoints(world.ctx, checkpoints, 2)).toEqual([]);
  await rollback(world.ctx, checkpoints[4]!, signal);
  await rollback(world.ctx, checkpoints[3]!, signal);
  expect(world.tree.text('f')).toBe('3'.repeat(300));
  await expect(rollback(world.ctx, checkpoints[2]!, signal)).rejects.toMatchObject({ reason: 'notFound' });
});

test('a change that the ledger has not heard of keeps its checkpoint', async () => {
  const { world, checkpoints } = await severalChanges(3);
  expect(await pruneCheckpoints(world.ctx, checkpoints.slice(1), 1)).toEqual([checkpoints[1]!.id]);
  expect((await recover(world.ctx)).settled.map(({ checkpoint }) => checkpoint)).toEqual([
    checkpoints[0]!.id,
    checkpoints[2]!.id,
  ]);
});

test('copies take limited space: with git they live on there, without they are forgotten', async () => {
  const withGit = await severalChanges(4);
  expect(await pruneCheckpoints(withGit.world.ctx, withGit.checkpoints, 100, 900)).toEqual([]);
  expect(await withGit.world.documents.read(`checkpoint-${withGit.checkpoints[0]!.id}`)).toBeNull();
  expect(await withGit.world.documents.read(`checkpoint-${withGit.checkpoints[3]!.id}`)).not.toBeNull();
  for (const checkpoint of withGit.checkpoints.toReversed()) await rollback(withGit.world.ctx, checkpoint, signal);
  expect(withGit.world.tree.text('f')).toBe('0'.repeat(300));

  const plain = await severalChanges(4, { git: { state: null } });
  expect((await pruneCheckpoints(plain.world.ctx, plain.checkpoints, 100, 900)).toSorted()).toEqual(
    plain.checkpoints.slice(0, 2).map(({ id }) => id),
  );
  // The newest stays, however large.
  expect(await pruneCheckpoints(plain.world.ctx, plain.checkpoints, 100, 1)).toEqual([plain.checkpoints[2]!.id]);
});
