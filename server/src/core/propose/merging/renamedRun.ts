// Applies the names of the other place to calls and data flows of a run that occurs twice.

import type { Flow } from '../extraction/dataFlow.ts';

/** The call with more arguments. */
export function appendArguments(call: string, additionalArguments: readonly string[]): string {
  if (additionalArguments.length === 0) return call;
  const end = call.lastIndexOf(')');
  const comma = /\(\s*$/.test(call.slice(0, end)) ? '' : ', ';
  return call.slice(0, end) + comma + additionalArguments.join(', ') + call.slice(end);
}

/** The call with the names of the other place. */
export function callWith(call: string, callee: string, renamed: ReadonlyMap<string, string>): string {
  return call.replaceAll(/(?<![\w$.])[A-Za-z_$][\w$]*/g, (name) =>
    name === callee ? name : (renamed.get(name) ?? name),
  );
}

/** True if every name that is different in the other place is one of `declaredNames`. */
export function renamesOnly(declaredNames: ReadonlySet<string>, renamed: ReadonlyMap<string, string>): boolean {
  return [...renamed].every(([name, otherName]) => name === otherName || declaredNames.has(name));
}

/** True if both get the same values and give the same one, under their own names. */
export function isSameFlow(flow: Flow, otherFlow: Flow, renamed: ReadonlyMap<string, string>): boolean {
  const otherNameOf = (name: string) => renamed.get(name) ?? name;
  const namesOf = (inputs: Flow['inputs']) => inputs.map(({ name }) => name);
  const [inputs, otherInputs] = [new Set(namesOf(flow.inputs).map(otherNameOf)), new Set(namesOf(otherFlow.inputs))];
  return (
    inputs.size === otherInputs.size &&
    [...inputs].every((name) => otherInputs.has(name)) &&
    (flow.output === null) === (otherFlow.output === null) &&
    (flow.output === null || otherNameOf(flow.output.name) === otherFlow.output?.name) &&
    flow.output?.declared === otherFlow.output?.declared &&
    flow.usesThis === otherFlow.usesThis &&
    flow.awaits === otherFlow.awaits &&
    (flow.returns === null) === (otherFlow.returns === null)
  );
}
