// Switches mutants on and off in code into which all mutants are compiled, and notes which of them the code reaches.

import { SWITCH_FUNCTION } from '../../../core/verify/guard/inTests.ts';

const reachedMutants = new Set<number>();
let active: number | null = null;

/** Switches this mutant on and all others off; null switches all off. Forgets the mutants that were reached. */
export function activateMutant(mutant: number | null): void {
  reachedMutants.clear();
  active = mutant;
  // The property is not writable, so that an assignment in the tested code cannot replace it.
  Object.defineProperty(globalThis, SWITCH_FUNCTION, { value: isOn, configurable: true });
}

/** The mutants that were reached since the last call of `activateMutant`. */
export function listReachedMutants(): readonly number[] {
  return [...reachedMutants];
}

function isOn(mutant: number): boolean {
  reachedMutants.add(mutant);
  return mutant === active;
}
