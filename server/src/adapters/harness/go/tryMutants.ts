// Tries mutants of Go: builds the test programs with all of them compiled in, notes which of them the tests reach, and
// runs the programs once for each mutant.

import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GoLine, GoOrder, GoOrderMutant } from '../../../core/verify/guard/go/order.ts';
import { ACTIVE, MISSING_RETURN, REACHED } from './assemble.ts';
import { packagesOf } from './packages.ts';
import { built, overlayOf, type Built } from './programs.ts';
import { run, type Ran } from './run.ts';

/** A mutant's time: this multiple of the time without one, and more. */
const TIME_FACTOR = 3;
const TIME_MORE = 5_000;
const FAILED = /^--- FAIL: (\S+)/gm;
const PASSED = /^--- PASS: (\S+) \(/gm;
/** Shorter runs are cheap enough to run all tests for each mutant. Milliseconds. */
const SHORT = 1_000;
/** Starting a program for each test would take too long. */
const MAX_ALONE = 300;

/** A test program that ran without a mutant. */
interface Control extends Built {
  readonly reached: ReadonlySet<number>;
  readonly failed: ReadonlySet<string>;
  readonly millis: number;
  /** Which mutants each test reaches when it runs alone; empty if that was not asked. */
  readonly byTest: ReadonlyMap<string, ReadonlySet<number>>;
}

type Fate = Pick<GoLine, 'fate' | 'by'>;

/** Runs in the folder of the test command. */
export async function tryMutants(order: GoOrder): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'selfware-go-'));
  const tell = ({ number }: GoOrderMutant, { fate, by }: Fate) =>
    appendFileSync(
      join(order.root, order.results),
      `${JSON.stringify({ mutant: number, fate, ...(by === undefined ? {} : { by }) } satisfies GoLine)}\n`,
    );
  try {
    await tryAll(order, folder, tell);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function tryAll(
  order: GoOrder,
  folder: string,
  tell: (mutant: GoOrderMutant, fate: Fate) => void,
): Promise<void> {
  let until = Date.now() + order.buildMillis;
  const left = () => until - Date.now();
  const cwd = process.cwd();
  const go = (words: readonly string[]) => run(['go', ...words], { cwd, env: process.env, millis: left() });
  const packages = await packagesOf(order, go);
  if (!packages) return;
  const isBuilt = (mutant: GoOrderMutant) => packages.sources.get(mutant.path) !== null;
  // No test runs a file that the build leaves out.
  for (const mutant of order.mutants) if (!isBuilt(mutant)) tell(mutant, { fate: 'unreached' });
  const overlay = await overlayOf(order, packages, folder, go);
  if (!overlay) return;
  for (const [mutant, by] of overlay.refused) tell(mutant, { fate: 'invalid', by });
  const controls: Control[] = [];
  const unusable: GoOrderMutant[] = [];
  const wanted = new Set(overlay.mutants.map(({ path }) => packages.sources.get(path)!.importPath));
  const tests = packages.tests.filter(({ contains }) => [...wanted].some((one) => contains.has(one)));
  for (const [index, test] of ownFirst(tests, wanted).entries()) {
    const one = await built(test, overlay, packages, { order, folder, go }, index);
    const control = one && (await controlOf(one, order, overlay.path, join(folder, `reached-${index}`), left()));
    if (control) controls.push(control);
    else
      unusable.push(...overlay.mutants.filter(({ path }) => test.contains.has(packages.sources.get(path)!.importPath)));
  }
  until = Date.now() + order.millis;
  for (const mutant of overlay.mutants) {
    if (left() <= 0) return;
    const fate = await fateOf(mutant, controls, order, overlay.path, left);
    const isSure = fate.fate !== 'survived' && fate.fate !== 'unreached';
    tell(mutant, isSure || !unusable.includes(mutant) ? fate : { fate: 'own' });
  }
}

/** The tests in the packages of the mutants come first, because they notice most. */
function ownFirst<T extends { readonly importPath: string }>(tests: readonly T[], wanted: ReadonlySet<string>): T[] {
  return tests.toSorted((one, other) => Number(wanted.has(other.importPath)) - Number(wanted.has(one.importPath)));
}

/** Runs the tests without a mutant. Null if they do not end in time, or end in the middle. */
async function controlOf(
  one: Built,
  order: GoOrder,
  overlay: string,
  reached: string,
  millis: number,
): Promise<Control | null> {
  const ran = await runTests(one, order, overlay, { [REACHED]: reached }, [], millis);
  const failed = failedIn(ran);
  if (ran.late || (ran.code !== 0 && (ran.code !== 1 || failed.size === 0))) return null;
  const control = { ...one, reached: numbersIn(reached), failed, millis: ran.millis, byTest: new Map() };
  const names = [...ran.output.matchAll(PASSED)].map(([, name = '']) => name);
  if (failed.size > 0 || ran.millis < SHORT || names.length > MAX_ALONE) return control;
  return { ...control, byTest: await reachByTest(control, names, order, overlay, reached, Date.now() + millis / 4) };
}

/** Runs each test alone; none of them counts if one fails, or if the time is over. */
async function reachByTest(
  control: Control,
  names: readonly string[],
  order: GoOrder,
  overlay: string,
  reached: string,
  until: number,
): Promise<ReadonlyMap<string, ReadonlySet<number>>> {
  const byTest = new Map<string, ReadonlySet<number>>();
  for (const [index, name] of names.entries()) {
    const file = `${reached}-${index}`;
    const ran = await runTests(control, order, overlay, { [REACHED]: file }, only([name], order), until - Date.now());
    if (ran.code !== 0) return new Map();
    byTest.set(name, numbersIn(file));
  }
  return byTest;
}

function numbersIn(file: string): ReadonlySet<number> {
  return new Set(existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean).map(Number) : []);
}

