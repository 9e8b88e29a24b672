// Records the calls of wrapped functions, test by test: digests of the arguments, results and errors of each call.

import { types } from 'node:util';
import {
  MAX_RECORDED_CALLS,
  MAX_IN_PROCESS,
  TRACE_FUNCTION,
  type Ending,
  type TracedCall,
  type TraceLine,
  type TracesLine,
} from '../../../core/verify/traces/recording.ts';
import { computeDigests, formatShortValue } from './digest.ts';

/** Records the calls of wrapped functions in this process. */
export interface CallRecorder {
  /** Sets the tests that run from now on, by the runner's ids. Null or an empty set: nothing is recorded. */
  setTests(tests: ReadonlySet<string> | null): void;
  /** Sets the title of a test, by which people know it. `test`: the runner's id. */
  name(test: string, title: string): void;
  /**
   * Returns the lines of the calls that were recorded since the last drain, and removes them. Called at the end of the
   * run of `file`.
   */
  drain(
    file: string,
    outcomes: { readonly ran: ReadonlySet<string>; readonly failed: ReadonlySet<string> },
  ): TracesLine[];
}

/**
 * The record of a call. Wrapped code calls these methods. Their names are short, because they are written into the code
 * many times.
 */
interface CallRecord {
  /** Marks a place as reached. */
  p(place: number): void;
  /** Notes the result, and returns it. */
  r<T>(value: T): T;
  /** Notes the thrown error, and returns it. */
  t(error: unknown): unknown;
  /** Ends the call. */
  d(): void;
}

/** The calls of one function in one test. */
interface RecordedFunction {
  /** Number of all calls, including those that were not recorded. */
  count: number;
  readonly calls: { -readonly [Key in keyof TracedCall]: TracedCall[Key] }[];
}

/** The type of `then` of a promise. */
type Settle = (this: Promise<unknown>, onValue: (value: unknown) => void, onError: (error: unknown) => void) => unknown;
/** The original `then`, because tests may replace it. */
const originalThen = Promise.prototype.then as Settle;
/** Maximum number of arguments of a call that are read. */
const MAX_ARGUMENTS = 6;

/** Installs the global function that wrapped code calls at the start of a function, and returns its recorder. */
export function installRecorder(): CallRecorder {
  const byTest = new Map<string, Map<number, RecordedFunction>>();
  const titles = new Map<string, string>();
  let currentKey: string | null = null;
  let calls = 0;

  // `traced`: the number of the function. A negative one marks a function of which only the reached places are
  // recorded, not the values.
  const provideFunction = (test: string, traced: number): RecordedFunction => {
    const functionsOfTest = byTest.get(test) ?? new Map<number, RecordedFunction>();
    byTest.set(test, functionsOfTest);
    const recorded = functionsOfTest.get(traced) ?? { count: 0, calls: [] };
    functionsOfTest.set(traced, recorded);
    return recorded;
  };

  const begin = (traced: number, self: unknown, args: ArrayLike<unknown>, isAsync: boolean): CallRecord | undefined => {
    if (currentKey === null) return undefined;
    const recorded = provideFunction(currentKey, traced);
    recorded.count += 1;
    if (recorded.calls.length >= MAX_RECORDED_CALLS || calls >= MAX_IN_PROCESS) return undefined;
    calls += 1;
    const inputs = listInputs(self, args);
    const call: RecordedFunction['calls'][number] = {
      ending: 'returned',
      before: traced < 0 ? {} : computeDigests(inputs).digests,
      after: {},
      tells: false,
      shown: '',
      reached: [],
    };
    recorded.calls.push(call);
    return createRecord(call, inputs, { isAsync, onlyReach: traced < 0 });
  };
  Object.defineProperty(globalThis, TRACE_FUNCTION, { value: begin, enumerable: false, configurable: true });

  return {
    setTests: (tests) =>
      void (currentKey = tests === null || tests.size === 0 ? null : formatTestsKey([...tests].toSorted())),
    name: (test, title) => void titles.set(test, title),
    drain(file, { ran, failed }) {
      const lines: TracesLine[] = [...byTest].flatMap(([test, inTest]) =>
        [...inTest].map(([traced, { count, calls: keptCalls }]): TraceLine => {
          const [first = test] = test.split('\n', 1);
          return { traced, file, test, title: titles.get(first) ?? first, count, calls: keptCalls };
        }),
      );
      lines.push({ tracedFile: file, tests: ran.size, failed: [...failed] });
      byTest.clear();
      return lines;
    },
  };
}

