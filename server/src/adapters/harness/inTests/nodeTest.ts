// Takes over node:test: the tests of a file are collected when it is loaded, and run repeatedly in its own process.

import { pathToFileURL } from 'node:url';
import { judgeMutants, type LoadedTests } from './judge.ts';
import { replaceModule, watchEvaluation, runWhenLoaded } from './replaceModule.ts';
import type { Switch } from './switch.ts';
import { TrackedTests } from './trackedTests.ts';

/** The function of a test or hook. */
type Body = (this: unknown, context: Context, done?: (error?: unknown) => void) => unknown;
type Options = Readonly<Record<string, unknown>>;
type Register = (name: string, options: Options, body: Body) => Promise<void>;
type RegisterHook = (body: Body, options?: Options) => void;
interface Context {
  /**
   * Node's own result, once the test has ended. It includes failures that the function does not throw: of plans, of
   * hooks of the test, of tests in it, and by time limits. Undefined in Node before 20.12 and 21.7.
   */
  readonly passed?: boolean;
}
/** The module `node:test`. */
interface NodeTest extends Record<HookName, RegisterHook> {
  (name: string, options: Options, body: Body): Promise<void>;
  readonly describe: Register;
  readonly test: Register;
}
type HookName = (typeof HOOKS)[number];
interface Hook {
  readonly kind: HookName;
  readonly body: Body;
  readonly options: Options;
}
interface Test {
  readonly id: string;
  readonly name: string;
  readonly options: Options;
  readonly body: Body;
}
interface Suite {
  readonly name: string;
  readonly options: Options;
  readonly children: (Test | Suite)[];
  readonly hooks: Hook[];
}

/** Names of the functions that register hooks. */
const HOOKS = ['before', 'beforeEach', 'afterEach', 'after'] as const;

/** Name of the environment variable that marks the process of a test file, and so the processes that it starts. */
const FILE_VARIABLE = 'SELFWARE_TEST_FILE';

/**
 * Replaces the module `node:test` by one that collects tests. When the file `program` is loaded, its mutants are
 * judged; then the process ends with exit code 0. If a test is registered later, the process ends with exit code 1, and
 * the file is left undecided. Does nothing in the process that starts the test files, and in processes that a test file
 * starts.
 */
export function patchNodeTest(program: string, mutants: Switch): void {
  if (program === '' || process.execArgv.includes('--test') || process.env[FILE_VARIABLE] !== undefined) return;
  const isOfRunner = process.env['NODE_TEST_CONTEXT'] !== undefined;
  let isCollecting = false;
  const markStart = () => {
    process.env[FILE_VARIABLE] = program;
    mutants.setPlace('loading');
  };
  if (isOfRunner) markStart();
  const isEvaluated = watchEvaluation(pathToFileURL(program).href);
  replaceModule(
    (request) => request === 'node:test',
    (nodeTest: NodeTest) => {
      isCollecting = true;
      markStart();
      return createCollectingModule(nodeTest, program, isEvaluated, mutants);
    },
    { name: 'node:test', path: 'node:test' },
  );
  // The runner also starts files that hold no tests.
  process.once('exit', (code) => {
    if (!isOfRunner || isCollecting || code !== 0 || mutants.recorder !== null) return;
    for (const mutant of mutants.reached.keys()) mutants.report({ fate: 'unsure', mutant, file: program, tests: 0 });
    mutants.report({ ended: program });
  });
}

function createCollectingModule(
  nodeTest: NodeTest,
  program: string,
  isEvaluated: () => boolean,
  mutants: Switch,
): object {
  const root: Suite = { name: 'all', options: {}, children: [], hooks: [] };
  const trackedTests = new TrackedTests(mutants);
  let openSuite = root;
  let tests = 0;
  let hasStarted = false;
  if (mutants.recorder === null) mutants.report({ started: program });
  const onRegistered = runWhenLoaded(
    () => {
      hasStarted = true;
      void judgeFile(nodeTest, root, trackedTests, program, mutants).finally(() => process.exit(0));
    },
    () => {
      const main = process.mainModule;
      if (main === undefined) return isEvaluated;
      return main.loaded ? null : () => main.loaded;
    },
  );
  /**
   * True if the tests already run, so that the call comes from a running test. If it comes from elsewhere, not all
   * tests of the file are known, and the process ends.
   */
  const isTooLate = () => {
    if (hasStarted && !trackedTests.isInside) process.exit(1);
    return hasStarted;
  };

  const createRegistrar = (register: Register, extra: Options, isSuite: boolean) => {
    const registerOne = (...args: unknown[]): unknown => {
      if (isTooLate()) return (register as (...all: unknown[]) => unknown)(...args);
      onRegistered();
      const body = args.find((argument): argument is Body => typeof argument === 'function') ?? (() => undefined);
      const givenOptions = args.find((argument) => typeof argument === 'object' && argument !== null) as
        | Options
        | undefined;
      const name = typeof args[0] === 'string' ? args[0] : body.name || '<anonymous>';
      const options = { ...givenOptions, ...extra };
      if (!isSuite) {
        tests += 1;
        openSuite.children.push({ id: `${tests} ${name}`, name, options, body });
        return Promise.resolve();
      }
      const suite: Suite = { name, options, children: [], hooks: [] };
      openSuite.children.push(suite);
      const outerSuite = openSuite;
      openSuite = suite;
      try {
        const result = options['skip'] ? undefined : body.call(undefined, { name } as Context);
        // Tests that an asynchronous group registers later cannot be assigned to it.
        if (result instanceof Promise) process.exit(1);
      } finally {
        openSuite = outerSuite;
      }
      return Promise.resolve();
    };
    return registerOne;
  };
  const addVariants = (register: Register, isSuite: boolean, options: object = {}) =>
    Object.assign(createRegistrar(register, {}, isSuite), options, {
      skip: createRegistrar(register, { skip: true }, isSuite),
      todo: createRegistrar(register, { todo: true }, isSuite),
      only: createRegistrar(register, { only: true }, isSuite),
    });
  const test = addVariants(nodeTest.test, false, { ...nodeTest });
  const describe = addVariants(nodeTest.describe, true);
  const hooks = HOOKS.map((kind) => {
    const register = (body: Body, options: Options = {}): void => {
      if (isTooLate()) nodeTest[kind](body, options);
      else openSuite.hooks.push({ kind, body, options });
    };
    return [kind, register] as const;
  });
  return Object.assign(test, Object.fromEntries(hooks), { test, it: test, describe, suite: describe, default: test });
}

