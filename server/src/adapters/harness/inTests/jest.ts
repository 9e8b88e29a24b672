// Jest (28 and later, with its own runner of tests): each file of tests is run again and again in its own worker, each
// time in an environment of its own, as Jest makes it for a first run.

import nodeModule from 'node:module';
import { Console } from 'node:console';
import { SWITCH } from '../../../core/verify/guard/inTests.ts';
import { judge, type Loaded, type Seen } from './judge.ts';
import type { Switch } from './switch.ts';

interface Test {
  readonly name: string;
  readonly parent?: Test;
}
interface Environment {
  readonly global: Record<string, unknown>;
  handleTestEvent?: (event: { readonly name: string; readonly test?: Test }, state: unknown) => unknown;
  setup(): Promise<void>;
  teardown(): Promise<void>;
}
interface Runtime {
  unstable_shouldLoadAsEsm(path: string): boolean;
  unstable_importModule(path: string): Promise<unknown>;
  requireModule(path: string): unknown;
  teardown?(): void;
}
type GlobalConfig = Readonly<Record<string, unknown>> & { readonly testTimeout?: number };
type ProjectConfig = { readonly setupFiles: readonly string[]; readonly testTimeout?: number };
/** What Jest 28 to 30 make a runtime from. */
type Given = readonly [
  config: ProjectConfig,
  environment: Environment,
  resolver: unknown,
  transformer: unknown,
  cachedTexts: ReadonlyMap<string, string>,
  coverage: object,
  path: string,
  globalConfig: GlobalConfig,
];
type RuntimeClass = new (...given: Given) => Runtime;
interface Results {
  readonly testExecError?: unknown;
  readonly testResults: readonly {
    readonly ancestorTitles: readonly string[];
    readonly title: string;
    readonly status: string;
    readonly duration?: number | null;
  }[];
}
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

const RUNTIME = /[\\/]jest-runtime[\\/](?:[^\\]*[\\/])?index\.js$/;
const ADAPTER = /[\\/]jest-circus[\\/](?:build[\\/])?runner\.js$/;
const TS_JEST = /[\\/]ts-jest[\\/]/;
/** An environment made with more than its configuration; such a file is left to runs of their own. */
const OPTIONS = '@jest-environment-options';
/** Jest's own limit for a test. */
const USUAL_TIMEOUT_MS = 5_000;
/** Shorter than Jest's own: a test that waits for ever is ended by it. */
const LEAST_TIMEOUT_MS = 2_000;
const TIMES_LONGER = 5;

/** Jest loads its runtime and its runner of tests by `require`; both are given out with more to them. */
export function takeOverJest(mutants: Switch): void {
  const loader = nodeModule as unknown as { _load: Load; _resolveFilename(request: string, parent: unknown): string };
  const load = loader._load;
  const given = new WeakMap<Runtime, Given>();
  const made = new Map<string, unknown>();
  const running = { mine: false };
  loader._load = function (this: unknown, request, parent, isMain) {
    const exported = load.call(this, request, parent, isMain);
    if (!request.includes('jest')) return exported;
    const place = placeOf(request, () => loader._resolveFilename(request, parent));
    if (TS_JEST.test(place)) withoutTypes(exported as TsJest | null);
    const more = RUNTIME.test(place)
      ? (own: unknown) => noting(own as RuntimeClass, given, mutants, running)
      : ADAPTER.test(place)
        ? (own: unknown) => judging(own as Adapter, given, mutants, running)
        : null;
    if (more === null) return exported;
    if (!made.has(place)) made.set(place, withDefault(exported, more));
    return made.get(place);
  };
}

function placeOf(request: string, resolve: () => string): string {
  try {
    return resolve();
  } catch {
    return request;
  }
}

/** A compiler that refuses code with type errors would refuse the switches; types are checked by a gate of their own. */
function withoutTypes(exported: TsJest | null): void {
  const prototype = exported?.ConfigSet?.prototype;
  if (prototype?.raiseDiagnostics) prototype.raiseDiagnostics = () => undefined;
}

/** The module, with what it exports by default made into something else. */
function withDefault(exported: unknown, more: (own: unknown) => unknown): unknown {
  if (typeof exported === 'function') return more(exported);
  const own = exported as { readonly default?: unknown };
  if (typeof own.default !== 'function') return exported;
  return Object.defineProperties(
    {},
    {
      ...Object.getOwnPropertyDescriptors(own),
      default: { value: more(own.default), enumerable: true },
      __esModule: { value: true },
    },
  );
}

/** Notes what each runtime was made from. Its modules ask the switch from the first one on. */
function noting(
  Runtime: RuntimeClass,
  given: WeakMap<Runtime, Given>,
  mutants: Switch,
  running: { readonly mine: boolean },
): RuntimeClass {
  return class extends Runtime {
    constructor(...made: Given) {
      super(...made);
      given.set(this, made);
      connect(made[1]);
      if (running.mine) return;
      mutants.clear();
      mutants.at('always');
    }
  };
}

