// Formats a call that breaks a function, for a terminal.

import type { Colors } from '../../adapters/system/terminal.ts';
import {
  COUNTEREXAMPLE_RULE,
  createCounterexampleOpportunity,
} from '../../core/session/analyse/storedCounterexamples.ts';
import type { CheckedCounterexample } from '../../core/verify/counterexamples/plan.ts';
import { escapeInvisible, escapeInvisibleLine } from '../../util/visible.ts';
import { indentText } from './skippedFunctions.ts';

/** The reason why the counterexample may not be a defect, in brackets; empty if there is none. */
function describeDoubt({ unlikely, precondition }: CheckedCounterexample): string {
  if (precondition !== undefined) return ` (a note, no defect: its comment says “${precondition}”)`;
  return unlikely ? ' (an unlikely input)' : '';
}

/**
 * The call, its observed and its expected result, as lines. `showsTest`: true to add the test for it, or the reason why
 * there is none.
 */
export function formatCounterexample(
  counterexample: CheckedCounterexample,
  showsTest: boolean,
  colors: Colors,
): string {
  const { path, nameRange, call, observed, expected, test } = counterexample;
  const location = `${path}:${nameRange.startLine}:${nameRange.startColumn}`;
  const id = `[${COUNTEREXAMPLE_RULE}] ${createCounterexampleOpportunity(counterexample).id}`;
  return [
    `${colors.cyan(escapeInvisibleLine(location))} ${escapeInvisibleLine(call)} ${colors.dim(id)}`,
    `    ${escapeInvisibleLine(observed)}`,
    `    ${escapeInvisibleLine(expected)}${colors.dim(escapeInvisibleLine(describeDoubt(counterexample)))}`,
    ...(showsTest && 'refused' in test ? [`    ${colors.dim(test.refused)}`] : []),
    ...(showsTest && !('refused' in test)
      ? [`    ${colors.dim(`${escapeInvisibleLine(test.path)}:`)}`, indentText(escapeInvisible(test.text))]
      : []),
  ].join('\n');
}
