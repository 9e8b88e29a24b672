// The types of a function with mistakes that no test notices, and of the tests that would notice them.

import type { Range } from '../../model.ts';
import type { DistinguishingCall } from './distinguishingCalls.ts';

/** A mutant that no test notices, and a call that distinguishes it. */
export interface SurvivingMutant {
  /** 1-based line of the mutant. */
  readonly line: number;
  /** The file of the mutant, if it differs from the file of the function. */
  readonly path?: string;
  /** The change of the code, such as `a < b → a <= b`. */
  readonly shown: string;
  /** Location and change in the format of `describeMutant`. */
  readonly place: string;
  /** A call that distinguishes the mutant. */
  readonly call: string;
  /** The behaviour of the call with the current code, such as `returns 11`. */
  readonly now: string;
  /** The behaviour of the call with the mutant, such as `returns 10`. */
  readonly then: string;
}

/** An exported function, or a member of an exported class, with mistakes that no test notices. */
export interface UnguardedFunction {
  readonly path: string;
  readonly name: string;
  readonly exportedAs: string;
  /** The name of the class in the calls; set only for a member. */
  readonly className?: string;
  readonly range: Range;
  readonly nameRange: Range;
  /** The mistakes, at least one, in the order of the file. */
  readonly mistakes: readonly SurvivingMutant[];
  /** A few calls that together distinguish all of the mistakes. */
  readonly calls: readonly (Pick<DistinguishingCall, 'call' | 'given' | 'around' | 'steps' | 'result'> & {
    /** True if the call throws with each of the mistakes that it distinguishes. */
    readonly mistakesThrow?: true;
  })[];
  /** Name of the test runner; null if unknown. */
  readonly runner: string | null;
  /** Tests that record these calls, or the reason why there are none. */
  readonly test: WrittenTest;
  /**
   * The number of the search that found the function, if the file was searched again after tests were added; absent for
   * the first search.
   */
  readonly round?: number;
  /** True if only the nearest tests ran, so that other tests may notice the mistakes. */
  readonly nearby?: true;
}

/** The test file and the lines to add to it, or the reason why there is no test. */
export type WrittenTest =
  | {
      readonly path: string;
      readonly added: string;
      /**
       * Python and Go: the insertions that create the new text. Absent for scripts, whose tests are written when they
       * are proposed.
       */
      readonly splices?: readonly Splice[];
    }
  | { readonly refused: string };

/** A replacement of the lines `from` (0-based) to `to` (exclusive). */
export interface Splice {
  readonly from: number;
  readonly to: number;
  readonly lines: readonly string[];
}

/**
 * The text after these replacements, which must not overlap. New lines get the line ending of the first line of the
 * text; existing lines keep theirs.
 */
export function applySplices(text: string, splices: readonly Splice[]): string {
  const newline = /\r?\n/.exec(text)?.[0] ?? '\n';
  const lines = text.split(/(?<=\n)/).filter((line) => line !== '');
  const lastIndex = lines.length - 1;
  if (lastIndex >= 0 && !lines[lastIndex]!.endsWith('\n')) lines[lastIndex] += newline;
  for (const { from, to, lines: newLines } of splices.toSorted((a, b) => b.from - a.from || b.to - a.to))
    lines.splice(from, to - from, ...newLines.map((line) => line + newline));
  return lines.join('');
}
