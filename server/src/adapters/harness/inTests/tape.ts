// Takes over tape: the tests of all files are collected when they are loaded, and run repeatedly in the process of the
// command.

import { judgeMutants, type LoadedTests } from './judge.ts';
import { QUIET_MS, replaceModule, runWhenLoaded } from './replaceModule.ts';
import type { Switch } from './switch.ts';
import { TrackedTests } from './trackedTests.ts';

type Body = (this: unknown, tests: Assertions) => unknown;
/** The object that tape passes to the function of a test. */
interface Assertions {
  end(error?: unknown): void;
  once(event: 'end', listener: () => void): void;
}
type Register = (name: string, options: object, body: Body) => unknown;
/** An entry of tape's report. */
interface Row {
  readonly type: string;
  readonly ok?: boolean;
}
interface Rows {
  on(event: 'data', listener: (row: Row) => void): Rows;
  on(event: 'end', listener: () => void): Rows;
}
interface Tape {
  createHarness(options: object): Register & { createStream(options: object): Rows };
}
interface Test {
  readonly id: string;
  readonly name: string;
  readonly options: object;
  readonly body: Body;
}

/** Matches the path by which `import` loads the package. */
const TAPE_PATH = /[\\/]node_modules[\\/]tape[\\/](?:index\.js)?$/;
/** Matches the path of the package's command, which loads the test files. */
const COMMAND_PATH = /[\\/]node_modules[\\/]tape[\\/]bin[\\/]tape$/;

/**
 * Replaces the package `tape` by one that collects tests. When all files are loaded, the mutants are judged; then the
 * process ends with exit code 0. `folder`: the package. If a test is registered later, the process ends with exit code
 * 1, and everything is left undecided.
 */
export function patchTape(folder: string, mutants: Switch): void {
  replaceModule(
    (request, from) => request === 'tape' || TAPE_PATH.test(request) || (request === '../' && COMMAND_PATH.test(from)),
    (tape: Tape) => createCollectingModule(tape, mutants),
    { name: 'tape', path: folder },
  );
}

function createCollectingModule(tape: Tape, mutants: Switch): object {
  const tests: Test[] = [];
  const exclusiveTests: Test[] = [];
  const trackedTests = new TrackedTests(mutants);
  let hasStarted = false;
  let isWaiting = false;
  let lastRegisteredAt = 0;
  mutants.setPlace('loading');
  const onRegistered = runWhenLoaded(
    () => {
      // The process has nothing left to do while the command still waits, so a module will never finish loading.
      if (isWaiting) process.exit(1);
      hasStarted = true;
      void judgeTests(tape, exclusiveTests.length > 0 ? exclusiveTests : tests, trackedTests, mutants).finally(() =>
        process.exit(0),
      );
    },
    () => () => !isWaiting && performance.now() - lastRegisteredAt > QUIET_MS,
  );
  const register = (testLists: readonly Test[][], ...args: unknown[]): void => {
    if (hasStarted) process.exit(1);
    lastRegisteredAt = performance.now();
    onRegistered();
    const body = args.find((argument): argument is Body => typeof argument === 'function');
    const options = (args.find((argument) => typeof argument === 'object' && argument !== null) ?? {}) as object;
    if (!body || ('skip' in options && options.skip) || ('todo' in options && options.todo)) return;
    const name = typeof args[0] === 'string' ? args[0] : body.name || '(anonymous)';
    for (const tests of testLists) tests.push({ id: `${tests.length} ${name}`, name, options, body });
  };
  const test = (...args: unknown[]): void => register([tests], ...args);
  const members = {
    ...tape,
    test,
    skip: () => undefined,
    only: (...args: unknown[]) => register([exclusiveTests], ...args),
    onFinish: () => undefined,
    onFailure: () => undefined,
    // The command calls `wait` when it begins to load files that it has to await, and `run` when it has loaded all.
    wait: () => void (isWaiting = true),
    run: () => void (isWaiting = false),
    getHarness: () => replacement,
  };
  const replacement: object = Object.assign(test, members);
  return replacement;
}

async function judgeTests(
  tape: Tape,
  tests: readonly Test[],
  trackedTests: TrackedTests,
  mutants: Switch,
): Promise<void> {
  const { recorder } = mutants;
  if (recorder) for (const { id, name } of tests) recorder.name(id, name);
  mutants.setPlace('always');
  // An error in a test would end the process.
  process.on('uncaughtException', () => undefined);
  const run = (onlyTests: ReadonlySet<string> | null, stopsAtFailure: boolean, patience: number | null) =>
    trackedTests.trackRun({ onlyTests, first: stopsAtFailure, patienceMs: patience }, () =>
      runTests(tape, tests, trackedTests),
    );
  const firstRun = await run(null, false, null);
  const loaded: LoadedTests = { file: '', run: (onlyTests, isFirst) => run(onlyTests, isFirst, trackedTests.patience) };
  // A test that failed may pass only under tape itself, so it must not count as one that fails anyway.
  await judgeMutants(recorder ? firstRun : { ...firstRun, failed: new Set() }, loaded, mutants);
}

/** Runs the wanted tests in a new harness of tape. Only failed assertions of its report are read. */
function runTests(tape: Tape, tests: readonly Test[], trackedTests: TrackedTests): Promise<void> {
  const wantedTests = tests.filter(({ id }) => trackedTests.isWanted(id));
  if (wantedTests.length === 0) return Promise.resolve();
  return new Promise((resolve) => {
    const endedTests: Promise<void>[] = [];
    const harness = tape.createHarness({ autoclose: true });
    harness
      .createStream({ objectMode: true })
      .on('data', ({ type, ok }) => {
        if (type === 'assert' && ok === false) trackedTests.markFailed();
      })
      .on('end', () => void Promise.all(endedTests).then(() => resolve()));
    for (const { id, name, options, body } of wantedTests)
      harness(name, options, (assertions) => {
        let isEnded = false;
        let result: unknown;
        const run = (): Promise<void> =>
          new Promise((resolve) => {
            assertions.once('end', () => {
              isEnded = true;
              resolve();
            });
            result = body.call(assertions, assertions);
          });
        const endAssertions = () => void (isEnded || assertions.end());
        endedTests.push(trackedTests.test(id, true, run).then(endAssertions, endAssertions));
        // Newer versions of tape wait for a promise.
        return result;
      });
  });
}
