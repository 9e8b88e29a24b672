// Takes over Jest (28 and later, with its own runner `jest-circus`): each test file is run repeatedly in its own
// worker, each time in a new environment, as Jest creates it for a first run.

import nodeModule from 'node:module';
import { Console } from 'node:console';
import { SWITCH_FUNCTION } from '../../../core/verify/guard/inTests.ts';
import { TRACE_FUNCTION } from '../../../core/verify/traces/recording.ts';
import { judgeMutants, type LoadedTests, type TestResults } from './judge.ts';
import type { Switch } from './switch.ts';

interface Test {
  readonly name: string;
  /** The block around the test or block; undefined for the outermost block. */
  readonly parent?: Test;
  readonly errors?: readonly unknown[];
}
/** The part of the state of `jest-circus` that decides which of the remaining tests run. */
interface CircusState {
  testNamePattern?: RegExp | null;
  /** The blocks whose tests are retried together, since Jest 30.5. */
  readonly describeRetryOptions?: WeakMap<Test, unknown>;
}
/** An environment of Jest, in which a test file runs. */
interface Environment {
  readonly global: Record<string, unknown>;
  handleTestEvent?: (event: { readonly name: string; readonly test?: Test }, state: CircusState) => unknown;
  setup(): Promise<void>;
  teardown(): Promise<void>;
}
/** A runtime of Jest, which loads the modules of a test file. */
interface Runtime {
  unstable_shouldLoadAsEsm(path: string): boolean;
  unstable_importModule(path: string): Promise<unknown>;
  requireModule(path: string): unknown;
  teardown?(): void;
}
type GlobalConfig = Readonly<Record<string, unknown>> & { readonly testTimeout?: number };
type ProjectConfig = { readonly setupFiles: readonly string[]; readonly testTimeout?: number };
/** The arguments from which Jest 28 to 30 create a runtime. */
type RuntimeArguments = readonly [
  config: ProjectConfig,
  environment: Environment,
  resolver: unknown,
  transformer: unknown,
  cachedTexts: ReadonlyMap<string, string>,
  coverage: object,
  path: string,
  globalConfig: GlobalConfig,
];
type RuntimeClass = new (...args: RuntimeArguments) => Runtime;
/** The results of a test file. */
interface Results {
  readonly testExecError?: unknown;
  readonly testResults: readonly {
    readonly ancestorTitles: readonly string[];
    readonly title: string;
    readonly status: string;
    readonly duration?: number | null;
  }[];
}
/** A test runner of Jest: runs a test file. */
type Adapter = (
  globalConfig: GlobalConfig,
  config: ProjectConfig,
  environment: Environment,
  runtime: Runtime,
  path: string,
  send?: unknown,
) => Promise<Results>;
interface TsJest {
  readonly ConfigSet?: { readonly prototype: { raiseDiagnostics?: () => void } };
}
type Load = (request: string, parent: unknown, isMain: boolean) => unknown;

/** Matches the module of Jest that exports the runtime. */
const RUNTIME_PATH = /[\\/]jest-runtime[\\/](?:[^\\]*[\\/])?index\.js$/;
/** Matches the module of Jest that exports the test runner. */
const ADAPTER_PATH = /[\\/]jest-circus[\\/](?:build[\\/])?runner\.js$/;
/** Matches the modules of ts-jest. */
const TS_JEST_PATH = /[\\/]ts-jest[\\/]/;
/**
 * A comment that sets options of the environment. A file that contains it is not run again, because only Jest itself
 * applies these options.
 */
const OPTIONS_COMMENT = '@jest-environment-options';
/** Milliseconds of Jest's default time limit for a test. */
const DEFAULT_TIMEOUT_MS = 5_000;
/**
 * Milliseconds. The time limit of a test that is run again is this or `TIMES_LONGER` times the duration of the slowest
 * test in its file, whichever is longer, but at most the configured limit. So a test that waits forever ends soon.
 */
const MIN_TIMEOUT_MS = 2_000;
/** The limit of a test that is run again, as a multiple of the duration of the slowest test. */
const TIMES_LONGER = 5;
/** Matches nothing, so that no test runs. */
const NO_TEST_PATTERN = /(?!)/;
/** The key of the global object at which `jest.retryTimes` stores how often a failed test is retried. */
const RETRY_TIMES = Symbol.for('RETRY_TIMES');

/**
 * Replaces the runtime and the test runner that Jest loads by `require` with extended ones. It must be called before
 * Jest starts.
 */
