// Checks that the repository scores strictly higher on the frozen ruler. A score that stays the same or falls fails,
// unless the change claims another improvement that another gate may show (core/model/claims.ts).

import { CATEGORIES } from '../../../model.ts';
import { FACTS_BY_CLAIM, type ClaimKind } from '../../../model/claims.ts';
import { JUDGED_BY, TRIED } from '../../../model/evidence.ts';
import { findRemovedDependency } from '../../../model/removedDependency.ts';
import { addsPythonRows } from '../../claims/addedPythonCases.ts';
import { HOLES_AFTER, HOLES_BEFORE } from '../../claims/exactTypes.ts';
import type { Gate, GateInput } from '../../gate.ts';
import type { ScoredChange } from '../../context.ts';
import { isTestEdit } from '../../../paths/testEdits.ts';
import { toCountedPath, isRootTest } from '../../../paths/tests.ts';
import { formatCount, failed, passed, unknown, type GateAnswer } from '../../answer.ts';

/** Points are sums of floating-point numbers. A smaller difference is due to the order of summation. */
const ROUNDING_TOLERANCE = 1e-9;
/** Maximum number of inputs of the score that a sentence names. */
const MAX_LISTED = 3;

/** The input of the score that counts exports with documentation. */
const DOCUMENTED_API = 'documented API';

/** The sentence for each claim about the evidence that it needs if the score does not rise. */
const REASON_BY_CLAIM: Readonly<Partial<Record<ClaimKind, string>>> = {
  tests:
    'It only adds tests, which the ruler does not count: running them shows whether they notice more, and ' +
    'a person judges what they are worth.',
  findings: 'What it fixes is not on the ruler: the linter, or the rule that found it, shows whether it finds less.',
  upkeep:
    'It only tidies up tests, which the ruler does not count: running them shows whether as many pass, and a person judges the change.',
  fix: 'Its tests have to show that it fixes a defect.',
  request: 'Its tests have to show that it does what was asked for.',
  types: 'It has to show that only types change, and that they say more.',
  speed: 'The benchmark has to show that it is faster.',
};
const REASON_FOR_REMOVAL =
  'It removes a dependency, which the ruler does not count: the checks without it show what they can.';

export const gate: Gate = async ({ context, proposal, edits }) => {
  const triedClaims = context.claimsOf?.(proposal, edits) ?? ['points'];
  const tests = edits.filter(isTestEdit);
  if (triedClaims.includes('tests') && edits.length > 0 && tests.length === 0)
    return failed('It adds no test, and tests are what it claims to add.');
  const lacksAssertions = triedClaims.includes('tests') && !(await everyEditAddsAssertions({ context, edits: tests }));
  if (lacksAssertions && triedClaims[0] === 'tests')
    return failed('The new tests assert nothing, as far as can be read from them.');
  const claims = lacksAssertions ? triedClaims.filter((kind) => kind !== 'tests') : triedClaims;
  const scored = await context.score(edits);
  const { before, after, asks = [] } = scored;
  const answer = judgeScores(scored, claims, {
    removesDependency: findRemovedDependency(edits) !== null,
    countsTests: edits.some(({ path }) => isRootTest(path)),
  });
  // A built-in recipe makes one kind of change, whose value is known.
  const isLeftToPerson =
    answer.outcome === 'passed' && asks.length > 0 && !(context.isBuiltInRecipe?.(proposal.recipe) ?? false);
  return { ...(isLeftToPerson ? deferToPerson(answer, asks) : answer), points: { before, after } };
};

/**
 * The answer for the scores: passed for a gain that counts; unknown if another gate may show one of the claims;
 * otherwise failed. `removesDependency`: true if checks without the package show the claim. `countsTests`: true if the
 * ruler counts the edited tests as code.
 */
