// Writes the call of a subject as text: a function with its arguments, a member that is used on a new instance, a
// function that another function returns, or several steps on one object.

import type { Subject } from '../../../core/verify/counterexamples/plan.ts';
import type { UsedObject } from '../../../core/verify/sequences/plan.ts';
import type { CallStep, DistinguishingCall } from '../../../core/verify/guard/distinguishingCalls.ts';
import type { ValueSpec } from '../messages.ts';
import { formatAsCode, formatRecorderName } from '../sourceCode.ts';
import { checksRecordedCalls } from './steps.ts';

/**
 * The call as an expression, and its arguments. For a member or a returned function, `around` is the text before and
 * after the name of its class or function, and `args` are the list for that one and the list for the call. For steps,
 * see `formatSteps`.
 */
export function formatCall(
  { name, member, used: usedObject }: Pick<Subject, 'name' | 'member' | 'used'>,
  args: readonly ValueSpec[],
): Pick<DistinguishingCall, 'call' | 'given' | 'around' | 'steps' | 'recorders' | 'observed'> {
  if (usedObject) return formatSteps(usedObject, args);
  if (!member) {
    const argumentTexts = args.map(formatAsCode);
    return { call: `${name}(${argumentTexts.join(', ')})`, given: argumentTexts };
  }
  const [makerCodes = [], use = []] = args.map(formatElements);
  if (member.kind === 'returned') {
    const after = `(${makerCodes.join(', ')})(${use.join(', ')})`;
    return { call: `${member.className}${after}`, given: [...makerCodes, ...use], around: ['', after] };
  }
  const argumentList = member.kind === 'get' ? '' : `(${use.join(', ')})`;
  const after = `${member.factory === null ? '' : `.${member.factory}`}(${makerCodes.join(', ')}).${member.name}${argumentList}`;
  const before = member.factory === null ? 'new ' : '';
  return { call: `${before}${member.className}${after}`, given: [...makerCodes, ...use], around: [before, after] };
}

/**
 * The statements that make the object and use it, of which the last one is the call. Its arguments are the list for the
 * maker, then for each step the index of its use and the arguments.
 */
function formatSteps(
  { maker, variable, uses, recorder = 'listener' }: UsedObject,
  [makerArguments, ...stepArguments]: readonly ValueSpec[],
): Pick<DistinguishingCall, 'call' | 'given' | 'steps' | 'recorders' | 'observed'> {
  const recorders = new Map<number, string>();
  const formatStepElements = (spec: ValueSpec | undefined) =>
    formatElements(spec && nameRecorders(spec, recorder, recorders));
  const argumentCodes = formatStepElements(makerArguments);
  const makingStep: CallStep = {
    before: `const ${variable} = ${maker.how === 'new' ? 'new ' : ''}`,
    imported: { path: maker.path, name: maker.name, exportedAs: maker.exportedAs },
    after: `${maker.factory === null ? '' : `.${maker.factory}`}(${argumentCodes.join(', ')})`,
  };
  const checksCalls = stepArguments.length > 0 && checksRecordedCalls({ maker, variable, uses }, stepArguments.at(-1)!);
  const performedSteps = (checksCalls ? stepArguments.slice(0, -1) : stepArguments).map((step) => {
    const [use = '0', ...argumentTexts] = formatStepElements(step);
    return { ...uses[Number(use)]!, argumentTexts };
  });
  const results = nameReturnedFunctions(performedSteps);
  const stepTexts = performedSteps.map(({ kind, name, imported, awaited, argumentTexts }, index) => {
    // The assertion awaits the last step.
    const prefix = awaited && (checksCalls || index < performedSteps.length - 1) ? 'await ' : '';
    const args = `(${argumentTexts.join(', ')})`;
    if (kind === 'function') {
      const after = `(${[variable, ...argumentTexts].join(', ')})`;
      return { given: argumentTexts, step: { before: prefix, imported, after } };
    }
    const declaration = kind === 'method' && results[index] !== undefined ? `const ${results[index]} = ` : '';
    const text = kind === 'result' ? `${results[index]}${args}` : `${variable}.${name}${kind === 'get' ? '' : args}`;
    return { given: argumentTexts, step: { before: `${declaration}${prefix}${text}`, imported: null, after: '' } };
  });
  const steps = [makingStep, ...stepTexts.map(({ step }) => step)];
  const [, observedId = '0'] = checksCalls ? formatElements(stepArguments.at(-1)) : [];
  const observed = checksCalls ? (recorders.get(Number(observedId)) ?? recorder) : null;
  const statementTexts = steps.map(({ before, imported, after }) => `${before}${imported?.name ?? ''}${after}`);
  return {
    call: [...statementTexts, ...(observed === null ? [] : [`${observed}.calls`])].join('; '),
    given: [...argumentCodes, ...stepTexts.flatMap(({ given: argumentTexts }) => argumentTexts)],
    steps,
    ...(recorders.size > 0 && { recorders: [...recorders.values()] }),
    ...(observed !== null && { observed }),
  };
}

/**
 * The names of returned functions, by the index of the step: set for a step that calls one and for the step that
 * returned it, otherwise undefined. Example: `off`, and `off2` for a second function.
 */
function nameReturnedFunctions(
  performedSteps: readonly Pick<UsedObject['uses'][number], 'kind' | 'name' | 'variable'>[],
): readonly (string | undefined)[] {
  const names: (string | undefined)[] = performedSteps.map(() => undefined);
  const countByName = new Map<string, number>();
  for (const [index, { kind, name, variable = 'result' }] of performedSteps.entries()) {
    if (kind !== 'result') continue;
    const lastMethodIndex = performedSteps.findLastIndex(
      (step, stepIndex) => stepIndex < index && step.kind === 'method' && step.name === name,
    );
    const count = countByName.get(variable) ?? 0;
    names[index] = names[lastMethodIndex] ?? formatRecorderName(variable, count);
    if (lastMethodIndex < 0 || names[lastMethodIndex] !== undefined) continue;
    names[lastMethodIndex] = names[index];
    countByName.set(variable, count + 1);
  }
  return names;
}

/**
 * The value, in which each recorder is replaced by its name. `names`: the known names, by the number of the recorder;
 * new ones are added.
 */
function nameRecorders(spec: ValueSpec, name: string, names: Map<number, string>): ValueSpec {
  if (typeof spec !== 'object' || spec === null) return spec;
  if (spec.$ === 'array') return { ...spec, of: spec.of.map((part) => nameRecorders(part, name, names)) };
  if (spec.$ === 'record')
    return { ...spec, fields: spec.fields.map(([key, part]) => [key, nameRecorders(part, name, names)]) };
  if (spec.$ !== 'recorder') return spec;
  const text = names.get(spec.id) ?? formatRecorderName(name, names.size);
  names.set(spec.id, text);
  return { $: 'code', text };
}

/** The texts of the elements of a list; none for any other value. */
function formatElements(spec: ValueSpec | undefined): readonly string[] {
  return typeof spec === 'object' && spec?.$ === 'array' ? spec.of.map(formatAsCode) : [];
}