/** The key of the tests that run at one time: the id of the first, and how many more there are. */
function formatTestsKey([first = '', ...others]: readonly string[]): string {
  return others.length === 0 ? first : `${first}\nand ${others.length} more`;
}

/**
 * Creates the record of a call, which writes into `call`. `onlyReach`: true if neither the result nor the inputs are
 * read.
 */
function createRecord(
  call: RecordedFunction['calls'][number],
  inputs: Inputs,
  { isAsync, onlyReach }: { readonly isAsync: boolean; readonly onlyReach: boolean },
): CallRecord {
  const reachedPlaces = new Set<number>();
  let ending: Ending = 'returned';
  let result: unknown;
  const noteEnding = (kind: Ending, value: unknown): void => {
    if (onlyReach) return;
    const name = kind === 'threw' || kind === 'rejected' ? 'error' : 'result';
    const { digests, canTell } = computeDigests([[name, value], ...inputs]);
    Object.assign(call, { ending: kind, after: digests, tells: canTell, shown: formatShortValue(value) });
  };
  return {
    p(place) {
      if (reachedPlaces.has(place)) return;
      reachedPlaces.add(place);
      call.reached = [...reachedPlaces];
    },
    r(value) {
      // The caller of an async function receives the value to which a thenable, such as a query, resolves. The thenable
      // is asked only once.
      const returned = isAsync && isThenable(value) ? (Promise.resolve(value) as typeof value) : value;
      [ending, result] = ['returned', returned];
      return returned;
    },
    t(error) {
      [ending, result] = ['threw', error];
      return error;
    },
    d() {
      const isPromise = ending === 'returned' && types.isPromise(result) && !types.isProxy(result);
      // The caller of an async function receives a promise, however the function's body ends.
      if (!isPromise && isAsync) return noteEnding(ending === 'threw' ? 'rejected' : 'resolved', result);
      if (!isPromise) return noteEnding(ending, result);
      noteEnding('pending', undefined);
      originalThen.call(
        result as Promise<unknown>,
        (value) => noteEnding('resolved', value),
        (error) => noteEnding('rejected', error),
      );
    },
  };
}

/** True for an object that is not a promise and has a method or an accessor `then`. No code of the object runs. */
function isThenable(value: unknown): boolean {
  if (typeof value !== 'object' || types.isPromise(value)) return false;
  for (
    let prototype: object | null = value;
    prototype !== null && !types.isProxy(prototype);
    prototype = Object.getPrototypeOf(prototype)
  ) {
    const property = Object.getOwnPropertyDescriptor(prototype, 'then');
    if (property) return property.get !== undefined || typeof property.value === 'function';
  }
  return false;
}

/** The inputs of a call, by name. */
type Inputs = readonly (readonly [name: string, value: unknown])[];

/**
 * The inputs of a call: the number of arguments, `this` unless it is undefined or the global object, and the first
 * arguments.
 */
function listInputs(self: unknown, args: ArrayLike<unknown>): Inputs {
  const inputs: [string, unknown][] = [['arguments', args.length]];
  if (self !== undefined && !isGlobal(self)) inputs.push(['this', self]);
  for (let index = 0; index < Math.min(args.length, MAX_ARGUMENTS); index += 1)
    inputs.push([`argument ${index + 1}`, args[index]]);
  return inputs;
}

/** True for the global object, which is `this` in sloppy code without another `this`. */
function isGlobal(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || types.isProxy(value)) return false;
  return value === globalThis || Object.getOwnPropertyDescriptor(value, 'globalThis')?.value === value;
}
