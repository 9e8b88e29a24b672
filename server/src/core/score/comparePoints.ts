// Compares the points of two trees on the ruler. This is stricter than a subtraction: for example, a finding that is
// merely no longer measured still counts.

import { CATEGORIES, type Category, type Inventory, type Measures, type Points } from '../model.ts';
import { findQuestionsForPerson } from './questionsForPerson.ts';
import { findLostDecisions, findMergedCopies, findMissing, type LostDecisions } from './missingCode.ts';
import { ruler, type RulerDefinition } from './ruler.ts';
import { foldSums, sumMeasures } from './score.ts';

/** The measures of one tree. */
export interface TreeMeasures {
  /** Measures of all files of the tree, by path. */
  readonly files: ReadonlyMap<string, Measures>;
  /** Inventories of at least those files that differ between the two trees, by path. */
  readonly inventories: ReadonlyMap<string, Inventory>;
}

/** The result of a comparison. */
export interface MeasureComparison {
  readonly before: Points;
  /**
   * Points of the second tree with the sizes of the first. Findings that the ruler merely no longer sees count as
   * before. An input that became known counts for neither side. The points of an input that became unknown are lost.
   */
  readonly after: Points;
  /** `after` minus `before`; at most 0 if the gain is withheld. */
  readonly gain: number;
  /** Sentences: the reasons why a gain is not counted. */
  readonly withheld: readonly string[];
  /** Sentences about parts of the gain that only a person can judge. */
  readonly asks: readonly string[];
  /** The sizes by which `after` divides, such as the number of statements: their values, by measure. */
  readonly sizes: ReadonlyMap<string, number>;
}

/** The sum of each measure over a tree, by measure. */
type Sums = Map<string, number>;

/** The measure of conditions whose result is used as a number. */
const ARITHMETIC_MEASURE = 'script.reckoned';

/** Compares the measures of two trees. Pure, and independent of the order of the files. */
export function comparePoints(before: TreeMeasures, after: TreeMeasures): MeasureComparison {
  const sumsBefore = sumMeasures(before.files.values());
  const sumsAfter = sumMeasures(after.files.values());
  const [changedBefore, changedAfter] = [collectInventories(before, after), collectInventories(after, before)];
  const inventoriesAfter = [...after.inventories.values()];
  const withheld = findMissing(changedBefore, changedAfter, inventoriesAfter);
  addUnmeasured(before, after, sumsAfter);
  addRevived(before, after, sumsAfter);
  limitFalls(sumsBefore, sumsAfter);
  restoreDisguised(sumsBefore, sumsAfter);
  const lostDecisions = findLostDecisions(changedBefore, changedAfter, inventoriesAfter);
  const hasNewArithmetic =
    !lostDecisions.isDelegated && (sumsAfter.get(ARITHMETIC_MEASURE) ?? 0) > (sumsBefore.get(ARITHMETIC_MEASURE) ?? 0);
  limitGainOfDecisions(
    { ...lostDecisions, hasNewArithmetic },
    [...changedBefore, ...changedAfter].map(({ path }) => path),
    before,
    after,
    sumsAfter,
  );
  keepSizes(
    sumsBefore,
    sumsAfter,
    findMergedCopies(changedBefore, inventoriesAfter).reduce((sum, { mass }) => sum + mass, 0),
  );
  limitEarned(sumsBefore, sumsAfter, withheld.length === 0);
  const pointsBefore = foldSums(sumsBefore);
  const unknownInputs = new Set(CATEGORIES.flatMap((category) => pointsBefore.categories[category].unknown));
  const pointsAfter = foldSums(sumsAfter, {}, (input) => !unknownInputs.has(input));
  const gain = CATEGORIES.reduce(
    (sum, category) => sum + readPoints(category, pointsAfter) - readPoints(category, pointsBefore),
    0,
  );
  const asks =
    gain > 0
      ? findQuestionsForPerson({
          sumsBefore,
          sumsAfter,
          decisions: lostDecisions.gone,
          decided: ruler.definition.decided,
        })
      : [];
  return {
    before: pointsBefore,
    after: pointsAfter,
    gain: withheld.length > 0 ? Math.min(0, gain) : gain,
    withheld,
    asks,
    sizes: new Map(
      ruler.definition.inputs.flatMap(({ per }) => (sumsAfter.has(per) ? [[per, sumsAfter.get(per)!]] : [])),
    ),
  };
}

/** Points without coverage, which a change makes stale until the tests have run again. */
export function computePointsWithoutCoverage(points: Points): number {
  return CATEGORIES.reduce(
    (total, category) => total + (category === 'testCoverage' ? 0 : readPoints(category, points)),
    0,
  );
}

function readPoints(category: Category, points: Points): number {
  return points.categories[category].points ?? 0;
}

