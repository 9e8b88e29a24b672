// Turns findings of rules about several files into opportunities, with stable ids and current positions.

import type { Opportunity, Range, Severity } from '../../model.ts';
import { prependPlace } from '../headline.ts';
import { rules } from '../rules.ts';
import type { RuleId } from '../../rules/allRules.ts';
import { sha256 } from '../../../util/hash.ts';

/** A finding of a rule about several files. Ranges are 1-based. */
export interface ProjectFinding {
  /** The rule that found it; `learned/ID` for a recipe that a person has accepted. */
  readonly rule: RuleId | `learned/${string}`;
  readonly path: string;
  readonly range: Range;
  readonly nameRange: Range;
  readonly symbol: string | null;
  /**
   * A key that distinguishes the finding from others of the same rule in the file, independently of edits around it.
   */
  readonly about: string;
  readonly impact: number;
  readonly confidence: number;
  readonly severity?: Severity;
  readonly message: string;
  readonly evidence: Readonly<Record<string, number | string>>;
  readonly related?: Opportunity['related'];
  /** The recipe; absent if only a person can make the change. */
  readonly recipe?: string;
}

/** The finding as an opportunity. The id depends on the finding, and not on its position in the file. */
export function toProjectOpportunity(finding: ProjectFinding): Opportunity {
  const { rule, path, range, nameRange, symbol, about, impact, confidence, evidence, related, recipe = null } = finding;
  const message = prependPlace(finding.message, { symbol, path });
  const knownRule = rules.find(({ id }) => id === rule);
  const id = sha256([rule, path, symbol ?? '', about].join('\0')).slice(0, 20);
  return {
    id,
    rule,
    path,
    range,
    nameRange,
    symbol,
    severity: finding.severity ?? knownRule?.severity ?? 'hint',
    impact,
    confidence,
    message,
    evidence,
    recipe,
    ...(related && related.length > 0 ? { related } : {}),
  };
}
