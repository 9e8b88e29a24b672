// Types of answers about opportunities, and of the reports of linters, coverage, the profiler, and the searches for
// counterexamples and for missing tests.

import type { WrongExample } from '../../verify/examples/examplePlan.ts';
import type { Operation } from '../../operation.ts';
import type { HotFunction } from '../../verify/hot/profile.ts';
import type { SkippedPlace } from '../../model/skippedPlaces.ts';
import type { DismissalKind, Opportunity } from '../../model.ts';
import type { PriorityExplanation } from '../../prioritise/explainPriority.ts';
import type { CheckedCounterexample, SkippedFunction } from '../../verify/counterexamples/plan.ts';
import type { UnguardedFunction } from '../../verify/guard/unguarded.ts';
import type { HiddenBy } from '../../prioritise/visibility.ts';

/** An opportunity that is not shown. */
export interface HiddenOpportunity {
  readonly opportunity: Opportunity;
  /**
   * The reason why the opportunity is hidden: its rule is off, a limit in the settings or of the list, .gitattributes,
   * a licence, a dismissal, the baseline, or a comment in the code.
   */
  readonly by: HiddenBy | 'comment';
  /** The reason in words; null if there is nothing to add. */
  readonly reason: string | null;
}

/** The opportunities that are shown and those that are hidden, each list best first. */
export interface ListedOpportunities {
  readonly shown: readonly Opportunity[];
  readonly hidden: readonly HiddenOpportunity[];
}

/** An obstacle to all changes here, with advice. */
export interface Barrier {
  readonly reason: 'untrusted' | 'notARepository' | 'noCommit';
  /**
   * True if this folder cannot become a repository by `git init`: there is a repository that git cannot use, or git
   * itself is missing.
   */
  readonly broken?: true;
  readonly message: string;
  readonly action: string;
}

/** The work that can be done here, which all interfaces show, so that none contradicts another. */
export interface PossibleWork {
  /** False until the whole repository has been analysed once. Until then the lists are incomplete. */
  readonly analysed: boolean;
  /** The shown opportunities, best first. */
  readonly shown: readonly Opportunity[];
  /** Opportunities of quiet rules, which the default filter hides; best first. */
  readonly quiet: readonly Opportunity[];
  /**
   * Opportunities of both lists that improving would try to turn into proposals, in the order in which it tries them:
   * shown ones first.
   */
  readonly improvable: readonly Opportunity[];
  /**
   * Number of `improvable` opportunities in files with uncommitted changes of a person. Improving tries them only if
   * they, or their files, are named.
   */
  readonly unfinished: number;
  /** Number of shown opportunities that improving would try if the charter did not protect their files. */
  readonly protected: number;
  /**
   * Opportunities of both lists whose change a person or a check has refused before. They are tried again only if they
   * are named.
   */
  readonly turnedDown: readonly SkippedPlace[];
  /** Number of opportunities in both lists whose change waits for a person's decision. */
  readonly waiting: number;
  /**
   * Number of fixes of the repository's linters; null if files or the configuration have changed since the linters last
   * ran.
   */
  readonly linterFixes: number | null;
  /** Sentences that say why linters gave no answer in their last run. */
  readonly linterTrouble: readonly string[];
  /** The obstacle to all changes; null if there is none. */
  readonly barrier: Barrier | null;
  /** Languages of the code, the one with most files first; empty without code. */
  readonly languages: readonly string[];
  /** Number of analysed files in all languages. */
  readonly files: number;
}

/** Findings of some rules only. The session does not store them. */
export interface FoundByRules extends ListedOpportunities {
  /** Explains the rank of each opportunity. */
  explain(opportunities: readonly Opportunity[]): Promise<readonly PriorityExplanation[]>;
}

/** A person's statement that something is not an opportunity. */
export interface DismissRequest {
  /** Id of the opportunity. */
  readonly opportunity: string;
  readonly kind: DismissalKind;
  /** The reason in the person's words; required for `other`. */
  readonly reason: string | null;
  /**
   * The rule, if the caller knows it, as for an opportunity in an unsaved text. If `rule` or `path` is missing, both
   * are looked up.
   */
  readonly rule?: string;
  /** The path, if the caller knows it. */
  readonly path?: string;
}

/** The baseline in numbers. */
export interface BaselineReport {
  /** Path of the file of the baseline. */
  readonly path: string;
  readonly entries: number;
  /** Number of opportunities that the baseline hides. */
  readonly held: number;
  /** By rule: the number of opportunities that the baseline hides. */
  readonly byRule: Readonly<Record<string, number>>;
  /** Entries whose opportunity no longer exists. */
  readonly fixed: readonly {
    readonly path: string;
    readonly rule: string;
    readonly symbol: string | null;
    readonly id: string;
  }[];
}

/** The findings of the repository's own linters, and their fixes. */
export interface LintReport {
  readonly opportunities: readonly Opportunity[];
  /** Names of the linters that ran. */
  readonly linters: readonly string[];
  /** Number of files that were checked in this run. The others had not changed. */
  readonly looked: number;
  /** Sentences about linters that gave no answer, each with the reason. */
  readonly trouble: readonly string[];
}

