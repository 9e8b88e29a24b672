// What the façade says about opportunities besides listing them: which are hidden, and by what.

import type { PassedOver } from '../../model/passedOver.ts';
import type { DismissalKind, Opportunity } from '../../model.ts';
import type { PriorityExplanation } from '../../prioritise/explainPriority.ts';
import type { HiddenBy } from '../../prioritise/visibility.ts';

export interface HiddenOpportunity {
  readonly opportunity: Opportunity;
  /**
   * A rule that is off, a limit in the settings, .gitattributes, a dismissal, the baseline, or a comment in the code.
   */
  readonly by: HiddenBy | 'comment';
  /** In words; null where there is nothing to add. */
  readonly reason: string | null;
}

/** Both best first. */
export interface SeenOpportunities {
  readonly shown: readonly Opportunity[];
  readonly hidden: readonly HiddenOpportunity[];
}

/** What keeps Selfware from changing anything here, and what to do about it. */
export interface Barrier {
  readonly reason: 'untrusted' | 'notARepository' | 'noCommit';
  readonly message: string;
  readonly action: string;
}

/** The one answer to "what can be done here": every face reads it, so that none promises what another denies. */
export interface Doable {
  /** False until the whole repository has been analysed once: what is listed before is not all. */
  readonly analysed: boolean;
  /** Best first, like the others. */
  readonly shown: readonly Opportunity[];
  /** Behind the default filter: of rules that say nothing unless somebody wants them. */
  readonly quiet: readonly Opportunity[];
  /** Of both, what improving turns into proposals, in the order in which it tries them: what is shown comes first. */
  readonly improvable: readonly Opportunity[];
  /** Of both, what a person or a check turned down before: not tried unless asked for by itself. */
  readonly turnedDown: readonly PassedOver[];
  /** How many of both are part of a change that waits for a person's decision. */
  readonly waiting: number;
  /** Fixes that the repository's linters have; null = they have not been asked since files changed. */
  readonly linterFixes: number | null;
  /** Why the linters gave no answer when they were last asked, in sentences. */
  readonly linterTrouble: readonly string[];
  readonly barrier: Barrier | null;
  /** Languages of the code, the one of most files first; empty without code. */
  readonly languages: readonly string[];
  /** Files that were looked at, whatever they hold. */
  readonly files: number;
}

/** What some rules found, apart from what the session knows. */
export interface FoundByRules extends SeenOpportunities {
  /** Why each has its rank. */
  explain(opportunities: readonly Opportunity[]): Promise<readonly PriorityExplanation[]>;
}

export interface DismissRequest {
  /** Id. */
  readonly opportunity: string;
  readonly kind: DismissalKind;
  /** In own words; needed for `other`. */
  readonly reason: string | null;
  /** Of an opportunity in a text that is not saved yet; without them it is looked up. */
  readonly rule?: string;
  readonly path?: string;
}

export interface BaselineReport {
  /** Where the file lies. */
  readonly path: string;
  readonly entries: number;
  /** Opportunities that it hides. */
  readonly held: number;
  readonly byRule: Readonly<Record<string, number>>;
  /** Entries that stand for nothing any longer. */
  readonly fixed: readonly {
    readonly path: string;
    readonly rule: string;
    readonly symbol: string | null;
    readonly id: string;
  }[];
}

/** What the repository's own linters find and can mend themselves. */
export interface LintReport {
  readonly opportunities: readonly Opportunity[];
  /** Names of the linters that were asked. */
  readonly linters: readonly string[];
  /** Files that were looked at now; the others are as they were. */
  readonly looked: number;
  /** Sentences: what kept a linter from answering. */
  readonly trouble: readonly string[];
}