/** Runs the tests once as they are, then with the mutants, without reports. */
async function judgeFile(
  nodeTest: NodeTest,
  root: Suite,
  trackedTests: TrackedTests,
  program: string,
  mutants: Switch,
): Promise<void> {
  const { recorder } = mutants;
  if (recorder) for (const [id, title] of listTitles(root, [])) recorder.name(id, title);
  await nodeTest.test('all', {}, async () => {
    mutants.setPlace('always');
    const firstRun = await trackedTests.trackRun({ onlyTests: null, first: false, patienceMs: null }, () =>
      runTests(nodeTest, root, trackedTests),
    );
    // A test that failed may pass only under Node's own runner, so it must not count as one that fails anyway.
    const first = recorder ? firstRun : { ...firstRun, failed: new Set<string>() };
    const loaded: LoadedTests = {
      file: program,
      run: (onlyTests, stopsAtFailure) =>
        trackedTests.trackRun({ onlyTests, first: stopsAtFailure, patienceMs: trackedTests.patience }, () =>
          runTests(nodeTest, root, trackedTests),
        ),
    };
    const originalWrite = process.stdout.write;
    process.stdout.write = () => true;
    try {
      await judgeMutants(first, loaded, mutants);
    } finally {
      process.stdout.write = originalWrite;
    }
  });
}

/** Registers the tests with Node's runner, which runs them, and waits until they have ended. */
async function runTests(nodeTest: NodeTest, root: Suite, trackedTests: TrackedTests): Promise<void> {
  /** The contexts of the tests that have begun. */
  const startedContexts = new Map<string, Context>();
  const registerSuite = (suite: Suite, isConcurrentOutside: boolean): void => {
    const testCount = listTests(suite).filter(({ id }) => trackedTests.isWanted(id));
    if (testCount.length === 0 && suite !== root) return;
    const isConcurrent = isConcurrentOutside || runsConcurrently(suite.options);
    const ids = new Set(testCount.map(({ id }) => id));
    // A group with a time limit fails when the limit is over, although its tests may have passed.
    const afterHooks = suite.hooks.filter(({ kind }) => kind === 'after');
    if ([suite, ...afterHooks].some(({ options }) => 'timeout' in options || 'signal' in options))
      trackedTests.markUnclear(ids);
    void nodeTest.describe(suite.name, suite.options, () => {
      for (const { kind, body, options } of suite.hooks)
        nodeTest[kind](
          (context) => trackedTests.runHook(ids, !isConcurrent, () => callTestFunction(body, context)),
          options,
        );
      for (const child of suite.children)
        if ('children' in child) registerSuite(child, isConcurrent);
        else if (ids.has(child.id)) registerTest(child, isConcurrent);
    });
  };
  const registerTest = ({ id, name, options, body }: Test, isConcurrent: boolean): void => {
    // A failure of a test with `todo` does not count.
    const isTodo = Boolean(options['todo']);
    void nodeTest.test(name, options, (context) => {
      if (isTodo) return callTestFunction(body, context);
      if (!trackedTests.isOver) startedContexts.set(id, context);
      return trackedTests.test(id, !isConcurrent, () => callTestFunction(body, context));
    });
  };
  registerSuite(root, false);
  // Node begins this test when all others have ended, even if some have failed.
  await nodeTest.test('end', {}, () => undefined);
  for (const [id, { passed }] of startedContexts) trackedTests.recordResult(id, passed);
}

/** True if the tests of a group with these options may run at the same time. */
function runsConcurrently({ concurrency }: Options): boolean {
  return concurrency === true || (typeof concurrency === 'number' && concurrency > 1);
}

function listTests(node: Test | Suite): readonly Test[] {
  return 'children' in node ? node.children.flatMap(listTests) : [node];
}

/** The tests below a suite, each with its id and its title, which begins with the titles of the groups around it. */
function listTitles(
  { children }: Suite,
  groupTitles: readonly string[],
): readonly (readonly [id: string, title: string])[] {
  return children.flatMap((child) => {
    const titles = [...groupTitles, child.name.trim()];
    return 'children' in child ? listTitles(child, titles) : [[child.id, titles.join(' ')] as const];
  });
}

/**
 * Calls the function of a test or hook, and returns its result. For one that reports its end by a callback, returns a
 * promise.
 */
function callTestFunction(body: Body, context: Context): unknown {
  if (body.length < 2) return body.call(context, context);
  return new Promise<void>((resolve, reject) => {
    body.call(context, context, (error) => (error ? reject(error as Error) : resolve()));
  });
}
