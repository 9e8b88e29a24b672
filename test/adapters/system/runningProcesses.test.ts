// `stop` ends what Selfware has recorded, and nothing that only has the same process id.

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { findDescendants } from '../../../server/src/adapters/system/processTree.ts';
import {
  endOrphanedWorkers,
  readProcessIdentity,
  registerProcess,
  findRunningSupervisors,
  stopProcesses,
} from '../../../server/src/adapters/system/runningProcesses.ts';

let home: string;
let stranger: ChildProcess;
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'selfware-running-'));
  mkdirSync(join(home, 'running'));
  stranger = spawn(process.execPath, ['-e', 'setInterval(() => 0, 60000)'], { stdio: 'ignore', detached: true });
  await once(stranger, 'spawn');
});
afterEach(() => {
  stranger.kill('SIGKILL');
  rmSync(home, { recursive: true, force: true });
});

const env = () => ({ SELFWARE_HOME: home });
const write = (name: string, record: object) => {
  const file = join(home, 'running', `${name}.json`);
  writeFileSync(file, JSON.stringify(record));
  return file;
};

test('a process that reuses an id is left alone, as supervisor and as worker', async () => {
  const reused = { pid: stranger.pid!, started: 'another time' };
  const supervisor = { token: 'a', worker: reused };
  const file = write('1', { ...reused, rootDir: home, supervisor });
  expect(await findRunningSupervisors(home, env())).toEqual([]);
  await endOrphanedWorkers(home, env());
  expect(existsSync(file)).toBe(false);
  write('1', { ...reused, rootDir: home, supervisor });
  expect(await stopProcesses(null, env())).toEqual([]);
  expect(await readProcessIdentity(stranger.pid!)).not.toBeNull();
});

test('the worker of a supervisor that was killed is ended', async () => {
  const worker = await readProcessIdentity(stranger.pid!);
  write('1', { pid: 1, started: 'another time', rootDir: home, supervisor: { token: 'a', worker } });
  await endOrphanedWorkers(home, env());
  expect(await readProcessIdentity(stranger.pid!)).toBeNull();
});

test('what runs on another repository is left alone', async () => {
  const identity = await readProcessIdentity(stranger.pid!);
  write('1', { ...identity, rootDir: '/elsewhere', supervisor: { token: 'a', worker: null } });
  expect(await findRunningSupervisors(home, env())).toEqual([]);
  expect(await findRunningSupervisors(null, env())).toHaveLength(1);
  expect(await stopProcesses(home, env())).toEqual([]);
  expect(await readProcessIdentity(stranger.pid!)).not.toBeNull();
});

test('a process is ended by any path of its repository', async () => {
  const identity = await readProcessIdentity(stranger.pid!);
  const link = join(home, 'link');
  symlinkSync(home, link);
  write('1', { ...identity, rootDir: realpathSync(home) });
  expect(await stopProcesses(link, env())).toHaveLength(1);
  expect(await readProcessIdentity(stranger.pid!)).toBeNull();
});

/** Starts a process that runs this code, records it, and resolves once it says something. */
async function start(name: string, code: string, record: object = {}): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'inherit'], cwd: home });
  await once(child.stdout, 'data');
  write(name, { ...(await readProcessIdentity(child.pid!)), rootDir: realpathSync(home), ...record });
  return child;
}

test('all processes get the signal at the same time', async () => {
  // The first one ends in an orderly way only if the second one was asked to end meanwhile.
  const writesFirst = "require('fs').writeFileSync('first', ''), process.exit()";
  const waits = `setInterval(() => require('fs').existsSync('second') && (${writesFirst}), 20)`;
  const supervisor = { token: 'a', worker: null };
  const first = await start('1', `process.on('SIGTERM', () => ${waits}); setInterval(() => 0, 9e4); console.log(1)`, {
    supervisor,
  });
  const asked = "process.on('SIGTERM', () => (require('fs').writeFileSync('second', ''), process.exit()))";
  const second = await start('2', `${asked}; setInterval(() => 0, 9e4); console.log(1)`);
  expect((await stopProcesses(home, env())).map(({ pid }) => pid)).toEqual([first.pid, second.pid]);
  expect(existsSync(join(home, 'first'))).toBe(true);
});

test('a suspended process has ended, with those below it, when the call returns', async () => {
  const below = `require('child_process').spawn(process.execPath, ['-e', 'setInterval(() => 0, 9e4)']).pid`;
  const suspended = await start('1', `setInterval(() => 0, 9e4); ${below}; console.log(1)`);
  const [child] = findDescendants(suspended.pid!);
  suspended.kill('SIGSTOP');
  expect(await stopProcesses(home, env())).toHaveLength(1);
  expect(await readProcessIdentity(suspended.pid!)).toBeNull();
  await expect.poll(() => readProcessIdentity(child!.pid)).toBeNull();
});

test('a supervisor has a second to record the end after it has killed its worker', async () => {
  const records = "setTimeout(() => (require('fs').writeFileSync('end', ''), process.exit()), 3_300)";
  await start('1', `process.on('SIGTERM', () => ${records}); setInterval(() => 0, 9e4); console.log(1)`, {
    supervisor: { token: 'a', worker: null },
  });
  const startedAt = performance.now();
  expect(await stopProcesses(home, env())).toHaveLength(1);
  expect(existsSync(join(home, 'end'))).toBe(true);
  expect(performance.now() - startedAt).toBeLessThan(5_000);
  expect(readdirSync(join(home, 'running'))).toEqual([]);
});

test('a process that may not be signalled keeps its record, so that the next call finds it', async () => {
  const identity = await readProcessIdentity(stranger.pid!);
  const file = write('1', { ...identity, rootDir: realpathSync(home) });
  vi.spyOn(process, 'kill').mockImplementation(() => {
    throw Object.assign(new Error('Not permitted.'), { code: 'EPERM' });
  });
  await expect(stopProcesses(home, env())).rejects.toMatchObject({ code: 'EPERM' });
  vi.restoreAllMocks();
  expect(existsSync(file)).toBe(true);
  expect(await stopProcesses(home, env())).toHaveLength(1);
  expect(existsSync(file)).toBe(false);
});

test('a record is replaced as a whole, and removed at the end', async () => {
  const { update, release } = await registerProcess(home, env(), { supervisor: { token: 'a', worker: null } });
  await update({ token: 'a', worker: { pid: 1, started: 'then' } });
  expect(existsSync(join(home, 'running', `${process.pid}.json`))).toBe(true);
  expect(existsSync(join(home, 'running', `${process.pid}.json.new`))).toBe(false);
  await release();
  expect(existsSync(join(home, 'running', `${process.pid}.json`))).toBe(false);
});
