// Compiles grammars, and keeps V8's optimiser away from functions that are too large for it.

import { SelfwareError } from '../../util/typedError.ts';
import { compileWithoutOptimiser } from '../system/baselineCompiler.ts';

/** The part of the runtime's interface that is used here, because the type library of Node does not describe it. */
const { Module } = (
  globalThis as unknown as { readonly WebAssembly: { readonly Module: new (bytes: Uint8Array) => object } }
).WebAssembly;

/**
 * Maximum number of bytes of a function in a grammar that may be optimised. The lexer of a grammar is one function with
 * a branch for each of its states: 10–50 kB in most grammars, 435 kB in Swift's. Optimised code takes a bit more than
 * half of the time, but the optimiser starts after a few hundred letters, and its time and memory grow faster than the
 * function: 2.8 GB and 3 s of processor time for Swift's, 660 MB and 1 s for Bash's. Below the limit, optimisation pays
 * off after 1–2 MB of text.
 */
export const MAX_OPTIMISED_BYTES = 64 * 1024;
/** Id of the section of a WebAssembly module that contains the code of the functions. */
const CODE_SECTION = 10;
/** Number of bytes before the first section of a module: its magic number and version. */
const HEADER_BYTES = 8;

/**
 * Compiles a grammar. Throws `unavailable` for bytes that are not a module. Threads that compile the same bytes share
 * the result.
 */
export function compileGrammar(wasm: Uint8Array): object {
  try {
    if (measureLargestFunction(wasm) <= MAX_OPTIMISED_BYTES) return new Module(wasm);
    return compileWithoutOptimiser(() => new Module(wasm));
  } catch (cause) {
    throw new SelfwareError('unavailable', 'A grammar could not be compiled.', {
      action: 'Install Selfware again.',
      cause,
    });
  }
}

/**
 * The size of a module's largest function in bytes; 0 without functions. See WebAssembly Core Specification 2.0,
 * 5.5.13.
 */
export function measureLargestFunction(wasm: Uint8Array): number {
  let index = HEADER_BYTES;
  const readNumber = (): number => {
    for (let value = 0, shift = 0; ; shift += 7) {
      const byte = wasm[index++] ?? 0;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
    }
  };
  while (index < wasm.length) {
    const id = wasm[index++];
    const end = readNumber() + index;
    if (id === CODE_SECTION) {
      let largest = 0;
      for (let remaining = readNumber(); remaining > 0; remaining--) {
        const size = readNumber();
        largest = Math.max(largest, size);
        index += size;
      }
      return largest;
    }
    index = end;
  }
  return 0;
}
