// Writes which functions were not called, and why.

import { countReasons } from '../../core/verify/counterexamples/skippedFunctions.ts';
import { counted } from '../../util/counted.ts';

interface SkippedFunction {
  readonly path: string;
  readonly name: string;
  readonly reason: string;
}

/** Maximum number of reasons that are printed without `--skipped`. */
const MAX_REASONS = 5;

/** The lines about functions that were not called. `listsAll`: one line for each; otherwise the most frequent reasons. */
export function skippedLines(skipped: readonly SkippedFunction[], listsAll: boolean): readonly string[] {
  const reasons = countReasons(skipped);
  return [
    ...(skipped.length > 0 ? [`Not called: ${counted(skipped.length, 'function')}.`] : []),
    ...(listsAll
      ? skipped.map(({ path, name, reason }) => `  ${path}: ${name}. ${reason}`)
      : reasons.slice(0, MAX_REASONS).map(({ reason, count }) => `  ${count}  ${reason}`)),
    ...(!listsAll && reasons.length > MAX_REASONS ? ['  --skipped lists them all.'] : []),
  ];
}

/** A text as a block below a line. */
export function indentText(text: string): string {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => (line === '' ? '' : `      ${line}`))
    .join('\n');
}
