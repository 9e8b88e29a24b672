// Parameters and answers of the commands for unattended runs.

import type { ProposerChoice } from './models.ts';

/** Argument of the command `runOvernight`. Without `until`, the answer lists the options, and nothing is started. */
export interface RunOvernightParams {
  /** The end, in milliseconds since the epoch. */
  readonly until?: number;
  /** Maximum number of changes that are committed. Default: the setting. */
  readonly maxChanges?: number;
  /** Default: only recipes. */
  readonly proposer?: string;
  /** Files and folders in which something may be improved, relative to the root. Default: all. */
  readonly places?: readonly string[];
  /** Files and folders that no change may touch. Default: none. */
  readonly excluded?: readonly string[];
  /** The kinds of work, as in `NightChoices`. Default: all. */
  readonly kinds?: readonly string[];
  /** The money that questions to models may cost; 0 for no limit. Default: the setting. */
  readonly maxCost?: number;
  /** The destination to which the person has just agreed. */
  readonly agreed?: string;
}

/** The options of the person before an unattended run. */
export interface NightChoices {
  /** The setting `charter.maxChanges`. */
  readonly maxChanges: number;
  /** Proposers that do not need the window. */
  readonly proposers: readonly ProposerChoice[];
  /** The number of models of the editor, which a run that outlives the window cannot ask. */
  readonly leftOut: number;
  /** The missing parts of other proposers, as sentences. */
  readonly missing: readonly string[];
  /** The expectations of a run: the figures of earlier ones, and the remaining work. */
  readonly outlook: string;
  /** What the run does if the machine runs on its battery; null if nothing is known about its power. */
  readonly power: string | null;
  /** Folders with code, relative to the root. A person may name or exclude some of them. */
  readonly folders: readonly string[];
  readonly kinds: readonly { readonly kind: string; readonly text: string }[];
  /** What a run may commit without asking, and what waits, one line each. */
  readonly unasked: readonly string[];
  /** Null unless a proposer has a price above 0. */
  readonly money: MoneyChoices | null;
  /** True if the run continues when the window is closed: the setting `night.keepAfterWindow`. */
  readonly keepsAfterWindow: boolean;
}

/** The limit of money before an unattended run. */
export interface MoneyChoices {
  /** The setting `models.costPerRun`; 0 for no limit. */
  readonly limit: number;
  /** Names of proposers that are known to cost nothing. */
  readonly free: readonly string[];
}

/** Maximum number of changes of a night in the sidebar's state. The report has all. */
export const MAX_NIGHT_CHANGES = 50;

/** Maximum length of a wish, in characters, as the core has it. */
export const MAX_WISH_LENGTH = 4_000;

/**
 * One change of the queue of wishes. Without a field, nothing is changed; the answer contains the queue in each case.
 */
export interface WishesParams {
  /** The words of a new wish, which becomes the last one. */
  readonly add?: string;
  /** The id of the wish that is to be tried before all others. */
  readonly first?: string;
  /** The id of the wish that is to be tried one place earlier. */
  readonly up?: string;
  /** The id of the wish that is to be tried one place later. */
  readonly down?: string;
  /** The id of the wish that is to be tried after all others. */
  readonly last?: string;
  /** The id of the wish that is no longer wanted. */
  readonly drop?: string;
}

/** A wish that waits, for a list. */
export interface WaitingWish {
  readonly id: string;
  readonly words: string;
  /** `open`: nobody has decided on an acceptance test yet. `none`: the person wants none. */
  readonly test: 'accepted' | 'none' | 'open';
  /** Number of failed tries. */
  readonly tries: number;
  /** The reason why the last try failed; null if it was not tried, or if no reason is known. */
  readonly lastReason: string | null;
}

/** Asks for the acceptance test of the next wish that has none. */
export interface AcceptanceParams {
  readonly proposer: string;
  /** The destination to which the person has just agreed. */
  readonly agreed?: string;
  /** Wishes that the person was asked about already. */
  readonly without?: readonly string[];
  /** The wish that is asked about, even if there is a decision on its test; otherwise the next wish without one. */
  readonly wish?: string;
  /** True if earlier attempts at this test are neither counted nor shown. */
  readonly again?: boolean;
}

