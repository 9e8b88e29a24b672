// What is known of a rule and of a recipe without their code: plain data, so that any layer may show it.

import type { Severity } from '../model.ts';

export interface RuleFacts {
  readonly title: string;
  /** At least this; a measure far beyond its threshold is raised to `information`. */
  readonly severity: Severity;
  /** Recipe that can realise it where the place allows, or null. */
  readonly recipe: string | null;
  /** One line. */
  readonly description: string;
  /** Left out: `names`. */
  readonly needs?: Need;
  /** Left out: TypeScript and JavaScript. */
  readonly languages?: 'all';
  /** Test code is looked at too. */
  readonly tests?: true;
  /** False for rules that a team has to ask for: right, but more often left alone than acted on (docs/noise.md). */
  readonly defaultOn?: false;
  /** Inputs of the ruler (docs/points.md) that count what this rule finds. */
  readonly inputs?: readonly string[];
  /** For a rule that measures something: a team may set a higher limit. */
  readonly limit?: RuleLimit;
}

/**
 * What a rule rests on: one `walk` over its file; the `names` in that file; the type `checker`; other `findings`; the
 * whole `project`.
 */
export type Need = 'walk' | 'names' | 'checker' | 'findings' | 'project';

export interface RuleLimit {
  /** Name of the figure in the evidence of an opportunity. */
  readonly evidence: string;
  /** What is measured, in words. */
  readonly figure: string;
  /** Above this the rule reports. */
  readonly least: number;
}

export interface RecipeFacts {
  readonly id: string;
  readonly title: string;
  /** What keeps the behaviour as it is, in one sentence. */
  readonly safety: string;
  /** Rough work and risk of a change, from 1 (least) to 3 (work for a person). Left out: 2. */
  readonly cost?: number;
  /** Meant to change what code does: a person judges the result, and old and new are not held to be the same. */
  readonly changesBehavior?: true;
  /** It has looked for whoever may import what it takes away, entry points of the package included. */
  readonly looksForImporters?: true;
  /** Its result needs a person's eye, however safe it is: a name made by a machine. */
  readonly needsPerson?: true;
}
