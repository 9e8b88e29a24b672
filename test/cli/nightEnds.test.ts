// The ends of a run, as its report names them, and decisions on a night that was squashed, is empty, or has lost files.

import { once } from 'node:events';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { STOPPED_REASON, SUPERVISOR_ENDED } from '../../server/src/app/nights/night.ts';
import { createCommandLine, type CommandLine } from '../helpers/commandLine.ts';
import { gradesProject } from '../helpers/gradesProject.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../helpers/temporaryRepository.ts';
import { thoroughTest } from '../helpers/thorough.ts';

const NO_SEARCH = ['--set', 'night.searchFurther=false'];
const NIGHT = ['night', '--for', '1h', '--no-wait', ...NO_SEARCH];
/** Refuses the change of one function, because it looks at the text. */
const ONLY_WITH_ELSE = [
  "import test from 'node:test';",
  "import assert from 'node:assert';",
  "import { readFileSync } from 'node:fs';",
  "test('double has an else', () => assert.match(readFileSync('src/double.js', 'utf8'), /else/));",
  '',
].join('\n');
let repository: TemporaryRepository;
let selfware: CommandLine;

beforeEach(async () => {
  repository = await createTemporaryRepository(gradesProject(['double', 'half']));
  selfware = await createCommandLine(repository.dir);
  await selfware.decide();
});
afterEach(async () => {
  await selfware.run(['stop']);
  await selfware.dispose();
  await repository.dispose();
});

const newest = async () => (await selfware.json(['report', '--all'])).value.at(-1);

/** Starts a run in the background, and returns the id of its supervisor once the run is in progress. */
async function startInBackground(): Promise<number> {
  const runsBefore = (await newest())?.runs.length ?? 0;
  const { stdout, stderr } = await selfware.run(['night', '--for', '1h', '--detach', ...NO_SEARCH]);
  await expect.poll(async () => (await newest())?.runs.length ?? 0, { interval: 500 }).toBe(runsBefore + 1);
  const [, pid] = /process (\d+)/.exec(stdout) ?? [];
  expect(pid, stderr).toBeDefined();
  return Number(pid);
}

thoroughTest('the report says whether a person stopped the run or its supervisor was killed', async () => {
  process.kill(await startInBackground(), 'SIGKILL');
  await expect.poll(async () => (await newest()).state, { interval: 500 }).toBe('stopped');
  expect((await newest()).runs.at(-1).reason).toBe(SUPERVISOR_ENDED);
  await startInBackground();
  expect((await selfware.run(['stop'])).code).toBe(0);
  expect((await newest()).runs.at(-1).reason).toBe(STOPPED_REASON);
});

thoroughTest('a run that is ended reports what it could not take before, although its turn was not over', async () => {
  await repository.write('test/text.test.js', ONLY_WITH_ELSE);
  await repository.git('add', '--all');
  await repository.git('commit', '--quiet', '--message', 'A test of the text');
  // One candidate at a time, on a machine with many cores, too.
  const child = await selfware.start(
    [...NIGHT, '--set', 'night.sideBySide=1', '--json'],
    '"type":"trying","title":"Remove an unneeded else in double',
  );
  let said = '';
  child.stdout.on('data', (part) => (said += part));
  await expect.poll(() => said).toContain('"type":"trying","title":"Remove an unneeded else in half');
  child.kill('SIGINT');
  await once(child, 'close');
  const { runs, misses } = await newest();
  expect(runs.at(-1).committed).toBe(0);
  expect(misses).toMatchObject([{ what: 'refused', path: 'src/double.js' }]);
});

thoroughTest(
  'a squashed branch can be dropped, but not in parts; an empty night names the one that has changes',
  async () => {
    expect((await selfware.run([...NIGHT, '--max-changes', '2'])).code).toBe(0);
    const { branch } = await newest();
    // A run beside a branch that is checked out begins another one.
    await repository.git('checkout', '--quiet', branch);
    expect((await selfware.run(NIGHT)).code).toBe(0);
    await repository.git('checkout', '--quiet', 'main');
    const report = (await selfware.run(['report'])).stdout;
    expect(report).toContain(`- ${branch}: 2 changes. \`selfware report ${branch}\``);
    for (const command of ['squash', 'drop', 'accept']) {
      const { code, stderr } = await selfware.run(['night', command]);
      expect([code, stderr]).toEqual([2, expect.stringContaining(`\`--night ${branch}\``)]);
    }
    expect((await selfware.run(['night', 'squash', '--night', branch])).code).toBe(0);
    const inParts = await selfware.run(['night', 'drop', '1', '--night', branch]);
    expect([inParts.code, inParts.stderr]).toEqual([2, expect.stringContaining('is one commit')]);
    const dropped = await selfware.run(['night', 'drop', '--night', branch]);
    expect(dropped.code, dropped.stderr).toBe(0);
    expect(await repository.git('branch', '--list', branch)).toBe('');
  },
);

test('without the files of the run, its changes are taken by git', async () => {
  expect((await selfware.run([...NIGHT, '--max-changes', '2'])).code).toBe(0);
  const { branch, changes } = await newest();
  const [folder] = (await readdir(selfware.home)).filter((name) => name.startsWith('selfware-test-'));
  await rm(join(selfware.home, folder!, 'night'), { recursive: true });
  const all = await selfware.run(['night', 'accept']);
  expect([all.code, all.stderr]).toEqual([2, expect.stringContaining(`\`git merge ${branch}\``)]);
  const one = await selfware.run(['night', 'accept', '1']);
  expect(one.stderr).toContain(`\`git cherry-pick ${changes[0].commit.slice(0, 12)}\``);
});