/** A person's decision on the acceptance test of a wish. */
export interface DecideAcceptanceParams {
  readonly wish: string;
  /**
   * The files of the test with their whole texts (`after`), as shown to or changed by the person; `before` as in
   * `ShownAcceptance`. If omitted, the person wants no test.
   */
  readonly texts?: readonly { readonly path: string; readonly before: string | null; readonly after: string }[];
}

/** The acceptance test of a wish, before a person has decided on it. */
export interface ShownAcceptance {
  readonly wish: string;
  readonly words: string;
  /** Further wishes without a test. */
  readonly left: number;
  readonly files: readonly { readonly path: string; readonly before: string | null; readonly after: string }[];
  /** Its failure before the wish is fulfilled, as the test runner prints it. */
  readonly failure: string;
  /** The reason why there is none; null if there is one. */
  readonly refused: string | null;
}

/** Names an unattended run. Without `night`, the newest one. */
export interface NightRef {
  /** The name of its branch. */
  readonly night?: string;
}

/** Argument of the commands `acceptNight` and `dropNight`. */
export interface DecideNightParams extends NightRef {
  /** Ids of proposals, or numbers in the report. Default: all changes; `dropNight` then deletes the branch. */
  readonly changes?: readonly string[];
  /** For `acceptNight`: applies the changes to the working tree now, instead of filing them for review. */
  readonly apply?: boolean;
  /** For `dropNight`: why, in the person's words. */
  readonly reason?: string;
}

/** A change of an unattended run on which a person has not decided yet. */
export interface NightChangeState {
  /** The id of its proposal. */
  readonly id: string;
  /** Its number in the report. */
  readonly number: number;
  readonly title: string;
  /** Its strength, its gain and its first file, or the reason why only a person may decide. */
  readonly detail: string;
  /**
   * `onBranch`: it is a commit of the branch. `held`: it is one, too, but its proposer is not trusted, so it has to be
   * named. `parked`: it was taken off the branch for that reason. `asks`: only a person may decide, so it was never
   * committed.
   */
  readonly place: 'onBranch' | 'held' | 'parked' | 'asks';
  /** True if it was filed as a proposal, which waits among the decisions. */
  readonly isTaken: boolean;
}

/** True until the run has ended, even while it waits. */
export function isNightInProgress({ state }: Pick<NightSummary, 'state'>): boolean {
  return state !== 'ended' && state !== 'lost';
}

/** The newest unattended run, for the sidebar and the status bar. */
export interface NightSummary {
  readonly branch: string;
  /**
   * `needsPerson`: something is unusual, and `step` describes it. `lost`: its process has ended without a result; the
   * next run continues it. `draining`: it ends after its current step. `degraded`: it runs with less than it should
   * have, which `figures` say.
   */
  readonly state: 'running' | 'degraded' | 'waiting' | 'needsPerson' | 'draining' | 'ended' | 'lost';
  /** One line for a person; null if nothing remains to be reported. */
  readonly line: string | null;
  /** Its current step, while it is running or waiting; otherwise null. */
  readonly step: string | null;
  /** Beside `step`, one line each: changes and their rate, failures, tokens, wishes, memory and processor, bottleneck. */
  readonly figures?: readonly string[];
  readonly changes: number;
  /** The number of changes that were not taken as proposals yet. */
  readonly untaken: number;
  /**
   * After the run, the changes that are neither applied nor dropped, by their numbers; undefined if there are none. At
   * most `MAX_NIGHT_CHANGES`.
   */
  readonly open?: readonly NightChangeState[];
  /** Number of further such changes, which are not in `open`; undefined if there are none. */
  readonly furtherOpen?: number;
  readonly decided: 'accepted' | 'dropped' | 'squashed' | null;
}
