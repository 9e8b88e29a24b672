// kill -9 at every step of a change and of its way back: after recovery the tree is before or after, and git saw
// nothing of it.

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, cp, lstat, mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { recover, type Recovery } from '../../server/src/core/apply/recover.ts';
import { findBundledScript } from '../helpers/bundledScript.ts';
import { sharedCode } from '../helpers/compiledCode.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../helpers/temporaryRepository.ts';
import { files } from './change.ts';
import { changeContext } from './changeContext.ts';

const execFileAsync = promisify(execFile);
const SCRIPT = join(import.meta.dirname, 'changeProcess.ts');
const AT_ONCE = 3;
/** A change that needs more steps than this would not end. */
const MAX_STEPS = 300;

let scratch: string;
let repository: TemporaryRepository;
/** Folders with `tree` and `state`: before the change, and after it. */
let before: string;
let after: string;

beforeAll(async () => {
  scratch = await realpath(await mkdtemp(join(tmpdir(), 'selfware-kill-')));
  repository = await createTemporaryRepository(files);
  await chmod(join(repository.dir, 'bin/tool'), 0o755);
  await repository.git('commit', '--all', '--quiet', '--message', 'Executable');
  // Work of the user's in every state that git knows.
  await repository.git('branch', 'feature');
  await repository.write('src/other.ts', 'export const other = 2; // stashed\n');
  await repository.git('stash');
  await repository.write('src/other.ts', 'export const other = 3; // staged\n');
  await repository.git('add', 'src/other.ts');
  await repository.write('notes.md', 'not staged\n');
  await repository.write('untracked.txt', 'untracked\n');
  await repository.write('ignored.txt', 'ignored\n');

  before = join(scratch, 'before');
  after = join(scratch, 'after');
  await cp(repository.dir, join(before, 'tree'), { recursive: true, preserveTimestamps: true });
  await copy(before, after);
  await run(after, 'apply', 0);
});

afterAll(async () => {
  await repository.dispose();
  await rm(scratch, { recursive: true, force: true, maxRetries: 5 });
});

test('an undisturbed change and its way back do what they say', async () => {
  const place = join(scratch, 'undisturbed');
  await copy(after, place);
  const changed = await snapshot(join(after, 'tree'));
  expect(changed['src/windows.txt']).not.toEqual((await snapshot(join(before, 'tree')))['src/windows.txt']);
  expect(changed['bin']).toBeUndefined();
  expect(changed['fresh/deep/created.ts']).toBeDefined();
  expect((await readFile(join(after, 'tree/src/windows.txt'))).toString('latin1')).toBe(
    '\xef\xbb\xbfone\r\n2\r\nthree\r\n',
  );
  await run(place, 'rollback', 0);
  expect(await snapshot(join(place, 'tree'))).toEqual(await snapshot(join(before, 'tree')));
  expect((await lstat(join(place, 'tree/bin/tool'))).mode & 0o777).toBe(0o755);
});

test(
  'apply survives a kill at every step',
  () => killEverywhere('apply', before, { notApplied: 'before', applied: 'after' }),
  600_000,
);

test(
  'rollback survives a kill at every step',
  () => killEverywhere('rollback', after, { applied: 'after', rolledBack: 'before' }),
  600_000,
);

test('recovery survives a kill at every step', async () => {
  const between = join(scratch, 'between');
  const trees = [before, after].map((place) => snapshot(join(place, 'tree')).then((tree) => JSON.stringify(tree)));
  const sides = await Promise.all(trees);
  for (let step = 1; ; step += 1) {
    await rm(between, { recursive: true, force: true });
    await copy(before, between);
    expect(await run(between, 'apply', step), 'no step leaves the tree between').toBeNull();
    if (!sides.includes(JSON.stringify(await snapshot(join(between, 'tree'))))) break;
  }
  await killEverywhere('recover', between, { notApplied: 'before' }, ['before'], 15);
}, 600_000);

/**
 * `meaning`: which tree goes with which outcome that recovery reports. `sides`: which trees the kills leave, all
 * together. `least`: fewer steps than that cannot be all.
 */
