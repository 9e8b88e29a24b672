// Takes over AVA (3 and later): the tests of a file are declared once, and run repeatedly in the file's own worker.

import { AsyncLocalStorage } from 'node:async_hooks';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { judgeMutants, type LoadedTests, type TestResults } from './judge.ts';
import type { Switch } from './switch.ts';

/** A test or hook of AVA. */
interface Task {
  readonly title: string;
}
/** A change of state that a runner reports, such as `test-passed` with the title of the test. */
interface StateChange {
  readonly type: string;
  readonly title?: string;
  readonly knownFailing?: boolean;
}
type Emit = (event: string, data?: unknown) => Promise<unknown>;
/** AVA's runner of one test file. */
interface Runner {
  readonly file: string;
  readonly tasks: { serial: readonly Task[]; concurrent: readonly Task[] };
  failFast: boolean;
  /**
   * Tests and hooks that run. `finishDueToInactivity`: ends one that waits for a promise; null if it does not wait for
   * one.
   */
  readonly activeRunnables: ReadonlySet<{ readonly finishDueToInactivity: (() => void) | null }>;
  registerUniqueTitle: (title: string) => boolean;
  emit: Emit;
  start(): Promise<void>;
  on(event: string, listener: unknown): unknown;
  runTest(task: Task, context: unknown): Promise<unknown>;
  runSingle(runnable: unknown): Promise<unknown>;
}

/**
 * The time limit of a run with a mutant is this many times the duration of the first run, plus `EXTRA_MS`. Then its
 * open tests fail.
 */
const TIME_FACTOR = 1.5;
/** Milliseconds of the time limit in addition to the multiple of the duration. */
const EXTRA_MS = 2_000;
/**
 * Milliseconds between two attempts to end open tests. Several may be needed, because further tests may have begun
 * meanwhile.
 */
const RETRY_MS = 500;
/** Node's own functions, because tests may replace the global ones. */
const { setInterval: setRealInterval, clearInterval: clearRealInterval } = globalThis;

/** Lifts AVA's limit on the time without reports, because nothing is reported while mutants are tried. */
export function liftTimeLimitOfAva(): void {
  const index = process.argv.indexOf('--');
  process.argv.splice(index < 0 ? process.argv.length : index, 0, '--timeout=24h');
}

/** Extends the runner in a worker of AVA. `folder`: the folder of the package `ava` that runs. */
export async function patchAva(folder: string, mutants: Switch): Promise<void> {
  mutants.setPlace('loading');
  const { default: Runner } = (await import(pathToFileURL(join(folder, 'lib', 'runner.js')).href)) as {
    default: { prototype: Runner };
  };
  const { prototype } = Runner;
  const { start, on } = prototype;
  followTests(prototype, mutants);
  const startedRunners = new WeakSet<Runner>();
  // The worker calls `on` before it loads the test file. So a file that does not load is reported as started, and the
  // mutants that its tests reach count as unknown.
  prototype.on = function (event, listener) {
    if (mutants.recorder === null && this.file && !startedRunners.has(this)) mutants.report({ started: this.file });
    startedRunners.add(this);
    return on.call(this, event, listener);
  };
  prototype.start = async function () {
    await judgeFile(this, start, mutants);
    await this.emit('finish');
  };
}

/**
 * Tells the switch which tests run. While a test's function is called, this is the only test; code that runs later
 * belongs to all tests that have not ended. Hooks of the whole file belong to all tests.
 */
function followTests(prototype: Runner, mutants: Switch): void {
  const { runTest, runSingle } = prototype;
  const currentTask = new AsyncLocalStorage<Task>();
  /** Titles of the tests that have not ended, with the number of their functions and hooks that run. */
  const openTests = new Map<string, number>();
  const updateSwitch = () => mutants.setPlace(openTests.size > 0 ? new Set(openTests.keys()) : 'always');
  const changeCount = (title: string | undefined, change: 1 | -1) => {
    if (title === undefined) return;
    const runningCount = (openTests.get(title) ?? 0) + change;
    if (runningCount > 0) openTests.set(title, runningCount);
    else openTests.delete(title);
  };
  prototype.runTest = function (task, context) {
    return currentTask.run(task, () => runTest.call(this, task, context));
  };
  prototype.runSingle = async function (runnable) {
    if (!firstRunRunners.has(this)) return runSingle.call(this, runnable);
    const title = currentTask.getStore()?.title;
    mutants.setPlace(title === undefined ? 'always' : new Set([title]));
    const whenDone = runSingle.call(this, runnable);
    changeCount(title, 1);
    updateSwitch();
    try {
      return await whenDone;
    } finally {
      changeCount(title, -1);
      updateSwitch();
    }
  };
}

