// Adapts a call and its data flow to the names of another copy of the same statements.

import type { Flow } from '../extraction/dataFlow.ts';

/** Adds arguments at the end of the last argument list of a call. */
export function addArguments(call: string, additionalArguments: readonly string[]): string {
  if (additionalArguments.length === 0) return call;
  const end = call.lastIndexOf(')');
  const comma = /\(\s*$/.test(call.slice(0, end)) ? '' : ', ';
  return call.slice(0, end) + comma + additionalArguments.join(', ') + call.slice(end);
}

/** Replaces the names in a call by those of the other copy. `callee`: the name of the called function, which stays. */
export function renameInCall(call: string, callee: string, renames: ReadonlyMap<string, string>): string {
  return call.replaceAll(/(?<![\w$.])[A-Za-z_$][\w$]*/g, (name) =>
    name === callee ? name : (renames.get(name) ?? name),
  );
}

/** True if every name that differs in the other copy is one of `declaredNames`. */
export function areRenamesWithin(declaredNames: ReadonlySet<string>, renames: ReadonlyMap<string, string>): boolean {
  return [...renames].every(([name, otherName]) => name === otherName || declaredNames.has(name));
}

/** True if both copies have the same inputs and the same output, each under its own names. */
export function isSameFlow(flow: Flow, otherFlow: Flow, renames: ReadonlyMap<string, string>): boolean {
  const renameToOther = (name: string) => renames.get(name) ?? name;
  const listNames = (inputs: Flow['inputs']) => inputs.map(({ name }) => name);
  const [inputs, otherInputs] = [
    new Set(listNames(flow.inputs).map(renameToOther)),
    new Set(listNames(otherFlow.inputs)),
  ];
  return (
    inputs.size === otherInputs.size &&
    [...inputs].every((name) => otherInputs.has(name)) &&
    (flow.output === null) === (otherFlow.output === null) &&
    (flow.output === null || renameToOther(flow.output.name) === otherFlow.output?.name) &&
    flow.output?.declared === otherFlow.output?.declared &&
    flow.usesThis === otherFlow.usesThis &&
    flow.awaits === otherFlow.awaits &&
    (flow.returns === null) === (otherFlow.returns === null)
  );
}
