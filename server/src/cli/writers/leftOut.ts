// Writes which functions were not called, and why.

import { countReasons } from '../../core/verify/counterexamples/skippedFunctions.ts';
import { counted } from '../../util/counted.ts';

interface LeftOut {
  readonly path: string;
  readonly name: string;
  readonly reason: string;
}

/** Maximum number of reasons that are printed without `--skipped`. */
const MAX_REASONS = 5;

/** The lines about functions that were not called. `all`: one line for each; otherwise the most frequent reasons. */
export function leftOutLines(leftOut: readonly LeftOut[], all: boolean): readonly string[] {
  const reasons = countReasons(leftOut);
  return [
    ...(leftOut.length > 0 ? [`Not called: ${counted(leftOut.length, 'function')}.`] : []),
    ...(all
      ? leftOut.map(({ path, name, reason }) => `  ${path}: ${name}. ${reason}`)
      : reasons.slice(0, MAX_REASONS).map(({ reason, count }) => `  ${count}  ${reason}`)),
    ...(!all && reasons.length > MAX_REASONS ? ['  --skipped lists them all.'] : []),
  ];
}

/** A text as a block below a line. */
export function indented(text: string): string {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => (line === '' ? '' : `      ${line}`))
    .join('\n');
}
