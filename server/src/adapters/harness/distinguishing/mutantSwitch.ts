// Switches mutants on and off in code into which all mutants are compiled, and notes which of them the code reaches.

import { SWITCH_FUNCTION } from '../../../core/verify/guard/inTests.ts';

const reachedMutants = new Set<number>();
let activeMutant: number | null = null;

/** Switches this mutant on and all others off; null switches all off. Forgets the mutants that were reached. */
export function activateMutant(mutant: number | null): void {
  reachedMutants.clear();
  activeMutant = mutant;
  // The property is not writable, so that an assignment in the tested code cannot replace it.
  Object.defineProperty(globalThis, SWITCH_FUNCTION, { value: isActive, configurable: true });
}

/** The mutants that were reached since the last call of `activateMutant`. */
export function listReachedMutants(): readonly number[] {
  return [...reachedMutants];
}

function isActive(mutant: number): boolean {
  reachedMutants.add(mutant);
  return mutant === activeMutant;
}
