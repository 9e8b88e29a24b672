// Runs the tests of a judged change with the change first. If all pass and nothing suggests that some have vanished, a
// run without the change would show nothing more, so it is left out.

import { isProse } from '../../paths/others.ts';
import { isCalledTest, isTestEdit } from '../../paths/testEdits.ts';
import { isSnapshot, isTestData, isTestFile } from '../../paths/tests.ts';
import type { VerifyContext } from '../context.ts';
import type { GateRun } from '../gate.ts';
import { suspiciousUses } from '../integrity/reach.ts';
import type { FixedTests } from '../judge/fixedTests.ts';
import { lettersAndDigits } from '../parse/titles.ts';
import { chosenTests, knownTests, type ChosenTests } from './chosenTests.ts';
import type { HeadFirst, HeadRun } from './headRun.ts';
import { isHollow } from './hollow.ts';
import { isGreen, type TestCommands, type TestRun } from './testRun.ts';
import { countsOf, type TestCase } from '../parse/testCounts.ts';

const SCRIPT = /\.[cm]?[jt]sx?$/;
/** Tests in the source, which a runner leaves out of the built code. */
const IN_SOURCE = /\bimport\.meta\.vitest\b/;
/** More text than this is not read: the tests run without the change instead. */
const MAX_FILES = 2_000;
const MAX_CHARACTERS = 20_000_000;

/** The run with the change; `doubt`: why the tests have to run without the change as well. Null: that comes first. */
export async function runHeadFirst(
  run: GateRun,
  signal: AbortSignal,
): Promise<{ readonly ran: HeadRun; readonly doubt: string | null } | null> {
  const { headFirst } = run;
  if (!headFirst) return null;
  const known = await knownTests(run);
  if (!known || (await run.remembers(known.commands.whole, signal))) return null;
  const head = await run.candidate(known.commands.whole, known.commands.read, signal);
  const ran = { ...known, head };
  const doubt = whyBase(run, head) ?? (await whyVanished(run, headFirst, head.value?.cases ?? []));
  if (doubt === null) headFirst.enough = ran;
  return { ran, doubt };
}

/**
 * The test command, with the run of all tests that others are compared with: the one with the change if it is enough,
 * else the one without.
 */
export async function referenceTests(run: GateRun, signal: AbortSignal): Promise<ChosenTests | null> {
  const enough = run.headFirst?.enough;
  return enough ? { ...enough, base: enough.head } : chosenTests(run, signal);
}

/** The tests of these files in the run with the change, if that is enough; null if it does not show each of them. */
export function testsOfFiles({ headFirst }: GateRun, files: readonly string[]): TestRun | null {
  const head = headFirst?.enough?.head;
  const cases = head?.value?.cases?.filter(({ file }) => file !== null && files.includes(file)) ?? [];
  const ran = new Set(cases.map(({ file }) => file));
  return head && files.every((file) => ran.has(file)) ? { ...head, value: countsOf(cases) } : null;
}

/** The run of the command with the change, if it is there already. */
export function earlierRun(ran: HeadRun | undefined, commands: TestCommands): TestRun | null {
  return ran && JSON.stringify(ran.commands.whole) === JSON.stringify(commands.whole) ? ran.head : null;
}

function whyBase({ context, edits }: GateRun, head: TestRun): string | null {
  const { value } = head;
  if (!isGreen(head) || !value || value.passed === 0) return 'not all tests pass';
  if (!value.cases || value.cases.some(({ file }) => file !== null && !SCRIPT.test(file)))
    return 'the tests are not named as those of scripts';
  const expected = context.setUp?.expectedTests ?? null;
  if (expected !== null && isHollow(value.passed, expected)) return 'far fewer tests run than in the set-up';
  const deciding = edits.find((edit) => mayDecide(context, edit));
  if (deciding) return `${deciding.path} may decide which tests run`;
  // Through these names, code may change what the collection of the tests sees, or end the run.
  return suspiciousUses(edits)[0] ?? null;
}

