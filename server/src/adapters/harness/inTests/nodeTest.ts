// Takes over node:test: the tests of a file are collected when it is loaded, and run repeatedly in its own process.

import { pathToFileURL } from 'node:url';
import { judge, type LoadedTests } from './judge.ts';
import { replaceModule, watchEvaluation, whenAllAreLoaded } from './replaced.ts';
import type { Switch } from './switch.ts';
import { TrackedTests } from './trackedTests.ts';

type Body = (this: unknown, context: Context, done?: (error?: unknown) => void) => unknown;
type Options = Readonly<Record<string, unknown>>;
type Register = (name: string, options: Options, body: Body) => Promise<void>;
type RegisterHook = (body: Body, options?: Options) => void;
interface Context {
  test?: (...args: unknown[]) => unknown;
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

const HOOKS = ['before', 'beforeEach', 'afterEach', 'after'] as const;

/** The environment variable that marks the processes that a test file starts. */
const FILE_VARIABLE = 'SELFWARE_TEST_FILE';

/**
 * Replaces the module `node:test` by one that collects tests. When the file `program` is loaded, its mutants are
 * judged; then the process ends with exit code 0. A test that is registered later leaves the file undecided. Does
 * nothing in the process that starts the test files, and in those that a test file starts.
 */
export function takeOverNodeTest(program: string, mutants: Switch): void {
  if (program === '' || process.execArgv.includes('--test') || process.env[FILE_VARIABLE] !== undefined) return;
  const isOfRunner = process.env['NODE_TEST_CONTEXT'] !== undefined;
  let isCollecting = false;
  const begin = () => {
    process.env[FILE_VARIABLE] = program;
    mutants.at('loading');
  };
  if (isOfRunner) begin();
  const isEvaluated = watchEvaluation(pathToFileURL(program).href);
  replaceModule(
    (request) => request === 'node:test',
    (own: NodeTest) => {
      isCollecting = true;
      begin();
      return collect(own, program, isEvaluated, mutants);
    },
    'node:test',
  );
  // The runner also starts files that hold no tests.
  process.once('exit', (code) => {
    if (!isOfRunner || isCollecting || code !== 0 || mutants.recorder !== null) return;
    for (const mutant of mutants.reached.keys()) mutants.say({ fate: 'unsure', mutant, file: program, tests: 0 });
    mutants.say({ ended: program });
  });
}

function collect(own: NodeTest, program: string, isEvaluated: () => boolean, mutants: Switch): object {
  const root: Suite = { name: 'all', options: {}, children: [], hooks: [] };
  const tracked = new TrackedTests(mutants);
  let open = root;
  let tests = 0;
  let hasStarted = false;
  if (mutants.recorder === null) mutants.say({ started: program });
  const onRegistered = whenAllAreLoaded(
    () => {
      hasStarted = true;
      void judgeFile(own, root, tracked, program, mutants).finally(() => process.exit(0));
    },
    () => {
      const main = process.mainModule;
      if (main === undefined) return isEvaluated;
      return main.loaded ? null : () => main.loaded;
    },
  );
  /** True if the call belongs to a running test, or comes too late; then the file's tests are not all known. */
  const isOutside = () => {
    if (hasStarted && !tracked.isInside) process.exit(1);
    return hasStarted;
  };

  const registering = (register: Register, extra: Options, isSuite: boolean) => {
    const registerOne = (...args: unknown[]): unknown => {
      if (isOutside()) return (register as (...all: unknown[]) => unknown)(...args);
      onRegistered();
      const body = args.find((argument): argument is Body => typeof argument === 'function') ?? (() => undefined);
      const given = args.find((argument) => typeof argument === 'object' && argument !== null) as Options | undefined;
      const name = typeof args[0] === 'string' ? args[0] : body.name || '<anonymous>';
      const options = { ...given, ...extra };
      if (!isSuite) {
        tests += 1;
        open.children.push({ id: `${tests} ${name}`, name, options, body });
        return Promise.resolve();
      }
      const suite: Suite = { name, options, children: [], hooks: [] };
      open.children.push(suite);
      const outer = open;
      open = suite;
      try {
        const result = options['skip'] ? undefined : body.call(undefined, { name } as Context);
        // Tests that such a group registers later cannot be assigned to it.
        if (result instanceof Promise) process.exit(1);
      } finally {
        open = outer;
      }
      return Promise.resolve();
    };
    return registerOne;
  };
  const withVariants = (register: Register, isSuite: boolean, given: object = {}) =>
    Object.assign(registering(register, {}, isSuite), given, {
      skip: registering(register, { skip: true }, isSuite),
      todo: registering(register, { todo: true }, isSuite),
      only: registering(register, { only: true }, isSuite),
    });
  const test = withVariants(own.test, false, { ...own });
  const describe = withVariants(own.describe, true);
  const hooks = HOOKS.map((kind) => {
    const register = (body: Body, options: Options = {}): void => {
      if (isOutside()) own[kind](body, options);
      else open.hooks.push({ kind, body, options });
    };
    return [kind, register] as const;
  });
  return Object.assign(test, Object.fromEntries(hooks), { test, it: test, describe, suite: describe, default: test });
}

/** Runs the tests once as they are, then with the mutants, without reports. */
async function judgeFile(
  own: NodeTest,
  root: Suite,
  tracked: TrackedTests,
  program: string,
  mutants: Switch,
): Promise<void> {
  const { recorder } = mutants;
  if (recorder) for (const { id, name } of testsOf(root)) recorder.name(id, name.trim());
  await own.test('all', {}, async () => {
    mutants.at('always');
    const all = await tracked.follow({ onlyTests: null, first: false, patience: null }, () =>
      replay(own, root, tracked),
    );
    // A test that failed may pass only under Node's own runner, so it must not count as one that fails anyway.
    const first = recorder ? all : { ...all, failed: new Set<string>() };
    const loaded: LoadedTests = {
      file: program,
      run: (onlyTests, first) =>
        tracked.follow({ onlyTests, first, patience: tracked.patience }, () => replay(own, root, tracked)),
    };
    const write = process.stdout.write;
    process.stdout.write = () => true;
    try {
      await judge(first, loaded, mutants);
    } finally {
      process.stdout.write = write;
    }
  });
}

/** Registers the tests with Node's runner, which runs them, and waits until they have ended. */
async function replay(own: NodeTest, root: Suite, tracked: TrackedTests): Promise<void> {
  let end = (): void => undefined;
  const hasEnded = new Promise<void>((resolve) => (end = resolve));
  const registerSuite = (suite: Suite, isOuter: boolean): void => {
    const wanted = suite.children.filter((child) => testsOf(child).some(({ id }) => tracked.isWanted(id)));
    if (wanted.length === 0 && !isOuter) return;
    void own.describe(suite.name, suite.options, () => {
      const tests = new Set(testsOf(suite).map(({ id }) => id));
      for (const { kind, body, options } of suite.hooks)
        own[kind](async (context) => {
          try {
            await tracked.hook(tests, () => call(body, context));
          } catch (error) {
            // After it, Node may run no other hook.
            if (isOuter && kind === 'before') setImmediate(end);
            throw error;
          }
        }, options);
      if (isOuter) own.after(() => end());
      for (const child of wanted)
        if ('children' in child) registerSuite(child, false);
        else registerTest(child, isConcurrent(suite.options));
    });
  };
  const registerTest = ({ id, name, options, body }: Test, isConcurrent: boolean): void => {
    // A failure of such a test counts for nothing.
    const isTodo = Boolean(options['todo']);
    void own.test(name, options, (context) => {
      watchSubtests(context, tracked);
      return isTodo ? call(body, context) : tracked.test(id, !isConcurrent, () => call(body, context));
    });
  };
  registerSuite(root, true);
  await hasEnded;
}

function isConcurrent({ concurrency }: Options): boolean {
  return concurrency === true || (typeof concurrency === 'number' && concurrency > 1);
}

function testsOf(node: Test | Suite): readonly Test[] {
  return 'children' in node ? node.children.flatMap(testsOf) : [node];
}

/** Calls the function of a test or hook. Returns a promise for one that reports its end by a callback. */
function call(body: Body, context: Context): unknown {
  if (body.length < 2) return body.call(context, context);
  return new Promise<void>((resolve, reject) => {
    body.call(context, context, (error) => (error ? reject(error as Error) : resolve()));
  });
}

const watched = new WeakSet<object>();

/** Makes a failing test inside a test a failure of the outer one. */
function watchSubtests(context: Context, tracked: TrackedTests): void {
  const prototype = Object.getPrototypeOf(context) as Context;
  const { test } = prototype;
  if (test === undefined || watched.has(prototype)) return;
  watched.add(prototype);
  prototype.test = function (this: Context, ...args: unknown[]) {
    const at = args.findIndex((argument) => typeof argument === 'function');
    const body = args[at] as Body | undefined;
    if (body === undefined) return test.apply(this, args);
    const inner = async (context: Context): Promise<void> => {
      try {
        await call(body, context);
      } catch (error) {
        tracked.fail();
        throw error;
      }
    };
    return test.apply(this, args.with(at, inner));
  };
}
