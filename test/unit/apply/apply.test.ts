// A proposal is written whole or not at all, over exactly the bytes that it was made for.

import { expect, test } from 'vitest';
import { applyEdits } from '../../../server/src/core/apply/apply.ts';
import { containsChange } from '../../../server/src/core/apply/writes.ts';
import { recover } from '../../../server/src/core/apply/recover.ts';
import type { FileEdit } from '../../../server/src/core/model.ts';
import { sha256 } from '../../../server/src/util/hash.ts';
import { bytes, createWorld, edits, end, failingGit, proposal, signal, start } from './world.ts';

type World = ReturnType<typeof createWorld>;

/** Refused with this reason, and no trace of it. */
async function checkRefused(
  world: World,
  request: readonly FileEdit[],
  reason: string,
  mentions: readonly string[] = [],
): Promise<void> {
  const before = world.tree.all();
  const error: unknown = await applyEdits(world.ctx, { proposal: { ...proposal, edits: request } }, signal).catch(
    (thrown: unknown) => thrown,
  );
  expect(error).toMatchObject({ name: 'SelfwareError', reason });
  for (const part of mentions) expect((error as Error).message).toContain(part);
  expect(world.tree.all()).toEqual(before);
  await checkClean(world);
}

async function checkClean(world: World): Promise<void> {
  expect(await world.openEntries()).toBe(0);
  expect(world.git.refs()).toEqual([]);
  expect(world.held.size).toBe(0);
  expect(await recover(world.restarted())).toEqual({ notices: [], settled: [] });
}

test('modifies, deletes and creates, and notes the way back', async () => {
  const world = createWorld();
  const checkpoint = await applyEdits(world.ctx, { proposal }, signal);
  expect(world.tree.all()).toEqual(end);
  expect(checkpoint).toEqual({
    id: checkpoint.id,
    proposal: 'p-1',
    title: 'Change',
    createdAt: world.clock.now(),
    head: '1'.repeat(40),
    ref: `refs/selfware/checkpoints/${checkpoint.id}`,
    files: [
      { path: 'a.txt', before: sha256('a1\r\n'), after: sha256('a2\r\n'), mode: 0o644 },
      { path: 'b.txt', before: sha256('b1\n'), after: null, mode: 0o644 },
      { path: 'new/c.txt', before: null, after: sha256('c2\n'), mode: 0o644 },
    ],
    rolledBackAt: null,
  });
  expect(new TextDecoder().decode((await world.git.readCheckpoint(checkpoint.ref!, 'a.txt'))!)).toBe('a1\r\n');
  expect(await world.openEntries()).toBe(0);
  expect(world.held.size).toBe(0);
  expect((await recover(world.ctx)).settled).toEqual([
    { checkpoint: checkpoint.id, proposal: 'p-1', outcome: 'applied', record: checkpoint },
  ]);
});

test.each<[string, Uint8Array, FileEdit, Uint8Array | null]>([
  [
    'a mark that the texts hold',
    bytes('\uFEFFx\r\n'),
    { path: 'f', before: '\uFEFFx\r\n', after: '\uFEFFy\r\n' },
    bytes('\uFEFFy\r\n'),
  ],
  [
    'a mark that only the disk holds',
    bytes('\uFEFFx\n'),
    { path: 'f', before: 'x\n', after: 'y\n' },
    bytes('\uFEFFy\n'),
  ],
  [
    'a mark that the new text brings back',
    bytes('\uFEFFx\n'),
    { path: 'f', before: 'x\n', after: '\uFEFFy\n' },
    bytes('\uFEFFy\n'),
  ],
  ['a mark that is taken away', bytes('\uFEFFx\n'), { path: 'f', before: '\uFEFFx\n', after: 'x\n' }, bytes('x\n')],
  ['a file with a mark that is deleted', bytes('\uFEFFx\n'), { path: 'f', before: 'x\n', after: null }, null],
  ['an empty file', bytes(''), { path: 'f', before: '', after: 'x' }, bytes('x')],
  ['a file that becomes empty', bytes('x'), { path: 'f', before: 'x', after: '' }, bytes('')],
  ['characters beyond the first plane', bytes('🙂'), { path: 'f', before: '🙂', after: '🙃' }, bytes('🙃')],
])('bytes: %s', async (_what, disk, edit, expected) => {
  const world = createWorld({ f: disk });
  await applyEdits(world.ctx, { proposal: { ...proposal, edits: [edit] } }, signal);
  expect(await world.tree.read('f')).toEqual(expected);
});

