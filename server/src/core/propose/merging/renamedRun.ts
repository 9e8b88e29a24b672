// Adapts a call and its data flow to the names of another copy of the same statements.

import type { Flow } from '../extraction/dataFlow.ts';

/** Adds arguments at the end of the last argument list of a call. */
export function appendArguments(call: string, additionalArguments: readonly string[]): string {
  if (additionalArguments.length === 0) return call;
  const end = call.lastIndexOf(')');
  const comma = /\(\s*$/.test(call.slice(0, end)) ? '' : ', ';
  return call.slice(0, end) + comma + additionalArguments.join(', ') + call.slice(end);
}

/** Replaces the names in a call by those of the other copy. `callee`: the name of the called function, which stays. */
export function callWith(call: string, callee: string, renamed: ReadonlyMap<string, string>): string {
  return call.replaceAll(/(?<![\w$.])[A-Za-z_$][\w$]*/g, (name) =>
    name === callee ? name : (renamed.get(name) ?? name),
  );
}

/** True if every name that differs in the other copy is one of `declaredNames`. */
export function renamesOnly(declaredNames: ReadonlySet<string>, renamed: ReadonlyMap<string, string>): boolean {
  return [...renamed].every(([name, otherName]) => name === otherName || declaredNames.has(name));
}

/** True if both copies have the same inputs and the same output, each under its own names. */
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
