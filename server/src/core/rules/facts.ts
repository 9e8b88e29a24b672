// Defines the facts about a rule and about a recipe. They are plain data without code, so that any layer may show them.

import type { Severity } from '../model.ts';

/**
 * The worth of a change to a maintainer, the most valuable kind first: it fixes a fault, adds a test that notices what
 * no other test notices, removes code that nobody uses or types that hide faults, makes code simpler or faster, or is a
 * matter of style.
 */
export const WORTHS = ['fault', 'test', 'removal', 'simplification', 'style'] as const;
/** The kind of worth of a change. */
export type Worth = (typeof WORTHS)[number];

/** The facts about a rule. */
export interface RuleFacts {
  readonly title: string;
  /** The severity; if a measured figure is far above the limit, it is raised to `information`. */
  readonly severity: Severity;
  /** The value of a change that removes the finding. */
  readonly worth: Worth;
  /** The recipe that can remove the finding at suitable places; null if there is none. */
  readonly recipe: string | null;
  /** A description in one line, for tables and settings. */
  readonly description: string;
  /** The information that the rule needs; if absent, `names`. */
  readonly needs?: Need;
  /** The languages to which the rule applies; if absent, TypeScript and JavaScript. */
  readonly languages?: 'all' | 'python';
  /** Set if the rule applies to test code, too. */
  readonly tests?: true;
  /** False for rules that a team has to switch on: they are right, but people rarely act on them (docs/noise.md). */
  readonly defaultOn?: false;
  /** Inputs of the ruler (docs/points.md) that count the findings of this rule. */
  readonly inputs?: readonly string[];
  /** For a rule that measures something: a team may set a higher limit. */
  readonly limit?: RuleLimit;
}

/**
 * The needs of a rule: one `walk` over its file; the `names` in that file; the type `checker`; other `findings`; the
 * whole `project`; a `run` of the code in a sandbox, which a person asks for.
 */
export type Need = 'walk' | 'names' | 'checker' | 'findings' | 'project' | 'run';

/** The figure that a rule measures, and its limit. */
export interface RuleLimit {
  /** Name of the figure in the evidence of an opportunity. */
  readonly evidence: string;
  /** The measured figure, in words. */
  readonly figure: string;
  /** The limit: the rule reports figures above it. */
  readonly least: number;
}

/** The facts about a recipe. */
export interface RecipeFacts {
  readonly id: string;
  readonly title: string;
  /** The reason why the behaviour stays the same, in one sentence. */
  readonly safety: string;
  /** Rough work and risk of a change, from 1 (least) to 3 (work for a person). If absent, 2. */
  readonly cost?: number;
  /** The claim that the changes have to show instead of points (docs/claims.md). */
  readonly claims?: 'types' | 'findings' | 'request';
  /** Set if the recipe is meant to change behaviour: a person judges the result, and old and new code may differ. */
  readonly changesBehavior?: true;
  /** Set if the recipe searches for importers of the code that it removes, including entry points of the package. */
  readonly checksImporters?: true;
  /** Set if a person has to review the result, however safe it is, for instance because of a generated name. */
  readonly needsPerson?: true;
  /** Set if the recipe edits JSON (a manifest) instead of code. Such files are protected, see `onlyIfAsked`. */
  readonly editsManifest?: true;
  /** Set if the recipe edits Python instead of scripts. The `sourceFile` that it gets is empty. */
  readonly editsPython?: true;
  /** Set if the recipe refuses most places. A finding then names it only after a trial in which it made a change. */
  readonly tried?: true;
  /** Set if the recipe is tried only at a place that somebody names; Improve and unattended runs skip such places. */
  readonly onlyIfAsked?: true;
}
