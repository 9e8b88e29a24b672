// Controls the environment of compared code: time passes only while code waits, random numbers are the same for each
// call, printed text is recorded, and side effects outside of the process are refused (`blockSideEffects.ts`).

import { syncBuiltinESMExports } from 'node:module';
import { createDescriber, describeThrown, errorsOfCode, type SettledPromises } from './describe.ts';
import { blockSideEffects, loadBuiltin, replaceProperties } from './blockSideEffects.ts';
import { createRecorder, type RecordingFunction, type StubEnvironment } from './createValue.ts';

/** The controlled environment of compared code. */
export interface ControlledEnvironment extends StubEnvironment {
  /** Resets the environment before each call: time and random numbers start again, and the call log is empty. */
  reset(): void;
  /** The recorded calls and effects, in order. */
  readCallLog(): readonly string[];
  /** True if the clock was read, or a timer was set, since the last reset. */
  usesTime(): boolean;
  /**
   * The first side effect outside of the process that was refused since the last reset, such as `fs.writeFile`; null if
   * there was none.
   */
  readEffect(): string | null;
  /**
   * Waits, in virtual time, until the promises in `values`, and those in their results, have settled and only repeating
   * timers are left. Gives up on promises that do not settle. Returns the results of those that have settled.
   */
  settle(values: readonly unknown[]): Promise<SettledPromises>;
}

/** The time at which each call begins: a leap day, in milliseconds since the epoch. */
const START_MS = Date.UTC(2024, 1, 29, 12, 34, 56, 789);
/** The seed of the random numbers. */
const RANDOM_SEED = 0x5e1f;
/** Start and seed of the other environment: another year, month, weekday, hour and minute, and other random numbers. */
const FOREIGN_ENVIRONMENT = { startMs: Date.UTC(2031, 9, 14, 3, 21, 7, 45), seed: 0x2b67 };
/** Maximum number of timers that are fired for one call, because a loop of them would never end. */
const MAX_TIMERS = 2_000;
/**
 * Number of turns of the event loop without a timer after which a pending promise counts as never settling. The turns
 * of the second half take 5 ms each, so that reads of files can end.
 */
const IDLE_TURNS = 20;
/** Maximum number of promises of one call whose results are awaited. */
const MAX_PROMISES = 200;
/** Maximum number of recorded events of one call. */
const MAX_LOG_LINES = 1_000;

/** A timer of virtual time. */
interface Timer {
  /** Virtual milliseconds since the start of the call at which it fires. */
  readonly firesAt: number;
  /** Number of timers that were set up to this one. Of two with the same time, the earlier one fires first. */
  readonly order: number;
  /** Milliseconds between two firings; null if it fires once. */
  readonly intervalMs: number | null;
  readonly run: () => void;
}

/**
 * Replaces the globals of this process permanently. It must be called once, before any compared code is loaded.
 * `usesOtherEnvironment`: true for another time and other random numbers.
 */
