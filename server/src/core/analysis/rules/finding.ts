// What a rule says about a place, in offsets. Ids, ranges and symbols are added once, for all rules alike.

import type { Severity } from '../../model.ts';
import type { RuleId } from '../rules.ts';

export interface Finding {
  readonly rule: RuleId;
  /** The whole construct. */
  readonly start: number;
  readonly end: number;
  /** Where the editor underlines. */
  readonly nameStart: number;
  readonly nameEnd: number;
  /** Left out: the rule's own. */
  readonly severity?: Severity;
  /** 0–100. */
  readonly impact: number;
  /** 0–1. */
  readonly confidence: number;
  readonly message: string;
  readonly evidence: Readonly<Record<string, number | string>>;
  /** Recipe for this very place; null = only a person can do it. */
  readonly recipe: string | null;
}
