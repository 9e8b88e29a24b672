// Unattended runs as plain data: plans, commits, refused proposals, and outcomes.

import type { AcceptanceFile } from './acceptance.ts';
import type { Author } from './authors.ts';
import type { CheatKind, VariantOutcome } from './cheats.ts';
import type { Claim } from './claims.ts';
import type { WorkScope } from './workScope.ts';
import type { Millis, Strength } from '../model.ts';
import type { Cost } from './asks.ts';

/** The version of Selfware that a process of a run uses. */
export interface RunProgram {
  /** The version number. */
  readonly version: string;
  /** Hash of its files. */
  readonly hash: string;
}

/** Limits and scope of one run, as a person gave them. */
export interface NightPlan extends Pick<WorkScope, 'excluded' | 'kinds'> {
  /** The run ends at this time at the latest. */
  readonly until: Millis;
  /** Maximum number of changes that this run commits, however often its process starts again. */
  readonly maxChanges: number;
  /** The proposer that is asked if recipes propose nothing more; null if only recipes are used. */
  readonly proposer: string | null;
  /** Files and folders in which something may be improved; null for all. */
  readonly places: readonly string[] | null;
}

/** A change on the branch of a run, which is one commit. */
export interface NightChange {
  readonly proposal: string;
  readonly title: string;
  readonly rationale: string;
  readonly rule: string;
  readonly recipe: string;
  readonly author: Author;
  readonly strength: Strength;
  readonly claim: Claim | null;
  /** Points of the tree before and after; null if the ruler could not measure it. */
  readonly points: { readonly before: number; readonly after: number } | null;
  readonly paths: readonly string[];
  /** The time at which it was proposed, perhaps in an earlier run; absent in older events. */
  readonly proposedAt?: Millis;
  /** The result of each gate, in one sentence each. */
  readonly checks: readonly { readonly gate: string; readonly outcome: string; readonly reason: string }[];
  /** The commands of types, linter and tests that judged it, as a person would type them; absent in older events. */
  readonly commands?: readonly string[];
  /** Null if no model was asked. */
  readonly cost: Cost | null;
  /** Its hunks, by the hashes of their texts; absent in older events. */
  readonly turns?: readonly Turn[];
}

/**
 * A hunk of a change. `from` and `to`: hashes of its old and its new text; an empty hash means that there is no text.
 */
export interface Turn {
  readonly path: string;
  readonly from: string;
  readonly to: string;
}

/** A proposal that is not on the branch, with the reason. */
export interface NightMiss {
  /**
   * `refused`: a gate failed. `rolledBack`: it failed after it was applied. `asks`: only a person may decide.
   * `brokeDown`: its verification broke down. `deferred`: its proof needs a quieter machine; a later outcome of the
   * same proposal replaces it.
   */
  readonly what: 'refused' | 'rolledBack' | 'asks' | 'brokeDown' | 'deferred';
  readonly proposal: string;
  readonly title: string;
  readonly rule: string;
  readonly path: string;
  readonly reason: string;
  /** The failed check, its result, and what the next attempt does differently; absent in older events. */
  readonly next?: string;
  /** The author; absent in older events. */
  readonly author?: Author;
  /** The kind of the claim; absent in older events. */
  readonly claim?: Claim['kind'];
  /** The gate that failed; absent if none did, and in older events. */
  readonly gate?: string;
}

/**
 * A stage of a run. `prioritise`: orders the places and makes the proposal of a recipe. `ask`: a proposer answers.
 * `reload`: the tree is read and scored again after a change.
 */
export type Stage = 'analyse' | 'prioritise' | 'ask' | 'verify' | 'decide' | 'apply' | 'reload';

/** One stage of a turn: its total duration, and how often it had each outcome. */
export interface StageFigures {
  readonly stage: Stage;
  readonly ms: number;
  readonly outcomes: Readonly<Record<string, number>>;
}

/**
 * The state of a run. `waiting`: it waits for its time or for a commit. `needsPerson`: it waits until a person allows
 * it to continue.
 */
export type NightState = 'running' | 'waiting' | 'needsPerson' | 'stopped';

/**
 * A change that is no longer on the branch. `held`: it was removed from the branch so that a person decides, and can
 * still be accepted. `lost`: it can no longer be applied to the branch, although nobody has rejected it. `commit`: its
 * commit, which a ref keeps. `title`: set if it never reached the branch. `untried`: it was not tried on another
 * commit, so it may still be applicable.
 */
export interface LeftChange {
  readonly proposal: string;
  readonly title?: string;
  readonly reason: string;
  readonly held?: true;
  readonly lost?: true;
  readonly untried?: true;
  readonly commit?: string;
}

