// Writes the call of a subject: a function with its arguments, a member that is used on a new instance, or a function
// that another one returns.

import type { Subject } from '../../../core/verify/counterexamples/plan.ts';
import type { TellingCall } from '../../../core/verify/guard/telling.ts';
import type { ValueSpec } from '../messages.ts';
import { codeOf } from '../sourceCode.ts';

/**
 * The call as an expression, its arguments, and for a member the text before and after the name of its class
 * (`around`). `args` of a member: the list for the constructor or factory, then the list for the member.
 */
export function writtenCall(
  { name, member }: Pick<Subject, 'name' | 'member'>,
  args: readonly ValueSpec[],
): Pick<TellingCall, 'call' | 'given' | 'around'> {
  if (!member) {
    const given = args.map(codeOf);
    return { call: `${name}(${given.join(', ')})`, given };
  }
  const [making = [], use = []] = args.map(codesIn);
  if (member.kind === 'returned') {
    const after = `(${making.join(', ')})(${use.join(', ')})`;
    return { call: `${member.className}${after}`, given: [...making, ...use], around: ['', after] };
  }
  const used = member.kind === 'get' ? '' : `(${use.join(', ')})`;
  const after = `${member.factory === null ? '' : `.${member.factory}`}(${making.join(', ')}).${member.name}${used}`;
  const before = member.factory === null ? 'new ' : '';
  return { call: `${before}${member.className}${after}`, given: [...making, ...use], around: [before, after] };
}

function codesIn(list: ValueSpec): readonly string[] {
  return typeof list === 'object' && list?.$ === 'array' ? list.of.map(codeOf) : [];
}