/** Inventories of the files of `tree` that differ in `otherTree`. */
function collectInventories(tree: TreeMeasures, otherTree: TreeMeasures): readonly Inventory[] {
  return [...tree.inventories.values()].filter((inventory) => {
    const otherInventory = otherTree.inventories.get(inventory.path);
    return !otherInventory || JSON.stringify(otherInventory) !== JSON.stringify(inventory);
  });
}

/**
 * Adds the old measures of files that still exist but are no longer measured, for example because they are marked as
 * generated or have errors.
 */
function addUnmeasured(before: TreeMeasures, after: TreeMeasures, sumsAfter: Sums): void {
  for (const [path, measures] of before.files) {
    const measuresAfter = after.files.get(path);
    if (!measuresAfter) continue;
    for (const [name, value] of Object.entries(measures))
      if (!(name in measuresAfter)) sumsAfter.set(name, (sumsAfter.get(name) ?? 0) + value);
  }
}

/** Adds dead code and unused imports that still exist, even if something refers to them now. */
function addRevived(before: TreeMeasures, after: TreeMeasures, sumsAfter: Sums): void {
  const { dead: measure } = ruler.definition;
  const listImports = ({ inventories }: TreeMeasures) =>
    [...inventories.values()].flatMap(({ path, imports }) =>
      imports.map((entry) => ({ ...entry, key: `${path}\0${entry.name}` })),
    );
  const massByUnusedImport = new Map(
    listImports(before).flatMap(({ key, dead, mass = 1 }) => (dead ? [[key, mass]] : [])),
  );
  const revivedMasses = listImports(after).flatMap(({ key, dead }) => (dead ? [] : [massByUnusedImport.get(key) ?? 0]));
  const mass = revivedMasses.reduce((sum, amount) => sum + amount, 0);
  if (mass > 0) sumsAfter.set(measure, (sumsAfter.get(measure) ?? 0) + mass);
  const deadPieces = [...before.inventories.values()].flatMap(({ path, pieces }) =>
    pieces.filter((piece) => piece.dead && piece.name !== '').map((piece) => ({ path, piece })),
  );
  if (deadPieces.length === 0) return;
  for (const { path, measured, pieces } of after.inventories.values()) {
    const liveNames = new Set(
      before.inventories
        .get(path)
        ?.pieces.filter((piece) => !piece.dead)
        .map(({ name }) => name),
    );
    for (const piece of measured ? pieces : []) {
      if (piece.dead || liveNames.has(piece.name)) continue;
      const deadCopy = deadPieces.find(
        (copy) => (copy.path === path && copy.piece.name === piece.name) || copy.piece.shape === piece.shape,
      );
      if (deadCopy) sumsAfter.set(measure, (sumsAfter.get(measure) ?? 0) + deadCopy.piece.mass + 1);
    }
  }
}

/**
 * Limits the fall of a measure. A finding that disappeared while its cause remains, or while its remedy does not
 * increase, was only spelled differently, so it still counts.
 */
function limitFalls(sumsBefore: ReadonlyMap<string, number>, sumsAfter: Sums): void {
  for (const [measure, witness] of Object.entries(ruler.definition.witnesses)) {
    const causeDecrease = Math.max(0, (sumsBefore.get(witness) ?? 0) - (sumsAfter.get(witness) ?? 0));
    sumsAfter.set(measure, Math.max(sumsAfter.get(measure) ?? 0, (sumsBefore.get(measure) ?? 0) - causeDecrease));
  }
  for (const [measure, remedy] of Object.entries(ruler.definition.remedies)) {
    const remedyIncrease = Math.max(0, (sumsAfter.get(remedy) ?? 0) - (sumsBefore.get(remedy) ?? 0));
    sumsAfter.set(measure, Math.max(sumsAfter.get(measure) ?? 0, (sumsBefore.get(measure) ?? 0) - remedyIncrease));
  }
}

/**
 * Restores the old values of measures whose findings may have been replaced by a disguise, that is by another finding
 * of their kind.
 */
function restoreDisguised(sumsBefore: ReadonlyMap<string, number>, sumsAfter: Sums): void {
  for (const [disguise, measures] of Object.entries(ruler.definition.disguises)) {
    if ((sumsAfter.get(disguise) ?? 0) <= (sumsBefore.get(disguise) ?? 0)) continue;
    for (const measure of measures)
      if (sumsBefore.has(measure))
        sumsAfter.set(measure, Math.max(sumsAfter.get(measure) ?? 0, sumsBefore.get(measure) ?? 0));
  }
}

/**
 * Limits the gain from removed decisions. If decisions disappear without replacement, a matching part of the gain is
 * not counted. If arithmetic on their conditions replaces them, none of it is counted.
 */
