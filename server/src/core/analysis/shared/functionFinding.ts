// Makes the findings of rules about whole functions.

import type { RuleId } from '../../rules/allRules.ts';
import type { Finding } from '../../rules/finding.ts';
import type { FunctionUnit } from '../functionUnit.ts';

/** The finding about a function, with the rule's evidence and message. */
export function toFunctionFinding(
  rule: RuleId,
  unit: FunctionUnit,
  details: Pick<Finding, 'severity' | 'impact' | 'confidence' | 'message' | 'evidence' | 'recipe'>,
): Finding {
  return {
    rule,
    start: unit.start,
    end: unit.end,
    nameStart: unit.nameStart,
    nameEnd: unit.nameEnd,
    identity: unit.name,
    ...details,
  };
}

/** The name of the function in backticks, or `an unnamed function`, for the start of a message. */
export function quoteFunctionName(unit: FunctionUnit): string {
  return unit.name.startsWith('(') ? 'an unnamed function' : `\`${unit.name}\``;
}
