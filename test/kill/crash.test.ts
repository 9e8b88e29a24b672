// kill -9 at every step (at random moments: `npm run bench -- crash`) while changes are made, judged, rolled back in
// any order and committed; a full disk; folders that are read-only.

import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { createGround, gitState, killed, look, settle, type Ground } from './crashRuns.ts';

const run = promisify(execFile);
const AT_ONCE = 3;
/** Every so many steps of the long scenario: all of them are a matter for `npm run bench -- crash`. */
const STRIDE = 11;

test('kills at steps all through apply, probation, receipt, rollback of a middle change and commit lose nothing', async () => {
  const seed = 5;
  let ended = false;
  let kills = 0;
  for (let step = 1; !ended; step += AT_ONCE * STRIDE) {
    const steps = Array.from({ length: AT_ONCE }, (_, index) => step + index * STRIDE);
    const results = await Promise.all(
      steps.map(async (one) => {
        const ground = await createGround();
        try {
          const before = await gitState(ground.repository);
          const wasKilled = await killed(ground, 'work', seed, one, null);
          return { wasKilled, found: (await look(ground, before)).found.map((fault) => `step ${one}: ${fault}`) };
        } finally {
          await ground.dispose();
        }
      }),
    );
    expect(results.flatMap(({ found }) => found)).toEqual([]);
    kills += results.filter(({ wasKilled }) => wasKilled).length;
    ended = results.some(({ wasKilled }) => !wasKilled);
  }
  process.stdout.write(`${kills} kill points\n`);
  expect(kills).toBeGreaterThan(8);
}, 600_000);

/** Works, then works in trouble, then looks once it is over. Whatever it says in between, it may not lose anything. */
async function throughTrouble(
  ground: Ground,
  begin: () => Promise<boolean>,
  end: () => Promise<unknown>,
  code: string,
): Promise<void> {
  const before = await gitState(ground.repository);
  await killed(ground, 'work', 7, 60, null);
  const real = await begin();
  // Where this machine cannot make the trouble, the writer is told that it has it.
  const env: Readonly<Record<string, string>> = real ? {} : { CRASH_TROUBLE: code };
  const failed = await killed(ground, 'work', 8, 200, null, env).then(() => null, String);
  await settle(ground).catch(() => null);
  await end();
  process.stdout.write(`${code}: ${real ? 'real' : 'injected'}; ${failed?.slice(0, 200) ?? 'passed over'}\n`);
  expect((await look(ground, before)).found).toEqual([]);
}

test('a full disk under the state folder loses nothing', async () => {
  const mount = await mkdtemp(join(tmpdir(), 'selfware-small-'));
  const mounted = await does('mount', '-t', 'tmpfs', '-o', 'size=6m', 'tmpfs', mount);
  const ground = await createGround({ stateIn: mount });
  const ballast = join(mount, 'ballast');
  try {
    // dd ends with a failure when the disk is full, which is what is wanted.
    await throughTrouble(
      ground,
      async () => mounted && (await does('dd', 'if=/dev/zero', `of=${ballast}`, 'bs=4096'), true),
      () => rm(ballast, { force: true }),
      'ENOSPC',
    );
  } finally {
    await ground.dispose();
    if (mounted) await does('umount', '--lazy', mount);
  }
});

test('folders of the tree that are read-only lose nothing', async () => {
  const ground = await createGround();
  const folders = ['src', 'lib/deep'].map((path) => join(ground.repository.dir, path));
  const isRoot = process.getuid?.() === 0;
  // Root writes where nobody may; for it the file system itself has to refuse.
  const close = async () =>
    (
      await Promise.all(folders.map((folder) => (isRoot ? does('chattr', '+i', folder) : does('chmod', '555', folder))))
    ).every(Boolean);
  const open = () =>
    Promise.all(folders.map((folder) => (isRoot ? does('chattr', '-i', folder) : does('chmod', '755', folder))));
  try {
    await throughTrouble(ground, close, open, 'EACCES');
  } finally {
    await open();
    await ground.dispose();
  }
});

async function does(command: string, ...args: readonly string[]): Promise<boolean> {
  return run(command, args).then(
    () => true,
    () => false,
  );
}
