// A sandbox that runs `node --test` in this process, so that a run takes a millisecond. It executes real sources of
// code and tests, and reports as Node's runner does. Use it only for trusted sources, because nothing isolates them.

import assert from 'node:assert/strict';
import { posix } from 'node:path';
import { createContext, runInContext, type Context } from 'node:vm';
import { ts } from 'ts-morph';
import type { RunRequest, RunResult, Sandbox, Worktree } from '../../server/src/core/ports/sandbox.ts';

/** The texts of the work tree by path. */
type Texts = Map<string, string>;
type Body = () => unknown;

/** A test case with its result. */
interface Case {
  readonly file: string;
  readonly name: string;
  /** The titles around the test. */
  readonly suites?: readonly string[];
  readonly error?: unknown;
  readonly skipped?: boolean;
}

/** The behaviour of the runner that tests can change. */
export interface RunnerOptions {
  /** Replaces `Math.random` in the code that is run. */
  readonly random?: () => number;
  /** Returns the result of a command that is not a run of tests, such as a benchmark; null for a run of tests. */
  readonly runOther?: (line: string, texts: ReadonlyMap<string, string>) => Partial<RunResult> | null;
}

/**
 * Creates the sandbox. The code must be JavaScript modules. Test files end in `.test.js` and use `node:test` with
 * `node:assert/strict`. `runs` returns the number of runs of tests so far.
 */
export function createInProcessRunner(
  files: Readonly<Record<string, string>>,
  options: RunnerOptions = {},
): Sandbox & { runs(): number } {
  let openedCount = 0;
  let runs = 0;
  return {
    runs: () => runs,
    isolation: async () => ({ kind: 'bubblewrap', confined: true, tried: [] }),
    removeAbandoned: async () => 0,
    close: async () => undefined,
    async open() {
      openedCount += 1;
      const dir = `/sandboxes/${openedCount}`;
      const texts: Texts = new Map(Object.entries(files));
      return {
        dir,
        read: async (path) => (texts.has(path) ? new TextEncoder().encode(texts.get(path)) : null),
        exists: async (path) => texts.has(path),
        list: async () => [...texts.keys()].filter((path) => !path.startsWith('node_modules/')).sort(),
        async write(edits, { reverse = false } = {}) {
          for (const { path, before, after } of edits) setText(texts, path, reverse ? before : after);
        },
        async place(placed) {
          for (const { path, bytes } of placed) setText(texts, path, bytes && new TextDecoder().decode(bytes));
        },
        run: async (request) => {
          if (request.command.includes('--version')) return createResult(request.command[0] === 'npm' ? 1 : 0);
          const line = request.command.join(' ');
          const otherResult = options.runOther?.(line, texts);
          if (otherResult) return { ...createResult(0), ...otherResult };
          runs += 1;
          return runTests(dir, texts, request, options.random ?? Math.random);
        },
        dispose: async () => undefined,
      } satisfies Worktree;
    },
  };
}

function setText(texts: Texts, path: string, text: string | null): void {
  if (text === null) texts.delete(path);
  else texts.set(path, text);
}

function createResult(exitCode: number): RunResult {
  return { exitCode, outcome: 'exited', stdout: '', stderr: '', millis: 1 };
}

/** Runs the named test files, or all, and writes a JUnit report if the environment asks for one. */
async function runTests(dir: string, texts: Texts, request: RunRequest, random: () => number): Promise<RunResult> {
  const namedTests = request.command
    .join(' ')
    .split(/\s+/)
    .filter((word) => /\.test\.js$/.test(word));
  const tests =
    namedTests.length > 0 ? namedTests : [...texts.keys()].filter((path) => path.endsWith('.test.js')).sort();
  const cases: Case[] = [];
  for (const file of tests) cases.push(...(await runFile(dir, texts, file, random)));
  const report = /--test-reporter-destination=(\/\S+)/.exec(request.env?.['NODE_OPTIONS'] ?? '')?.[1];
  if (report) texts.set(report.replace(`${dir}/`, ''), writeJunitReport(cases));
  return createResult(cases.some(({ error }) => error !== undefined) ? 1 : 0);
}

/** Thrown by `process.exit`, so that the test file ends there. */
class Exit {
  readonly code: number;
  constructor(code: number) {
    this.code = code;
  }
}

/** A test that a file has declared. */
interface PlannedTest extends Pick<Case, 'name' | 'suites'> {
  readonly body: Body;
  readonly skip: boolean;
  readonly timeout: number;
}

/** Loads a test file, runs the tests that it declares, and returns their results. */
async function runFile(dir: string, texts: Texts, file: string, random: () => number): Promise<readonly Case[]> {
  const planned: PlannedTest[] = [];
  const suites: string[] = [];
  const plan = (test: Omit<PlannedTest, 'suites'>) => void planned.push({ ...test, suites: [...suites] });
  const test = (name: string, ...rest: readonly unknown[]) => {
    const testOptions = (rest.find((argument) => typeof argument === 'object') ?? {}) as {
      skip?: unknown;
      timeout?: number;
    };
    const body = (rest.find((argument) => typeof argument === 'function') ?? (() => undefined)) as Body;
    plan({ name, body, skip: Boolean(testOptions.skip), timeout: testOptions.timeout ?? 1_000 });
  };
  const skip = (name: string) => plan({ name, body: () => undefined, skip: true, timeout: 0 });
  const describe = (name: string, body: Body) => {
    suites.push(name);
    body();
    suites.pop();
  };
  const runner = Object.assign(test, { skip, test, describe, it: test, default: test });
  const realm = contextOf(dir, texts, random);
  try {
    loadModule(realm, texts, file, { 'node:test': runner, 'node:fs': fsOf(dir, texts) });
  } catch (error) {
    return [{ file, name: file, error }];
  }
  const cases: Case[] = [];
  for (const { name, suites: titles = [], body, skip, timeout } of planned) {
    const outcome = skip ? { skipped: true } : await outcomeOf(body, timeout);
    if (!('error' in outcome && outcome.error instanceof Exit)) {
      cases.push({ file, name, suites: titles, ...outcome });
      continue;
    }
    // The real runner reports the tests that ended before the exit, and the file as failed if the code is not 0.
    return outcome.error.code === 0 ? cases : [...cases, { file, name: file, error: new Error('test failed') }];
  }
  return cases;
}

