// Exchanges two numeric arguments of an input if they are in an order that no known call has, such as a lower bound
// above the upper one.

import type { Subject } from '../../../core/verify/counterexamples/plan.ts';
import type { ValueSpec } from '../messages.ts';

type Input = readonly ValueSpec[];

/**
 * The input, in which the larger of two numbers comes second if that is so in all known calls. Members of objects, and
 * arguments of class members, stay as they are.
 */
export function restoreOrder({ relations = [], member }: Subject, input: Input): Input {
  let ordered = input;
  for (const relation of member ? [] : relations) {
    if (relation.kind === 'sameLength' || relation.kind === 'ascending') continue;
    const [left, right] = [Number(relation.left), Number(relation.right)];
    const [low, high] = [ordered[left], ordered[right]];
    if (typeof low === 'number' && typeof high === 'number' && low > high)
      ordered = ordered.with(left, high).with(right, low);
  }
  return ordered;
}
