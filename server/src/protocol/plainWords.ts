// Plain words for ids that people see: the checks of a change, and its effect on behaviour. JSON keeps the ids.

import { gateWords } from './gateWords.ts';

export interface CheckWords {
  /** As a heading has it. */
  readonly label: string;
  /** One sentence on what the check shows when it passes. */
  readonly meaning: string;
}

/** By the id of the gate. */
export const checkWords: Readonly<Record<string, CheckWords>> = gateWords;

/** "Same behaviour" for `differential`; an id that is not known stays as it is. */
export function checkLabel(gate: string): string {
  return checkWords[gate]?.label ?? gate;
}

/** A reason that begins with the id of a check, as a person reads it: "tests: 2 failed" → "Tests: 2 failed". */
export function plainReason(reason: string): string {
  return reason.replace(/^([a-z]+)(?=: )/, (gate) => checkLabel(gate));
}

const effects: Readonly<Record<string, string>> = {
  additive: 'only adds',
  behaviorPreserving: 'keeps what the code does',
  behaviorChanging: 'may change what the code does',
  critical: 'edits tests, settings or what a build reads',
};

/**
 * What a change may do to whoever uses the code. An export that is removed changes nothing inside, and nobody outside
 * is known to import it.
 */
export function effectOf({ safety, recipe }: { readonly safety: string; readonly recipe: string }): string {
  if (recipe === 'unexport' && safety === 'behaviorChanging') return 'no longer exports a name';
  return effects[safety] ?? safety;
}