/** Tests run in a realm of their own, which has a global object of its own. */
function connect({ global }: Environment): void {
  const value = (globalThis as unknown as Record<string, unknown>)[SWITCH];
  Object.defineProperty(global, SWITCH, { value, enumerable: false, configurable: true });
}

function judging(
  adapter: Adapter,
  given: WeakMap<Runtime, Given>,
  mutants: Switch,
  running: { mine: boolean },
): Adapter {
  return async (globalConfig, config, environment, runtime, path, send) => {
    const made = given.get(runtime);
    const startedAt = Date.now();
    watch(environment, mutants);
    const results = await adapter(globalConfig, config, environment, runtime, path, send);
    // What could not be loaded has reached nothing: such a file is left to runs of their own, too.
    if (!made || results.testExecError || made[4].get(path)?.includes(OPTIONS)) return results;
    const patience = globalConfig.testTimeout ?? config.testTimeout ?? USUAL_TIMEOUT_MS;
    const slowest = Math.max(0, ...results.testResults.map(({ duration }) => duration ?? 0));
    const loaded: Loaded = {
      file: path,
      async run(only) {
        const since = Date.now();
        const wanted = only
          ? {
              testNamePattern: `^(?:${[...only].map(literally).join('|')})$`,
              testTimeout: Math.min(patience, Math.max(LEAST_TIMEOUT_MS, TIMES_LONGER * slowest)),
            }
          : {};
        return seenIn(
          await again(adapter, runtime, made, { ...globalConfig, updateSnapshot: 'none', ...wanted }),
          since,
        );
      },
    };
    running.mine = true;
    try {
      await judge(seenIn(results, startedAt), loaded, mutants);
    } finally {
      running.mine = false;
      mutants.clear();
      mutants.at('always');
    }
    return results;
  };
}

/** Tells the switch which tests run. What is reached outside of any test belongs to all of them. */
function watch(environment: Environment, mutants: Switch): void {
  const own = environment.handleTestEvent?.bind(environment);
  const tests: string[] = [];
  environment.handleTestEvent = (event, state) => {
    if (event.test && event.name === 'test_start') tests.push(nameOf(event.test));
    if (event.test && event.name === 'test_done') {
      const at = tests.indexOf(nameOf(event.test));
      if (at >= 0) tests.splice(at, 1);
    }
    mutants.at(tests.length > 0 ? new Set(tests) : 'always');
    return own?.(event, state);
  };
}

/** As Jest compares it with the pattern of names; the outermost block has no name of its own. */
function nameOf(test: Test): string {
  const titles: string[] = [];
  for (let one: Test | undefined = test; one?.parent; one = one.parent) titles.unshift(one.name);
  return titles.join(' ');
}

/** Runs a file of tests as `jest-runner` does, silently and with everything made anew. */
async function again(adapter: Adapter, runtime: Runtime, made: Given, globalConfig: GlobalConfig): Promise<Results> {
  const [config, before, resolver, transformer, texts, coverage, path] = made;
  const Environment = before.constructor as new (config: object, context: object) => Environment;
  const quiet = new Console({ stdout: nowhere(), stderr: nowhere() });
  const environment = new Environment(
    { globalConfig, projectConfig: config },
    { console: quiet, docblockPragmas: {}, testPath: path },
  );
  environment.global['console'] = quiet;
  const Runtime = runtime.constructor as RuntimeClass;
  const off = { ...coverage, collectCoverage: false };
  const next = new Runtime(config, environment, resolver, transformer, new Map(texts), off, path, globalConfig);
  try {
    for (const file of config.setupFiles) {
      if (next.unstable_shouldLoadAsEsm(file)) {
        await next.unstable_importModule(file);
        continue;
      }
      const exported = next.requireModule(file);
      if (typeof exported === 'function') await (exported as () => unknown)();
    }
    await environment.setup();
    return await adapter(globalConfig, config, environment, next, path);
  } catch (error) {
    return { testExecError: error, testResults: [] };
  } finally {
    next.teardown?.();
    await environment.teardown();
  }
}

function nowhere(): NodeJS.WritableStream {
  return { write: () => true, on: () => undefined, once: () => undefined, removeListener: () => undefined } as never;
}

function seenIn({ testResults, testExecError }: Results, since: number): Seen {
  const ran = new Set<string>();
  const failed = new Set<string>();
  for (const { ancestorTitles, title, status } of testResults) {
    const name = [...ancestorTitles, title].join(' ');
    if (status === 'passed' || status === 'failed') ran.add(name);
    if (status === 'failed') failed.add(name);
  }
  return { ran, failed, broken: Boolean(testExecError), millis: Date.now() - since };
}

function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
