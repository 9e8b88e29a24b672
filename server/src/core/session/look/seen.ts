// Types for what the façade says about opportunities besides listing them: which are hidden, and why.

import type { PassedOver } from '../../model/passedOver.ts';
import type { DismissalKind, Opportunity } from '../../model.ts';
import type { PriorityExplanation } from '../../prioritise/explainPriority.ts';
import type { CheckedFind, LeftOut } from '../../verify/counterexamples/plan.ts';
import type { UnguardedFunction } from '../../verify/guard/unguarded.ts';
import type { HiddenBy } from '../../prioritise/visibility.ts';

export interface HiddenOpportunity {
  readonly opportunity: Opportunity;
  /** The rule is off, a limit in the settings, .gitattributes, a dismissal, the baseline, or a comment in the code. */
  readonly by: HiddenBy | 'comment';
  /** In words; null if there is nothing to add. */
  readonly reason: string | null;
}

/** Both lists best first. */
export interface SeenOpportunities {
  readonly shown: readonly Opportunity[];
  readonly hidden: readonly HiddenOpportunity[];
}

/** What prevents Selfware from changing anything here, and what to do about it. */
export interface Barrier {
  readonly reason: 'untrusted' | 'notARepository' | 'noCommit';
  readonly message: string;
  readonly action: string;
}

/** The one answer to "what can be done here", which all interfaces show, so that none contradicts another. */
export interface Doable {
  /** False until the whole repository has been analysed once: until then the lists are incomplete. */
  readonly analysed: boolean;
  /** Best first, like the other lists. */
  readonly shown: readonly Opportunity[];
  /** Opportunities of quiet rules, behind the default filter. */
  readonly quiet: readonly Opportunity[];
  /** Those of both lists that improving turns into proposals, in the order in which it tries them: shown ones first. */
  readonly improvable: readonly Opportunity[];
  /**
   * Those of both lists whose change a person or a check has refused before: tried again only if requested
   * individually.
   */
  readonly turnedDown: readonly PassedOver[];
  /** The number in both lists that are part of a change that waits for a person's decision. */
  readonly waiting: number;
  /** Number of fixes of the repository's linters; null = they have not run since files changed. */
  readonly linterFixes: number | null;
  /** Sentences about why linters gave no answer in their last run. */
  readonly linterTrouble: readonly string[];
  readonly barrier: Barrier | null;
  /** Languages of the code, the one with most files first; empty without code. */
  readonly languages: readonly string[];
  /** Number of files that were analysed, in any language. */
  readonly files: number;
}

/** Findings of some rules, which the session does not keep. */
export interface FoundByRules extends SeenOpportunities {
  /** Explains the rank of each opportunity. */
  explain(opportunities: readonly Opportunity[]): Promise<readonly PriorityExplanation[]>;
}

export interface DismissRequest {
  /** Id of the opportunity. */
  readonly opportunity: string;
  readonly kind: DismissalKind;
  /** The reason in the person's words; required for `other`. */
  readonly reason: string | null;
  /** For an opportunity in an unsaved text; if left out, it is looked up. */
  readonly rule?: string;
  readonly path?: string;
}

export interface BaselineReport {
  /** Path of the file. */
  readonly path: string;
  readonly entries: number;
  /** Number of opportunities that it hides. */
  readonly held: number;
  readonly byRule: Readonly<Record<string, number>>;
  /** Entries whose opportunity no longer exists. */
  readonly fixed: readonly {
    readonly path: string;
    readonly rule: string;
    readonly symbol: string | null;
    readonly id: string;
  }[];
}

/** What the repository's own linters find and can fix. */
export interface LintReport {
  readonly opportunities: readonly Opportunity[];
  /** Names of the linters that ran. */
  readonly linters: readonly string[];
  /** Files that were checked now; the others had not changed. */
  readonly looked: number;
  /** Sentences about what prevented a linter from answering. */
  readonly trouble: readonly string[];
}

/** What a search for mistakes that no test notices has found. */
export interface UnguardedReport {
  /** In the order of the files, with what is known from earlier searches. */
  readonly found: readonly UnguardedFunction[];
  /** Files that were looked at, and how many of them were looked at before and are the same, with their tests. */
  readonly files: number;
  readonly known: number;
  /** Mutants that were tried now, and how many of them no test noticed. */
  readonly mutants: number;
  readonly survivors: number;
  /** Functions that were called now. */
  readonly functions: number;
  /** Functions that were not called, with the reason. */
  readonly leftOut: readonly LeftOut[];
  /** Number of files for which not enough time was left. */
  readonly undone: number;
}

/** What a search for calls that break functions has found. */
export interface CounterexampleReport {
  /** The most telling first, with what is known from earlier searches. */
  readonly finds: readonly CheckedFind[];
  /** Files that were looked at, and how many of them were searched before and have not changed. */
  readonly files: number;
  readonly known: number;
  /** Functions that were called now, and the number of calls. */
  readonly functions: number;
  readonly inputs: number;
  /** Functions that were not called, with the reason. */
  readonly leftOut: readonly LeftOut[];
  /** Number of checks for which no time was left. */
  readonly undone: number;
}
