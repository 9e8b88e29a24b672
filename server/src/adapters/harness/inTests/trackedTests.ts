// Runs the functions of tests, and tracks which test is running. It serves libraries whose tests are registered
// functions.

import { AsyncLocalStorage } from 'node:async_hooks';
import type { TestResults } from './judge.ts';
import type { Switch } from './switch.ts';

/** A run of tests. */
export interface TrackedRun {
  /** The tests to run; null for all. */
  readonly onlyTests: ReadonlySet<string> | null;
  /** True if the run ends at the first failure. */
  readonly first: boolean;
  /**
   * Milliseconds after which a test fails. Null in the first run, which has no limit, and in which the switch records
   * the reached mutants.
   */
  readonly patienceMs: number | null;
}

type Work = () => unknown;

/** A test that is run again may always take this many milliseconds. */
const MIN_TIMEOUT_MS = 2_000;
/** A test that is run again may take this many times the duration of the slowest test in the first run. */
const TIMES_LONGER = 5;
/** Node's own functions, because tests may replace the global ones. */
const { setTimeout: setRealTimeout, clearTimeout: clearRealTimeout } = globalThis;

/** Tracks the tests of one run at a time. */
export class TrackedTests {
  readonly #mutants: Switch;
  readonly #current = new AsyncLocalStorage<string>();
  #run: TrackedRun = { onlyTests: null, first: false, patienceMs: null };
  #ran = new Set<string>();
  #failed = new Set<string>();
  #unclear = new Set<string>();
  #isBroken = false;
  #slowest = 0;
  #last: string | null = null;
  /** For each test and hook that runs now, the function that ends it with an error. */
  readonly #aborts = new Set<(error: Error) => void>();

  constructor(mutants: Switch) {
    this.#mutants = mutants;
    // An error that nobody handles belongs to the test that runs. If several run, nobody knows to which.
    const onStray = () => {
      if (this.#aborts.size > 1) return;
      this.markFailed();
      for (const abort of this.#aborts) abort(new Error('An error that nobody handled.'));
    };
    process.on('unhandledRejection', onStray).on('uncaughtExceptionMonitor', onStray);
  }

  /** Time for each test of a run with a mutant, in milliseconds. */
  get patience(): number {
    return Math.max(MIN_TIMEOUT_MS, TIMES_LONGER * this.#slowest);
  }

  /** True if the calling code was started by the function of a test. */
  get isInside(): boolean {
    return this.#current.getStore() !== undefined;
  }

  /** True if the test is to be run now. */
  isWanted(runTest: string): boolean {
    return this.#run.onlyTests?.has(runTest) ?? true;
  }

  /** True if no further test should begin, because the run ends at the first failure and a test has failed. */
  get isOver(): boolean {
    return this.#run.first && this.#failed.size > 0;
  }

  /** Begins a run, calls `work`, which runs the tests, and returns their results. */
  async trackRun(run: TrackedRun, work: () => Promise<void>): Promise<TestResults> {
    this.#run = run;
    this.#ran = new Set();
    this.#failed = new Set();
    this.#unclear = new Set();
    this.#isBroken = false;
    const startedAt = Date.now();
    await work();
    const [ran, failed, unclear] = [this.#ran, this.#failed, this.#unclear];
    return { ran, failed, unclear, broken: this.#isBroken, millis: Date.now() - startedAt };
  }

  /** Marks the test from which this is called, or else the last one that began, as failed. */
  markFailed(test = this.#current.getStore() ?? this.#last): void {
    if (test === null) return;
    this.#ran.add(test);
    this.#failed.add(test);
  }

  /**
   * Records the library's own result of a test that has begun: whether it passed; undefined if the library does not
   * report that.
   */
  recordResult(test: string, hasPassed: boolean | undefined): void {
    if (hasPassed === false) this.markFailed(test);
    else if (hasPassed === undefined || this.#failed.has(test)) this.#unclear.add(test);
  }

  /** Marks the results of these tests as unclear. */
  markUnclear(tests: Iterable<string>): void {
    for (const test of tests) this.#unclear.add(test);
  }

  /**
   * Runs a hook, whose code belongs to these tests. Rejects with its error. `isAlone`: false if tests to which the hook
   * does not belong run at the same time.
   */
  async runHook(tests: ReadonlySet<string>, isAlone: boolean, work: Work): Promise<void> {
    if (this.#run.patienceMs === null) this.#mutants.setPlace(isAlone ? tests : 'always');
    try {
      await this.#inTime(work);
    } catch (error) {
      this.#isBroken = true;
      throw error;
    }
  }

  /**
   * Runs the function of a test, unless the run has ended at a failure. Rejects with the error of the function.
   * `isAlone`: false if other tests run at the same time.
   */
  async test(test: string, isAlone: boolean, work: Work): Promise<void> {
    if (this.isOver) return;
    if (this.#run.patienceMs === null) this.#mutants.setPlace(isAlone ? new Set([test]) : 'always');
    this.#last = test;
    // The function may continue after the library has ended the test, and even after the run.
    const [ran, failed] = [this.#ran, this.#failed];
    const startedAt = Date.now();
    try {
      await this.#current.run(test, () => this.#inTime(work));
    } catch (error) {
      failed.add(test);
      throw error;
    } finally {
      ran.add(test);
      if (this.#run.patienceMs === null) this.#slowest = Math.max(this.#slowest, Date.now() - startedAt);
    }
  }

  /**
   * Runs the work. Throws its errors, and an `Error` if it takes too long or if an unhandled error occurs meanwhile.
   */
  async #inTime(work: Work): Promise<void> {
    const { patienceMs } = this.#run;
    let timer: ReturnType<typeof setRealTimeout> | undefined;
    let abort = (_error: Error): void => undefined;
    const aborted = new Promise<never>((_, reject) => {
      abort = reject;
      this.#aborts.add(reject);
      if (patienceMs !== null)
        timer = setRealTimeout(() => reject(new Error('The test does not come to an end.')), patienceMs);
    });
    try {
      await Promise.race([work(), aborted]);
    } finally {
      this.#aborts.delete(abort);
      clearRealTimeout(timer);
    }
  }
}
