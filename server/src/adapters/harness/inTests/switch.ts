// Implements the switch that code with compiled-in mutants reads. It knows which mutant is on, and which tests have
// reached which mutants.

import { appendFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import {
  MUTANT_VARIABLE,
  SWITCH_FUNCTION,
  type InTestsLine,
  type InTestsOrder,
} from '../../../core/verify/guard/inTests.ts';
import { installRecorder, type CallRecorder } from './recorder.ts';

/** The tests that reached a mutant while none was on. */
export interface MutantReach {
  readonly tests: Set<string>;
  /** True if the mutant was reached outside of any test, such as in a hook. Then every test may depend on it. */
  isReachedOutside: boolean;
  /** True if the mutant was reached before the tests began, by code that is not loaded again. */
  isReachedByLoading: boolean;
  /** Number of times that the mutant was reached. */
  hits: number;
}

/** Switches mutants on and off, and knows which of them were reached. */
export interface Switch {
  readonly order: InTestsOrder;
  /** Records the calls of wrapped functions; null unless the order asks for traces. */
  readonly recorder: CallRecorder | null;
  /** The mutants that were reached since the last call of `clearReach`, by number. */
  readonly reached: ReadonlyMap<number, MutantReach>;
  /** Forgets which mutants were reached. */
  clearReach(): void;
  /**
   * Sets what runs from now on: the loading of files, code that belongs to all tests (`isReachedOutside`), or certain tests.
   * Null: nothing is recorded.
   */
  setPlace(place: 'loading' | 'always' | ReadonlySet<string> | null): void;
  /**
   * Runs `work` with a mutant on. Code that reads the switch far more often than without the mutant gets an exception,
   * which ends most endless loops. If `work` takes longer than `millis`, the whole process is killed. `isReached`: true
   * if the code with the mutant ran; false, for example, if its result was stored in an earlier run.
   */
  runWith<T>(
    mutant: number,
    millis: number,
    work: () => Promise<T>,
  ): Promise<{ readonly value: T; readonly isReached: boolean }>;
  /** Appends a line to the results of the order. */
  report(line: InTestsLine): void;
}

/**
 * With a mutant on, the switch may be read this many times as often as without it, plus `SPARE_HITS`. Stryker uses the
 * same factor to detect endless loops.
 */
const HITS_FACTOR = 100;
/** Number of times that the switch may be read in addition to the multiple. */
const SPARE_HITS = 1000;
/** The code of a thread that ends the process with SIGKILL, and reports the mutant, once the time of a run is over. */
const WATCHDOG_SOURCE = `
const { workerData: { shared, results, pid } } = require('node:worker_threads');
const { appendFileSync } = require('node:fs');
const state = new BigInt64Array(shared);
setInterval(() => {
  const end = Atomics.load(state, 0);
  if (end === 0n || BigInt(Date.now()) < end) return;
  appendFileSync(results, JSON.stringify({ hung: Number(Atomics.load(state, 1)) }) + '\\n');
  process.kill(pid, 'SIGKILL');
}, 200);
`;
/** Name of the property in the data of a thread that marks it as the watchdog. */
export const WATCHDOG_MARK = 'selfwareWatchdog';

/**
 * Installs the global function that compiled-in mutants call. The mutant that the environment names is on from the
 * start. Until the first call of `setTests`, reached mutants are reported as reached outside of the tests.
 */
export function installSwitch(request: InTestsOrder): Switch {
  const reachByMutant = new Map<number, MutantReach>();
  const reportedOutside = new Set<number>();
  let currentPlace: 'loading' | 'always' | 'outside' | ReadonlySet<string> | null = 'outside';
  let activeMutant = Number(process.env[MUTANT_VARIABLE] ?? -1);
  let hitCount = 0;
  let maxHits = Number.POSITIVE_INFINITY;
  let watchdogState: BigInt64Array | null = null;

  const say = (line: InTestsLine) => appendFileSync(request.results, `${JSON.stringify(line)}\n`);
  const recordReach = (mutant: number) => {
    if (currentPlace === 'outside') {
      if (reportedOutside.has(mutant)) return;
      reportedOutside.add(mutant);
      say({ outside: mutant });
      return;
    }
    const reach = reachByMutant.get(mutant) ?? {
      tests: new Set(),
      isReachedOutside: false,
      isReachedByLoading: false,
      hits: 0,
    };
    reachByMutant.set(mutant, reach);
    reach.hits += 1;
    if (currentPlace === 'loading') reach.isReachedByLoading = true;
    else if (currentPlace === 'always') reach.isReachedOutside = true;
    else currentPlace?.forEach((test) => reach.tests.add(test));
  };
  const isActive = (mutant: number): boolean => {
    if (activeMutant < 0 && currentPlace !== null) recordReach(mutant);
    if (mutant !== activeMutant) return false;
    hitCount += 1;
    if (hitCount > maxHits) throw new Error('This mutant does not come to an end.');
    return true;
  };
  Object.defineProperty(globalThis, SWITCH_FUNCTION, { value: isActive, enumerable: false, configurable: true });
  const recorder = request.traces === true ? installRecorder() : null;

  return {
    order: request,
    recorder,
    reached: reachByMutant,
    clearReach: () => reachByMutant.clear(),
    setPlace(next) {
      currentPlace = next;
      recorder?.setTests(typeof next === 'string' ? null : next);
    },
    async runWith(mutant, millis, work) {
      watchdogState ??= startWatchdog(request.results);
      Atomics.store(watchdogState, 1, BigInt(mutant));
      Atomics.store(watchdogState, 0, BigInt(Math.ceil(Date.now() + millis)));
      process.env[MUTANT_VARIABLE] = String(mutant);
      hitCount = 0;
      maxHits = (reachByMutant.get(mutant)?.hits ?? 0) * HITS_FACTOR + SPARE_HITS;
      activeMutant = mutant;
      try {
        const value = await work();
        return { value, isReached: hitCount > 0 };
      } finally {
        activeMutant = -1;
        maxHits = Number.POSITIVE_INFINITY;
        delete process.env[MUTANT_VARIABLE];
        Atomics.store(watchdogState, 0, 0n);
      }
    },
    report: say,
  };
}

function startWatchdog(results: string): BigInt64Array {
  const shared = new SharedArrayBuffer(16);
  const worker = new Worker(WATCHDOG_SOURCE, {
    eval: true,
    execArgv: [],
    workerData: { [WATCHDOG_MARK]: true, shared, results, pid: process.pid },
  });
  worker.unref();
  return new BigInt64Array(shared);
}