export function patchJest(mutants: Switch): void {
  const loader = nodeModule as unknown as { _load: Load; _resolveFilename(request: string, parent: unknown): string };
  const originalLoad = loader._load;
  const argumentsByRuntime = new WeakMap<Runtime, RuntimeArguments>();
  const replacementByPath = new Map<string, unknown>();
  const runState = { isOurs: false };
  loader._load = function (this: unknown, request, parent, isMain) {
    const exported = originalLoad.call(this, request, parent, isMain);
    if (!request.includes('jest')) return exported;
    const path = resolvePath(request, () => loader._resolveFilename(request, parent));
    if (TS_JEST_PATH.test(path)) disableTypeCheck(exported as TsJest | null);
    const extend = RUNTIME_PATH.test(path)
      ? (runtimeClass: unknown) =>
          createRecordingRuntime(runtimeClass as RuntimeClass, argumentsByRuntime, mutants, runState)
      : ADAPTER_PATH.test(path)
        ? (adapter: unknown) => createJudgingAdapter(adapter as Adapter, argumentsByRuntime, mutants, runState)
        : null;
    if (extend === null) return exported;
    if (!replacementByPath.has(path)) replacementByPath.set(path, extendDefault(exported, extend));
    return replacementByPath.get(path);
  };
}

function resolvePath(request: string, resolve: () => string): string {
  try {
    return resolve();
  } catch {
    return request;
  }
}

/** Switches the type check of ts-jest off, which would refuse the switches. Another gate checks types. */
function disableTypeCheck(exported: TsJest | null): void {
  const prototype = exported?.ConfigSet?.prototype;
  if (prototype?.raiseDiagnostics) prototype.raiseDiagnostics = () => undefined;
}

/** The module with `extend` applied to its default export, or to itself if it is a function. */
function extendDefault(exported: unknown, extend: (original: unknown) => unknown): unknown {
  if (typeof exported === 'function') return extend(exported);
  const exports = exported as { readonly default?: unknown };
  if (typeof exports.default !== 'function') return exported;
  return Object.defineProperties(
    {},
    {
      ...Object.getOwnPropertyDescriptors(exports),
      default: { value: extend(exports.default), enumerable: true },
      __esModule: { value: true },
    },
  );
}

/**
 * A runtime class that stores the arguments of each runtime in `argumentsByRuntime`, and connects each environment to the
 * switch before modules are loaded.
 */
function createRecordingRuntime(
  Runtime: RuntimeClass,
  argumentsByRuntime: WeakMap<Runtime, RuntimeArguments>,
  mutants: Switch,
  runState: { readonly isOurs: boolean },
): RuntimeClass {
  return class extends Runtime {
    constructor(...runtimeArguments: RuntimeArguments) {
      super(...runtimeArguments);
      argumentsByRuntime.set(this, runtimeArguments);
      connectSwitch(runtimeArguments[1]);
      if (runState.isOurs) return;
      mutants.clearReach();
      mutants.setPlace('always');
      // Calls that were recorded in a file and not judged belong to no other file.
      mutants.recorder?.drain('', { ran: new Set(), failed: new Set() });
    }
  };
}

/** Puts the switch and the recorder into the global object of the realm in which the tests run. */
function connectSwitch({ global }: Environment): void {
  for (const name of [SWITCH_FUNCTION, TRACE_FUNCTION]) {
    const value = (globalThis as unknown as Record<string, unknown>)[name];
    if (value !== undefined) Object.defineProperty(global, name, { value, enumerable: false, configurable: true });
  }
}

/** A test runner that judges the mutants after the first run of a file, and returns the results of that first run. */
function createJudgingAdapter(
  adapter: Adapter,
  argumentsByRuntime: WeakMap<Runtime, RuntimeArguments>,
  mutants: Switch,
  runState: { isOurs: boolean },
): Adapter {
  return async (globalConfig, config, environment, runtime, path, send) => {
    const runtimeArguments = argumentsByRuntime.get(runtime);
    const startedAt = Date.now();
    trackRunningTests(environment, mutants);
    const results = await adapter(globalConfig, config, environment, runtime, path, send);
    // A file that could not be loaded has reached nothing, so it is not run again.
    if (!runtimeArguments || results.testExecError || runtimeArguments[4].get(path)?.includes(OPTIONS_COMMENT))
      return results;
    const limitMs = globalConfig.testTimeout ?? config.testTimeout ?? DEFAULT_TIMEOUT_MS;
    const slowestMs = Math.max(0, ...results.testResults.map(({ duration }) => duration ?? 0));
    const loaded: LoadedTests = {
      file: path,
      async run(onlyTests, stopsAtFailure) {
        const runStartedAt = Date.now();
        const selectionOptions = onlyTests
          ? {
              testNamePattern: `^(?:${[...onlyTests].map(escapeForPattern).join('|')})$`,
              testTimeout: Math.min(limitMs, Math.max(MIN_TIMEOUT_MS, TIMES_LONGER * slowestMs)),
            }
          : {};
        return readResults(
          await runAgain(
            adapter,
            runtime,
            runtimeArguments,
            { ...globalConfig, updateSnapshot: 'none', ...selectionOptions },
            stopsAtFailure,
          ),
          runStartedAt,
        );
      },
    };
    runState.isOurs = true;
    try {
      await judgeMutants(readResults(results, startedAt), loaded, mutants);
    } finally {
      runState.isOurs = false;
      mutants.clearReach();
      mutants.setPlace('always');
    }
    return results;
  };
}

