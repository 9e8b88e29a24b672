// Parameters and answers of the commands for unattended runs.

import type { ProposerChoice } from './models.ts';

/**
 * Argument of the command `runOvernight`. If `until` is absent, the answer lists the options, and nothing is started.
 */
export interface RunOvernightParams {
  /** The end, in milliseconds since the epoch. */
  readonly until?: number;
  /** Maximum number of changes that are committed. Default: the setting. */
  readonly maxChanges?: number;
  /** The proposer that is asked if recipes propose nothing more. Default: only recipes are used. */
  readonly proposer?: string;
  /** Files and folders in which something may be improved, relative to the root. Default: all. */
  readonly places?: readonly string[];
  /** Files and folders that no change may touch. Default: none. */
  readonly excluded?: readonly string[];
  /** The kinds of work, as in `NightChoices`. Default: all. */
  readonly kinds?: readonly string[];
  /** The maximum cost of questions to models, in the currency of the prices; 0 for no limit. Default: the setting. */
  readonly maxCost?: number;
  /** The destination to which the person has just agreed. */
  readonly agreed?: string;
}

/** The options of the person before an unattended run. */
export interface NightChoices {
  /** The setting `charter.maxChanges`. */
  readonly maxChanges: number;
  /** Proposers that can be asked without the window of the editor. */
  readonly proposers: readonly ProposerChoice[];
  /**
   * The number of models of the editor, which are not in `proposers`: a run that outlives the window cannot ask them.
   */
  readonly leftOut: number;
  /** The missing parts of other proposers, as sentences. */
  readonly missing: readonly string[];
  /** What to expect of a run: the figures of earlier runs, and the remaining work. */
  readonly outlook: string;
  /** What the run does if the machine runs on its battery; null if nothing is known about its power. */
  readonly power: string | null;
  /** Folders with code, relative to the root. A person may name or exclude some of them. */
  readonly folders: readonly string[];
  readonly kinds: readonly { readonly kind: string; readonly text: string }[];
  /** Lines that say what a run may commit without asking, and what waits for a person. */
  readonly unasked: readonly string[];
  /** The money limit; null unless a proposer has a price above 0. */
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

/** Maximum number of changes of a night in the state of the sidebar. The report contains all of them. */
export const MAX_NIGHT_CHANGES = 50;

/** Maximum length of a wish, in characters. The core has the same limit. */
export const MAX_WISH_LENGTH = 4_000;

/** One change of the queue of wishes. If no field is set, nothing is changed. The answer always contains the queue. */
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

/**
 * Argument of the command `acceptanceTest`, which asks a model for the acceptance test of the next wish that has none.
 */
export interface AcceptanceParams {
  readonly proposer: string;
  /** The destination to which the person has just agreed. */
  readonly agreed?: string;
  /** Ids of wishes about whose tests the person was already asked. */
  readonly without?: readonly string[];
  /**
   * The id of the wish whose test is requested, even if a person has already decided on its test. Default: the next
   * wish on whose test nobody has decided.
   */
  readonly wish?: string;
  /** True if earlier attempts at this test are neither counted nor shown to the model. */
  readonly again?: boolean;
}

/** A person's decision on the acceptance test of a wish. */
export interface DecideAcceptanceParams {
  readonly wish: string;
  /**
   * The files of the test with their complete texts (`after`), which the person may have changed; `before` as in
   * `ShownAcceptance`. If absent, the person wants no test.
   */
  readonly texts?: readonly { readonly path: string; readonly before: string | null; readonly after: string }[];
}

/** The acceptance test of a wish, before a person has decided on it. */
export interface ShownAcceptance {
  readonly wish: string;
  readonly words: string;
  /** The number of further wishes without a test. */
  readonly left: number;
  readonly files: readonly { readonly path: string; readonly before: string | null; readonly after: string }[];
  /** The failure of the test before the wish is fulfilled, as the test runner prints it. */
  readonly failure: string;
  /** The reason why there is no test; null if there is one. */
  readonly refused: string | null;
}

/** Names an unattended run. If `night` is absent, the newest one. */
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
  /** For `dropNight`: the reason, in the person's words. */
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
   * `onBranch`: it is a commit of the branch. `held`: it is also a commit of the branch, but its proposer is not
   * trusted, so it is accepted only if a person names it. `parked`: it was removed from the branch for that reason.
   * `asks`: only a person may decide, so it was never committed.
   */
  readonly place: 'onBranch' | 'held' | 'parked' | 'asks';
  /** True if it was filed as a proposal that waits for a decision. */
  readonly isTaken: boolean;
}

/** True if the run has not ended and its process is not lost; a run that waits is in progress. */
export function isNightInProgress({ state }: Pick<NightSummary, 'state'>): boolean {
  return state !== 'ended' && state !== 'lost';
}

/** The newest unattended run, for the sidebar and the status bar. */
export interface NightSummary {
  readonly branch: string;
  /**
   * `needsPerson`: something is unusual, and `step` describes it. `lost`: its process has ended without a result; the
   * next run continues it. `draining`: it ends after its current step. `degraded`: it runs with fewer resources than it
   * should have; `figures` describe them.
   */
  readonly state: 'running' | 'degraded' | 'waiting' | 'needsPerson' | 'draining' | 'ended' | 'lost';
  /** One line for a person; null if nothing remains to be reported. */
  readonly line: string | null;
  /** Its current step, while it is running or waiting; otherwise null. */
  readonly step: string | null;
  /**
   * Figures beside `step`, one line each: changes and their rate, failures, tokens, wishes, memory and processor,
   * bottleneck.
   */
  readonly figures?: readonly string[];
  /** Number of changes on the branch. */
  readonly changes: number;
  /** The number of changes that were not yet filed as proposals. */
  readonly untaken: number;
  /**
   * After the run: the changes that are neither applied nor dropped, by their numbers, at most `MAX_NIGHT_CHANGES`;
   * undefined if there are none.
   */
  readonly open?: readonly NightChangeState[];
  /** Number of further such changes, which are not in `open`; undefined if there are none. */
  readonly furtherOpen?: number;
  readonly decided: 'accepted' | 'dropped' | 'squashed' | null;
}