function judgeScores(
  scored: ScoredChange,
  claims: readonly ClaimKind[],
  { removesDependency, countsTests }: { readonly removesDependency: boolean; readonly countsTests: boolean },
): GateAnswer {
  const { before, after, withheld = [], price = 0, newLines } = scored;
  const evidence: GateAnswer['evidence'] = {
    before: before.total,
    after: after.total,
    ruler: after.ruler.version,
    ...createHoleEvidence(scored),
  };
  if (before.ruler.hash !== after.ruler.hash) return failed('The ruler itself differs before and after.', evidence);
  const measuredBefore = CATEGORIES.filter((category) => before.categories[category].points !== null);
  const lostCategories = measuredBefore.filter((category) => after.categories[category].points === null);
  if (lostCategories.length > 0)
    return failed(`What was known before is unknown after the change: ${lostCategories.join(', ')}.`, evidence);
  // A category that becomes known would raise the total although nothing improved.
  const gain = measuredBefore.reduce(
    (total, category) => total + (after.categories[category].points ?? 0) - (before.categories[category].points ?? 0),
    0,
  );
  const pointsText = `${formatPoints(before.total)} → ${formatPoints(after.total)} points`;
  // The ruler counts these tests as code. Their length is no gain; they must show which mutants they notice.
  const showsOnlyTests = countsTests && claims.every((kind) => kind === 'tests');
  if (gain > ROUNDING_TOLERANCE && withheld.length === 0 && !showsOnlyTests)
    return passed(`${pointsText}.`, { ...evidence, gain });
  const openClaims = claims.filter((kind) => mayClaimPass(kind, gain, scored, countsTests));
  const [first] = openClaims;
  if (first) {
    const reasons = removesDependency
      ? [REASON_FOR_REMOVAL]
      : openClaims.flatMap((kind) => REASON_BY_CLAIM[kind] ?? []);
    const reasonText = [...new Set(reasons)].join(' Or: ');
    const leftToOthers = { [JUDGED_BY]: FACTS_BY_CLAIM[first].shownBy, [TRIED]: openClaims.join(' ') };
    if (measuredBefore.length === 0)
      return unknown(`Nothing of the score is known, so no gain is shown. ${reasonText}`, {
        ...evidence,
        ...leftToOthers,
      });
    const comparisonText =
      withheld.length > 0 || gain > ROUNDING_TOLERANCE
        ? `No gain is counted: ${[`${pointsText}.`, ...withheld].join(' ')}`
        : gain < -ROUNDING_TOLERANCE
          ? `The score falls: ${pointsText}. ${describeLimit(price, newLines)}`
          : `The score stays: ${pointsText}.`;
    return unknown(`${comparisonText} ${reasonText}`, {
      ...evidence,
      gain: Math.min(0, gain),
      ...(gain < -ROUNDING_TOLERANCE ? { allowed: price } : {}),
      ...(withheld.length > 0 ? { withheld: withheld.length } : {}),
      ...leftToOthers,
    });
  }
  if (measuredBefore.length === 0) return unknown('Nothing of the score is known, so no gain is shown.', evidence);
  if (gain > ROUNDING_TOLERANCE)
    return failed(`The gain does not count. ${withheld.join(' ')}`, { ...evidence, withheld: withheld.length });
  const priceExceeded =
    gain < -ROUNDING_TOLERANCE && price > 0 && claims.some((kind) => FACTS_BY_CLAIM[kind].score === 'price')
      ? [describeLimit(price, newLines), describeExcess(scored, -gain - price)]
      : [];
  return failed(
    [
      Math.abs(gain) <= ROUNDING_TOLERANCE
        ? `The score does not rise: ${pointsText}.`
        : `The score falls: ${pointsText}.`,
      ...priceExceeded,
      ...withheld,
    ].join(' '),
    { ...evidence, gain },
  );
}

function createHoleEvidence({ typeHoles }: ScoredChange): GateAnswer['evidence'] {
  if (!typeHoles || typeHoles.after === typeHoles.before) return {};
  return { [HOLES_BEFORE]: typeHoles.before, [HOLES_AFTER]: typeHoles.after };
}

