// Checks that the repository scores strictly higher on the frozen ruler. An equal score fails, except where gains.ts
// names another judge.

import { CATEGORIES, type Points } from '../../../model.ts';
import { GAIN, JUDGED_BY, judgeOf, type Gain } from '../../gains.ts';
import type { Gate, GateRun } from '../../gate.ts';
import { failed, passed, unknown, type GateAnswer } from '../../answer.ts';

/** Points are sums of floating-point shares; what is below this is the order of summation. */
const EXACT = 1e-9;

export const gate: Gate = async ({ context, proposal, edits }) => {
  const gain = context.gainOf?.(proposal, edits) ?? 'points';
  if (gain === 'tests' && !(await assertSomething({ context, edits })))
    return failed('The new tests assert nothing, as far as can be read from them.');
  const { withheld = [], asks = [], ...points } = await context.score(edits);
  const answer = judge(points, withheld, gain);
  // Recipes of the product do one thing each, and what that is worth is known.
  const byPerson = answer.outcome === 'passed' && asks.length > 0 && !(context.isOurs?.(proposal.recipe) ?? false);
  return { ...(byPerson ? leftToPerson(answer, asks) : answer), points };
};

const WHY: Readonly<Record<Exclude<Gain, 'points'>, string>> = {
  tests:
    'It only adds tests, which no ruler counts: whether more of them pass is for the tests to tell, and a person judges what they are worth.',
  findings: 'What it mends is not on the ruler: whether the linter finds less is for it to tell.',
  upkeep:
    'It only tidies tests up, which no ruler counts: that as many of them pass is for the tests to tell, and a person judges the change.',
};

function judge(
  { before, after }: { readonly before: Points; readonly after: Points },
  withheld: readonly string[],
  kind: Gain,
): GateAnswer {
  const evidence = { before: before.total, after: after.total, ruler: after.ruler.version };
  if (before.ruler.hash !== after.ruler.hash) return failed('The ruler itself differs before and after.', evidence);
  const known = CATEGORIES.filter((category) => before.categories[category].points !== null);
  const lost = known.filter((category) => after.categories[category].points === null);
  if (lost.length > 0)
    return failed(`What was known before is unknown after the change: ${lost.join(', ')}.`, evidence);
  const judged: GateAnswer['evidence'] = kind === 'points' ? {} : { [JUDGED_BY]: judgeOf(kind), [GAIN]: kind };
  if (known.length === 0)
    return unknown(`Nothing of the score is known, so no gain is shown.${kind === 'points' ? '' : ` ${WHY[kind]}`}`, {
      ...evidence,
      ...judged,
    });
  // A category that became known would lift the total without anything being better.
  const gain = known.reduce(
    (total, category) => total + (after.categories[category].points ?? 0) - (before.categories[category].points ?? 0),
    0,
  );
  const shown = `${format(before.total)} → ${format(after.total)} points`;
  // A linter may mend code by less code, `any(…)` for a loop: no points for that, and the linter and a person decide.
  if (kind === 'findings' && gain > -EXACT && withheld.length > 0)
    return unknown(`No gain is counted: ${shown}. ${withheld.join(' ')} ${WHY.findings}`, {
      ...evidence,
      gain: 0,
      withheld: withheld.length,
      ...judged,
    });
  if (gain > EXACT && withheld.length > 0)
    return failed(`The gain does not count. ${withheld.join(' ')}`, { ...evidence, withheld: withheld.length });
  if (gain > EXACT) return passed(`${shown}.`, { ...evidence, gain });
  if (kind !== 'points' && Math.abs(gain) <= EXACT && withheld.length === 0)
    return unknown(`The score stays: ${shown}. ${WHY[kind]}`, { ...evidence, gain, ...judged });
  return failed(
    [Math.abs(gain) <= EXACT ? `The score does not rise: ${shown}.` : `The score falls: ${shown}.`, ...withheld].join(
      ' ',
    ),
    { ...evidence, gain },
  );
}

/** The gain stands, and a person says whether it is one. */
function leftToPerson({ reason, evidence }: GateAnswer, asks: readonly string[]): GateAnswer {
  return unknown(`${reason} A person judges whether that is a gain. ${asks.join(' ')}`, {
    ...evidence,
    [JUDGED_BY]: 'person',
  });
}

/** Runners count a file without a test as one that passes. */
async function assertSomething({ context, edits }: Pick<GateRun, 'context' | 'edits'>): Promise<boolean> {
  const inventories = await Promise.all(
    edits.map(({ path, after }) => (after === null ? null : context.inventory(path, after))),
  );
  return inventories.every(
    (inventory) => (inventory?.tests?.cases ?? 0) > 0 && (inventory?.tests?.assertions ?? 0) > 0,
  );
}

/** Enough digits to tell small gains apart. */
function format(points: number): string {
  return String(Math.round(points * 10_000) / 10_000);
}
