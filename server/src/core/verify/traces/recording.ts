// Messages between the gate differential and the code that records calls inside the repository's own test runner.

/**
 * The function that wrapped code calls. It is a property of the global object, because tests run in separate realms.
 */
export const TRACE_FUNCTION = '__selfwareTrace';
/** The name of a call's record inside a wrapped function. */
export const RECORD_VARIABLE = '$selfware';
/** Maximum number of recorded calls of one function in one test; further calls are only counted. */
export const MAX_RECORDED_CALLS = 40;
/** Maximum number of recorded calls in one process; further calls are only counted. */
export const MAX_IN_PROCESS = 8_000;

/** Digests of a value's parts: `this.headers`, `argument 1`, `result.status`. Unreadable parts are skipped. */
export type Digests = Readonly<Record<string, string>>;

/** `pending`: the promise that the call returned was not settled when its test file ended. */
export type Ending = 'returned' | 'threw' | 'resolved' | 'rejected' | 'pending';

/** One call of a wrapped function. */
export interface TracedCall {
  readonly ending: Ending;
  /** Digests of `this` and the arguments when the call began. */
  readonly before: Digests;
  /** Digests of the result or error, and of `this` and the arguments at that time. */
  readonly after: Digests;
  /**
   * False if the result cannot be read, such as a function or an iterator, or if it is `undefined` and neither `this`
   * nor an argument is an object with readable parts.
   */
  readonly tells: boolean;
  /** A short text of the result or error, for a person. */
  readonly shown: string;
  /** Numbers of the marked places that the call reached, in its own code. */
  readonly reached: readonly number[];
}

/** The calls of one function in one test, as recorded while a test file ran. */
export interface TraceLine {
  /** The number of the function. */
  readonly traced: number;
  /** The test file, or '' if all were loaded together. */
  readonly file: string;
  /** The identifier of the test in its runner. */
  readonly test: string;
  /** The test's name for a person. */
  readonly title: string;
  /** The number of calls, including those beyond `MAX_RECORDED_CALLS`. */
  readonly count: number;
  readonly calls: readonly TracedCall[];
}

/** The end of a test file's run. */
export interface TracesEnd {
  readonly tracedFile: string;
  /** Number of tests that ran. */
  readonly tests: number;
  /** Identifiers of the tests that failed, as in the runner. */
  readonly failed: readonly string[];
}

/** One line of the file into which a run writes its traces. */
export type TracesLine = TraceLine | TracesEnd;
