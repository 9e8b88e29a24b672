// Takes over Vitest: each test file is run repeatedly in its own worker, whose modules are evaluated again each time.

import nodeModule, { createRequire } from 'node:module';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { judgeMutants, type LoadedTests, type TestResults } from './judge.ts';
import type { Switch } from './switch.ts';

/** A test, suite or file of Vitest. */
interface Task {
  readonly id: string;
  readonly type: string;
  mode: string;
  readonly name?: string;
  readonly suite?: Task;
  readonly tasks?: readonly Task[];
  readonly filepath?: string;
  readonly result?: { readonly state?: string; readonly errors?: readonly unknown[]; readonly duration?: number };
}
interface Runner {
  cancelRun?: boolean;
  readonly config: { testTimeout: number };
  workerState?: { current: unknown };
  moduleRunner?: { readonly mocker?: { reset?(): void } };
  [method: string]: unknown;
}
type Method = (this: Runner, ...args: unknown[]) => unknown;
type StartTests = (files: readonly string[], runner: Runner) => Promise<readonly Task[]>;

/** The end of the path of Vitest's folder. */
const PACKAGE_PATH = '/vitest';
/** The part of an address by which Vitest's own modules are recognised. */
const BUILT_FOLDER = `${PACKAGE_PATH}/dist/`;
/** Name of the global function to which the module of the runner passes its class. */
const TAKE_RUNNER = '__selfwareTakeRunner';
/** Matches the class of Vitest's own runner, by all names that it has had. */
const RUNNER_CLASS = /^class ((?:Vitest)?TestRunner) /m;
/**
 * Milliseconds. The time limit of a test that is run again is this or `TIMES_LONGER` times the duration of the slowest
 * test in its file, whichever is longer, but at most the configured limit. So a test that waits forever ends soon.
 */
const MIN_TIMEOUT_MS = 2_000;
/** The limit of a test that is run again, as a multiple of the duration of the slowest test. */
const TIMES_LONGER = 5;

/**
 * Extends the class of Vitest's runner when its module is loaded, by a line that is added to the module. Does nothing
 * in a version of Node without `registerHooks`.
 */
export function patchVitest(mutants: Switch): void {
  if (typeof nodeModule.registerHooks !== 'function') return;
  let vitestFolder = '';
  mutants.setPlace('always');
  Object.defineProperty(globalThis, TAKE_RUNNER, {
    value: (runner: { prototype: Runner }) => patchRunnerClass(runner.prototype, () => vitestFolder, mutants),
  });
  nodeModule.registerHooks({
    load(url, context, next) {
      const loaded = next(url, context);
      if (!url.includes(BUILT_FOLDER) || !loaded.source) return loaded;
      const source =
        typeof loaded.source === 'string' ? loaded.source : new TextDecoder().decode(loaded.source as Uint8Array);
      const name = RUNNER_CLASS.exec(source)?.[1];
      if (!name) return loaded;
      vitestFolder = fileURLToPath(url.slice(0, url.lastIndexOf(BUILT_FOLDER) + PACKAGE_PATH.length));
      return { ...loaded, source: `${source}\n;globalThis.${TAKE_RUNNER}?.(${name});\n` };
    },
  });
}

/**
 * Extends the runner's class: the runner then informs the switch which tests are running, and judges the mutants after
 * the files have run.
 */
function patchRunnerClass(prototype: Runner, folder: () => string, mutants: Switch): void {
  const runningTests = new Set<string>();
  let isJudging = false;
  const extendMethod = (name: string, after: (runner: Runner, firstArgument: unknown) => unknown) => {
    const original = prototype[name] as Method | undefined;
    prototype[name] = async function (this: Runner, ...args: unknown[]) {
      await original?.apply(this, args);
      await after(this, args[0]);
    };
  };
  const updateSwitch = () => isJudging || mutants.setPlace(runningTests.size > 0 ? new Set(runningTests) : 'always');
  extendMethod('onBeforeRunTask', (_runner, test) => {
    const { id, mode } = test as Task;
    if (mode !== 'run' && mode !== 'queued') return;
    runningTests.add(id);
    mutants.recorder?.name(id, joinTitles(test as Task));
    updateSwitch();
  });
  extendMethod('onAfterRunTask', (_runner, test) => {
    runningTests.delete((test as Task).id);
    updateSwitch();
  });
  extendMethod('onAfterRunFiles', async (runner, files) => {
    if (isJudging) return;
    isJudging = true;
    try {
      for (const file of files as readonly Task[]) await judgeFile(runner, file, folder(), mutants);
    } finally {
      isJudging = false;
      mutants.clearReach();
      mutants.setPlace('always');
    }
  });
}

