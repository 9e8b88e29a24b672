// Defines the ruler: the frozen, versioned and hashed definition of the score. Any change of it is a new version. Some
// figures are deliberately absent: numbers of lines (layout would count), sizes of functions and files (splitting would
// count), and numbers of tests.

import type { Category } from '../model.ts';
import { TABLES_HASH } from '../paths/hashTables.ts';
import { sha256 } from '../../util/hash.ts';
import { canonicalJson } from '../../util/canonicalJson.ts';

/**
 * An input that loses points with its density: the weighted number of findings per 1,000 units of a size. It earns `max
 * · half ÷ (half + density)`.
 */
export interface DensityInput {
  readonly name: string;
  readonly category: Category;
  /**
   * Determines the share of the category's points: this weight divided by the sum of the weights of all inputs of the
   * category, measured or not.
   */
  readonly weight: number;
  readonly kind: 'density';
  /** The integer weight of each counted measure, by measure. */
  readonly of: Readonly<Record<string, number>>;
  /** The measure of the size by which the findings are divided. */
  readonly per: string;
  /** Density (per 1,000) at which half of the points are lost. */
  readonly half: number;
}

/** An input that earns points in proportion to a share. */
export interface ShareInput {
  readonly name: string;
  readonly category: Category;
  /** Determines the share of the category's points, as in `DensityInput`. */
  readonly weight: number;
  readonly kind: 'share';
  /** The measure of the units that earn points. */
  readonly of: string;
  /** The measure of all units. */
  readonly per: string;
}

/** A definition with its version and hash. */
export interface Ruler {
  readonly version: string;
  /** sha-256 of the canonical JSON of `definition`. */
  readonly hash: string;
  readonly definition: RulerDefinition;
}

/** The inputs of the score and their weights. */
export interface RulerDefinition {
  readonly version: string;
  /** The points that each category can earn. */
  readonly max: Readonly<Record<Category, number>>;
  /** Minimum size of a density, so that one finding in a tiny repository does not dominate the score. */
  readonly leastSize: number;
  readonly inputs: readonly (DensityInput | ShareInput)[];
  /** The measure of dead code. */
  readonly dead: string;
  /** By measure: the measure of its cause. In a comparison, the measure falls by no more than its cause. */
  readonly witnesses: Readonly<Record<string, string>>;
  /** By measure: the measure of its remedy. In a comparison, the measure falls by no more than its remedy rises. */
  readonly remedies: Readonly<Record<string, string>>;
  /** By measure: the only measure that raises it. In a comparison, both rise by exactly the same amount. */
  readonly earned: Readonly<Record<string, string>>;
  /** By measure: the measures that it can replace. In a comparison, these do not fall if the measure rises. */
  readonly disguises: Readonly<Record<string, readonly string[]>>;
  /**
   * Measures that decisions (branches, loops) raise. In a comparison, a fall due to decisions that disappeared is not
   * a gain.
   */
  readonly decided: readonly string[];
  /**
   * sha-256 of the tables that recognise tests and generated or vendored files by their paths; these files are
   * measured separately.
   */
  readonly kinds: string;
}