test.each<[string, Readonly<Record<string, string | Uint8Array | null>>, readonly string[]]>([
  ['changed', { 'a.txt': 'mine\r\n' }, ['a.txt']],
  ['line ends changed', { 'a.txt': 'a1\n' }, ['a.txt']],
  ['deleted', { 'b.txt': null }, ['b.txt']],
  ['created by somebody', { 'new/c.txt': 'c2\n' }, ['new/c.txt']],
  ['several', { 'a.txt': '', 'b.txt': 'b1', 'new/c.txt': '' }, ['a.txt', 'b.txt', 'new/c.txt']],
  ['not UTF-8', { 'b.txt': Uint8Array.of(0xff) }, ['b.txt']],
])('stale: %s', async (_what, changes, named) => {
  const world = createWorld();
  for (const [path, content] of Object.entries(changes)) world.tree.set(path, content);
  await checkRefused(world, edits, 'stale', named);
});

test.each<[string, readonly FileEdit[], string, readonly string[]]>([
  ['nothing', [], 'usage', []],
  ['no change', [{ path: 'a.txt', before: 'a1\r\n', after: 'a1\r\n' }], 'usage', []],
  [
    'a protected file among others',
    [...edits, { path: '.github/x.yml', before: null, after: 'x' }],
    'forbidden',
    ['.github/x.yml'],
  ],
  ['a way out', [{ path: '../x', before: null, after: 'x' }], 'forbidden', ['../x']],
  ['one file twice', [edits[0]!, edits[0]!], 'forbidden', ['a.txt']],
  ['a folder in the place of a file', [{ path: 'dir', before: null, after: 'x' }], 'unreadable', []],
])('refused: %s', async (_what, request, reason, named) => {
  await checkRefused(createWorld({ ...start, 'dir/inside.txt': 'x' }), request, reason, named);
});

test('what changes nothing beside a change is left out', async () => {
  const world = createWorld();
  const checkpoint = await applyEdits(
    world.ctx,
    { proposal: { ...proposal, edits: [edits[0]!, { path: 'keep.txt', before: 'k\n', after: 'k\n' }] } },
    signal,
  );
  expect(checkpoint.files.map(({ path }) => path)).toEqual(['a.txt']);
});

test('one at a time, and a cancelled one not at all', async () => {
  const world = createWorld();
  world.held.add('apply');
  await expect(applyEdits(world.ctx, { proposal }, signal)).rejects.toMatchObject({ reason: 'locked' });
  world.held.clear();
  await expect(applyEdits(world.ctx, { proposal }, AbortSignal.abort())).rejects.toMatchObject({ reason: 'cancelled' });
  // While the checkpoint is made it is still time.
  const late = new AbortController();
  const saveCheckpoint: typeof world.git.saveCheckpoint = (...args) => (
    late.abort(), world.git.saveCheckpoint(...args)
  );
  await expect(
    applyEdits({ ...world.ctx, git: { ...world.git, saveCheckpoint } }, { proposal }, late.signal),
  ).rejects.toMatchObject({ reason: 'cancelled' });
  expect(world.tree.all()).toEqual(start);
  await checkClean(world);
});

test.each(['a.txt', 'b.txt', 'new/c.txt'])('a failure at %s puts everything back', async (path) => {
  const world = createWorld();
  world.onWrite((write) => {
    if (write.path === path && (write.after !== null) === (path !== 'b.txt'))
      throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
  });
  await expect(applyEdits(world.ctx, { proposal }, signal)).rejects.toMatchObject({ code: 'ENOSPC' });
  expect(world.tree.all()).toEqual(start);
  await checkClean(world);
});

test('what cannot be put back now is put back at the next start, and no change is made before', async () => {
  const world = createWorld();
  world.failAt('b.txt');
  await expect(applyEdits(world.ctx, { proposal }, signal)).rejects.toMatchObject({
    reason: 'writeFailed',
    cause: { reason: 'diskFull' },
  });
  expect(world.tree.text('a.txt')).toBe('a2\r\n');
  expect(await world.openEntries()).toBe(1);
  await expect(
    applyEdits(
      world.ctx,
      { proposal: { ...proposal, edits: [{ path: 'keep.txt', before: 'k\n', after: 'x' }] } },
      signal,
    ),
  ).rejects.toMatchObject({ reason: 'writeFailed' });

  const recovery = await recover(world.restarted());
  expect(recovery).toMatchObject({ notices: [], settled: [{ proposal: 'p-1', outcome: 'notApplied', record: null }] });
  expect(world.tree.all()).toEqual(start);
  await checkClean(world);
});