async function judgeFile(runner: Runner, file: Task, folder: string, mutants: Switch): Promise<void> {
  const filepath = file.filepath!;
  const startTests = await loadStartTests(folder);
  const { vi } = (await import(pathToFileURL(join(folder, 'dist', 'index.js')).href)) as {
    vi: Readonly<Record<string, (() => unknown) | undefined>>;
  };
  const slowestMs = Math.max(0, ...collectTests(file).map(({ result }) => result?.duration ?? 0));
  const loaded: LoadedTests = {
    file: filepath,
    async run(onlyTests, stopsAtFailure) {
      vi['resetConfig']?.();
      vi['restoreAllMocks']?.();
      vi['useRealTimers']?.();
      runner.moduleRunner?.mocker?.reset?.();
      vi['resetModules']?.();
      const startedAt = Date.now();
      const patienceMs = onlyTests ? Math.max(MIN_TIMEOUT_MS, TIMES_LONGER * slowestMs) : runner.config.testTimeout;
      return runQuietly(runner, onlyTests, stopsAtFailure, patienceMs, async () => {
        const files = await startTests([filepath], runner);
        return readResults(files, Date.now() - startedAt);
      });
    },
  };
  const totalMs = collectTests(file).reduce((total, { result }) => total + (result?.duration ?? 0), 0);
  await judgeMutants(readResults([file], totalMs), loaded, mutants);
}

/**
 * Calls `work` while the runner reports nothing, and runs only the tests in `onlyTests`, or all if it is null.
 * `stopsAtFailure`: true if the run ends at the first failure. `patienceMs`: time limit of a test in milliseconds.
 */
async function runQuietly<T>(
  runner: Runner,
  onlyTests: ReadonlySet<string> | null,
  stopsAtFailure: boolean,
  patienceMs: number,
  work: () => Promise<T>,
): Promise<T> {
  const prototype = Object.getPrototypeOf(runner) as Runner;
  const { testTimeout } = runner.config;
  const replacements: Readonly<Record<string, Method>> = {
    onTaskUpdate: async () => undefined,
    onTestAnnotate: async (_test, annotation) => annotation,
    onTestArtifactRecord: async (_test, artifact) => artifact,
    onCollectStart: prototype['onCollectStart'] as Method,
    onCollected: async (files) => void (files as readonly Task[]).forEach((file) => skipUnwanted(file, onlyTests)),
    onAfterRunSuite: async () => undefined,
    onAfterRunFiles: prototype['onAfterRunFiles'] as Method,
    async onAfterRunTask(test) {
      await (prototype['onAfterRunTask'] as Method | undefined)?.call(runner, test);
      if (stopsAtFailure && (test as Task).result?.state === 'fail') runner.cancelRun = true;
    },
  };
  const originals = Object.keys(replacements).map(
    (name) => [name, Object.getOwnPropertyDescriptor(runner, name)] as const,
  );
  for (const [name, method] of Object.entries(replacements))
    Object.defineProperty(runner, name, { value: method, configurable: true, writable: true });
  runner.config.testTimeout = Math.min(testTimeout, patienceMs);
  try {
    return await work();
  } finally {
    runner.config.testTimeout = testTimeout;
    runner.cancelRun = false;
    for (const [name, descriptor] of originals)
      if (descriptor) Object.defineProperty(runner, name, descriptor);
      else delete runner[name];
  }
}

/** Sets the mode of unwanted tests to `skip`. Returns true if a test of the task is left to run. */
function skipUnwanted(task: Task, onlyTests: ReadonlySet<string> | null): boolean {
  const isWanted = task.tasks
    ? task.tasks.map((child) => skipUnwanted(child, onlyTests)).includes(true)
    : onlyTests === null || onlyTests.has(task.id);
  if (!isWanted && task.mode === 'run') task.mode = 'skip';
  return isWanted;
}

function readResults(files: readonly Task[], millis: number): TestResults {
  const ranTests = new Set<string>();
  const failedTests = new Set<string>();
  let isBroken = false;
  const visit = (task: Task): void => {
    const { state } = task.result ?? {};
    if (!task.tasks) {
      if (state === 'pass' || state === 'fail') ranTests.add(task.id);
      if (state === 'fail') failedTests.add(task.id);
      return;
    }
    if ((task.result?.errors?.length ?? 0) > 0) isBroken = true;
    task.tasks.forEach(visit);
  };
  files.forEach(visit);
  return { ran: ranTests, failed: failedTests, broken: isBroken, millis };
}

/** The titles of a test's suites and of the test itself, as one text. */
function joinTitles(test: Task): string {
  const names: string[] = [];
  for (let ancestor: Task | undefined = test; ancestor; ancestor = ancestor.suite)
    if (ancestor.name) names.unshift(ancestor.name);
  return names.join(' ');
}

function collectTests(task: Task): readonly Task[] {
  return task.tasks ? task.tasks.flatMap(collectTests) : [task];
}

/**
 * Loads `startTests` of `@vitest/runner`, which is a part of Vitest itself since version 5. Throws an `Error` if there
 * is none.
 */
async function loadStartTests(folder: string): Promise<StartTests> {
  const requireThere = createRequire(join(folder, 'package.json'));
  let path = join(folder, 'dist', 'browser.js');
  try {
    path = requireThere.resolve('@vitest/runner');
  } catch (error) {
    if (!existsSync(path)) throw new Error(`${dirname(path)} has no function that runs tests.`, { cause: error });
  }
  return ((await import(pathToFileURL(path).href)) as { startTests: StartTests }).startTests;
}
