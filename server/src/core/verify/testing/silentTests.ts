// Finds tests that a change touches and that do not run, such as tests of a file that it renames so that the runner no
// longer finds it. Their texts show no problem.

import { isTestEdit } from '../../paths/testEdits.ts';
import { isSnapshot, isTestData } from '../../paths/tests.ts';
import type { GateInput } from '../gate.ts';
import type { TestCase } from '../parse/testCounts.ts';
import { selectLettersAndDigits } from '../parse/titles.ts';

const SCRIPT_PATTERN = /\.(?:[cm]?[jt]sx?|go)$/;

/**
 * The first touched file whose text certainly declares tests, none of which ran with the change; for Go, some of which
 * did not run. Null if there is none. A file is skipped if none of its tests ran before. `head`, `base`: the tests that
 * ran with and without the change; null if they are not named.
 */
export async function findSilentTests(
  {
    edits,
    worktree,
    context: { testCases },
  }: Pick<GateInput, 'edits' | 'worktree'> & {
    readonly context: Pick<GateInput['context'], 'testCases'>;
  },
  head: readonly TestCase[] | null,
  base: readonly TestCase[] | null,
): Promise<string | null> {
  if (!testCases || !head) return null;
  const touchedEdits = edits.filter((edit) => edit.after !== null && isScriptOfTests(edit));
  if (touchedEdits.length === 0) return null;
  const declaredCases = await testCases(touchedEdits.map(({ path, after }) => ({ path, text: after! })));
  const namesBefore = await findTouchedNames({ edits: touchedEdits, context: { testCases } }, 'before');
  const paths = new Set(await worktree.list());
  for (const { path, before } of touchedEdits) {
    const titles = declaredCases
      .filter((testCase) => testCase.path === path && testCase.certain && !testCase.skipped)
      .map(({ name }) => selectLettersAndDigits(name.split(' › ').at(-1)!));
    // Some runners name no file, or the built one. Then the titles decide.
    const belongsToFile = ({ file, name }: TestCase) =>
      // The entry of Node's runner for the file itself is not a test.
      (file === path && name !== path) ||
      ((file === null || !paths.has(file)) && titles.some((title) => selectLettersAndDigits(name).endsWith(title)));
    if (path.endsWith('.go')) {
      const testsOfFile = declaredCases.filter(
        (testCase) => testCase.path === path && testCase.certain && !(testCase.skipsAlways ?? testCase.skipped),
      );
      const ranBefore = before === null || base?.some(({ name }) => namesBefore.has(name));
      if (ranBefore && testsOfFile.some(({ name }) => isSilentInGo(path, name, head, base ?? []))) return path;
      continue;
    }
    if (titles.length === 0 || head.some(belongsToFile)) continue;
    if (before === null || base?.some(belongsToFile)) return path;
  }
  return null;
}

/** True if the test ran before and does not run now, or if it is missing although the file declares it. */
function isSilentInGo(path: string, name: string, head: readonly TestCase[], base: readonly TestCase[]): boolean {
  // Subtests have names that are created when they run.
  if (name.includes(' › ') || /^(?:Example|Fuzz)/.test(name)) return false;
  const folder = path.includes('/') ? `/${path.replace(/\/[^/]*$/, '')}` : '';
  const selectCasesOfTest = (cases: readonly TestCase[]) =>
    cases.filter((testCase) => testCase.name === name && (!testCase.package || testCase.package.endsWith(folder)));
  const countRan = (cases: readonly TestCase[]) =>
    selectCasesOfTest(cases).filter(({ outcome }) => outcome !== 'skipped').length;
  return selectCasesOfTest(head).length === 0 || countRan(head) < countRan(base);
}

/** Names that the touched files declare as tests on one side, for runners that name no file. */
export async function findTouchedNames(
  {
    edits,
    context: { testCases },
  }: Pick<GateInput, 'edits'> & { readonly context: Pick<GateInput['context'], 'testCases'> },
  side: 'before' | 'after',
): Promise<ReadonlySet<string>> {
  const files = edits.flatMap((edit) => {
    const text = edit[side];
    return text !== null && isScriptOfTests(edit) ? [{ path: edit.path, text }] : [];
  });
  const declaredCases = (await testCases?.(files)) ?? [];
  return new Set(declaredCases.map(({ name }) => name));
}

/** True for a script whose text can be read as tests, and that is not test data. */
function isScriptOfTests(edit: GateInput['edits'][number]): boolean {
  const { path } = edit;
  return SCRIPT_PATTERN.test(path) && isTestEdit(edit) && !isTestData(path) && !isSnapshot(path);
}
