// Runs examples of the documentation in this process, and sends the outcome of each check to the harness.

import { pathToFileURL } from 'node:url';
import { compareResult } from './compareResult.ts';
import { EXAMPLE_FUNCTION, type ExampleOutcome } from '../../../core/verify/examples/examplePlan.ts';
import { createLoader } from '../loader.ts';
import type { ExampleStart, FromExample } from './messages.ts';

/**
 * Milliseconds by which the clock of later runs is ahead: more than a year, and some hours, so that the time of day
 * differs.
 */
const CLOCK_SHIFT_MS = 400 * 24 * 60 * 60 * 1000 + 5 * 60 * 60 * 1000;

/**
 * Runs the programs of the first message one after the other, then ends the process. Throws an `Error` in a process
 * that the harness has not started.
 */
export function serveExample(): void {
  const sendToParent = process.send?.bind(process);
  if (!sendToParent) throw new Error('An example is started by the harness.');
  const exit = process.exit.bind(process);
  const send = (message: FromExample) =>
    new Promise<void>((resolve) => void sendToParent(message, undefined, undefined, () => resolve()));
  Object.defineProperty(process, 'send', { value: undefined });
  process.on('disconnect', () => exit(0));
  process.once('message', (start: ExampleStart) => {
    void runAll(start, send).then(() => process.nextTick(exit, 0));
  });
}

async function runAll(
  { rootDir, programs, codes, emit, runIndex }: ExampleStart,
  send: (message: FromExample) => Promise<void>,
): Promise<void> {
  createLoader({ rootDir, codes, targets: [], watched: [], emit, onlyPath: null });
  if (runIndex > 0) {
    shiftClock(CLOCK_SHIFT_MS);
    Math.random = createRandom(runIndex);
  }
  const output = watchOutput();
  for (const [program, { file, checks }] of programs.entries()) {
    const evaluateCheck = async (check: number, evaluate: () => Promise<unknown>) => {
      const outcome = doubtIfPathOccurs(await judgeCheck(checks[check]!.stated, evaluate, output), rootDir);
      await send({ program, check, outcome });
    };
    Object.assign(globalThis, { [EXAMPLE_FUNCTION]: evaluateCheck });
    const failure = await import(pathToFileURL(file).href).then(() => null, describeError);
    await send({ program, ended: true, failure });
  }
}

/** The outcome; unknown if it is wrong and the result contains the path of the repository. */
function doubtIfPathOccurs(outcome: ExampleOutcome, rootDir: string): ExampleOutcome {
  return outcome.outcome === 'wrong' && outcome.actual.includes(rootDir)
    ? { outcome: 'unknown', reason: 'Its result depends on the working folder.' }
    : outcome;
}

async function judgeCheck(
  stated: string,
  evaluate: () => Promise<unknown>,
  output: { readonly count: number },
): Promise<ExampleOutcome> {
  try {
    const countBefore = output.count;
    const value = await evaluate();
    // The comment may state the printed text instead of the result.
    if (value === undefined && output.count > countBefore)
      return { outcome: 'unknown', reason: 'It prints something, and returns nothing.' };
    return compareResult(stated, value);
  } catch (error) {
    return { outcome: 'unknown', reason: `It throws ${describeError(error)}` };
  }
}

function describeError(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message.split('\n', 1)[0]}` : String(error);
}

/** Counts the calls that print something, and suppresses their output, which nobody reads. */
function watchOutput(): { readonly count: number } {
  const output = { count: 0 };
  for (const method of ['log', 'info', 'warn', 'error', 'debug', 'dir', 'table'] as const)
    console[method] = () => {
      output.count += 1;
    };
  return output;
}

/**
 * A source of random numbers from 0 to 1. It begins low in an odd run and high in an even one, so that a choice between
 * two things differs.
 */
function createRandom(runIndex: number): () => number {
  let state = runIndex % 2 === 1 ? 0.05 : 0.95;
  return () => {
    const value = state;
    // The fractional parts of multiples of the golden ratio are spread evenly (Weyl).
    state = (state + 0.618_033_988_75) % 1;
    return value;
  };
}

/** Moves the clock of this process ahead. */
function shiftClock(millis: number): void {
  const RealDate = Date;
  const now = () => RealDate.now() + millis;
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, args: []) => (args.length === 0 ? new target(now()) : new target(...args)),
    apply: () => new RealDate(now()).toString(),
    get: (target, key) => (key === 'now' ? now : (Reflect.get(target, key) as unknown)),
  });
}
