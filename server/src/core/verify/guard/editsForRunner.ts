// Decides which mutants a test runner can notice: those in code of its language.

import type { FileEdit } from '../../model.ts';
import type { RunnerName } from '../detect/testRunner.ts';
import { GO_FILE } from './go/findMutants.ts';
import { PYTHON_PATTERN } from './python/findMutants.ts';

/** The files that runners of other languages than JavaScript can judge. */
const FILE_PATTERN_BY_RUNNER: Readonly<Partial<Record<RunnerName, RegExp>>> = { pytest: PYTHON_PATTERN, go: GO_FILE };

/** The edits whose mutants the tests of this runner can notice; all edits for an unknown runner (null). */
export function selectEditsForRunner(runner: RunnerName | null, edits: readonly FileEdit[]): readonly FileEdit[] {
  if (runner === null) return edits;
  const filePattern = FILE_PATTERN_BY_RUNNER[runner];
  return edits.filter(({ path }) =>
    filePattern ? filePattern.test(path) : !Object.values(FILE_PATTERN_BY_RUNNER).some((pattern) => pattern.test(path)),
  );
}
