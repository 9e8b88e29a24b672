// The types of a function with mistakes that no test notices, and the text of tests that would notice them.

import type { Range } from '../../model.ts';
import type { DistinguishingCall } from './distinguishingCalls.ts';

/** A mutant that no test notices, and a call that would show it. */
export interface SurvivingMutant {
  /** The line of the mutant, 1-based. */
  readonly line: number;
  /** The file of the mutant, if it is not the file of the function. */
  readonly path?: string;
  /** The change of the code: `a < b → a <= b`. */
  readonly shown: string;
  /** Place and change in words, from `describeMutant`. */
  readonly place: string;
  /** A call that shows the mutant. */
  readonly call: string;
  /** The behaviour of the call now: `returns 11`. */
  readonly now: string;
  /** The behaviour of the call with the mutant: `returns 10`. */
  readonly then: string;
}

/** An exported function, or a member of an exported class, with such mistakes. */
export interface UnguardedFunction {
  readonly path: string;
  readonly name: string;
  readonly exportedAs: string;
  /** Set if it is a member: the name of its class in the calls. */
  readonly className?: string;
  readonly range: Range;
  readonly nameRange: Range;
  /** The mistakes, at least one, in the order of the file. */
  readonly mistakes: readonly SurvivingMutant[];
  /** A few calls that together show all of the mistakes. */
  readonly calls: readonly (Pick<DistinguishingCall, 'call' | 'given' | 'around' | 'steps' | 'result'> & {
    /** True if the call throws with each of the mistakes that it shows. */
    readonly mistakesThrow?: true;
  })[];
  /** Name of the test runner; null if unknown. */
  readonly runner: string | null;
  /** Tests that record these calls, or the reason why there are none. */
  readonly test: WrittenTest;
  /** The number of the search that has found it, if the file was searched again after its tests were kept. */
  readonly round?: number;
  /** True if only the nearest tests ran, so that other tests may notice the mistakes. */
  readonly nearby?: true;
}

/** The file for tests and the lines to add to it, or the reason why there are none. */
export type WrittenTest =
  | {
      readonly path: string;
      readonly added: string;
      /**
       * Python and Go: the insertions that make the new text. Absent for scripts, whose tests are written when
       * proposed.
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
 * The text after these replacements, which must not overlap. New lines get the line end of the first line of the text;
 * existing lines keep theirs.
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
