// Finds the most expensive places: the cost of each input is divided among the files in which it was counted.

import { CATEGORIES, type FunctionMetrics, type Measures, type PointPlace } from '../model.ts';
import { computeCosts, countByMeasure } from './costs.ts';
import { INPUT_RULES } from './inputRules.ts';
import { ruler, type DensityInput, type ShareInput } from './ruler.ts';
import { computeWeightedSum } from './score.ts';

/** A file of the tree with its analysis. */
export interface PlaceFile {
  readonly path: string;
  /** The measures of the file itself, and its part of the measures that are counted for the whole tree. */
  readonly measures: Measures;
  readonly functions: readonly Pick<FunctionMetrics, 'name' | 'line' | 'cognitive' | 'nesting'>[];
  /** By measure: the 1-based line of the first place that counts towards it. */
  readonly firstLines?: Readonly<Record<string, number>>;
  /** Findings of rules in the file, hidden or not. */
  readonly findings: readonly { readonly rule: string; readonly line: number; readonly symbol: string | null }[];
}

/** Maximum number of places that are shown for one category, and also for one input. */
const MAX_PLACES = 8;
/** Inputs and places that cost fewer points than this are not shown. */
export const MIN_COST = 0.05;

/**
 * By input: the figure of a function that shows where the input loses its points. Inputs that are not listed lose them
 * at findings of rules.
 */
const WEIGHT_OF_INPUT: Readonly<Record<string, 'cognitive' | 'nesting'>> = {
  'over-complex functions': 'cognitive',
  'cognitive complexity': 'cognitive',
  nesting: 'nesting',
};

/**
 * The most expensive places by category, most expensive first: at most `MAX_PLACES` of a category, and none below
 * `MIN_COST`. A file may appear several times, once for each input. `sums`: the measures of the whole tree.
 */
export function findCostliestPlaces(
  files: readonly PlaceFile[],
  sums: ReadonlyMap<string, number>,
): readonly PointPlace[] {
  const costs = new Map(computeCosts(sums).map(({ input, points }) => [input, points]));
  const places = ruler.definition.inputs.flatMap((input) =>
    findPlacesOfInput(input, costs.get(input.name) ?? 0, files),
  );
  return CATEGORIES.flatMap((category) =>
    places
      .filter((place) => place.category === category && place.points >= MIN_COST)
      .toSorted((a, b) => b.points - a.points || (a.path < b.path ? -1 : 1))
      .slice(0, MAX_PLACES),
  );
}

/**
 * The places of one input, most expensive first. `cost`: the points that the input has lost, which are divided among
 * the files.
 */
function findPlacesOfInput(input: DensityInput | ShareInput, cost: number, files: readonly PlaceFile[]): PointPlace[] {
  if (cost < MIN_COST) return [];
  const amounts = files
    .map((file) => ({ file, amount: computeLack(input, file.measures) }))
    .filter(({ amount }) => amount > 0);
  const total = amounts.reduce((sum, { amount }) => sum + amount, 0);
  const costliestFiles = amounts
    .toSorted((a, b) => b.amount - a.amount || (a.file.path < b.file.path ? -1 : 1))
    .slice(0, MAX_PLACES);
  return costliestFiles.map(({ file, amount }) => ({
    category: input.category,
    input: input.name,
    path: file.path,
    ...findAnchor(input, file),
    points: (cost * amount) / total,
    counted: countByMeasure(input, (name) => file.measures[name] ?? 0),
    ...(isUnlisted(input, file) ? { unlisted: true as const } : {}),
  }));
}

/** True for dead code that no finding of the file is about. */
function isUnlisted(input: DensityInput | ShareInput, { findings }: PlaceFile): boolean {
  const { dead } = ruler.definition;
  if (input.kind !== 'density' || !Object.hasOwn(input.of, dead)) return false;
  return !findings.some(({ rule }) => INPUT_RULES[input.name]?.includes(rule));
}

/**
 * The amount by which a file lowers an input: the weighted number of findings of a density, or the number of missing
 * units of a share.
 */
function computeLack(input: DensityInput | ShareInput, measures: Measures): number {
  if (input.kind === 'density') return computeWeightedSum(input, (name) => measures[name] ?? 0);
  return Math.max(0, (measures[input.per] ?? 0) - (measures[input.of] ?? 0));
}

/**
 * The place to look at first: the function with the greatest weight, the first place of the measure that costs most in
 * the file, or a finding of a rule. Line 1 if none of them is known.
 */
function findAnchor(input: DensityInput | ShareInput, file: PlaceFile): Pick<PointPlace, 'line' | 'symbol'> {
  const { functions, findings } = file;
  const weightField = WEIGHT_OF_INPUT[input.name];
  const heaviest =
    weightField &&
    functions.reduce<PlaceFile['functions'][number] | null>(
      (mostExpensive, candidate) =>
        candidate[weightField] > (mostExpensive?.[weightField] ?? 0) ? candidate : mostExpensive,
      null,
    );
  if (heaviest) return { line: heaviest.line, symbol: heaviest.name };
  const findingsOfInput = findings.filter(({ rule }) => INPUT_RULES[input.name]?.includes(rule));
  const line = input.kind === 'density' ? findFirstLine(input, file) : null;
  const finding = line === null ? findingsOfInput[0] : findingsOfInput.find((candidate) => candidate.line === line);
  return { line: line ?? finding?.line ?? 1, symbol: finding?.symbol ?? null };
}

/** The line of the first place of the measure that costs most in the file; null if it is unknown. */
function findFirstLine({ of }: DensityInput, { measures, firstLines }: PlaceFile): number | null {
  const [costliest] = Object.entries(of)
    .map(([measure, weight]) => ({ measure, cost: weight * (measures[measure] ?? 0) }))
    .toSorted((a, b) => b.cost - a.cost);
  return (costliest && firstLines?.[costliest.measure]) ?? null;
}
