// `selfware night --detach` says that a run works only if one does, and a run in the background outlives a moment in
// which another command holds its lock.

import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { acquireLock } from '../../server/src/adapters/files/lock.ts';
import { findRunningSupervisors } from '../../server/src/adapters/system/runningProcesses.ts';
import { resolveNightFolders } from '../../server/src/app/nights/nightFolders.ts';
import { createCommandLine, type CommandLine } from '../helpers/commandLine.ts';
import { gradesProject } from '../helpers/gradesProject.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../helpers/temporaryRepository.ts';
import { thoroughTest } from '../helpers/thorough.ts';

const DETACH = ['night', '--for', '1h', '--detach', '--set', 'night.searchFurther=false'];
let repository: TemporaryRepository;
let selfware: CommandLine;

beforeEach(async () => {
  repository = await createTemporaryRepository(gradesProject(['double']));
  selfware = await createCommandLine(repository.dir);
  await selfware.decide();
});
afterEach(async () => {
  await selfware.run(['stop']);
  await selfware.dispose();
  await repository.dispose();
});

const newest = async () => (await selfware.json(['report'])).value;

thoroughTest(
  'it says what may happen before it starts, and starts nothing beside a run or while Selfware is stopped',
  async () => {
    const started = await selfware.run(DETACH);
    expect(started.stdout, started.stderr).toContain('What may happen unasked');
    const { branch, runs } = await newest();
    expect(started.stdout).toMatch(new RegExp(`Running in the background until .* on ${branch} \\(process \\d+\\)`));
    const second = await selfware.run(DETACH);
    expect([second.code, second.stderr]).toEqual([2, expect.stringContaining('is in progress')]);
    await selfware.run(['stop']);
    const stopped = await selfware.run(DETACH);
    expect([stopped.code, stopped.stderr]).toEqual([2, expect.stringContaining('Selfware is stopped')]);
    await selfware.run(['resume']);
    expect((await newest()).runs).toHaveLength(1);
    // The night is found by the id of its run, too.
    expect((await selfware.json(['report', runs[0].id])).value.branch).toBe(branch);
    expect(JSON.parse((await selfware.run(['report', '--format', 'json'])).stdout).branch).toBe(branch);
    const again = await selfware.json(DETACH);
    expect(again.value).toMatchObject({
      branch,
      run: expect.any(String),
      state: 'running',
      process: expect.any(Number),
    });
    const unit = await selfware.json(['night', '--for', '1h', '--systemd']);
    expect(unit.value.unit).toContain('ExecStart=');
  },
);

test('a worker that died is replaced also if another command holds the lock of runs meanwhile', async () => {
  await selfware.run(DETACH);
  const env = { SELFWARE_HOME: selfware.home };
  const [supervisor] = await findRunningSupervisors(repository.dir, env);
  process.kill(supervisor!.worker!.pid, 'SIGKILL');
  const file = resolveNightFolders(repository.dir, env).lock;
  let held: Awaited<ReturnType<typeof acquireLock>> = null;
  await expect.poll(() => acquireLock(file).then((lock) => (held = lock) !== null), { interval: 10 }).toBe(true);
  const workers = async () => (await findRunningSupervisors(repository.dir, env))[0]?.worker?.pid;
  await expect.poll(workers).not.toBe(supervisor!.worker!.pid);
  const log = `${resolveNightFolders(repository.dir, env).folder}/log`;
  await expect.poll(() => readFile(log, 'utf8')).toContain('Another command works on the branch');
  await held!.release();
  await expect.poll(async () => (await newest()).runs.at(-1).resumed).toBe(1);
});
