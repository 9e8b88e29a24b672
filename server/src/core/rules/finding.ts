// Defines a finding of a rule, with offsets. Ids, ranges and symbols are added later, for all rules alike.

import type { Severity } from '../model.ts';
import type { RuleId } from './allRules.ts';

/** A finding. Positions are offsets in UTF-16 units; `end` and `nameEnd` are exclusive. */
export interface Finding {
  readonly rule: RuleId;
  /** The start of the whole construct. */
  readonly start: number;
  /** The end of the whole construct. */
  readonly end: number;
  /** The start of the part that the editor underlines. */
  readonly nameStart: number;
  /** The end of the part that the editor underlines. */
  readonly nameEnd: number;
  /** The severity; if absent, the severity of the rule. */
  readonly severity?: Severity;
  /** Estimated improvement if the finding is removed, 0–100. */
  readonly impact: number;
  /** Probability that a maintainer would act on the finding, 0–1. */
  readonly confidence: number;
  /** The text that a person reads. */
  readonly message: string;
  /** The measured figures and facts behind the finding, by name. */
  readonly evidence: Readonly<Record<string, number | string>>;
  /** Recipe for this place; null if only a person can make the change. */
  readonly recipe: string | null;
  /** Other places in the same file that the message is about. */
  readonly related?: readonly { readonly start: number; readonly end: number; readonly message: string }[];
  /**
   * Distinguishes this finding from others of its rule in the same symbol. If absent, the text from `start` to `end`
   * does.
   */
  readonly identity?: string;
}
