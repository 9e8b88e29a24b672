// Formats points for a terminal: the total, the costs, and the changes. It never prints percentages, because points are
// not a percentage.

import { CATEGORIES, type Category, type Points } from '../../core/model.ts';
import { isNothingMeasured } from '../../core/score/nothingMeasured.ts';
import { formatMeasures } from '../../core/score/measureTexts.ts';
import { compareScores, addVerb } from '../../core/score/pointsDifference.ts';
import { groupThousands } from '../../util/thousands.ts';
import { categoryLabels } from '../../core/score/categoryLabels.ts';

/** The lowest cost that gets a line, in points. */
const MIN_COST = 0.05;

/** The total, then each category with its costs of at least `MIN_COST` and its unmeasured inputs. */
export function formatPoints(points: Points): string {
  if (isNothingMeasured(points)) return 'No points yet: there is nothing here that can be scored.';
  const lines = CATEGORIES.flatMap((category) => {
    const listedCosts = (points.costs ?? []).filter((cost) => cost.category === category && cost.points >= MIN_COST);
    return [
      categoryLine(category, points),
      ...listedCosts.map(
        ({ input, points: cost, counted }) =>
          `    ${input}: -${cost.toFixed(2)}${addBrackets(formatMeasures(counted))}`,
      ),
      ...formatUnmeasuredInputs(category, points),
    ];
  });
  return [formatTotal(points), ...lines].join('\n');
}

/**
 * The change of the points, with enough digits to show a small change. It also names the inputs that only one of both
 * measurements has. If one of both is null, the change is unknown.
 */
export function formatPointsGain(before: Points | null, after: Points | null): string {
  if (!before || !after) return 'points: unknown';
  const { gain, step, lost, found } = compareScores(before, after);
  const changedInputs = [
    ...found.map(({ name, points }) => `${addVerb(name)} measured now: ${formatSigned(points)}`),
    ...lost.map(({ name, points }) => `${addVerb(name)} no longer measured: ${formatSigned(-points)}`),
  ];
  const parts =
    changedInputs.length === 0 ? '' : `: ${[`${formatSigned(gain)} by what both know`, ...changedInputs].join('; ')}`;
  return `points: ${before.total.toFixed(4)} → ${after.total.toFixed(4)} (${formatSigned(step)}${parts})`;
}

/**
 * The total in the form "571.91 of the 750 points that can be measured here, of 1,000 (how points are counted: ruler
 * …)".
 * If everything was measured: "571.91 of 1,000 points (…)".
 */
export function formatTotal({ total, max, ruler, categories }: Points): string {
  const inputs = CATEGORIES.flatMap((category) => categories[category].inputs ?? []);
  const unmeasuredPoints = inputs.filter(({ points }) => points === null).reduce((sum, input) => sum + input.max, 0);
  const scale =
    unmeasuredPoints === 0
      ? `${groupThousands(max)} points`
      : `the ${groupThousands(max - Math.round(unmeasuredPoints))} points that can be measured here, of ${groupThousands(max)}`;
  return `${total.toFixed(2)} of ${scale} (how points are counted: ruler ${ruler.version}, ${ruler.hash.slice(0, 8)})`;
}

/** The points of a category in the form "safety  98.40 of 200". */
export function categoryLine(category: Category, { categories }: Points): string {
  const { points, max } = categories[category];
  return `  ${categoryLabels[category].toLowerCase().padEnd(16)} ${points === null ? `not measured, up to ${max}` : `${points.toFixed(2)} of ${max}`}`;
}

/** The unmeasured inputs of a category, each with the points that it could give and what its measurement requires. */
export function formatUnmeasuredInputs(category: Category, { categories, why }: Points): readonly string[] {
  const { unknown, inputs } = categories[category];
  return unknown.map((name) => {
    const max = inputs?.find((input) => input.name === name)?.max;
    return `    ${name}: not measured${max === undefined ? '' : `, up to ${max.toFixed(2)}`}${addBrackets(why?.[name] ?? '')}`;
  });
}

/** The text in brackets, after a space; an empty text stays empty. */
export function addBrackets(text: string): string {
  return text === '' ? '' : ` (${text})`;
}

function formatSigned(points: number): string {
  return `${points >= 0 ? '+' : ''}${points.toFixed(4)}`;
}
