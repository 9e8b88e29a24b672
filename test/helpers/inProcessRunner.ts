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
  readonly other?: (line: string, texts: ReadonlyMap<string, string>) => Partial<RunResult> | null;
}

/**
 * Creates the sandbox. The code must be JavaScript modules. Test files end in `.test.js` and use `node:test` with
 * `node:assert/strict`. `runs` returns the number of runs of tests so far.
 */
export function createInProcessRunner(
  files: Readonly<Record<string, string>>,
  options: RunnerOptions = {},
): Sandbox & { runs(): number } {
  let opened = 0;
  let runs = 0;
  return {
    runs: () => runs,
    isolation: async () => ({ kind: 'bubblewrap', confined: true, tried: [] }),
    removeAbandoned: async () => 0,
    close: async () => undefined,
    async open() {
      opened += 1;
      const dir = `/sandboxes/${opened}`;
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
          if (request.command.includes('--version')) return ended(request.command[0] === 'npm' ? 1 : 0);
          const line = request.command.join(' ');
          const own = options.other?.(line, texts);
          if (own) return { ...ended(0), ...own };
          runs += 1;
          return testRun(dir, texts, request, options.random ?? Math.random);
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

function ended(exitCode: number): RunResult {
  return { exitCode, outcome: 'exited', stdout: '', stderr: '', millis: 1 };
}

/** Runs the named test files, or all, and writes a JUnit report if the environment asks for one. */
async function testRun(dir: string, texts: Texts, request: RunRequest, random: () => number): Promise<RunResult> {
  const named = request.command
    .join(' ')
    .split(/\s+/)
    .filter((word) => /\.test\.js$/.test(word));
  const tests = named.length > 0 ? named : [...texts.keys()].filter((path) => path.endsWith('.test.js')).sort();
  const cases: Case[] = [];
  for (const file of tests) cases.push(...(await runFile(dir, texts, file, random)));
  const report = /--test-reporter-destination=(\/\S+)/.exec(request.env?.['NODE_OPTIONS'] ?? '')?.[1];
  if (report) texts.set(report.replace(`${dir}/`, ''), junit(cases));
  return ended(cases.some(({ error }) => error !== undefined) ? 1 : 0);
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
    const given = (rest.find((one) => typeof one === 'object') ?? {}) as { skip?: unknown; timeout?: number };
    const body = (rest.find((one) => typeof one === 'function') ?? (() => undefined)) as Body;
    plan({ name, body, skip: Boolean(given.skip), timeout: given.timeout ?? 1_000 });
  };
  const skip = (name: string) => plan({ name, body: () => undefined, skip: true, timeout: 0 });
  const describe = (name: string, body: Body) => {
    suites.push(name);
    body();
    suites.pop();
  };
  const runner = Object.assign(test, { skip, test, describe, it: test, default: test });
  const world = contextOf(dir, texts, random);
  try {
    load(world, texts, file, { 'node:test': runner, 'node:fs': fsOf(dir, texts) });
  } catch (error) {
    return [{ file, name: file, error }];
  }
  const cases: Case[] = [];
  for (const { name, suites: around = [], body, skip, timeout } of planned) {
    const outcome = skip ? { skipped: true } : await outcomeOf(body, timeout);
    if (!('error' in outcome && outcome.error instanceof Exit)) {
      cases.push({ file, name, suites: around, ...outcome });
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
    const late = new Promise((_, reject) => {
      timer = setTimeout(() => reject(new Error(`test timed out after ${timeout}ms`)), timeout);
    });
    await Promise.race([Promise.resolve(body()), late]);
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
  const at = (path: string) => posix.normalize(path.replace(`${dir}/`, ''));
  return {
    appendFileSync: (path: string, text: string) => texts.set(at(path), (texts.get(at(path)) ?? '') + text),
    writeFileSync: (path: string, text: string) => texts.set(at(path), text),
    readFileSync: (path: string) => texts.get(at(path)) ?? '',
    existsSync: (path: string) => texts.has(at(path)),
  };
}

/** Loads a module and, through `require`, the modules that it imports. `given`: modules that are built in. */
function load(world: Context, texts: Texts, path: string, given: Readonly<Record<string, unknown>>): unknown {
  const loaded = new Map<string, { exports: Record<string, unknown> }>();
  // Each file gets a copy of `assert`, because changes by a test in its own process would not affect other files.
  const ownAssert = Object.assign((...given: Parameters<typeof assert>) => assert(...given), assert);
  const required = (from: string, name: string): unknown => {
    if (name === 'node:assert/strict') return ownAssert;
    if (Object.hasOwn(given, name)) return given[name];
    const target = posix.normalize(posix.join(posix.dirname(from), name));
    const text = texts.get(target);
    if (text === undefined) throw new Error(`Cannot find module '${name}'`);
    const known = loaded.get(target);
    if (known) return known.exports;
    const module = { exports: {} };
    loaded.set(target, module);
    run(target, text, module);
    return module.exports;
  };
  const run = (at: string, text: string, module: { exports: Record<string, unknown> }) => {
    const wrapped = runInContext(`(function (exports, require, module) {${commonJs(text)}\n})`, world, {
      filename: at,
    });
    (wrapped as (...all: unknown[]) => void)(module.exports, (name: string) => required(at, name), module);
  };
  return required(path, `./${posix.basename(path)}`);
}

const compiled = new Map<string, string>();

/** The module as CommonJS. Throws SyntaxError if it does not parse. */
function commonJs(text: string): string {
  const known = compiled.get(text);
  if (known !== undefined) return known;
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
function junit(cases: readonly Case[]): string {
  return `<testsuites>\n${cases.map(caseText).join('\n')}\n</testsuites>`;
}

function caseText({ suites = [], ...testCase }: Case): string {
  const start = suites.map((title) => `<testsuite name="${escaped(title)}">`).join('');
  const place = suites.length === 0 ? 'test' : suites.join('.');
  return `${start}${elementOf(testCase, place)}${'</testsuite>'.repeat(suites.length)}`;
}

function elementOf({ file, name, error, skipped = false }: Case, place: string): string {
  const head = `<testcase name="${escaped(name)}" time="0.001" classname="${escaped(place)}" file="${escaped(file)}"`;
  if (skipped) return `${head}><skipped/></testcase>`;
  if (error === undefined) return `${head}/>`;
  const message = escaped(error instanceof Error || isError(error) ? `${error.name}: ${error.message}` : String(error));
  return `${head}><failure message="${message}">${message}</failure></testcase>`;
}

/** True for errors of other realms, too. */
function isError(error: unknown): error is Error {
  return typeof error === 'object' && error !== null && 'message' in error && 'name' in error;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
