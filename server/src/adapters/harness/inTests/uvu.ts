// Takes over uvu: the suites of all files are collected when they are loaded, and run repeatedly in the process of the
// command, by uvu itself.

import nodeModule from 'node:module';
import { join } from 'node:path';
import { judgeMutants, type LoadedTests } from './judge.ts';
import { replaceModule } from './replaceModule.ts';
import type { Switch } from './switch.ts';
import { TrackedTests } from './trackedTests.ts';

type Handler = (state: unknown) => unknown;
type RegisterHook = ((handler: Handler) => void) & { each(handler: Handler): void };
/** A suite of uvu itself. */
interface OwnSuite {
  (name: string, handler: Handler): void;
  readonly before: RegisterHook;
  readonly after: RegisterHook;
  run(): void;
}
/** The result of a suite: its failures as text, or true if there are none, and the numbers of tests. */
type SuiteResult = readonly [failures: string | true, passed: number, skipped: number, total: number];
/** The function of uvu that creates a suite. */
type MakeSuite = (name?: string, state?: object) => OwnSuite;
interface Test {
  readonly id: string;
  readonly name: string;
  readonly handler: Handler;
}
/** A hook. `isForEach`: true if it runs for each test, false if it runs once for the suite. */
interface Hook {
  readonly when: 'before' | 'after';
  readonly isForEach: boolean;
  readonly handler: Handler;
}
interface Suite {
  readonly name: string;
  readonly state: object;
  readonly tests: readonly Test[];
  readonly hooks: readonly Hook[];
}

/** The queues to which a suite of uvu adds itself when it is ready to run: one for each file. */
const queues = globalThis as { UVU_QUEUE?: (() => Promise<SuiteResult>)[][]; UVU_INDEX?: number };

/**
 * Replaces the package `uvu` by one that collects tests. When its command would run them, the mutants are judged; then
 * the process ends with exit code 0. `folder`: the package. If a suite becomes ready later, the process ends with exit
 * code 1, and everything is left undecided.
 */
export function patchUvu(folder: string, mutants: Switch): void {
  mutants.setPlace('loading');
  // All modules that `require` the package share this object, even those that bypass Node's own loader.
  const originalUvu = nodeModule.createRequire(join(folder, 'bin.js'))('uvu') as { readonly suite: MakeSuite };
  Object.assign(originalUvu, createCollectingModule(originalUvu.suite, mutants));
  replaceModule(
    (request) => request === 'uvu',
    () => originalUvu,
    { name: 'uvu', path: folder },
  );
}

function createCollectingModule(makeSuite: MakeSuite, mutants: Switch): object {
  const readySuites: Suite[] = [];
  let hasStarted = false;
  let testCount = 0;
  const suite = (name = '', state: object = {}): object => {
    const openSuite = { tests: [] as Test[], only: [] as Test[], hooks: [] as Hook[] };
    const createRegistrar = (list: Test[]) => (title: string, handler: Handler) => {
      testCount += 1;
      list.push({ id: `${testCount} ${title}`, name: name === '' ? title : `${name} › ${title}`, handler });
    };
    const hook = (when: Hook['when']) =>
      Object.assign((handler: Handler) => void openSuite.hooks.push({ when, isForEach: false, handler }), {
        each: (handler: Handler) => void openSuite.hooks.push({ when, isForEach: true, handler }),
      });
    return Object.assign(createRegistrar(openSuite.tests), {
      only: createRegistrar(openSuite.only),
      skip: () => undefined,
      before: hook('before'),
      after: hook('after'),
      run() {
        if (hasStarted) process.exit(1);
        readySuites.push({
          name,
          state,
          tests: openSuite.only.length > 0 ? openSuite.only : openSuite.tests,
          hooks: openSuite.hooks,
        });
        Object.assign(openSuite, { tests: [], only: [], hooks: [] });
      },
    });
  };
  const exec = () => {
    hasStarted = true;
    void judgeSuites(makeSuite, readySuites, mutants).finally(() => process.exit(0));
    return new Promise(() => undefined);
  };
  return { suite, test: suite(), exec };
}

async function judgeSuites(makeSuite: MakeSuite, suites: readonly Suite[], mutants: Switch): Promise<void> {
  const { recorder } = mutants;
  if (recorder) for (const { id, name } of suites.flatMap(({ tests }) => tests)) recorder.name(id, name);
  const trackedTests = new TrackedTests(mutants);
  mutants.setPlace('always');
  // An error in a test would end the process.
  process.on('uncaughtException', () => undefined);
  const run = (onlyTests: ReadonlySet<string> | null, stopsAtFailure: boolean, patience: number | null) =>
    trackedTests.trackRun({ onlyTests, first: stopsAtFailure, patienceMs: patience }, async () => {
      for (const suite of suites) await runSuiteTests(makeSuite, suite, trackedTests);
    });
  const originalWrite = process.stdout.write;
  process.stdout.write = () => true;
  try {
    const firstRun = await run(null, false, null);
    const loaded: LoadedTests = {
      file: '',
      run: (onlyTests, isFirst) => run(onlyTests, isFirst, trackedTests.patience),
    };
    // A test that failed may pass only under uvu itself, so it must not count as one that fails anyway.
    await judgeMutants(recorder ? firstRun : { ...firstRun, failed: new Set() }, loaded, mutants);
  } finally {
    process.stdout.write = originalWrite;
  }
}

/** Runs the wanted tests of a suite in a new suite of uvu itself. */
async function runSuiteTests(
  makeSuite: MakeSuite,
  { name, state, tests, hooks }: Suite,
  trackedTests: TrackedTests,
): Promise<void> {
  const wantedTests = tests.filter(({ id }) => trackedTests.isWanted(id));
  if (wantedTests.length === 0 || trackedTests.isOver) return;
  const ids = new Set(wantedTests.map(({ id }) => id));
  const suite = makeSuite(name, state);
  for (const { when, isForEach, handler } of hooks) {
    const register = isForEach ? suite[when].each : suite[when];
    const isFatal = when === 'after' ? !isForEach : isForEach;
    register((state) => runHook(ids, isFatal, () => handler(state), trackedTests));
  }
  for (const { id, name, handler } of wantedTests)
    suite(name, (state) => trackedTests.test(id, true, () => handler(state)));
  suite.run();
  const runSuite = queues.UVU_QUEUE?.[queues.UVU_INDEX ?? 0]?.pop();
  if (!runSuite) return trackedTests.markUnclear(ids);
  try {
    const [failures, passed, , total] = await runSuite();
    // After an error in some hooks, uvu omits tests without reporting that.
    if (failures === true && passed < total) trackedTests.markUnclear(ids);
  } catch {
    // A hook has failed, which `trackedTests` knows.
  }
}

/**
 * Runs a hook. `isFatal`: true for a hook before or after each test or after all tests whose errors uvu counts; uvu
 * ignores errors in other hooks, so they do not break the run here.
 */
async function runHook(
  ids: ReadonlySet<string>,
  isFatal: boolean,
  work: () => unknown,
  trackedTests: TrackedTests,
): Promise<void> {
  if (isFatal) return trackedTests.runHook(ids, true, work);
  const errors: unknown[] = [];
  await trackedTests.runHook(ids, true, async () => {
    try {
      await work();
    } catch (error) {
      errors.push(error);
    }
  });
  if (errors.length > 0) throw errors[0];
}
