// Types of a night: the branch that unattended runs fill, and those runs.

import type { NightChange, NightEvent, NightMiss, NightPlan, NightState, RunProgram } from '../model/nights.ts';
import type { Millis } from '../model.ts';

/** A change that a run has committed. */
export interface CommittedChange extends NightChange {
  readonly commit: string;
  readonly at: Millis;
  /** The run that made it. */
  readonly run: string;
}

/** One run on the branch of a night. Several processes may work on it, one after the other. */
export interface Run {
  readonly id: string;
  readonly plan: NightPlan;
  readonly startedAt: Millis;
  /** The time at which the first run of the same order began. Its limits apply to all runs that continue the order. */
  readonly since: Millis;
  /** Null while the run works, and after its process died. */
  readonly endedAt: Millis | null;
  /** The reason of its end; null if it has not ended. */
  readonly reason: string | null;
  /** When a person asked the run to end after its current step; absent if nobody has. */
  readonly askedToEndAt?: Millis;
  /**
   * Sequence number of the event with the request; absent if there is none. Sequence numbers only rise, whereas the
   * clock may be set back.
   */
  readonly askedToEndSequence?: number;
  /** Sequence number of the event with the end; absent if there is none. */
  readonly endedSequence?: number;
  /** The ref of the branch that it follows; null if none was checked out. Absent if it is unknown. */
  readonly follows?: string | null;
  /** The money that it may spend on models; null if there is no limit, or if it is unknown. */
  readonly maxCost: number | null;
  /** Number of times that another process took over. */
  readonly resumed: number;
  /** Number of changes that it has committed. */
  readonly committed: number;
  /** Milliseconds for which it waited, for something to do or for a person. */
  readonly waitedFor: Millis;
  /** Number of consecutive turns that found nothing, since the last change or move of the branch. */
  readonly fruitless: number;
  /** Number of opportunities that were skipped, by reason. */
  readonly passedOver: Readonly<Record<string, number>>;
  /** The version of Selfware that works on it, or worked on it last; null if it is unknown. */
  readonly program: RunProgram | null;
}

/**
 * A request of a person for unattended work, which one run or several on different branches carry out. `since`: the
 * time at which its first run began. `until`: the time at which the next order began; null for the newest order.
 */
export interface NightOrder {
  readonly since: Millis;
  readonly until: Millis | null;
}

/** A branch that one or more runs have filled. */
export interface Night {
  readonly branch: string;
  /** The commit that the branch starts from. */
  readonly base: string;
  readonly state: NightState;
  /**
   * Null if the run does not wait. `until`: the time at which it continues; null if it continues as soon as the reason
   * is gone.
   */
  readonly waiting: { readonly until: Millis | null; readonly reason: string } | null;
  /** Anomalies, oldest first. `answered`: true if a person has allowed the run to continue. */
  readonly unusual: readonly { readonly kind: string; readonly reason: string; readonly answered: boolean }[];
  readonly runs: readonly Run[];
  /** Changes on the branch, in order. */
  readonly changes: readonly CommittedChange[];
  /**
   * Changes that were taken off the branch and wait for a person, with their current commits: held changes, and
   * changes after them if there was no time to judge these again.
   */
  readonly parked: readonly CommittedChange[];
  /** Ids of proposals whose changes are no longer on the branch: dropped, not reapplied, or parked. */
  readonly gone: readonly string[];
  /** Proposals that did not reach the branch. */
  readonly misses: readonly NightMiss[];
  /**
   * Number of proposals that waited for a person and were dropped, so that they no longer count as misses; absent if
   * there are none.
   */
  readonly droppedMisses?: number;
  /**
   * Proposals that a person has applied or rejected in their own tree; empty unless the ledger of that tree was read.
   */
  readonly settled: readonly string[];
  /** Wishes that were tried, with their outcomes. */
  readonly wishes: readonly {
    readonly id: string;
    readonly text: string;
    readonly done: boolean;
    readonly reason: string | null;
    /** The proposal of the newest attempt; null if there is none. */
    readonly proposal: string | null;
    /** Set if the proposal waits for a quieter machine, or if nobody could be asked (`retryAt`). */
    readonly isDeferred?: true;
    /** Set if nobody could be asked: the time of the next try; null if only another run tries it again. */
    readonly retryAt?: Millis | null;
    /** Number of times that nobody could be asked, and the newest reason; absent if that never happened. */
    readonly postponed?: { readonly times: number; readonly reason: string | null };
    /** Set if a person has dropped the proposal since. */
    readonly isDropped?: true;
  }[];
  /** Tasks that cannot be solved, with the outcomes of the proposer's answers. */
  readonly canaries: readonly Omit<EventOf<'nightCanary'>['data'], 'night'>[];
  /** Orders in which a proposer has “solved” a task that cannot be solved, on this branch or on another. */
  readonly heldOrders: readonly NightOrder[];
  /** The searches that ran because nothing else was left to try. */
  readonly searches: readonly Omit<EventOf<'nightSearched'>['data'], 'night'>[];
  /** Variants of changes that were made worse on purpose, with the outcomes of the checks. */
  readonly variants: readonly Omit<EventOf<'nightVariant'>['data'], 'night'>[];
  /** Events about new versions of Selfware, oldest first. */
  readonly upgrades: readonly Omit<EventOf<'nightUpgrade'>['data'], 'night'>[];
  /** Changes that could not be reapplied after the branch was moved or a change was removed. */
  readonly left: readonly {
    readonly title: string;
    readonly reason: string;
    /** Its commit; absent unless a ref keeps it. */
    readonly commit?: string;
    /** Set if no check has refused it on another commit, and no conflict of it is known. */
    readonly untried?: true;
  }[];
  /**
   * Failed notifications: the reason, by the channel (command or URL). A channel is absent if its last attempt
   * succeeded, or if it was never used.
   */
  readonly untold: Readonly<Partial<Record<'command' | 'url', string>>>;
  /** Set if no process works on the run, although it has not ended; absent also if the reader does not know that. */
  readonly isInterrupted?: true;
  /** Set together with `isInterrupted` if a newer night exists, so that no run continues this one. */
  readonly isLeft?: true;
  /** What a person has decided about the branch; null if nothing yet. */
  readonly decided: 'accepted' | 'dropped' | 'squashed' | null;
  /** The one commit that a person has made of the branch; absent if there is none. */
  readonly squashedTo?: string;
  /** The time of its newest event. */
  readonly lastAt: Millis;
  /** Number of its newest event in the ledger. */
  readonly lastSequence: number;
}

/**
 * The work tree of a run that was moved aside because git could not read it. `at`: the time of the move. `bytes`: size
 * of its readable files.
 */
export interface SetAsideTree {
  readonly folder: string;
  readonly at: Millis;
  readonly bytes: number;
}

/**
 * An event of a night with its time. `sequence`: the number in the ledger; if absent, the position in the list of
 * events.
 */
export type TimedNightEvent = NightEvent & { readonly at: Millis; readonly sequence?: number };

/** The event of the type `T`, with its time. */
export type EventOf<T extends NightEvent['type']> = Extract<TimedNightEvent, { readonly type: T }>;