/** Events of unattended runs in the ledger of the repository. `night` is the name of the branch. */
export type NightEvent =
  | {
      readonly type: 'nightStarted';
      readonly data: {
        readonly night: string;
        readonly run: string;
        readonly base: string;
        readonly plan: NightPlan;
        /**
         * The time at which the first run of this order began, if this run continues the order on another branch;
         * otherwise absent.
         */
        readonly since?: Millis;
        /** The ref of the branch that the run follows; null if none was checked out. Absent in older events. */
        readonly follows?: string | null;
        /** The money that the run may spend on models; absent without a limit, and in older events. */
        readonly maxCost?: number;
        /** Absent if the run has no copy of the program of its own. */
        readonly program?: RunProgram;
      };
    }
  /**
   * A process took over a run whose process had died. `plan`: the plan of the person who started it; null if it is
   * unchanged. `follows` and `maxCost` as at the start, with null instead of no limit; absent in older events.
   */
  | {
      readonly type: 'nightResumed';
      readonly data: {
        readonly night: string;
        readonly run: string;
        readonly plan?: NightPlan | null;
        readonly follows?: string | null;
        readonly maxCost?: number | null;
        readonly program?: RunProgram;
      };
    }
  | {
      readonly type: 'nightCommitted';
      readonly data: {
        readonly night: string;
        readonly run: string;
        readonly commit: string;
        readonly change: NightChange;
      };
    }
  | {
      readonly type: 'nightMissed';
      readonly data: { readonly night: string; readonly run: string; readonly miss: NightMiss };
    }
  /** A turn of the run has ended: the stages of its proposals. */
  | {
      readonly type: 'nightTurn';
      readonly data: { readonly night: string; readonly run: string; readonly stages: readonly StageFigures[] };
    }
  /**
   * A wish was tried. `notDone`: no answer passed, for the reason in `reason`; the wish stays in the queue.
   * `deferred`: the proof of the proposal needs a quieter machine, so it is verified again later, possibly in the same
   * run; or, with `retryAt`, nobody could be asked.
   */
  | {
      readonly type: 'nightWish';
      readonly data: {
        readonly night: string;
        readonly run: string;
        readonly wish: string;
        readonly text: string;
        readonly outcome: 'committed' | 'notDone' | 'deferred';
        readonly proposal: string | null;
        readonly reason: string | null;
        /**
         * Set if nobody could be reached, or if a budget is used up: the time of the next try; null if only another run
         * tries it again.
         */
        readonly retryAt?: Millis | null;
        /** Duration of the answer and its checks; absent in older events. */
        readonly seconds?: number;
      };
    }
  /** The proposer was given a task that cannot be solved. `solved`: all gates passed its answer. */
  | {
      readonly type: 'nightCanary';
      readonly data: {
        readonly night: string;
        readonly run: string;
        readonly proposer: string;
        /** Title of the test that contradicts another test. */
        readonly test: string;
        /** Path of the file with that test. */
        readonly path: string;
        readonly solved: boolean;
        readonly reason: string | null;
      };
    }
  /**
   * The run had nothing else to try, so it has searched. `found`: the new results as phrases: wrong examples, functions
   * that lack tests, or calls that break.
   */
  | {
      readonly type: 'nightSearched';
      readonly data: {
        readonly night: string;
        readonly run: string;
        readonly search: 'examples' | 'tests' | 'calls';
        /** Number of files that were searched. */
        readonly files: number;
        /** Number of files, or of calls, for which no time was left. */
        readonly undone: number;
        readonly found: readonly string[];
        /** Absent in older events. */
        readonly seconds?: number;
        /**
         * For a search for missing tests: the number of mutants that were tried, and the number that no test noticed.
         */
        readonly mistakes?: {
          readonly tried: number;
          readonly missed: number;
          /** The numbers for each file. */
          readonly files?: readonly { readonly path: string; readonly tried: number; readonly missed: number }[];
        };
        /** The most frequent reasons why places were skipped, each with its number of places. */
        readonly leftOut?: readonly { readonly reason: string; readonly places: number }[];
        /** The reason why the search ended early. */
        readonly obstacle?: string;
      };
    }
  /**
   * A change was made worse on purpose, and judged. `title`: the title of the change. `reason`: the reason why it did
   * not pass.
   */
  | {
      readonly type: 'nightVariant';
      readonly data: {
        readonly night: string;
        readonly run: string;
        readonly proposal: string;
        readonly title: string;
        readonly kind: CheatKind;
        readonly path: string;
        readonly line: number;
        readonly outcome: VariantOutcome;
        readonly reason: string | null;
        /** Set if the variant makes code worse that the change does not touch. */
        readonly isBeside?: true;
        /** The beginning of the diff from the change to the variant, if it escaped; absent in older events. */
        readonly diff?: string;
      };
    }
  /** The run waits. `until`: null if it continues as soon as the reason no longer applies. */
  | {
      readonly type: 'nightWaiting';
      readonly data: {
        readonly night: string;
        readonly run: string;
        readonly until: Millis | null;
        readonly reason: string;
        /** Number of turns in a row that found nothing; absent if the run waits for something else. */
        readonly fruitless?: number;
      };
    }
  /** The run noticed an anomaly and waits for a person. `kind`: one of `ANOMALY_KINDS`. */
  | {
      readonly type: 'nightPaused';
      readonly data: {
        readonly night: string;
        readonly run: string;
        readonly kind: string;
        readonly reason: string;
      };
    }
  /** A person has looked at the anomaly, and the run continues. */
  | {
      readonly type: 'nightAnswered';
      readonly data: { readonly night: string; readonly run: string; readonly by: 'person' };
    }
  /** A person lets the run end after its current step. */
  | {
      readonly type: 'nightAskedToEnd';
      readonly data: { readonly night: string; readonly run: string; readonly by: 'person' };
    }
  /** The branch now starts at another commit: each change was judged again there. */
  | {
      readonly type: 'nightMoved';
      readonly data: {
        readonly night: string;
        readonly base: string;
        /** The changes that are still on the branch, in order, with their new commits. */
        readonly commits: readonly { readonly proposal: string; readonly commit: string }[];
        readonly left: readonly LeftChange[];
      };
    }
  | {
      readonly type: 'nightEnded';
      readonly data: {
        readonly night: string;
        readonly run: string;
        readonly reason: string;
        /** Number of skipped places, by reason. */
        readonly passedOver: Readonly<Record<string, number>>;
      };
    }
  /**
   * A new version of Selfware was offered to the run. `hash`: the hash of its files. `refused`: its check failed.
   * `doubted`: the previous version runs again to show whether the new one or the run is the cause of a problem.
   * `rolledBack`: it took over and failed. A version that was refused or rolled back is tried again only if a person
   * asks for it.
   */
  | {
      readonly type: 'nightUpgrade';
      readonly data: {
        readonly night: string;
        readonly run: string;
        readonly step: 'offered' | 'refused' | 'switched' | 'kept' | 'doubted' | 'rolledBack';
        readonly version: string;
        readonly hash: string;
        /** For `switched`: the result of its check. */
        readonly reason: string | null;
      };
    }
  /** The person was notified of the run, or the notification failed. */
  | {
      readonly type: 'nightTold';
      readonly data: {
        readonly night: string;
        readonly run: string;
        /** The occasion of the notification (`NoticeOccasion`). */
        readonly event: string;
        readonly by: 'command' | 'url';
        /** The reason why the notification failed; null if it was sent. */
        readonly failure: string | null;
      };
    }
  /** A person's decision on the branch. */
  | {
      readonly type: 'nightDecided';
      readonly data: {
        readonly night: string;
        readonly verdict: 'accepted' | 'dropped' | 'squashed';
        /** Proposals of the changes; null for all. */
        readonly changes: readonly string[] | null;
        /** The single commit of a squashed branch; absent for other verdicts. */
        readonly commit?: string;
      };
    };