function limitGainOfDecisions(
  lostDecisions: LostDecisions & { readonly hasNewArithmetic: boolean },
  paths: readonly string[],
  before: TreeMeasures,
  after: TreeMeasures,
  sumsAfter: Sums,
): void {
  if (lostDecisions.count === 0 && !lostDecisions.hasNewArithmetic) return;
  for (const measure of ruler.definition.decided) {
    const fall = Math.max(
      0,
      [...new Set(paths)].reduce(
        (sum, path) => sum + computeFall(measure, before.files.get(path), after.files.get(path)),
        0,
      ),
    );
    sumsAfter.set(
      measure,
      (sumsAfter.get(measure) ?? 0) +
        (lostDecisions.hasNewArithmetic
          ? fall
          : Math.max(lostDecisions.share * fall, Math.min(fall, lostDecisions.count))),
    );
  }
}

/** The fall of a measure of one file. A measure that a remaining file no longer has counts as unchanged. */
function computeFall(measure: string, before: Measures | undefined, after: Measures | undefined): number {
  return after && !(measure in after) ? 0 : (before?.[measure] ?? 0) - (after?.[measure] ?? 0);
}

/**
 * Keeps the sizes by which findings are divided, because more code around the same findings must not improve the
 * points. The sizes of densities do not grow, and shares refer to the number of units before. `mergedStatements`:
 * statements of copies that were merged; their removal does not raise a density.
 */
function keepSizes(sumsBefore: Sums, sumsAfter: Sums, mergedStatements: number): void {
  const sizes = new Set(ruler.definition.inputs.filter((input) => input.kind === 'density').map((input) => input.per));
  for (const size of sizes) {
    const sizeBefore = sumsBefore.get(size);
    if (sizeBefore === undefined) continue;
    sumsAfter.set(size, Math.min(sizeBefore, (sumsAfter.get(size) ?? 0) + mergedStatements));
    // If all findings of a tree with very few statements are fixed, the density is known, although there are few
    // statements. It is set on both sides, because a value that only one side knows would be a gain.
    if (sizeBefore === 0 && hasFindings(size, sumsBefore))
      for (const sums of [sumsBefore, sumsAfter]) sums.set(size, 1);
  }
  for (const input of selectShareInputs(ruler.definition)) keepUnits(input.of, input.per, sumsBefore, sumsAfter);
}

/** True if any density that is divided by this size has findings before the change. */
function hasFindings(size: string, sumsBefore: ReadonlyMap<string, number>): boolean {
  return ruler.definition.inputs.some(
    (input) =>
      input.kind === 'density' &&
      input.per === size &&
      Object.keys(input.of).some((name) => (sumsBefore.get(name) ?? 0) > 0),
  );
}

/**
 * Scales a share to the number of units before. `unit`: the measure of the units that earn points. `per`: the measure
 * of all units.
 */
function keepUnits(unit: string, per: string, sumsBefore: ReadonlyMap<string, number>, sumsAfter: Sums): void {
  const unitsBefore = sumsBefore.get(per);
  if (unitsBefore === undefined || !sumsAfter.has(per)) return;
  const missingBefore = unitsBefore - (sumsBefore.get(unit) ?? 0);
  const unitsAfter = sumsAfter.get(per) ?? 0;
  const missingUnits = unitsAfter - (sumsAfter.get(unit) ?? 0);
  const vanishedUnits = Math.max(0, unitsBefore - unitsAfter);
  // Units that no longer exist are assumed to be some of the missing ones.
  const countedMissing = Math.max(missingUnits, Math.min(missingBefore, missingUnits + vanishedUnits));
  const keptUnits = Math.max(0, unitsBefore - countedMissing);
  sumsAfter.set(
    unit,
    unitsAfter === 0 ? keptUnits : Math.min(keptUnits, (unitsBefore * (sumsAfter.get(unit) ?? 0)) / unitsAfter),
  );
  sumsAfter.set(per, unitsBefore);
}

/**
 * Limits measures that must be earned (`earned` of the ruler). Such a measure rises by exactly as much as the measure
 * that earns it, and not at all if `canRise` is false. A rise with another cause proves nothing about the change.
 */
function limitEarned(sumsBefore: ReadonlyMap<string, number>, sumsAfter: Sums, canRise: boolean): void {
  for (const input of selectShareInputs(ruler.definition)) {
    const earningMeasure = ruler.definition.earned[input.of];
    if (earningMeasure === undefined) continue;
    const unitsBefore = sumsBefore.get(input.per);
    if (unitsBefore === undefined) sumsAfter.delete(input.per);
    else sumsAfter.set(input.per, unitsBefore);
    const earnedUnits = canRise
      ? Math.max(0, (sumsAfter.get(earningMeasure) ?? 0) - (sumsBefore.get(earningMeasure) ?? 0))
      : 0;
    sumsAfter.set(input.of, Math.min(unitsBefore ?? 0, (sumsBefore.get(input.of) ?? 0) + earnedUnits));
  }
}

function selectShareInputs(definition: RulerDefinition) {
  return definition.inputs.filter((input) => input.kind === 'share');
}