/** A request to search for mistakes that no test notices. */
export interface UnguardedRequest extends Operation {
  /** Files or folders; empty: all. */
  readonly paths: readonly string[];
  /** Files and folders that are skipped. */
  readonly excluded?: readonly string[];
  /**
   * If this is aborted, the search ends within seconds, as if its time were over, and stores and reports its results so
   * far.
   */
  readonly stop?: AbortSignal;
  /**
   * Files that are skipped, because an earlier search of the same run has shown that their tests fail without mutants.
   */
  readonly except?: ReadonlySet<string>;
  /** Seconds for mutants and calls; running the tests without mutants takes extra time. */
  readonly seconds: number;
  /**
   * Seconds from the start after which no mutant is begun, even if running the tests without mutants took long;
   * undefined for no such limit.
   */
  readonly secondsInAll?: number;
  /** True to search a file again that counts as searched but has untried mistakes. */
  readonly all?: boolean;
  /** Ends the search soon after it has found something for which a test can be written. */
  readonly untilFound?: boolean;
  /**
   * True if a person waits for a first result. In a repository with many test files, the search examines only files
   * with few test files nearby, and runs only these. Its findings count only for other quick searches.
   */
  readonly quick?: boolean;
}

/** An exported function that no test reaches. */
export interface UntestedFunction {
  readonly path: string;
  /** `Stack.push` for a method. */
  readonly name: string;
  readonly line: number;
  readonly column: number;
  /** The cognitive complexity. */
  readonly complexity: number;
}

/** The functions that are listed, and the number of all that no test reaches. */
export interface UntestedFunctions {
  readonly listed: readonly UntestedFunction[];
  readonly count: number;
}

/** The report of a search for mistakes that no test notices. */
export interface UnguardedReport {
  /** In the order of the files, including results of earlier searches. */
  readonly found: readonly UnguardedFunction[];
  /** Functions that no test reaches at all; absent in a quick search, and with `untilFound`. */
  readonly untested?: UntestedFunctions;
  /** Number of requested files. */
  readonly files: number;
  /**
   * Number of the requested files that earlier searches have completed and that have not changed since, their tests
   * included.
   */
  readonly known: number;
  /** Number of mutants that were judged in this search. */
  readonly mutants: number;
  /** Number of the judged mutants that no test noticed. */
  readonly survivors: number;
  /** The numbers of judged and of surviving mutants, by file. */
  readonly tried: readonly { readonly path: string; readonly tried: number; readonly missed: number }[];
  /** Number of functions that were called in this search. */
  readonly functions: number;
  /** Functions and complete files that were skipped, each with the reason. */
  readonly leftOut: readonly SkippedFunction[];
  /** Number of files for which not enough time was left. */
  readonly undone: number;
  /** The reason why each mistake takes a separate run of the tests, with advice; null or undefined if none is known. */
  readonly advice?: string | null;
  /** True if the next search continues with what this one has learned about mutants of an unfinished file. */
  readonly hasLearned?: boolean;
  /**
   * If nothing was searched, because all unfinished files already had at least as much time in earlier searches: the
   * least of those times, in seconds. Otherwise null or undefined.
   */
  readonly spent?: number | null;
}

/** The functions in which a run of the tests or of a benchmark spent its time. */
export interface HotReport {
  /** What was profiled. */
  readonly of: 'tests' | 'benchmark';
  readonly command: string;
  /** True if the run ended with an error, so that everything after the failure may be missing. */
  readonly failed: boolean;
  /** Time with code of the repository on the stack, in all processes together. */
  readonly millis: number;
  /** Hottest first. */
  readonly found: readonly HotFunction[];
}

/** A request to measure the test coverage. */
export interface MeasuringRequest extends Operation {
  /** True to repeat measurements. */
  readonly again?: boolean;
}

/** The lines that the tests run. */
export interface CoverageReport {
  readonly command: string;
  /** The tool that counted the lines, for people. */
  readonly by: string;
  readonly millis: number;
  /** Number of tests that passed in the run; null if unknown. */
  readonly passed: number | null;
  /** Number of tests that failed in the run; null if unknown. */
  readonly failed: number | null;
  /** True if this tree was measured before, so that nothing ran now. */
  readonly known: boolean;
  /** Number of lines with statements in product files that ran; null if unknown, with the reason in `explanation`. */
  readonly covered: number | null;
  /** Number of all lines with statements in product files; null if unknown, with the reason in `explanation`. */
  readonly coverable: number | null;
  readonly explanation: string;
  /** The product files. `missed`: lines that did not run; empty for a file that no test loads. */
  readonly files: readonly {
    readonly path: string;
    readonly covered: number;
    readonly coverable: number;
    readonly missed: readonly number[];
  }[];
}

/** The result of a search for calls that break functions. */
export interface CounterexampleReport {
  /** The counterexamples of this search and of earlier ones, the most valuable first. */
  readonly finds: readonly CheckedCounterexample[];
  /** Number of examined files. */
  readonly files: number;
  /** Number of the examined files that were searched before and have not changed since. */
  readonly known: number;
  /** Number of functions that were called in this search. */
  readonly functions: number;
  /** Number of calls in this search. */
  readonly inputs: number;
  /** Functions that were not called, each with the reason. */
  readonly leftOut: readonly SkippedFunction[];
  /** Number of checks that were not completed, because the time was over. */
  readonly undone: number;
}

/** The examples of the documentation to run. */
export interface ExamplesRequest extends Operation {
  /** Documents or folders; empty: all. */
  readonly paths: readonly string[];
  /** Documents and folders that are skipped. */
  readonly excluded?: readonly string[];
  /** Seconds for running the examples. */
  readonly seconds: number;
}

/** The result of running the examples of the documentation. */
export interface ExampleReport {
  readonly wrong: readonly WrongExample[];
  /** Examples of which nothing certain can be said. */
  readonly unclear: readonly UnclearExample[];
  /** Number of documents with stated results. */
  readonly documents: number;
  /** Number of stated results. */
  readonly checks: number;
}

/** Path and line of a block, or of a stated result, of which nothing certain can be said. */
export interface UnclearExample {
  readonly path: string;
  readonly line: number;
  readonly reason: string;
}
