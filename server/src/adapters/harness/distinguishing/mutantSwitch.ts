// Switches mutants on and off in code into which all of them are compiled, and notes which of them a call reaches.

import { SWITCH } from '../../../core/verify/guard/inTests.ts';

const reached = new Set<number>();
let active: number | null = null;

/** Switches this mutant on and all others off; null = all off. Forgets what was reached. */
export function switchOn(mutant: number | null): void {
  reached.clear();
  active = mutant;
  Object.defineProperty(globalThis, SWITCH, { value: isOn, configurable: true });
}

/** The mutants that were reached since the last call of `switchOn`. */
export function reachedBy(): readonly number[] {
  return [...reached];
}

function isOn(mutant: number): boolean {
  reached.add(mutant);
  return mutant === active;
}
