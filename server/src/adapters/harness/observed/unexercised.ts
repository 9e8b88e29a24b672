// Reports the conditions, calls and operations of one side that no input has exercised.

import type { HarnessReport } from '../../../core/verify/differential/plan.ts';
import type { RanCode } from '../messages.ts';
import {
  DIFFERS_FROM_FIRST,
  EVALUATED,
  WAS_FALSE,
  WAS_OTHER,
  WAS_TRUE,
  type ObservedExpression,
} from './observedCode.ts';

/**
 * A sentence for each expression that the inputs have not exercised, for example because it was true on all of them.
 * `runs`: the code that ran in each process of the side. An expression that never ran is omitted, because its line is
 * reported as unreached.
 */
export function findUnexercised(
  expressions: readonly ObservedExpression[],
  runs: readonly (readonly RanCode[])[],
  side: 'old' | 'new',
): HarnessReport['unexercised'] {
  const seenBits: number[] = [];
  for (const { seen: bits } of runs.flat())
    for (const [id, value] of bits.entries()) seenBits[id] = (seenBits[id] ?? 0) | (value ?? 0);
  return expressions.flatMap((expression, id) => {
    const reason = explainUnexercised(expression, seenBits[id] ?? 0);
    const subject = side === 'old' ? 'what the change removes' : 'what the change adds';
    return reason === null ? [] : [{ path: expression.path, reason: `${reason} (${subject} in ${expression.path}).` }];
  });
}

/**
 * The reason why the inputs have not exercised the expression, as the start of a sentence; null if they have, or if it
 * never ran.
 */
function explainUnexercised({ kind, text, operands }: ObservedExpression, bits: number): string | null {
  const hasBit = (bit: number) => (bits & bit) !== 0;
  if (kind === 'hidden') return `What \`${text}\` does in its chain cannot be observed`;
  if (kind === 'default') return `\`${text}\` is the default of a parameter on one side only`;
  if (!hasBit(EVALUATED)) return null;
  if (hasBit(WAS_TRUE) !== hasBit(WAS_FALSE)) {
    const [positive, negative] =
      kind === 'nullish' ? ['null or undefined', 'anything but null or undefined'] : ['true', 'false'];
    return `No input made \`${text}\` ${hasBit(WAS_TRUE) ? negative : positive}`;
  }
  if (hasBit(WAS_TRUE) || hasBit(WAS_OTHER)) return null;
  if (kind === 'neutral') return `On no input did \`${text}\` change anything`;
  const unchangedIndex = operands.findIndex((_, index) => !hasBit(DIFFERS_FROM_FIRST << index));
  if (operands.length === 0 || unchangedIndex < 0) return null;
  return operands.every((_, index) => !hasBit(DIFFERS_FROM_FIRST << index)) && operands.length > 1
    ? `On no input did \`${text}\` find or change anything`
    : `On every input, \`${text}\` was the same as \`${operands[unchangedIndex]}\``;
}
