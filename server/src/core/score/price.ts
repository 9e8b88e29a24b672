// Computes the price of new lines of code: the points that a change may cost if it shows a claim.

import { diffLines } from 'diff';
import { CATEGORIES, type FileEdit, type Language, type Points } from '../model.ts';
import { findCodeLines } from './codeLines.ts';
import { INPUT_MAX, ruler, type DensityInput, type ShareInput } from './ruler.ts';
import { computeWeightedSum, computeShare } from './score.ts';

/** Sums or sizes, by measure. */
type Sums = ReadonlyMap<string, number>;

/** A change, with everything that determines its price. */
export interface PricedChange {
  /** The measures of the repository without the change. */
  readonly sums: Sums;
  /** The measures of the repository with the change. If absent, no unit of a share is new. */
  readonly sumsAfter?: Sums;
  /** By the measure of the units that earn points: the number of units that no longer earn them. */
  readonly lost?: Sums;
  /** The sizes with the change, by measure, as `comparePoints` counts them. */
  readonly sizes: Sums;
  /** Number of lines of code that the change adds, from `countAddedLines`. */
  readonly newLines: number;
  /** Nesting of the functions that the change extends, from `findNestingOfGrowth`. */
  readonly nesting: number;
  /** The points of the repository without the change. */
  readonly before: Points;
  /** The points of the repository with the change. */
  readonly after: Points;
}

/**
 * Points that the change may cost: one guard, plus the average cost of the other new lines. A correct fix is often a
 * single guard, whose line always costs more than an average one. The guard pays only for complexity and nesting, each
 * of them separately, so that it cannot pay for an `any` or a copy. Removed statements cost nothing: without them, the
 * same findings only weigh more. But they do not pay for new findings. New units of a share, such as new exports, may
 * lack what average units lack. A loss of existing units is never allowed.
 */
export function computePrice({
  sums,
  sumsAfter = new Map(),
  lost = new Map(),
  sizes,
  newLines,
  nesting,
  before,
  after,
}: PricedChange): number {
  const [pointsBefore, pointsAfter] = [collectPointsByInput(before), collectPointsByInput(after)];
  const guardAmounts = computeGuardAmounts(nesting);
  let [removalPrice, guardPrice, sharePrice] = [0, 0, 0];
  for (const input of ruler.definition.inputs) {
    const points = pointsBefore.get(input.name);
    if (points === undefined) continue;
    const loss = Math.max(0, points - (pointsAfter.get(input.name) ?? points));
    if (input.kind === 'share') {
      const lostPoints =
        ((INPUT_MAX[input.name] ?? 0) * (lost.get(input.of) ?? 0)) / Math.max(1, sumsAfter.get(input.per) ?? 0);
      sharePrice += Math.min(Math.max(0, loss - lostPoints), computeAverageLack(input, sums, sumsAfter));
      continue;
    }
    const removalLoss = Math.min(loss, computeCost(input, sums, 0, sizes.get(input.per)));
    const growth = Object.keys(input.of).reduce((sum, measure) => sum + (guardAmounts.get(measure) ?? 0), 0);
    removalPrice += removalLoss;
    guardPrice += Math.min(loss - removalLoss, computeCost(input, sums, growth));
  }
  if (newLines === 0) return removalPrice;
  return (
    removalPrice +
    sharePrice +
    Math.max(computeAveragePrice(sums, newLines), guardPrice + computeAveragePrice(sums, newLines - 1))
  );
}

/**
 * Cost in points of this number of lines. Assumes that the new lines have the repository's average density of findings,
 * and that one line is one statement. `sums`: the measures of the repository. As in `comparePoints`, the new lines do
 * not increase the size of the repository. The result is not negative; 0 if nothing is measured.
 */
export function computeAveragePrice(sums: Sums, lines: number): number {
  return ruler.definition.inputs.reduce((price, input) => {
    const size = sums.get(input.per);
    if (input.kind !== 'density' || !size) return price;
    return price + computeCost(input, sums, (computeAmount(input, sums) * lines) / size);
  }, 0);
}

/**
 * The points that the new units of a share cost if they lack what average units lack. The number of units is rounded,
 * because a unit either earns its points or does not: a single new unit may earn none if at least half of the existing
 * units earn none.
 */
function computeAverageLack(input: ShareInput, sums: Sums, sumsAfter: Sums): number {
  const units = sums.get(input.per);
  const share = computeShare(input, sums);
  if (!units || share === null) return 0;
  const newUnits = Math.max(0, (sumsAfter.get(input.per) ?? 0) - units);
  return ((INPUT_MAX[input.name] ?? 0) * Math.round(newUnits * (1 - share))) / units;
}

/**
 * The measures that `if (a || b) return c;` adds inside of this number of control structures: a branch, a sequence of
 * conditions, and two statements. In a function over the limit of complexity, all of its complexity is excess.
 */
function computeGuardAmounts(nesting: number): Sums {
  const complexity = nesting + 2;
  return new Map([
    ['cognitive', complexity],
    ['excess', complexity],
    ['depth', 2 * nesting + 1],
  ]);
}

/**
 * The points that a density loses if its amount grows by `growth` and its size falls to `size`. If `size` is larger
 * than the current size, the size counts as unchanged. 0 if the density is unknown.
 */
function computeCost(input: DensityInput, sums: Sums, growth: number, size = Number.POSITIVE_INFINITY): number {
  const share = computeShare(input, sums);
  if (share === null) return 0;
  const units = Math.max(ruler.definition.leastSize, Math.min(size, sums.get(input.per) ?? 0));
  const density = (1000 * (computeAmount(input, sums) + growth)) / units;
  return (INPUT_MAX[input.name] ?? 0) * (share - input.half / (input.half + density));
}

function computeAmount(input: DensityInput, sums: Sums): number {
  return computeWeightedSum(input, (name) => sums.get(name) ?? 0);
}

function collectPointsByInput({ categories }: Points): ReadonlyMap<string, number> {
  return new Map(
    CATEGORIES.flatMap((category) =>
      (categories[category].inputs ?? []).flatMap(({ name, points }) => (points === null ? [] : [[name, points]])),
    ),
  );
}

/**
 * Number of lines of code that the edits add, rewrite or take out of comments, without blank lines and comment lines.
 * `languageOf` returns the language of a path. If it returns null, comments count as code.
 */
export function countAddedLines(edits: readonly FileEdit[], languageOf: (path: string) => Language | null): number {
  return edits.reduce((sum, { path, before, after }) => {
    const language = languageOf(path);
    const oldCodeLines = findCodeLines(before ?? '', language);
    const newCodeLines = findCodeLines(after ?? '', language);
    let oldLine = 0;
    let line = 0;
    let count = 0;
    for (const part of diffLines(before ?? '', after ?? '')) {
      if (!part.removed) {
        const oldFlags = part.added ? [] : oldCodeLines.slice(oldLine, oldLine + part.count);
        count += newCodeLines
          .slice(line, line + part.count)
          .filter((flag, index) => flag && oldFlags[index] !== true).length;
        line += part.count;
      }
      if (!part.added) oldLine += part.count;
    }
    return sum + count;
  }, 0);
}