const DEFINITION: RulerDefinition = {
  version: '9',
  leastSize: 1000,
  dead: 'checked.unused',
  witnesses: {
    'script.awaitInLoop': 'script.waits',
    'script.needlessCopy': 'script.copies',
    // A copy that is spelled differently is still a copy; copies disappear only with their statements.
    'project.copiedLines': 'statements',
    'project.unusedExports': 'api.exported',
  },
  // Covered lines earn points only if a new test kills a mutant in them: the test would notice a mistake in them.
  earned: { 'coverage.covered': 'coverage.guarded' },
  remedies: { 'script.awaitInLoop': 'script.gathers' },
  // A value without a type is an implicit `any`.
  disguises: { 'script.untyped': ['script.any', 'script.nonNull', 'script.assertion', 'script.doubleAssertion'] },
  decided: ['excess', 'cognitive', 'depth'],
  kinds: TABLES_HASH,
  max: { codeQuality: 250, testCoverage: 250, safety: 200, performance: 150, maintainability: 150 },
  inputs: [
    {
      name: 'over-complex functions',
      category: 'codeQuality',
      weight: 2,
      kind: 'density',
      of: { excess: 1 },
      per: 'statements',
      half: 300,
    },
    {
      name: 'cognitive complexity',
      category: 'codeQuality',
      weight: 1,
      kind: 'density',
      of: { cognitive: 1 },
      per: 'statements',
      half: 2500,
    },
    {
      name: 'dead code',
      category: 'codeQuality',
      weight: 2,
      kind: 'density',
      of: { 'checked.unused': 1 },
      per: 'checked.statements',
      half: 40,
    },
    {
      name: 'unused exports',
      category: 'codeQuality',
      weight: 1,
      kind: 'density',
      of: { 'project.unusedExports': 1 },
      per: 'script.statements',
      half: 40,
    },
    {
      name: 'test coverage',
      category: 'testCoverage',
      weight: 1,
      kind: 'share',
      of: 'coverage.covered',
      per: 'coverage.coverable',
    },
    {
      name: 'hazards',
      category: 'safety',
      weight: 1,
      kind: 'density',
      of: {
        'script.any': 6,
        'script.nonNull': 1,
        'script.assertion': 1,
        'script.doubleAssertion': 6,
        'script.dynamicCode': 40,
        'script.swallowedError': 12,
        'script.floatingPromise': 12,
        'script.uncheckedFile': 100,
        'script.ignoredError': 6,
        'script.expectedError': 6,
        'script.lintSilence': 6,
      },
      per: 'script.statements',
      half: 500,
    },
    {
      name: 'wasted work',
      category: 'performance',
      weight: 1,
      kind: 'density',
      of: { 'script.awaitInLoop': 3, 'script.repeatedWork': 2, 'script.needlessCopy': 1, 'script.needlessAwait': 1 },
      per: 'script.statements',
      half: 40,
    },
    {
      name: 'nesting',
      category: 'maintainability',
      weight: 2,
      kind: 'density',
      of: { depth: 1 },
      per: 'statements',
      half: 2500,
    },
    {
      name: 'copied code',
      category: 'maintainability',
      weight: 1,
      kind: 'density',
      of: { 'project.copiedLines': 1 },
      per: 'statements',
      half: 150,
    },
    {
      name: 'roundabout code',
      category: 'maintainability',
      weight: 1,
      kind: 'density',
      of: { 'script.roundabout': 1 },
      per: 'script.statements',
      half: 40,
    },
    {
      name: 'documented API',
      category: 'maintainability',
      weight: 1,
      kind: 'share',
      of: 'api.documented',
      per: 'api.exported',
    },
  ],
};

/**
 * What each input needs to be measured, as the end of a sentence. The texts are shown to people, and are not part of
 * the definition.
 */
export const NEEDS_BY_INPUT: Readonly<Record<string, string>> = {
  'over-complex functions': 'needs statements that do something, in a language that is measured',
  'cognitive complexity': 'needs statements that do something, in a language that is measured',
  'dead code': 'needs TypeScript or JavaScript without syntax errors',
  'test coverage': 'needs a report of coverage that fits the files',
  hazards: 'needs statements that do something, in TypeScript or JavaScript',
  'wasted work': 'needs statements that do something, in TypeScript or JavaScript',
  'unused exports': 'needs a package whose entry points are known',
  'copied code': 'needs statements that do something, in a language that is measured',
  'roundabout code': 'needs statements that do something, in TypeScript or JavaScript',
  nesting: 'needs statements that do something, in a language that is measured',
  'documented API': 'needs exported names in TypeScript or JavaScript',
};

/** The current ruler. */
export const ruler: Ruler = {
  version: DEFINITION.version,
  hash: sha256(canonicalJson(DEFINITION)),
  definition: DEFINITION,
};

/** The maximum points of each input. The maxima are fixed: an unmeasured input does not raise the others. */
export const INPUT_MAX: Readonly<Record<string, number>> = Object.fromEntries(
  DEFINITION.inputs.map(({ name, category, weight }) => {
    const weights = DEFINITION.inputs.reduce(
      (sum, otherInput) => (otherInput.category === category ? sum + otherInput.weight : sum),
      0,
    );
    return [name, (DEFINITION.max[category] * weight) / weights];
  }),
);

/** The maximum of all points, whatever was measured. */
export const MAX_POINTS = Object.values(DEFINITION.max).reduce((sum, points) => sum + points, 0);