async function killEverywhere(
  action: string,
  start: string,
  meaning: Readonly<Record<string, 'before' | 'after'>>,
  sides = ['after', 'before'],
  least = 20,
): Promise<void> {
  const trees = { before: await snapshot(join(before, 'tree')), after: await snapshot(join(after, 'tree')) };
  const gitBefore = await gitSnapshot(join(start, 'tree'));
  let survived = false;
  let killed = 0;
  const seen = new Set<string>();
  for (let step = 1; !survived && step <= MAX_STEPS; step += AT_ONCE) {
    const steps = Array.from({ length: AT_ONCE }, (_, index) => step + index);
    const ended = await Promise.all(steps.map((one) => killAt(one)));
    killed += ended.filter(Boolean).length;
    survived = ended.includes(false);
  }
  process.stdout.write(`${action}: ${killed} kill points, each left ${[...seen].sort().join(' or ')}\n`);
  expect(survived).toBe(true);
  expect(killed).toBeGreaterThanOrEqual(least);
  expect([...seen].sort()).toEqual(sides);

  /** False when the process came to its end before that step. */
  async function killAt(step: number): Promise<boolean> {
    const place = join(scratch, `${action}-${step}`);
    await copy(start, place);
    const wasKilled = (await run(place, action, step)) === null;
    const recovery = await recoverIn(place);
    const where = `${action}, step ${step}`;
    const tree = await snapshot(join(place, 'tree'));
    const side = JSON.stringify(tree) === JSON.stringify(trees.before) ? 'before' : 'after';
    expect(tree, where).toEqual(trees[side]);
    if (wasKilled) seen.add(side);
    expect(recovery.notices, where).toEqual([]);
    for (const { outcome } of recovery.settled) expect(meaning[outcome], `${where}: ${outcome}`).toBe(side);
    if (action !== 'recover' && side !== (action === 'apply' ? 'before' : 'after'))
      expect(recovery.settled, where).toHaveLength(1);
    expect(await gitSnapshot(join(place, 'tree')), where).toEqual(gitBefore);
    await execFileAsync('git', ['fsck', '--strict', '--no-progress'], { cwd: join(place, 'tree') });

    const state = await snapshot(join(place, 'state'), /^(documents|journal)/);
    expect(
      Object.keys(state).filter((name) => name.startsWith('journal/') && name.endsWith('.json')),
      where,
    ).toEqual([]);
    const again = await recoverIn(place);
    expect(
      again.settled.filter(({ outcome }) => outcome !== 'notApplied'),
      where,
    ).toEqual(recovery.settled.filter(({ outcome }) => outcome !== 'notApplied'));
    expect(again.notices, where).toEqual([]);
    expect(await snapshot(join(place, 'tree')), where).toEqual(tree);
    expect(await snapshot(join(place, 'state'), /^(documents|journal)/), where).toEqual(state);
    await rm(place, { recursive: true, force: true });
    return wasKilled;
  }
}

async function copy(from: string, to: string): Promise<void> {
  await cp(from, to, { recursive: true, preserveTimestamps: true });
}

/** As the next start does, and needs no process of its own: none of its steps ends one. */
async function recoverIn(place: string): Promise<Recovery> {
  return recover(await changeContext(join(place, 'tree'), join(place, 'state')));
}

/** Null when the process was killed. */
async function run(place: string, action: string, step: number): Promise<{ readonly answer: unknown } | null> {
  try {
    const folders = [join(place, 'tree'), join(place, 'state')];
    const { stdout } = await execFileAsync(
      process.execPath,
      ['--no-warnings', await findBundledScript(SCRIPT), ...folders, action, String(step)],
      { env: { ...process.env, ...sharedCode } },
    );
    return JSON.parse(stdout) as { answer: unknown };
  } catch (error) {
    if ((error as { signal?: string }).signal === 'SIGKILL') return null;
    throw error;
  }
}

/** Every file and folder but `.git`: mode and hash. */
async function snapshot(dir: string, only = /^(?!\.git(\/|$))/): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  const names = await readdir(dir, { recursive: true });
  for (const name of names.filter((path) => only.test(path)).sort()) {
    const stats = await lstat(join(dir, name));
    found[name] = `${stats.mode.toString(8)} ${
      stats.isDirectory()
        ? ''
        : createHash('sha256')
            .update(await readFile(join(dir, name)))
            .digest('hex')
    }`;
  }
  return found;
}

/** All that git holds but objects and our own refs: HEAD, branches, index, stash, logs, configuration, locks. */
async function gitSnapshot(dir: string): Promise<Record<string, string>> {
  return snapshot(join(dir, '.git'), /^(?!objects(\/|$)|refs\/selfware(\/|$))/);
}
