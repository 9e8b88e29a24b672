// Takes over Mocha: the tests are loaded once, and run repeatedly in the process of `mocha` itself.

import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { judgeMutants, type LoadedTests, type TestResults } from './judge.ts';
import type { Switch } from './switch.ts';

/** A test or hook of Mocha. */
interface Test {
  readonly type?: string;
  readonly parent?: Suite;
  readonly ctx?: { readonly currentTest?: Test };
  fullTitle(): string;
  isPending?(): boolean;
}
interface Suite {
  eachTest(visit: (test: Test) => void): unknown;
}
interface Runner {
  on(event: string, listener: (test: Test) => void): Runner;
  abort(): void;
}
interface Mocha {
  readonly suite: Suite;
  readonly options: { grep?: { test(title: string): boolean }; parallel?: boolean; delay?: boolean };
  reporter(reporter: unknown): unknown;
  cleanReferencesAfterRun(isWanted: boolean): unknown;
}
type Run = (this: Mocha, done: () => void) => Runner;

/**
 * Replaces `run` of Mocha. The first call for an object that does not run tests in parallel judges the mutants and then
 * ends the process with exit code 0. `folder`: the folder of the package `mocha` that the command runs. Mutants that
 * are reached before that call count as reached by loading.
 */
export async function patchMocha(folder: string, mutants: Switch): Promise<void> {
  const mainFile = createRequire(join(folder, 'package.json')).resolve(folder);
  const { default: Mocha } = (await import(pathToFileURL(mainFile).href)) as { default: { prototype: { run: Run } } };
  const { prototype } = Mocha;
  const { run } = prototype;
  let isTakenOver = false;
  mutants.setPlace('loading');
  prototype.run = function (done) {
    if (isTakenOver || this.options.parallel) return run.call(this, done);
    isTakenOver = true;
    // An error ends the process on its own.
    void judgeMocha(this, run, mutants).then(() => process.exit(0));
    return { on: () => this as never, abort: () => undefined };
  };
}

async function judgeMocha(mocha: Mocha, run: Run, mutants: Switch): Promise<void> {
  mocha.reporter(class {});
  mocha.cleanReferencesAfterRun(false);
  const { grep } = mocha.options;
  let isFirstRun = true;
  const loaded: LoadedTests = {
    file: '',
    run(onlyTests, stopsAtFailure) {
      const titleFilter = {
        test: (title: string) => (!grep || grep.test(title)) && (!onlyTests || onlyTests.has(title)),
      };
      mocha.options.grep = titleFilter;
      return runOnce(mocha, run, stopsAtFailure, isFirstRun ? mutants : null);
    },
  };
  const unmutatedRun = await loaded.run(null, false);
  isFirstRun = false;
  // With `--delay`, the first run has waited for the tests' call of `run`, which does not come again.
  mocha.options.delay = false;
  await judgeMutants(unmutatedRun, loaded, mutants);
}

function runOnce(mocha: Mocha, run: Run, stopsAtFailure: boolean, mutants: Switch | null): Promise<TestResults> {
  const ranTests = new Set<string>();
  const failedTests = new Set<string>();
  const startedAt = Date.now();
  let isBroken = false;
  return new Promise((resolve) => {
    const runner = run.call(mocha, () =>
      resolve({ ran: ranTests, failed: failedTests, broken: isBroken, millis: Date.now() - startedAt }),
    );
    runner
      // With `--delay`, more files may be loaded before this event.
      .on('start', () => mutants?.setPlace('always'))
      .on('test', (test) => mutants?.setPlace(new Set([test.fullTitle()])))
      .on('hook', (hook) => mutants?.setPlace(collectTestsOfHook(hook)))
      .on('test end', (test) => void (test.isPending?.() || ranTests.add(test.fullTitle())))
      .on('fail', (test) => {
        const currentTest = test.type === 'hook' ? test.ctx?.currentTest : test;
        if (currentTest) failedTests.add(currentTest.fullTitle());
        else isBroken = true;
        if (stopsAtFailure) runner.abort();
      });
  });
}

/**
 * The titles of the tests to which a hook belongs: for `beforeEach` or `afterEach`, the current test; for `before` or
 * `after`, all tests of the suite.
 */
function collectTestsOfHook(hook: Test): ReadonlySet<string> {
  const currentTest = hook.ctx?.currentTest;
  const isEach = currentTest && /"(?:before|after) each"/.test(hook.fullTitle());
  if (isEach) return new Set([currentTest.fullTitle()]);
  const tests = new Set<string>();
  hook.parent?.eachTest((test) => void tests.add(test.fullTitle()));
  return tests;
}
