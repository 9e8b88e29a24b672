// Compiles large WebAssembly without V8's optimiser, which takes seconds and hundreds of MB for it.

import { setFlagsFromString } from 'node:v8';

/**
 * Flags with which V8 compiles a module immediately and completely with the baseline compiler, and never with the
 * optimiser.
 */
const BASELINE_ONLY = ['--no-wasm-dynamic-tiering', '--no-wasm-tier-up', '--no-wasm-lazy-compilation'];
const DEFAULT_FLAGS = ['--wasm-dynamic-tiering', '--wasm-tier-up', '--wasm-lazy-compilation'];

/** Runs a function that compiles modules, so that they stay in the form of the baseline compiler. */
export function compileWithoutOptimiser<T>(compile: () => T): T {
  // The flags affect all threads, but only code that is compiled before they are reset below.
  for (const flag of BASELINE_ONLY) setFlagsFromString(flag);
  try {
    return compile();
  } finally {
    for (const flag of DEFAULT_FLAGS) setFlagsFromString(flag);
  }
}
