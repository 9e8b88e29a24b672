// Formats the list of functions that a search has not called, with the reasons.

import { countReasons } from '../../core/verify/counterexamples/skippedFunctions.ts';
import { formatCount } from '../../util/counted.ts';

/** A function that was not called. */
interface SkippedFunction {
  readonly path: string;
  readonly name: string;
  readonly reason: string;
}

/** Maximum number of reasons that are printed without `--skipped`. */
const MAX_REASONS = 5;

/**
 * The lines about functions that were not called: with `listsAll`, one line for each function; otherwise the most
 * frequent reasons.
 */
export function formatSkippedFunctions(skipped: readonly SkippedFunction[], listsAll: boolean): readonly string[] {
  const reasons = countReasons(skipped);
  return [
    ...(skipped.length > 0 ? [`Not called: ${formatCount(skipped.length, 'function')}.`] : []),
    ...(listsAll
      ? skipped.map(({ path, name, reason }) => `  ${path}: ${name}. ${reason}`)
      : reasons.slice(0, MAX_REASONS).map(({ reason, count }) => `  ${count}  ${reason}`)),
    ...(!listsAll && reasons.length > MAX_REASONS ? ['  --skipped lists them all.'] : []),
  ];
}

/** The text with each line indented, as a block below another line. */
export function indentText(text: string): string {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => (line === '' ? '' : `      ${line}`))
    .join('\n');
}
