// Finds tests that a change touches and that do not run, such as those of a file that it renames so that the runner no
// longer finds it. Their texts show nothing wrong.

import { isTestEdit } from '../../paths/testEdits.ts';
import { isSnapshot, isTestData } from '../../paths/tests.ts';
import type { GateRun } from '../gate.ts';
import type { TestCase } from '../parse/testCounts.ts';
import { lettersAndDigits } from '../parse/titles.ts';

const SCRIPT = /\.[cm]?[jt]sx?$/;

/**
 * The first touched script whose text certainly declares tests, and of which none ran with the change; null if there is
 * none. A file of which no test ran before either is left out. `head`, `base`: the tests that ran with and without the
 * change; null if they are not named.
 */
export async function silentTests(
  {
    edits,
    worktree,
    context: { testCases },
  }: Pick<GateRun, 'edits' | 'worktree'> & {
    readonly context: Pick<GateRun['context'], 'testCases'>;
  },
  head: readonly TestCase[] | null,
  base: readonly TestCase[] | null,
): Promise<string | null> {
  if (!testCases || !head) return null;
  const touched = edits.filter((edit) => edit.after !== null && isScriptOfTests(edit));
  if (touched.length === 0) return null;
  const declared = await testCases(touched.map(({ path, after }) => ({ path, text: after! })));
  const known = new Set(await worktree.list());
  for (const { path, before } of touched) {
    const titles = declared
      .filter((one) => one.path === path && one.certain && !one.skipped)
      .map(({ name }) => lettersAndDigits(name.split(' › ').at(-1)!));
    // Some runners name no file, or the built one; then the titles decide.
    const isOf = ({ file, name }: TestCase) =>
      file === path ||
      ((file === null || !known.has(file)) && titles.some((title) => lettersAndDigits(name).endsWith(title)));
    if (titles.length === 0 || head.some(isOf)) continue;
    if (before === null || base?.some(isOf)) return path;
  }
  return null;
}

function isScriptOfTests(edit: GateRun['edits'][number]): boolean {
  const { path } = edit;
  return SCRIPT.test(path) && isTestEdit(edit) && !isTestData(path) && !isSnapshot(path);
}
