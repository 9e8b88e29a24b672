// Gate 7: the repository scores strictly higher on the frozen ruler (S1.6). Equal is not success.

import { CATEGORIES, type Points } from '../../model.ts';
import { failed, passed, unknown, type Gate, type GateAnswer } from '../gate.ts';

/** Points are sums of floating-point shares; what is below this is the order of summation. */
const EXACT = 1e-9;

export const score: Gate = async ({ context, edits }) => {
  const { withheld = [], ...points } = await context.score(edits);
  return { ...judge(points, withheld), points };
};

function judge({ before, after }: { readonly before: Points; readonly after: Points }, withheld: readonly string[]): GateAnswer {
  const evidence = { before: before.total, after: after.total, ruler: after.ruler.version };
  if (before.ruler.hash !== after.ruler.hash) return failed('The ruler itself differs before and after.', evidence);
  const known = CATEGORIES.filter((category) => before.categories[category].points !== null);
  const lost = known.filter((category) => after.categories[category].points === null);
  if (lost.length > 0) return failed(`What was known before is unknown after the change: ${lost.join(', ')}.`, evidence);
  if (known.length === 0) return unknown('Nothing of the score is known, so no gain is shown.', evidence);
  // A category that became known would lift the total without anything being better.
  const gain = known.reduce((total, category) => total + (after.categories[category].points ?? 0) - (before.categories[category].points ?? 0), 0);
  const shown = `${format(before.total)} → ${format(after.total)} points`;
  if (gain > EXACT && withheld.length > 0) return failed(`The gain does not count. ${withheld.join(' ')}`, { ...evidence, withheld: withheld.length });
  if (gain > EXACT) return passed(`${shown}.`, { ...evidence, gain });
  return failed([Math.abs(gain) <= EXACT ? `The score does not rise: ${shown}.` : `The score falls: ${shown}.`, ...withheld].join(' '), { ...evidence, gain });
}

/** Enough digits to tell small gains apart. */
function format(points: number): string {
  return String(Math.round(points * 10_000) / 10_000);
}