export function controlEnvironment(usesOtherEnvironment = false): ControlledEnvironment {
  const { startMs, seed } = usesOtherEnvironment ? FOREIGN_ENVIRONMENT : { startMs: START_MS, seed: RANDOM_SEED };
  const realImmediate = setImmediate;
  const realTimeout = setTimeout;
  let elapsedMs = 0;
  let randomState = seed;
  let order = 0;
  let logLines: string[] = [];
  let effect: string | null = null;
  const timers = new Map<number, Timer>();
  const recorders = new Map<number, RecordingFunction>();
  let usesTime = false;

  const addLogLine = (line: string): void => {
    if (logLines.length < MAX_LOG_LINES) logLines.push(line);
  };
  const drawRandom = (): number => {
    randomState = (randomState + 0x6d2b79f5) | 0;
    let mixed = Math.imul(randomState ^ (randomState >>> 15), 1 | randomState);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const schedule = (run: () => void, millis: number, every: number | null): number => {
    usesTime = true;
    const id = ++order;
    timers.set(id, { firesAt: elapsedMs + Math.max(0, millis), order: id, intervalMs: every, run });
    return id;
  };
  const refuse = (callName: string) => {
    // An arrow function could not replace a class.
    function throwRefusal(...args: unknown[]): never {
      effect ??= callName;
      addLogLine(`${callName}(${args.map((argument) => createDescriber()(argument, 'it').text).join(', ')})`);
      throw Object.assign(new Error(`${callName} is out of reach here.`), { code: 'ERR_OUT_OF_REACH' });
    }
    return throwRefusal;
  };

  const readClock = () => {
    usesTime = true;
    return elapsedMs;
  };
  pinTime(() => startMs + readClock(), readClock);
  pinRandomness(drawRandom);
  pinTimers(schedule, (id) => timers.delete(id));
  pinErrors();
  silenceOutput(addLogLine);
  blockSideEffects(refuse);
  process.on('unhandledRejection', (error) => addLogLine(`unhandled ${describeThrown(error)}`));
  process.on('uncaughtException', (error) => addLogLine(`uncaught ${describeThrown(error)}`));
  syncBuiltinESMExports();

  return {
    note: addLogLine,
    describe: (value) => createDescriber()(value, 'it').text,
    wait: (millis) => new Promise((resolve) => schedule(resolve as () => void, millis, null)),
    reset() {
      elapsedMs = 0;
      randomState = seed;
      logLines = [];
      effect = null;
      timers.clear();
      recorders.clear();
      usesTime = false;
    },
    provideRecorder(id) {
      const recorder = recorders.get(id) ?? createRecorder();
      recorders.set(id, recorder);
      return recorder;
    },
    readCallLog: () => logLines,
    usesTime: () => usesTime,
    readEffect: () => effect,
    async settle(values) {
      const settledPromises = new Map<Promise<unknown>, { readonly rejected: boolean; readonly value: unknown }>();
      const watchedPromises = new Set<Promise<unknown>>();
      const watch = (value: unknown): void => {
        for (const promise of collectPromises(value)) {
          if (watchedPromises.has(promise) || watchedPromises.size >= MAX_PROMISES) continue;
          watchedPromises.add(promise);
          const createSettleHandler = (rejected: boolean) => (result: unknown) => {
            settledPromises.set(promise, { rejected, value: result });
            watch(result);
          };
          promise.then(createSettleHandler(false), createSettleHandler(true));
        }
      };
      for (const value of values) watch(value);
      let firedCount = 0;
      for (let idleTurns = 0; idleTurns < IDLE_TURNS; idleTurns++) {
        await new Promise<void>((resolve) =>
          idleTurns < IDLE_TURNS / 2 ? realImmediate(resolve) : realTimeout(resolve, 5),
        );
        const next = [...timers].sort(([, a], [, b]) => a.firesAt - b.firesAt || a.order - b.order)[0];
        if (!next) {
          if (settledPromises.size === watchedPromises.size) break;
          continue;
        }
        if (++firedCount > MAX_TIMERS) break;
        idleTurns = -1;
        runTimer(...next);
        // The call does not wait for a timer that repeats forever.
        if (
          settledPromises.size === watchedPromises.size &&
          [...timers.values()].every(({ intervalMs }) => intervalMs !== null)
        )
          break;
      }
      return settledPromises;
    },
  };

  function runTimer(id: number, timer: Timer): void {
    timers.delete(id);
    elapsedMs = Math.max(elapsedMs, timer.firesAt);
    if (timer.intervalMs !== null) timers.set(id, { ...timer, firesAt: elapsedMs + Math.max(1, timer.intervalMs) });
    try {
      timer.run();
    } catch (error) {
      addLogLine(`a timer throws ${describeThrown(error)}`);
    }
  }
}

function pinTime(now: () => number, elapsed: () => number): void {
  const RealDate = Date;
  const pinnedDate: DateConstructor = new Proxy(RealDate, {
    construct: (target, args: unknown[], newTarget) =>
      Reflect.construct(
        target,
        args.length === 0 ? [now()] : args,
        newTarget === pinnedDate ? target : newTarget,
      ) as object,
    apply: () => new RealDate(now()).toString(),
    get: (target, key, receiver) => (key === 'now' ? now : (Reflect.get(target, key, receiver) as unknown)),
  });
  RealDate.prototype.constructor = pinnedDate;
  globalThis.Date = pinnedDate;
  performance.now = elapsed;
  const readNanos = (): bigint => BigInt(Math.round(elapsed() * 1e6));
  process.hrtime = Object.assign((): [number, number] => [Math.floor(elapsed() / 1000), (elapsed() % 1000) * 1e6], {
    bigint: readNanos,
  });
  process.uptime = () => elapsed() / 1000;
  replaceProperties(process, { pid: 1000, ppid: 1000 });
}

function pinRandomness(random: () => number): void {
  Math.random = random;
  const drawByte = (): number => Math.floor(random() * 256);
  const fill = <T>(target: T): T => {
    const view = target as unknown as Uint8Array & { readonly drawBytes: ArrayBufferLike };
    const bytes = new Uint8Array(view.drawBytes, view.byteOffset, view.byteLength);
    for (let index = 0; index < bytes.length; index++) bytes[index] = drawByte();
    return target;
  };
  const drawUuid = (): string =>
    '10000000-1000-4000-8000-100000000000'.replace(/[018]/g, (digit) =>
      (Number(digit) ^ (drawByte() & (15 >> (Number(digit) / 4)))).toString(16),
    );
  const crypto = loadBuiltin('crypto');
  const drawBytes = (size: number, done?: (error: null, bytes: Buffer) => void) =>
    done ? void done(null, fill(Buffer.alloc(size))) : fill(Buffer.alloc(size));
  const drawBetween = (low: number, high?: number) =>
    high === undefined ? Math.floor(random() * low) : low + Math.floor(random() * (high - low));
  replaceProperties(crypto, {
    randomUUID: drawUuid,
    randomBytes: drawBytes,
    randomInt: drawBetween,
    randomFillSync: fill,
    getRandomValues: fill,
  });
  replaceProperties(globalThis.crypto, { randomUUID: drawUuid, getRandomValues: fill });
}

function pinTimers(
  schedule: (run: () => void, millis: number, every: number | null) => number,
  cancel: (id: number) => void,
): void {
  const handle = (id: number) => ({
    ref: () => handle(id),
    unref: () => handle(id),
    hasRef: () => true,
    refresh: () => handle(id),
    close: () => cancel(id),
    [Symbol.toPrimitive]: () => id,
    [Symbol.dispose]: () => cancel(id),
  });
  const clear = (timer: unknown): void => cancel(Number(timer));
  const scheduleOnce = (run: (...args: unknown[]) => void, millis = 0, ...args: unknown[]) =>
    handle(schedule(() => run(...args), Number(millis) || 0, null));
  const scheduleRepeatedly = (run: (...args: unknown[]) => void, millis = 0, ...args: unknown[]) =>
    handle(schedule(() => run(...args), Number(millis) || 0, Number(millis) || 0));
  const scheduleSoon = (run: (...args: unknown[]) => void, ...args: unknown[]) =>
    handle(schedule(() => run(...args), 0, null));
  const waitFor = (millis?: number, value?: unknown) =>
    new Promise((resolve) => schedule(() => resolve(value), Number(millis) || 0, null));
  const promised = Symbol.for('nodejs.util.promisify.custom');
  const replacements = {
    setTimeout: Object.assign(scheduleOnce, { [promised]: waitFor }),
    setInterval: scheduleRepeatedly,
    setImmediate: Object.assign(scheduleSoon, { [promised]: (value: unknown) => waitFor(0, value) }),
    clearTimeout: clear,
    clearInterval: clear,
    clearImmediate: clear,
  };
  replaceProperties(globalThis, replacements);
  replaceProperties(loadBuiltin('timers'), replacements);
  replaceProperties(loadBuiltin('timers/promises'), {
    setTimeout: waitFor,
    setImmediate: (value: unknown) => waitFor(0, value),
  });
}

/** Notes the errors of the built-in classes that the code creates, to distinguish them from errors of the engine. */
function pinErrors(): void {
  for (const name of ['TypeError', 'RangeError', 'ReferenceError', 'SyntaxError', 'URIError'] as const) {
    const markError = (error: object): object => {
      errorsOfCode.add(error);
      return error;
    };
    const pinnedError: ErrorConstructor = new Proxy(globalThis[name], {
      construct: (target, args: unknown[], newTarget) =>
        markError(Reflect.construct(target, args, newTarget === pinnedError ? target : newTarget) as object),
      apply: (target, _this, args: unknown[]) => markError(Reflect.construct(target, args) as object),
    });
    pinnedError.prototype.constructor = pinnedError;
    replaceProperties(globalThis, { [name]: pinnedError });
  }
}

/** Records printed text instead of printing it, because it is part of the behaviour. */
function silenceOutput(note: (line: string) => void): void {
  const writeLine =
    (name: string) =>
    (...args: unknown[]) =>
      note(`console.${name}(${args.map((argument) => createDescriber()(argument, 'it').text).join(', ')})`);
  for (const name of [
    'log',
    'info',
    'warn',
    'error',
    'debug',
    'trace',
    'table',
    'dir',
    'group',
    'groupEnd',
    'assert',
    'count',
    'time',
    'timeEnd',
    'timeLog',
  ] as const)
    replaceProperties(console, { [name]: writeLine(name) });
  const print = (name: string) => (text: unknown) => (note(`${name} ${String(text)}`), true);
  process.stdout.write = print('stdout');
  process.stderr.write = print('stderr');
  process.emitWarning = () => undefined;
}

/** The promises in a value, its fields and its collections, down to eight levels, and among the first 5,000 objects. */
function collectPromises(value: unknown): Promise<unknown>[] {
  const promises: Promise<unknown>[] = [];
  const visited = new Set<object>();
  const visit = (value: unknown, depth: number): void => {
    if (
      value === null ||
      (typeof value !== 'object' && typeof value !== 'function') ||
      visited.has(value) ||
      depth > 8 ||
      visited.size > 5_000
    )
      return;
    visited.add(value);
    if (value instanceof Promise) return void promises.push(value);
    if (value instanceof Map) for (const pair of value) for (const part of pair) visit(part, depth + 1);
    if (value instanceof Set) for (const part of value) visit(part, depth + 1);
    for (const key of Object.keys(value)) {
      const property = Object.getOwnPropertyDescriptor(value, key);
      if (property && 'value' in property) visit(property.value, depth + 1);
    }
  };
  visit(value, 0);
  return promises;
}