/** Runs the body of a test within its timeout in milliseconds. Returns its error, if any. */
async function outcomeOf(body: Body, timeout: number): Promise<{ readonly error?: unknown }> {
  let timer: NodeJS.Timeout | undefined;
  try {
    const timeoutError = new Promise((_, reject) => {
      timer = setTimeout(() => reject(new Error(`test timed out after ${timeout}ms`)), timeout);
    });
    await Promise.race([Promise.resolve(body()), timeoutError]);
    return {};
  } catch (error) {
    return { error };
  } finally {
    clearTimeout(timer);
  }
}

/** The separate realm of one test file, because the real runner gives each file its own process. */
function contextOf(dir: string, texts: Texts, random: () => number): Context {
  const math = Object.create(Math, { random: { value: random } }) as Math;
  return createContext({
    Math: math,
    setTimeout,
    process: {
      env: { CI: '1' },
      argv: [],
      getBuiltinModule: () => fsOf(dir, texts),
      exit: (code = 0) => {
        throw new Exit(code);
      },
    },
  });
}

/** A replacement of `node:fs` on the work tree, with the functions that tests and probes use. */
function fsOf(dir: string, texts: Texts) {
  const workTreePath = (path: string) => posix.normalize(path.replace(`${dir}/`, ''));
  return {
    appendFileSync: (path: string, text: string) =>
      texts.set(workTreePath(path), (texts.get(workTreePath(path)) ?? '') + text),
    writeFileSync: (path: string, text: string) => texts.set(workTreePath(path), text),
    readFileSync: (path: string) => texts.get(workTreePath(path)) ?? '',
    existsSync: (path: string) => texts.has(workTreePath(path)),
  };
}

/** Loads a module and, through `require`, the modules that it imports. `builtIns`: modules that are built in. */
function loadModule(realm: Context, texts: Texts, path: string, builtIns: Readonly<Record<string, unknown>>): unknown {
  const loadedModules = new Map<string, { exports: Record<string, unknown> }>();
  // Each file gets a copy of `assert`, because changes by a test in its own process would not affect other files.
  const ownAssert = Object.assign(
    (...assertArguments: Parameters<typeof assert>) => assert(...assertArguments),
    assert,
  );
  const requireModule = (from: string, name: string): unknown => {
    if (name === 'node:assert/strict') return ownAssert;
    if (Object.hasOwn(builtIns, name)) return builtIns[name];
    const target = posix.normalize(posix.join(posix.dirname(from), name));
    const text = texts.get(target);
    if (text === undefined) throw new Error(`Cannot find module '${name}'`);
    const loadedModule = loadedModules.get(target);
    if (loadedModule) return loadedModule.exports;
    const module = { exports: {} };
    loadedModules.set(target, module);
    run(target, text, module);
    return module.exports;
  };
  const run = (from: string, text: string, module: { exports: Record<string, unknown> }) => {
    const wrapped = runInContext(`(function (exports, require, module) {${compileToCommonJs(text)}\n})`, realm, {
      filename: from,
    });
    (wrapped as (...wrapperArguments: unknown[]) => void)(
      module.exports,
      (name: string) => requireModule(from, name),
      module,
    );
  };
  return requireModule(path, `./${posix.basename(path)}`);
}

const compiled = new Map<string, string>();

/** The module as CommonJS. Throws SyntaxError if it does not parse. */
function compileToCommonJs(text: string): string {
  const compiledText = compiled.get(text);
  if (compiledText !== undefined) return compiledText;
  const { module, target } = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 };
  const { outputText, diagnostics = [] } = ts.transpileModule(text, {
    compilerOptions: { module, target, esModuleInterop: true },
    fileName: 'a.js',
    reportDiagnostics: true,
  });
  if (diagnostics.length > 0) throw new SyntaxError('It does not parse.');
  compiled.set(text, outputText);
  return outputText;
}

/** The results as a JUnit report. */
function writeJunitReport(cases: readonly Case[]): string {
  return `<testsuites>\n${cases.map(formatCase).join('\n')}\n</testsuites>`;
}

function formatCase({ suites = [], ...testCase }: Case): string {
  const openingTags = suites.map((title) => `<testsuite name="${escapeXml(title)}">`).join('');
  const className = suites.length === 0 ? 'test' : suites.join('.');
  return `${openingTags}${formatElement(testCase, className)}${'</testsuite>'.repeat(suites.length)}`;
}

function formatElement({ file, name, error, skipped = false }: Case, className: string): string {
  const head = `<testcase name="${escapeXml(name)}" time="0.001" classname="${escapeXml(className)}" file="${escapeXml(file)}"`;
  if (skipped) return `${head}><skipped/></testcase>`;
  if (error === undefined) return `${head}/>`;
  const message = escapeXml(
    error instanceof Error || isError(error) ? `${error.name}: ${error.message}` : String(error),
  );
  return `${head}><failure message="${message}">${message}</failure></testcase>`;
}

/** True for errors of other realms, too. */
function isError(error: unknown): error is Error {
  return typeof error === 'object' && error !== null && 'message' in error && 'name' in error;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