/**
 * True if another gate may show this claim although the score does not rise. A claim with a price may lower the score
 * by that price, even if a gain was withheld. With any other claim, the score must stay the same. Tests that the ruler
 * counts as code may cost what code costs.
 */
function mayClaimPass(
  kind: ClaimKind,
  gain: number,
  { price = 0, withheld = [], typeHoles }: ScoredChange,
  countsTests: boolean,
): boolean {
  const rule = kind === 'tests' && countsTests ? 'price' : FACTS_BY_CLAIM[kind].score;
  if (rule === 'rise') return false;
  if (rule === 'price') return gain >= -price - ROUNDING_TOLERANCE;
  if (kind === 'types' && !(typeHoles && typeHoles.after < typeHoles.before)) return false;
  return Math.abs(gain) <= ROUNDING_TOLERANCE && withheld.length === 0;
}

/** The same answer with a question for a person, who decides whether the gain counts. */
function deferToPerson({ reason, evidence }: GateAnswer, asks: readonly string[]): GateAnswer {
  return unknown(`${reason} A person judges whether that is a gain. ${asks.join(' ')}`, {
    ...evidence,
    [JUDGED_BY]: 'person',
  });
}

/**
 * True if each edit adds test cases and assertions, or rows to a table of `parametrize`. Runners count a file without
 * tests as passed.
 */
async function everyEditAddsAssertions({ context, edits }: Pick<GateInput, 'context' | 'edits'>): Promise<boolean> {
  const readInventory = async (path: string, text: string | null) =>
    (text === null ? null : await context.inventory(toCountedPath(path), text))?.tests ?? { cases: 0, assertions: 0 };
  const sides = await Promise.all(
    edits
      .filter((edit) => !addsPythonRows(edit))
      .map(async ({ path, before, after }) => ({
        testsBefore: await readInventory(path, before),
        testsAfter: await readInventory(path, after),
      })),
  );
  return sides.every(
    ({ testsBefore, testsAfter }) =>
      testsAfter.cases > testsBefore.cases && testsAfter.assertions > testsBefore.assertions,
  );
}

/** The maximum cost of a claim with a price, as a sentence. */
function describeLimit(price: number, newLines: number | undefined): string {
  const lines = newLines === undefined ? 'Code of this length' : `Its ${formatCount(newLines, 'new line')} of code`;
  if (newLines === 0)
    return `Its removed statements may cost ${formatPoints(price)} points, because it adds no line of code.`;
  return `${lines} may cost ${formatPoints(price)} points: one guard, and what the other lines cost on average here.`;
}

/** A sentence about the excess over the price, the causes of the lost points, and how the change can pass. */
function describeExcess({ before, after }: Pick<ScoredChange, 'before' | 'after'>, excess: number): string {
  const lostInputs = CATEGORIES.flatMap((category) => {
    const points = new Map((before.categories[category].inputs ?? []).map((input) => [input.name, input.points]));
    return (after.categories[category].inputs ?? []).flatMap(({ name, points: pointsAfter }) => {
      const loss = (points.get(name) ?? 0) - (pointsAfter ?? 0);
      return pointsAfter !== null && loss > ROUNDING_TOLERANCE ? { name, loss } : [];
    });
  }).toSorted((a, b) => b.loss - a.loss);
  const hint = lostInputs.some(({ name }) => name === DOCUMENTED_API)
    ? ' Document what it exports: an export with a comment (`/** … */`) costs nothing there.'
    : '';
  const losses = lostInputs.slice(0, MAX_LISTED).map(({ name, loss }) => `${name} ${formatPoints(loss)}`);
  return (
    `With as many lines, it has to cost ${Number(formatPoints(excess)) === 0 ? 'a little' : `${formatPoints(excess)} points`} ` +
    `less${losses.length > 0 ? `. It costs: ${losses.join(', ')}` : ''}.${hint}`
  );
}

/** The points with enough digits to distinguish small gains. */
function formatPoints(points: number): string {
  return String(Math.round(points * 10_000) / 10_000);
}
