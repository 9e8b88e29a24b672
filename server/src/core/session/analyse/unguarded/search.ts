// Types that the parts of the search for missing tests share.

import type { SkippedFunction } from '../../../verify/counterexamples/plan.ts';
import type { UnguardedFunction } from '../../../verify/guard/unguarded.ts';
import type { UnchangedTests } from '../../../verify/testing/unchangedTests.ts';
import type { VerifyContext } from '../../../verify/context.ts';
import type { SessionContext } from '../../context.ts';
import type { UnguardedRequest } from '../analysisTypes.ts';
import type { Grounds, KeptUnguarded, StoredUnguarded } from './unguardedMistakes.ts';

/** A request for a search for missing tests. */
export type UnguardedSearchRequest = UnguardedRequest;

/** The counts of a search for its report, which grow while it runs. */
export interface Totals {
  /** Number of mutants that were tried. */
  mutants: number;
  /** Number of the tried mutants that no test noticed. */
  survivors: number;
  /** The numbers of tried and of missed mutants, by file. */
  readonly tried: { readonly path: string; readonly tried: number; readonly missed: number }[];
  /** Number of functions that were called. */
  functions: number;
  /** Functions and complete files that were skipped, each with the reason. */
  readonly leftOut: SkippedFunction[];
  /** Number of files that were not searched completely. */
  undone: number;
  /** The reason why each mistake takes a separate run of the tests, with advice; null if none is known. */
  advice: string | null;
  /** True if more is known than before about the mutants of an unfinished file. */
  hasLearned: boolean;
}

/** The data that all steps of one search for missing tests share. */
export interface Search {
  readonly context: SessionContext;
  /** The command that starts the harness. */
  readonly harness: readonly string[];
  readonly gates: VerifyContext;
  readonly tests: UnchangedTests;
  readonly request: UnguardedSearchRequest;
  /** Name of the test runner; null if unknown. */
  readonly runner: string | null;
  /** The results of earlier searches that count for this one. Filled file by file. */
  readonly keptByPath: Map<string, KeptUnguarded>;
  /** All results. Filled file by file, and stored after each group of files. */
  readonly stored: StoredUnguarded<Map<string, KeptUnguarded>>;
  /** Decides which stored findings still count. */
  readonly grounds: Grounds;
  /** Files that were searched before, and whose new tests were kept since. */
  readonly repeatedFiles: ReadonlySet<string>;
  readonly totals: Totals;
  /**
   * `together`: true as long as one run of the tests may judge many mutants. It becomes false if a trial shows that
   * each mutant needs a separate run, as with old versions of some runners.
   */
  readonly pace: { together: boolean };
  /** True if only the nearest tests run (`quick.ts`). */
  readonly isNearby: boolean;
  /** Maximum number of mutants of a script on average. */
  readonly mutantsPerFile: number;
}

/** The results of a search of some files. */
export interface FoundInFiles {
  readonly foundFunctions: readonly UnguardedFunction[];
  /** Files for which there was too little time. */
  readonly incomplete: ReadonlySet<string>;
  /** Files with planned mistakes that were not tried, including files that are complete without them. */
  readonly untried?: ReadonlySet<string>;
  /** Files of `incomplete` or `untried` that the next search examines even if it has no more time than this one. */
  readonly atNextSearch?: ReadonlySet<string>;
  /** Keys of the mutants that tests have noticed, by path (`repeatedSearch.ts`). */
  readonly noticed?: ReadonlyMap<string, readonly string[]>;
  /** Keys of the mutants that no test has noticed, by path (`unfinished.ts`). */
  readonly missed?: ReadonlyMap<string, readonly string[]>;
}