/** True for an edit of anything but code, prose and tests whose cases another check compares. */
function mayDecide({ mayGo, isJudge }: VerifyContext, edit: GateRun['edits'][number]): boolean {
  const { path, before, after } = edit;
  if (isProse(path)) return false;
  if (!SCRIPT.test(path)) return true;
  if (isTestEdit(edit)) return isSnapshot(path) || isTestData(path) || !mayGo?.(path);
  return isJudge(path) || IN_SOURCE.test(before ?? '') || IN_SOURCE.test(after ?? '');
}

/** Compares the report with the texts of the test files that the change leaves alone. */
async function whyVanished(
  { worktree, edits }: GateRun,
  { fixedTests }: HeadFirst,
  cases: readonly TestCase[],
): Promise<string | null> {
  const touched = new Set(edits.map(({ path }) => path));
  const named = (await worktree.list()).filter((path) => SCRIPT.test(path) && (isTestFile(path) || isCalledTest(path)));
  const ran = cases.flatMap(({ file }) => file ?? []);
  const files = await textsOf(
    worktree,
    [...new Set([...named, ...ran])].filter((path) => !touched.has(path)),
  );
  if (files === null) return 'there are too many tests to read';
  const declaring = await fixedTests(files);
  const fileOf = whoseTests(cases, declaring, edits);
  if (fileOf === null) return 'the tests are not named with their files';
  const byFile = new Map<string, TestCase[]>();
  for (const one of cases) {
    const file = fileOf(one);
    if (byFile.has(file)) byFile.get(file)!.push(one);
    else byFile.set(file, [one]);
  }
  for (const fixed of declaring) {
    const why = whyIn(fixed, byFile.get(fixed.path) ?? []);
    if (why !== null) return `${fixed.path}: ${why}`;
  }
  return null;
}

/** The texts of files; null if they are too many or too long. */
async function textsOf(worktree: GateRun['worktree'], paths: readonly string[]) {
  if (paths.length > MAX_FILES) return null;
  const files: { readonly path: string; readonly text: string }[] = [];
  let characters = 0;
  for (const path of paths) {
    const text = new TextDecoder().decode((await worktree.read(path)) ?? new Uint8Array());
    characters += text.length;
    if (characters > MAX_CHARACTERS) return null;
    files.push({ path, text });
  }
  return files;
}

/** The file of each test. If the runner names none, all tests are those of the one file that declares some. */
function whoseTests(
  cases: readonly TestCase[],
  declaring: readonly FixedTests[],
  edits: GateRun['edits'],
): ((one: TestCase) => string) | null {
  if (cases.every(({ file }) => file !== null)) return ({ file }) => file!;
  if (cases.some(({ file }) => file !== null)) return null;
  const paths = [
    ...declaring.filter(({ places }) => places > 0).map(({ path }) => path),
    ...edits.filter((edit) => edit.after !== null && isTestEdit(edit)).map(({ path }) => path),
  ];
  const [only] = paths;
  return only !== undefined && paths.length === 1 ? () => only : null;
}

/** Why tests of the file may have vanished; null if the text alone decides which there are, and the run has them. */
export function whyIn({ places, certain, off, open }: FixedTests, cases: readonly TestCase[]): string | null {
  if (places === 0 && cases.length === 0) return null;
  if (cases.length === 0) return 'none of its tests ran';
  if (open !== null) return open;
  if (places === 0) return 'its tests are not recognised';
  const skipped = cases.filter(({ outcome }) => outcome === 'skipped');
  const surprising = skipped.find(({ name }) => !off.some((title) => lettersAndDigits(name).endsWith(title)));
  if (surprising) return `“${surprising.name}” was skipped`;
  if (skipped.length > off.length)
    return `${cases.length} tests ran, ${skipped.length} of them skipped, and its text switches off ${off.length}`;
  const passed = cases.length - skipped.length;
  return passed < certain ? `${passed} of its tests ran, and it declares ${certain}` : null;
}