/** Tells the switch which tests are running. Code that is reached outside of any test belongs to all tests. */
function trackRunningTests(environment: Environment, mutants: Switch): void {
  const original = environment.handleTestEvent?.bind(environment);
  const runningTests: string[] = [];
  environment.handleTestEvent = (event, state) => {
    if (event.test && event.name === 'test_start') runningTests.push(joinFullName(event.test));
    if (event.test && event.name === 'test_done') {
      const index = runningTests.indexOf(joinFullName(event.test));
      if (index >= 0) runningTests.splice(index, 1);
    }
    mutants.setPlace(runningTests.length > 0 ? new Set(runningTests) : 'always');
    return original?.(event, state);
  };
}

/** The full name, as Jest compares it with `testNamePattern`. The outermost block has no name. */
function joinFullName(test: Test): string {
  const titles: string[] = [];
  for (let ancestor: Test | undefined = test; ancestor?.parent; ancestor = ancestor.parent)
    titles.unshift(ancestor.name);
  return titles.join(' ');
}

/** Skips all further tests once one has failed that Jest does not retry: a retry would be skipped too. */
function skipTestsAfterFailure(environment: Environment): void {
  const original = environment.handleTestEvent?.bind(environment);
  environment.handleTestEvent = (event, state) => {
    const { name, test } = event;
    const hasFailed = name === 'test_done' && test !== undefined && (test.errors?.length ?? 0) > 0;
    if (hasFailed && !canBeRetried(test, environment, state)) state.testNamePattern = NO_TEST_PATTERN;
    return original?.(event, state);
  };
}

/** True if Jest may run a failed test again, alone or with a block around it. */
function canBeRetried(test: Test, { global }: Environment, { describeRetryOptions }: CircusState): boolean {
  if (Number.parseInt(String(Reflect.get(global, RETRY_TIMES)), 10) > 0) return true;
  for (let block = test.parent; block; block = block.parent) if (describeRetryOptions?.has(block)) return true;
  return false;
}

/**
 * Runs a test file as `jest-runner` does, but silently, in a new environment and with a new runtime. `stopsAtFailure`: true if
 * the run ends at the first failure.
 */
async function runAgain(
  adapter: Adapter,
  runtime: Runtime,
  runtimeArguments: RuntimeArguments,
  globalConfig: GlobalConfig,
  stopsAtFailure: boolean,
): Promise<Results> {
  const [config, firstEnvironment, resolver, transformer, texts, coverage, path] = runtimeArguments;
  const Environment = firstEnvironment.constructor as new (config: object, context: object) => Environment;
  const quietConsole = new Console({ stdout: createDiscardingStream(), stderr: createDiscardingStream() });
  const environment = new Environment(
    { globalConfig, projectConfig: config },
    { console: quietConsole, docblockPragmas: {}, testPath: path },
  );
  environment.global['console'] = quietConsole;
  if (stopsAtFailure) skipTestsAfterFailure(environment);
  const Runtime = runtime.constructor as RuntimeClass;
  const coverageOptions = { ...coverage, collectCoverage: false };
  const nextRuntime = new Runtime(
    config,
    environment,
    resolver,
    transformer,
    new Map(texts),
    coverageOptions,
    path,
    globalConfig,
  );
  try {
    for (const file of config.setupFiles) {
      if (nextRuntime.unstable_shouldLoadAsEsm(file)) {
        await nextRuntime.unstable_importModule(file);
        continue;
      }
      const exported = nextRuntime.requireModule(file);
      if (typeof exported === 'function') await (exported as () => unknown)();
    }
    await environment.setup();
    return await adapter(globalConfig, config, environment, nextRuntime, path);
  } catch (error) {
    return { testExecError: error, testResults: [] };
  } finally {
    nextRuntime.teardown?.();
    await environment.teardown();
  }
}

/** A stream that discards everything. */
function createDiscardingStream(): NodeJS.WritableStream {
  return { write: () => true, on: () => undefined, once: () => undefined, removeListener: () => undefined } as never;
}

function readResults({ testResults, testExecError }: Results, runStartedAt: number): TestResults {
  const ranTests = new Set<string>();
  const failedTests = new Set<string>();
  for (const { ancestorTitles, title, status } of testResults) {
    const name = [...ancestorTitles, title].join(' ');
    if (status === 'passed' || status === 'failed') ranTests.add(name);
    if (status === 'failed') failedTests.add(name);
  }
  return { ran: ranTests, failed: failedTests, broken: Boolean(testExecError), millis: Date.now() - runStartedAt };
}

function escapeForPattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
