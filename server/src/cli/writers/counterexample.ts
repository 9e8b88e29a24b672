// Writes a call that breaks a function for a terminal.

import type { Colors } from '../../adapters/system/terminal.ts';
import {
  COUNTEREXAMPLE_RULE,
  createCounterexampleOpportunity,
} from '../../core/session/analyse/storedCounterexamples.ts';
import type { CheckedCounterexample } from '../../core/verify/counterexamples/plan.ts';
import { escapeInvisible, escapeInvisibleLine } from '../../util/visible.ts';
import { indentText } from './skippedFunctions.ts';

/** The reason why it may be no defect, in brackets; empty if there is none. */
function describeDoubt({ unlikely, precondition }: CheckedCounterexample): string {
  if (precondition !== undefined) return ` (a note, no defect: its comment says “${precondition}”)`;
  return unlikely ? ' (an unlikely input)' : '';
}

/** The call, what happens and what should, as lines; `showsTest`: with the test that shows it. */
export function formatCounterexample(find: CheckedCounterexample, showsTest: boolean, colors: Colors): string {
  const { path, nameRange, call, observed, expected, test } = find;
  const location = `${path}:${nameRange.startLine}:${nameRange.startColumn}`;
  const id = `[${COUNTEREXAMPLE_RULE}] ${createCounterexampleOpportunity(find).id}`;
  return [
    `${colors.cyan(escapeInvisibleLine(location))} ${escapeInvisibleLine(call)} ${colors.dim(id)}`,
    `    ${escapeInvisibleLine(observed)}`,
    `    ${escapeInvisibleLine(expected)}${colors.dim(escapeInvisibleLine(describeDoubt(find)))}`,
    ...(showsTest && 'refused' in test ? [`    ${colors.dim(test.refused)}`] : []),
    ...(showsTest && !('refused' in test)
      ? [`    ${colors.dim(`${escapeInvisibleLine(test.path)}:`)}`, indentText(escapeInvisible(test.text))]
      : []),
  ].join('\n');
}
