// Fills the tables of docs/points.md: the inputs of the ruler, and the catalogue of edits that gain nothing.
import { replaceGenerated } from './between.mjs';
import { hiding } from '../test/fixtures/gaming/hiding.ts';
import { honest } from '../test/fixtures/gaming/honest.ts';
import { pretexts } from '../test/fixtures/gaming/pretexts.ts';
import { shaping } from '../test/fixtures/gaming/shaping.ts';
import { silencing } from '../test/fixtures/gaming/silencing.ts';
import { INPUT_MAX, MAX_POINTS, NEEDS_BY_INPUT, ruler } from '../server/src/core/score/ruler.ts';

/** The page with its tables updated. */
export function updatePointsPage(page) {
  return replaceGenerated(replaceGenerated(page, 'inputs', createInputRows()), 'edits', createEditLists());
}

/** The rows of the inputs of the ruler, with how each is measured. */
function createInputRows() {
  const { max, inputs, leastSize } = ruler.definition;
  const rows = Object.entries(max).flatMap(([category, points]) =>
    inputs
      .filter((input) => input.category === category)
      .map(
        (input, index) =>
          `| ${index === 0 ? `${category} (${points})` : ''} | ${input.name} | ${Math.round(INPUT_MAX[input.name] * 10) / 10} ` +
          `| ${describeFormula(input)} | ${NEEDS_BY_INPUT[input.name]} |`,
      ),
  );
  return [
    `Version ${ruler.version}, sha-256 \`${ruler.hash}\`; ${MAX_POINTS.toLocaleString('en')} points. ` +
      `Densities are counted against at least ${leastSize.toLocaleString('en')} statements.`,
    '',
    '| category (points) | input | points | measured | known when it |',
    '|---|---|---|---|---|',
    ...rows,
  ];
}

/** Describes in words how the points of an input are computed. */
function describeFormula(input) {
  if (input.kind === 'share') return `share of \`${input.per}\` that is \`${input.of}\``;
  const parts = Object.entries(input.of).map(([measure, weight]) =>
    weight === 1 ? `\`${measure}\`` : `${weight} · \`${measure}\``,
  );
  return `${parts.join(' + ')} per 1,000 \`${input.per}\`; half of the points at ${input.half.toLocaleString('en')}`;
}

/** The catalogue of edits, by kind. */
function createEditLists() {
  const formatEdits = (title, editCases) => [
    `**${title}** (${editCases.length}): ${editCases.map(({ name, needsBoth, asks }) => `${name}${asks ? ' ?' : needsBoth ? '' : ' +'}`).join(', ')}.`,
    '',
  ];
  return [
    ...formatEdits('Taken out of sight', hiding),
    ...formatEdits('Silenced', silencing),
    ...formatEdits('Given another shape', shaping),
    ...formatEdits('Only as if mended', pretexts),
    ...formatEdits(
      'Honest, and must gain',
      honest.map(({ name }) => ({ name, needsBoth: true })),
    ).slice(0, -1),
  ];
}