/** The runners that run their tests for the first time. */
const firstRunRunners = new WeakSet<Runner>();

async function judgeFile(runner: Runner, start: Runner['start'], mutants: Switch): Promise<void> {
  firstRunRunners.add(runner);
  mutants.setPlace('always');
  const firstRun = await runOnce(runner, start, { onlyTests: null, stopsAtFailure: runner.failFast, patience: null });
  firstRunRunners.delete(runner);
  const patienceMs = firstRun.millis * TIME_FACTOR + EXTRA_MS;
  const loaded: LoadedTests = {
    file: runner.file,
    run: (onlyTests, stopsFirst) =>
      runOnce(runner, start, { onlyTests, stopsAtFailure: stopsFirst, patience: patienceMs }),
  };
  const restoreListeners = detachListeners('uncaughtException');
  try {
    await judgeMutants(firstRun, loaded, mutants);
  } finally {
    restoreListeners();
  }
}

/**
 * Runs the tests in `onlyTests`, or all if it is null. `stopsAtFailure`: true if the run ends at the first failure. `patienceMs`:
 * milliseconds until the open tests fail; null for the first run, which AVA reports.
 */
async function runOnce(
  runner: Runner,
  start: Runner['start'],
  run: {
    readonly onlyTests: ReadonlySet<string> | null;
    readonly stopsAtFailure: boolean;
    readonly patience: number | null;
  },
): Promise<TestResults> {
  const { onlyTests, stopsAtFailure, patience: patienceMs } = run;
  const { emit, failFast, registerUniqueTitle } = runner;
  const { serial, concurrent } = runner.tasks;
  const isWanted = ({ title }: Task) => onlyTests === null || onlyTests.has(title);
  const ranTests = new Set<string>();
  const failedTests = new Set<string>();
  const knownTitles = new Set([...serial, ...concurrent].map(({ title }) => title));
  const startedAt = Date.now();
  let isBroken = false;
  runner.emit = async (event, data) => {
    const { type, title = '' } = (data ?? {}) as Partial<StateChange>;
    if (type === 'test-passed' || type === 'test-failed') ranTests.add(title);
    if (type === 'test-failed') failedTests.add(title);
    if (type === 'hook-failed' || event === 'error') isBroken = true;
    // The end is reported once the mutants have been judged.
    return event === 'finish' || patienceMs !== null ? undefined : emit.call(runner, event, data);
  };
  runner.failFast = stopsAtFailure;
  runner.tasks.serial = serial.filter(isWanted);
  runner.tasks.concurrent = concurrent.filter(isWanted);
  if (patienceMs !== null)
    runner.registerUniqueTitle = (title) => !knownTitles.has(title) && knownTitles.add(title) !== undefined;
  const endOpenTests = () => {
    if (patienceMs === null || Date.now() - startedAt < patienceMs) return;
    for (const runnable of runner.activeRunnables) runnable.finishDueToInactivity?.();
  };
  const timer = patienceMs === null ? undefined : setRealInterval(endOpenTests, RETRY_MS);
  timer?.unref();
  try {
    await start.call(runner);
  } finally {
    clearRealInterval(timer);
    Object.assign(runner, { emit, failFast, registerUniqueTitle });
    Object.assign(runner.tasks, { serial, concurrent });
  }
  return { ran: ranTests, failed: failedTests, broken: isBroken, millis: Date.now() - startedAt };
}

/**
 * Replaces the listeners of an event of the process, which would end the process, by one that does nothing. Returns a
 * function that restores them.
 */
function detachListeners(event: 'uncaughtException'): () => void {
  const listeners = process.listeners(event);
  const ignore = () => undefined;
  process.removeAllListeners(event).on(event, ignore);
  return () => {
    process.off(event, ignore);
    listeners.forEach((listener) => process.on(event, listener));
  };
}
