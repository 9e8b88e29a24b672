// A supervisor with real processes: workers that crash, hang and do not want to end; supervisors and launchers that are
// killed.

import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { GRACEFUL_SHUTDOWN_MS } from '../../../server/src/adapters/run/heartbeat.ts';
import { findRunningSupervisors, stopProcesses } from '../../../server/src/adapters/system/runningProcesses.ts';
import { WORKER_EXIT } from '../../../server/src/core/run/supervision.ts';
import { kill, newRun, processesOf, startLauncher, startSupervisor, workersOf, type Run } from './processes.ts';

interface Line {
  readonly type?: string;
  readonly [name: string]: unknown;
}

let run: Run;
beforeEach(() => void (run = newRun()));
afterEach(() => run.dispose());

/** Everything that the supervisor says until it ends; `onLine` hears each line at once. */
async function sayings(supervisor: ChildProcess, onLine = (_: Line): void => undefined): Promise<readonly Line[]> {
  const said: Line[] = [];
  createInterface(supervisor.stdout!).on('line', (text) => {
    const [line = {}] = linesIn(text);
    said.push(line);
    onLine(line);
  });
  await once(supervisor, 'close');
  return said;
}

function linesIn(text: string): readonly Line[] {
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line);
}

const workers = (count: number) => expect.poll(() => workersOf(run).length).toBeGreaterThanOrEqual(count);
const noProcess = () => expect.poll(() => processesOf(run.file)).toEqual([]);

test('a worker that crashes is started again, after pauses that double, and may then finish', async () => {
  const said = await sayings(startSupervisor(run, 'crashes three times'));
  const pauses = said.filter(({ type }) => type === 'startPlanned').map(({ afterMs }) => afterMs);
  expect(pauses).toEqual([20, 40, 80]);
  expect(said.at(-1)).toEqual({ type: 'end', end: 'finished' });
  expect(processesOf(run.file)).toEqual([]);
});

test('five starts are used, and a person is told', async () => {
  const supervisor = startSupervisor(run, 'crashes');
  const said = await sayings(supervisor, ({ reason }) => reason === 'tooManyStarts' && supervisor.kill('SIGTERM'));
  expect(said.filter(({ type }) => type === 'workerStarted')).toHaveLength(5);
  expect(said.filter(({ reason }) => reason === 'tooManyStarts')).toHaveLength(1);
  expect(said.at(-1)).toEqual({ type: 'end', end: 'stopped' });
});

test('a worker that needs a person ends the supervision', async () => {
  const said = await sayings(startSupervisor(run, 'needs a person'));
  expect(said.slice(-2)).toEqual([{ reason: 'needsPerson' }, { type: 'end', end: 'needsPerson' }]);
  expect(workersOf(run)).toHaveLength(1);
});

test('a worker that hangs is found and replaced', async () => {
  const supervisor = startSupervisor(run, 'orderly');
  const lines = sayings(supervisor);
  await workers(1);
  const [first = 0] = workersOf(run);
  kill(first, 'SIGSTOP');
  await workers(2);
  supervisor.kill('SIGTERM');
  const asked = (await lines).filter(({ type }) => type === 'workerAskedToEnd');
  expect(asked[0]).toMatchObject({ worker: 1, cause: 'silent', step: 'counting' });
  expect(asked.at(-1)).toMatchObject({ cause: 'stop' });
  await noProcess();
});

test('the run continues when its launcher is killed, and another process finds and stops it', async () => {
  const launcher = startLauncher(run, 'with a child');
  const [said] = (await once(launcher.stdout!, 'data')) as [Buffer];
  await workers(1);
  launcher.kill('SIGKILL');
  await once(launcher, 'exit');
  const pid = Number(String(said));
  // The worker is replaced after the launcher has gone: the supervisor really works on.
  kill(workersOf(run)[0]!, 'SIGKILL');
  await workers(2);
  await expect
    .poll(async () => (await findRunningSupervisors(run.rootDir, run.env)).map((one) => [one.pid, one.worker?.pid]))
    .toEqual([[pid, workersOf(run)[1]]]);
  expect((await stopProcesses(null, run.env)).map((one) => one.pid)).toEqual([pid, workersOf(run)[1]]);
  await noProcess();
  expect(linesIn(readFileSync(run.logFile, 'utf8')).at(-1)).toEqual({ type: 'end', end: 'stopped' });
});

test.each(['orderly', 'with a child', 'deaf, with children', 'blocked'])(
  'a worker (%s) ends with all processes below it after its supervisor was killed',
  async (how) => {
    const supervisor = startSupervisor(run, how);
    supervisor.stdout!.resume();
    await workers(1);
    supervisor.kill('SIGKILL');
    await noProcess();
    expect(GRACEFUL_SHUTDOWN_MS).toBeLessThan(5_000);
  },
);

/** A worker that hangs, and whose supervisor was killed: it cannot notice that. */
async function orphanedWorker(): Promise<number> {
  const supervisor = startSupervisor(run, 'deaf, with children');
  supervisor.stdout!.resume();
  await workers(1);
  const [worker = 0] = workersOf(run);
  await expect.poll(async () => (await findRunningSupervisors(run.rootDir, run.env))[0]?.worker?.pid).toBe(worker);
  kill(worker, 'SIGSTOP');
  supervisor.kill('SIGKILL');
  await once(supervisor, 'exit');
  return worker;
}

test('a worker that hung when its supervisor was killed is ended by stop', async () => {
  await orphanedWorker();
  await stopProcesses(null, run.env);
  await noProcess();
});

test('a worker that hung when its supervisor was killed is ended by the next supervisor', async () => {
  const orphan = await orphanedWorker();
  const supervisor = startSupervisor(run, 'orderly');
  const lines = sayings(supervisor);
  await workers(2);
  expect(processesOf(run.file)).not.toContain(orphan);
  supervisor.kill('SIGTERM');
  await lines;
  await noProcess();
});

test('a worker with too much memory is drained and started again, as long as a start is free', async () => {
  const supervisor = startSupervisor(run, 'large');
  const lines = sayings(supervisor);
  await workers(5);
  supervisor.kill('SIGTERM');
  const said = await lines;
  const ended = said.filter(({ type }) => type === 'workerEnded');
  expect(ended.map(({ cause, code, isFailure }) => [cause, code, isFailure])).toEqual([
    ...Array(4).fill(['memory', WORKER_EXIT.drained, false]),
    ['stop', null, false],
  ]);
});

test('stop leaves no process of a worker that ignores SIGTERM, nor of its children', async () => {
  const supervisor = startSupervisor(run, 'deaf, with children');
  const lines = sayings(supervisor);
  await workers(1);
  // Supervisor, worker, and two children, one of them in a group of its own.
  expect(processesOf(run.file)).toHaveLength(4);
  supervisor.kill('SIGTERM');
  expect((await lines).at(-1)).toEqual({ type: 'end', end: 'stopped' });
  await noProcess();
});

test('a repository has one supervisor at most', async () => {
  const supervisor = startSupervisor(run, 'orderly');
  const lines = sayings(supervisor);
  await workers(1);
  expect(await sayings(startSupervisor(run, 'orderly'))).toEqual([{ type: 'end', end: 'locked' }]);
  supervisor.kill('SIGTERM');
  await lines;
  expect(workersOf(run)).toHaveLength(1);
});