/**
 * The words that run only these tests; none if there are none, or if the command itself selects subtests: then all that
 * it selects run.
 */
function only(names: readonly string[], { test }: GoOrder): readonly string[] {
  const selectsSubtests = test.some((flag) => flag.startsWith('-test.run=') && flag.includes('/'));
  return names.length === 0 || selectsSubtests ? [] : [`-test.run=^(${names.join('|')})$`];
}

async function fateOf(
  mutant: GoOrderMutant,
  controls: readonly Control[],
  order: GoOrder,
  overlay: string,
  left: () => number,
): Promise<Fate> {
  const reaching = controls.filter(({ reached }) => reached.has(mutant.number));
  if (reaching.length === 0) return { fate: 'unreached' };
  for (const control of reaching) {
    // If tests fail without a mutant, the first failure says nothing.
    const words = control.failed.size === 0 ? ['-test.failfast'] : [];
    const names = [...control.byTest].flatMap(([name, own]) => (own.has(mutant.number) ? [name] : []));
    const limit = control.millis * TIME_FACTOR + TIME_MORE;
    const env = { [ACTIVE]: String(mutant.number + 1) };
    const ran = await runTests(control, order, overlay, env, [...words, ...only(names, order)], limit);
    if (ran.output.includes(MISSING_RETURN)) return { fate: 'invalid', by: 'missing return' };
    if (ran.late) return { fate: 'stopped' };
    const by = [...failedIn(ran)].find((name) => !control.failed.has(name)) ?? null;
    if (by === null && (ran.code === 0 || (ran.code === 1 && control.failed.size > 0))) continue;
    return (await isSteady(control, { by, env, left }, order, overlay))
      ? { fate: 'noticed', by: by ?? `exit code ${ran.code}` }
      : { fate: 'own' };
  }
  return { fate: 'survived' };
}

/**
 * True if the test, when it runs alone, passes without the mutant and fails again with it: the failure depends neither
 * on chance nor on other tests. False if no time is left to repeat it.
 */
async function isSteady(
  control: Control,
  notice: { readonly by: string | null; readonly env: Readonly<Record<string, string>>; readonly left: () => number },
  order: GoOrder,
  overlay: string,
): Promise<boolean> {
  const { by, env, left } = notice;
  const words = only(by === null ? [] : [by], order);
  const again = (more: Readonly<Record<string, string>>) =>
    runTests(control, order, overlay, more, words, Math.min(control.millis * TIME_FACTOR + TIME_MORE, left()));
  if (left() <= 0) return false;
  const without = await again({});
  const isRed = (ran: Ran) =>
    by === null ? ran.code !== 0 && (ran.code !== 1 || control.failed.size === 0) : failedIn(ran).has(by);
  if (without.late || isRed(without) || (words.length > 0 && without.code !== 0) || left() <= 0) return false;
  const withMutant = await again(env);
  return !withMutant.late && isRed(withMutant);
}

/** Runs a test program as `go test` does: in the folder of its package. */
function runTests(
  { program, test }: Built,
  { test: flags, args }: GoOrder,
  overlay: string,
  env: Readonly<Record<string, string>>,
  words: readonly string[],
  millis: number,
): Promise<Ran> {
  // Tests that build a program of the repository build it with the mutants.
  const goFlags = [process.env['GOFLAGS'], `-overlay=${overlay}`].filter(Boolean).join(' ');
  return run([program, '-test.v', '-test.paniconexit0', ...flags, ...words, ...args], {
    cwd: test.dir,
    env: { ...process.env, ...env, PWD: test.dir, GOFLAGS: goFlags },
    millis,
  });
}

function failedIn({ output }: Ran): Set<string> {
  return new Set([...output.matchAll(FAILED)].map(([, name = '']) => name));
}
