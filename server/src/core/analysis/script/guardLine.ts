// Finds the `if` of a function that guard clauses could flatten.

import type { Finding } from '../../rules/finding.ts';
import type { FunctionUnit } from '../functionUnit.ts';
import { findLineIndex, type LineStarts } from '../lines.ts';

/**
 * The line (1-based) of the first `if` in the function that guard clauses could flatten; null if there is none.
 * `findings`: the findings of the file.
 */
export function findGuardLine(unit: FunctionUnit, findings: readonly Finding[], lines: LineStarts): number | null {
  const guard = findings.find(
    (finding) => finding.rule === 'nested-if' && finding.start >= unit.start && finding.end <= unit.end,
  );
  return guard ? findLineIndex(lines, guard.start) + 1 : null;
}
