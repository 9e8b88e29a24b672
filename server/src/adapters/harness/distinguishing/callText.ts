// Writes the call of a subject: a function with its arguments, a member that is used on a new instance, or a function
// that another one returns.

import type { Subject } from '../../../core/verify/counterexamples/plan.ts';
import type { UsedObject } from '../../../core/verify/sequences/plan.ts';
import type { CallStep, DistinguishingCall } from '../../../core/verify/guard/distinguishingCalls.ts';
import type { ValueSpec } from '../messages.ts';
import { formatAsCode } from '../sourceCode.ts';

/**
 * The call as an expression, its arguments, and for a member the text before and after the name of its class
 * (`around`). `args` of a member: the list for the constructor or factory, then the list for the member.
 */
export function textOfCall(
  { name, member, used }: Pick<Subject, 'name' | 'member' | 'used'>,
  args: readonly ValueSpec[],
): Pick<DistinguishingCall, 'call' | 'given' | 'around' | 'steps'> {
  if (used) return textOfSteps(used, args);
  if (!member) {
    const argumentTexts = args.map(formatAsCode);
    return { call: `${name}(${argumentTexts.join(', ')})`, given: argumentTexts };
  }
  const [making = [], use = []] = args.map(collectCodes);
  if (member.kind === 'returned') {
    const after = `(${making.join(', ')})(${use.join(', ')})`;
    return { call: `${member.className}${after}`, given: [...making, ...use], around: ['', after] };
  }
  const argumentList = member.kind === 'get' ? '' : `(${use.join(', ')})`;
  const after = `${member.factory === null ? '' : `.${member.factory}`}(${making.join(', ')}).${member.name}${argumentList}`;
  const before = member.factory === null ? 'new ' : '';
  return { call: `${before}${member.className}${after}`, given: [...making, ...use], around: [before, after] };
}

/** The statements that make the object and use it; the last one is the call. */
function textOfSteps(
  { maker, variable, uses }: UsedObject,
  [making, ...used]: readonly ValueSpec[],
): Pick<DistinguishingCall, 'call' | 'given' | 'steps'> {
  const argumentCodes = collectCodes(making);
  const makingStep: CallStep = {
    before: `const ${variable} = ${maker.how === 'new' ? 'new ' : ''}`,
    imported: { path: maker.path, name: maker.name, exportedAs: maker.exportedAs },
    after: `${maker.factory === null ? '' : `.${maker.factory}`}(${argumentCodes.join(', ')})`,
  };
  const all = used.map((step) => {
    const [use = '0', ...argumentTexts] = collectCodes(step);
    const { kind, name, imported } = uses[Number(use)]!;
    if (kind === 'function')
      return {
        given: argumentTexts,
        step: { before: '', imported, after: `(${[variable, ...argumentTexts].join(', ')})` },
      };
    const args = kind === 'get' ? '' : `(${argumentTexts.join(', ')})`;
    return { given: argumentTexts, step: { before: `${variable}.${name}${args}`, imported: null, after: '' } };
  });
  const steps = [makingStep, ...all.map(({ step }) => step)];
  const call = steps.map(({ before, imported, after }) => `${before}${imported?.name ?? ''}${after}`).join('; ');
  return { call, given: [...argumentCodes, ...all.flatMap(({ given: argumentTexts }) => argumentTexts)], steps };
}

function collectCodes(spec: ValueSpec | undefined): readonly string[] {
  return typeof spec === 'object' && spec?.$ === 'array' ? spec.of.map(formatAsCode) : [];
}