/**
 * A person has merged or cherry-picked a commit of a night into their branch with git, so its change is kept. `commit`:
 * the commit in the history of that branch.
 */
export interface NightMergeEvent {
  readonly type: 'nightMerged';
  readonly data: { readonly night: string; readonly proposal: string; readonly commit: string };
}

/** Events of the queue of wishes: tasks that a person requests for the next unattended runs. */
export type WishEvent =
  | { readonly type: 'wishAdded'; readonly data: { readonly wish: string; readonly text: string } }
  /** A person's decision on the acceptance test: the accepted files; empty if the person wants none. */
  | {
      readonly type: 'wishTested';
      readonly data: { readonly wish: string; readonly tests: readonly AcceptanceFile[]; readonly by: 'person' };
    }
  /**
   * The wish was removed from the queue. `proposal`: a proposal that answers the wish and waits for the person; absent
   * if the person no longer wants the wish.
   */
  | { readonly type: 'wishDropped'; readonly data: { readonly wish: string; readonly proposal?: string } }
  /** The wish was moved to the front of the queue. */
  | { readonly type: 'wishFirst'; readonly data: { readonly wish: string } }
  /** The wish was moved. `before`: the wish that it comes right before; null for the end of the queue. */
  | { readonly type: 'wishMoved'; readonly data: { readonly wish: string; readonly before: string | null } };
