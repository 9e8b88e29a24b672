// Nights on a machine that lacks something: the state folder is on another disk, the disk is nearly full, or a start
// fails again and again. Real disks, real processes.

import { once } from 'node:events';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ENDED_BY_PERSON } from '../../server/src/app/nights/night.ts';
import { createCommandLine, type CommandLine } from '../helpers/commandLine.ts';
import { gradesProject } from '../helpers/gradesProject.ts';
import { createOnOtherFileSystem } from '../helpers/otherFileSystem.ts';
import { createSmallDisk } from '../helpers/smallDisk.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../helpers/temporaryRepository.ts';
import { fingerprint } from '../adapters/sandbox/sandboxOf.ts';
import { thoroughTest } from '../helpers/thorough.ts';

const NO_SEARCH = ['--set', 'night.searchFurther=false'];
const NIGHT = ['night', '--for', '1h', ...NO_SEARCH];
let repository: TemporaryRepository;
let selfware: CommandLine;
let disk: { readonly dir: string; dispose(): Promise<void> } | null;
/** Takes some room on the disk while it runs, as tests do. */
const WRITES_FOR_SECONDS = [
  "import test from 'node:test';",
  "import { appendFileSync, rmSync } from 'node:fs';",
  "import { setTimeout } from 'node:timers/promises';",
  "test('writes', async () => {",
  '  for (let count = 0; count < 30; count++) {',
  "    appendFileSync('large.tmp', Buffer.alloc(500_000));",
  '    await setTimeout(100);',
  '  }',
  "  rmSync('large.tmp');",
  '});',
  '',
].join('\n');

beforeEach(async () => {
  disk = null;
  repository = await createTemporaryRepository(gradesProject(['double']));
});
afterEach(async () => {
  await selfware.run(['stop']);
  await selfware.dispose();
  await repository.dispose();
  await disk?.dispose();
});

/** Takes an object of the repository away. Returns the function that brings it back. */
async function hideObject(): Promise<() => Promise<void>> {
  const id = (await repository.git('rev-parse', 'HEAD:src/double.js')).trim();
  const file = join(repository.dir, '.git/objects', id.slice(0, 2), id.slice(2));
  await rename(file, `${file}.away`);
  return () => rename(`${file}.away`, file);
}

const newest = async () => (await selfware.json(['report', '--all'])).value.at(-1);

test('a night works if its state is on another file system, and leaves no temporary file in the repository', async () => {
  disk = await createOnOtherFileSystem();
  selfware = await createCommandLine(repository.dir, disk?.dir);
  // Where there is no other file system, it cannot be tried.
  if (!disk) return;
  const { code, stdout } = await selfware.run([...NIGHT, '--no-wait', '--max-changes', '1']);
  expect(code, stdout).toBe(0);
  expect((await newest()).changes).toHaveLength(1);
  const files = Object.keys(await fingerprint(repository.dir));
  expect(files.filter((file) => /tmp_|\.git\/objects\/pack\//.test(file))).toEqual([]);
});

thoroughTest(
  'on a nearly full disk nothing is refused: the run says why it waits, and goes on once there is room',
  async () => {
    const small = await createSmallDisk(900);
    disk = small;
    selfware = await createCommandLine(repository.dir, small?.dir);
    // Where nothing may be mounted, no disk can be filled.
    if (!small) return expect(process.getuid?.()).not.toBe(0);
    await repository.write('test/large.test.js', WRITES_FOR_SECONDS);
    await repository.git('add', '--all');
    await repository.git('commit', '--quiet', '--message', 'A test that writes');
    await small.fill(150 * 1024);
    const child = await selfware.start([...NIGHT, '--max-changes', '1'], 'The disk is nearly full.');
    const { state, waiting, misses } = await newest();
    expect([state, misses]).toEqual(['waiting', []]);
    expect(waiting).toMatchObject({ until: null, reason: expect.stringContaining('at least 256 MB') });
    await small.empty();
    const [code] = await once(child, 'close');
    expect(code).toBe(0);
    expect(await newest()).toMatchObject({ state: 'stopped', misses: [], changes: [{ paths: ['src/double.js'] }] });
  },
);

thoroughTest('a start that fails is recorded with the error, in the foreground and in the background', async () => {
  selfware = await createCommandLine(repository.dir);
  await hideObject();
  const reason = expect.stringMatching(/^It met an error\. The files of the commit \w+ could not be copied: git /);
  const { code, stderr } = await selfware.run([...NIGHT, '--no-wait']);
  expect([code, stderr]).toEqual([2, expect.stringContaining('could not be copied')]);
  expect(await newest()).toMatchObject({ state: 'stopped', runs: [{ reason }] });

  await selfware.run([...NIGHT, '--detach', '--no-wait']);
  await expect.poll(async () => (await newest()).runs.length, { interval: 500 }).toBe(2);
  await expect.poll(async () => (await newest()).runs[1].reason, { interval: 500 }).toEqual(reason);
  // The supervisor starts no other process.
  const status = async () => (await selfware.run(['status', '--watch'])).stdout;
  await expect.poll(status, { interval: 500 }).toContain('No unattended run. Last:');
  expect((await newest()).runs).toHaveLength(2);
});

thoroughTest('a run in the foreground outlasts an error: it says so, and tries again', async () => {
  selfware = await createCommandLine(repository.dir);
  const bringBack = await hideObject();
  const child = await selfware.start([...NIGHT, '--max-changes', '1'], 'It met an error.');
  expect(await newest()).toMatchObject({ state: 'waiting', changes: [] });
  await bringBack();
  expect((await once(child, 'close'))[0]).toBe(0);
  expect(await newest()).toMatchObject({ state: 'stopped', runs: [{ committed: 1 }] });
});

thoroughTest('one run is ended after its step, without the kill switch, so that the next one starts', async () => {
  selfware = await createCommandLine(repository.dir);
  const none = await selfware.run(['night', 'stop']);
  expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('No unattended run is in progress')]);
  const child = await selfware.start([...NIGHT], 'Nothing is left to try.');
  const ended = once(child, 'close');
  const { stdout } = await selfware.run(['night', 'stop']);
  expect(stdout).toContain('ends after its current step');
  expect((await ended)[0]).toBe(0);
  expect((await newest()).runs.at(-1).reason).toBe(ENDED_BY_PERSON);

  const next = await selfware.run([...NIGHT, '--no-wait']);
  expect(next.code, next.stderr).toBe(0);
  expect((await selfware.run(['stop'])).code).toBe(0);
  const refused = await selfware.run([...NIGHT, '--no-wait']);
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringMatching(/`selfware stop`.*`selfware resume`/)]);
});
