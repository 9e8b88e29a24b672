// Mistakes in a function that no test notices. Plain data.

import type { Range } from '../../model.ts';
import type { TellingCall } from './telling.ts';

/** A mutant that no test notices, and a call that would show it. */
export interface Mistake {
  /** The line of the mutant, 1-based. */
  readonly line: number;
  /** The change of the code: `a < b → a <= b`. */
  readonly shown: string;
  /** Place and change, as `describeMutant` describes them. */
  readonly place: string;
  /** A call that shows the mutant, what it does now, and what it would do: `returns 10`. */
  readonly call: string;
  readonly now: string;
  readonly then: string;
}

/** An exported function with such mistakes. */
export interface UnguardedFunction {
  readonly path: string;
  readonly name: string;
  readonly exportedAs: string;
  readonly range: Range;
  readonly nameRange: Range;
  /** The mistakes, at least one, in the order of the file. */
  readonly mistakes: readonly Mistake[];
  /** Few calls that together show them. */
  readonly calls: readonly Pick<TellingCall, 'call' | 'given' | 'result'>[];
  /** Name of the test runner; null = unknown. */
  readonly runner: string | null;
  /** Tests that record these calls: the lines to add to a file, or why there are none. */
  readonly test: { readonly path: string; readonly added: string } | { readonly refused: string };
}