test('an earlier change that was left half-way is settled before the next', async () => {
  const world = createWorld();
  world.failAt('b.txt');
  await expect(applyEdits(world.ctx, { proposal }, signal)).rejects.toMatchObject({ reason: 'writeFailed' });
  await applyEdits(world.restarted(), { proposal }, signal);
  expect(world.tree.all()).toEqual(end);
  expect(world.git.refs()).toHaveLength(1);
});

test('a writer that does not write what it should is found out', async () => {
  const world = createWorld();
  const lying = { write: async () => world.tree.set('a.txt', 'a2\r\n') };
  await expect(applyEdits({ ...world.ctx, writer: lying }, { proposal }, signal)).rejects.toMatchObject({
    reason: 'writeFailed',
  });
  expect(await world.openEntries()).toBe(1);
  expect(await recover(world.restarted())).toMatchObject({ notices: [] });
  expect(world.tree.all()).toEqual(start);
});

const lines = (first: string, last = 'five') => `${first}\ntwo\nthree\nfour\n${last}\n`;

test.each<[string, string | null, boolean]>([
  ['the change alone', lines('ONE'), true],
  ['the change, and edits elsewhere', lines('ONE', 'FIVE'), true],
  ['nothing of the change', lines('one'), false],
  ['edits elsewhere alone', lines('one', 'FIVE'), false],
  ['edits of the changed line', lines('One'), false],
  ['nothing, because it is gone', null, false],
])('whether a file still holds a change: %s', (_what, current, expected) => {
  const write = { before: bytes(lines('one')), after: bytes(lines('ONE')) };
  expect(containsChange(write, current === null ? null : bytes(current))).toBe(expected);
});

test.each([
  ['created', { before: null, after: bytes('x') }],
  ['deleted', { before: bytes('x'), after: null }],
])('a file that was %s holds no change that could be taken out of it', (_what, write) => {
  for (const current of [bytes('x'), bytes('y'), null]) expect(containsChange(write, current)).toBe(false);
});

test('what is typed right after a change was written stays, beside the change', async () => {
  const world = createWorld({ f: lines('one') });
  const typing: typeof world.tree.writer = {
    async write(writes, label) {
      await world.tree.writer.write(writes, label);
      world.tree.set('f', lines('ONE', 'FIVE'));
    },
  };
  const request = { proposal: { ...proposal, edits: [{ path: 'f', before: lines('one'), after: lines('ONE') }] } };
  await applyEdits({ ...world.ctx, writer: typing }, request, signal);
  expect(world.tree.all()).toEqual({ f: lines('ONE', 'FIVE') });
  expect(await world.openEntries()).toBe(0);
});

test('a refusal says that nothing was written', async () => {
  const request = { proposal: { ...proposal, edits: [{ path: '../x', before: null, after: 'x' }] } };
  await expect(applyEdits(createWorld().ctx, request, signal)).rejects.toMatchObject({
    reason: 'forbidden',
    action: 'Nothing was written.',
  });
});

test("what the user wrote into a change that failed stays the user's", async () => {
  const world = createWorld();
  world.onWrite((write) => {
    if (write.path !== 'b.txt') return;
    world.tree.set('a.txt', 'typed meanwhile');
    throw new Error('b.txt cannot be deleted');
  });
  await expect(applyEdits(world.ctx, { proposal }, signal)).rejects.toMatchObject({
    reason: 'conflict',
    message: expect.stringContaining('a.txt'),
  });
  expect(world.tree.all()).toEqual({ ...start, 'a.txt': 'typed meanwhile' });
  await checkClean(world);
});

test.each(['saveCheckpoint', 'state'] as const)('nothing is written when git fails at %s', async (call) => {
  const world = createWorld();
  await expect(
    applyEdits({ ...world.ctx, git: failingGit(world.git, call) }, { proposal }, signal),
  ).rejects.toMatchObject({ reason: 'writeFailed' });
  expect(world.tree.all()).toEqual(start);
  await checkClean(world);
});

test.each([
  ['no repository', null, null],
  ['no commit', { head: null, branch: null }, 'refs/selfware/checkpoints/'],
])('works with %s', async (_what, state, ref) => {
  const world = createWorld(start, { git: { state } });
  const checkpoint = await applyEdits(world.ctx, { proposal }, signal);
  expect(checkpoint.head).toBeNull();
  expect(checkpoint.ref).toEqual(ref === null ? null : `${ref}${checkpoint.id}`);
  expect(world.tree.all()).toEqual(end);
});

test('a damaged list of checkpoints stops a change before it begins', async () => {
  const world = createWorld();
  world.documents.damage('checkpoints');
  await expect(applyEdits(world.ctx, { proposal }, signal)).rejects.toMatchObject({ reason: 'damaged' });
  expect(world.tree.all()).toEqual(start);
  expect(await world.openEntries()).toBe(0);
});
