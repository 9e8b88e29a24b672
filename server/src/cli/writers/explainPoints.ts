// Formats an explanation of the points of categories, for a terminal: each input, and the places that cost the most
// points.

import type { Category, InputPoints, Opportunity, PointPlace, Points } from '../../core/model.ts';
import { findOpportunities } from '../../core/score/inputRules.ts';
import { formatMeasures, formatPlace } from '../../core/score/measureTexts.ts';
import type { Colors } from '../../adapters/system/terminal.ts';
import { escapeInvisible } from '../../util/visible.ts';
import { categoryLine, formatTotal, addBrackets, formatUnmeasuredInputs } from './points.ts';

/**
 * The inputs of these categories, and the places that cost the most points. `improvable`: the opportunities that a
 * recipe can realise, best first.
 */
export function formatExplainedPoints(
  points: Points,
  categories: readonly Category[],
  improvable: readonly Opportunity[],
  colors: Colors,
): string {
  const lines = categories.flatMap((category) => {
    const places = (points.places ?? []).filter((place) => place.category === category);
    const improvementsByPlace = findOpportunities(places, improvable);
    return [
      categoryLine(category, points),
      ...(points.categories[category].inputs ?? [])
        .filter((input) => input.points !== null)
        .map((input) => formatInput(input, points)),
      ...formatUnmeasuredInputs(category, points),
      ...(places.length > 0
        ? [
            '    costs most:',
            ...places.map(
              (place, index) => `      ${formatCostlyPlace(place, improvementsByPlace[index] ?? null, colors)}`,
            ),
          ]
        : []),
    ];
  });
  return [formatTotal(points), ...lines].join('\n');
}

/** An input with its points and its counts. */
function formatInput({ name, points, max }: InputPoints, { costs = [] }: Points): string {
  const countedText = costs.find(({ input }) => input === name)?.counted;
  return `    ${name}: ${(points ?? 0).toFixed(2)} of ${max.toFixed(2)}${addBrackets(countedText ? formatMeasures(countedText) : '')}`;
}

/** A place with its cost, and the command that improves it if there is one. */
function formatCostlyPlace(place: PointPlace, improvement: Opportunity | null, colors: Colors): string {
  const { path, line, symbol, points, input } = place;
  // The figures are those of the whole file, so the symbol is only an example.
  const example = symbol === null ? '' : `, for instance in ${escapeInvisible(symbol)}`;
  const location = colors.cyan(escapeInvisible(`${path}:${line}`));
  const hint = improvement ? colors.dim(` [improve: selfware propose ${improvement.id}]`) : '';
  return `-${points.toFixed(2)}  ${location}  ${input}: ${formatPlace(place)}${example}${hint}`;
}
