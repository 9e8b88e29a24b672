// A night that is killed again and again, at any moment: nothing is lost, nothing is committed twice, and the limit of
// changes holds over all processes.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cliEntry, createCommandLine, type CommandLine } from '../helpers/commandLine.ts';
import { sharedCode } from '../helpers/compiledCode.ts';
import { gradesProject } from '../helpers/gradesProject.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../helpers/temporaryRepository.ts';

const KILLS = Number(process.env['SELFWARE_NIGHT_KILLS'] ?? 4);
const NAMES = ['one', 'two', 'three', 'four', 'five'];
const MOST = 4;
/** Two candidates are in progress when the process is killed. */
const SET = ['--set', 'night.sideBySide=2', '--set', 'night.searchFurther=false'];
const NIGHT = ['night', '--for', '1h', '--no-wait', '--max-changes', String(MOST), ...SET];
let repository: TemporaryRepository;
let selfware: CommandLine;

beforeAll(async () => {
  repository = await createTemporaryRepository(gradesProject(NAMES));
  selfware = await createCommandLine(repository.dir);
});
afterAll(async () => {
  await selfware.dispose();
  await repository.dispose();
});

test('kills at random moments lose nothing and commit nothing twice', async () => {
  const before = await repository.git('status', '--porcelain');
  for (let kill = 0; kill < KILLS; kill += 1) {
    const child = spawn(process.execPath, [cliEntry, ...NIGHT, '--repo', repository.dir], {
      env: {
        PATH: process.env['PATH'],
        HOME: selfware.home,
        SELFWARE_HOME: selfware.home,
        SELFWARE_IGNORE_LOAD: '1',
        ...sharedCode,
      },
      stdio: 'ignore',
    });
    // Anywhere between the first start and the third change of a quiet machine.
    await Promise.race([sleep(300 + Math.random() * 6_000), once(child, 'exit')]);
    if (child.exitCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  }
  const last = await selfware.run(NIGHT);
  expect(last.code, last.stderr).toBe(0);
  const { value: nights } = await selfware.json(['report', '--all']);
  expect(nights).toHaveLength(1);
  const [night] = nights;
  const commits = (await repository.git('log', '--reverse', '--format=%H', `main..${night.branch}`)).trim().split('\n');
  expect(night.changes.map(({ commit }: { commit: string }) => commit)).toEqual(commits);
  const paths = night.changes.flatMap(({ paths: touched }: { paths: readonly string[] }) => touched);
  expect(new Set(paths).size).toBe(paths.length);
  // A run that had ended begins another one on the same branch, with a limit of its own.
  for (const run of night.runs) expect(run.committed).toBeLessThanOrEqual(MOST);
  // A proposal whose verification was killed three times is set aside.
  const aside = night.misses.filter(({ what }: { what: string }) => what === 'brokeDown').length;
  expect(paths.length + aside, JSON.stringify(night)).toBeGreaterThanOrEqual(MOST);
  expect(await repository.git('status', '--porcelain')).toBe(before);
  expect((await selfware.json(['ledger', 'verify'])).value.intact).toBe(true);
});
