// Chooses the version of Selfware that workers of an unattended run are started from: a pure function from state and
// event to the next state and effects. A new version is checked first, takes over between two steps of the run, and is
// rolled back if it fails soon afterwards.

import { SUPERVISION_RULES, type MonotonicMs } from './supervision.ts';

/** A version of Selfware that a run can use: its own copy of the program. */
export interface ProgramVersion {
  readonly version: string;
  /** Hash of the program's files. */
  readonly hash: string;
  /** Absolute path of the copy. */
  readonly folder: string;
}

/** The limits by which a version is kept or rolled back. */
export interface TakeOverRules {
  /** A version is kept when one of its workers has run for this many ms. */
  readonly probationMs: number;
  /** A version whose workers fail this often before that is rolled back. */
  readonly maxFailures: number;
}

/** The limits of a run; tests use shorter ones. */
export const TAKE_OVER_RULES: TakeOverRules = {
  // Longer than a worker without progress lives, so that a version that hangs is not kept.
  probationMs: SUPERVISION_RULES.noProgressMs + 10 * 60_000,
  maxFailures: 2,
};

/** The steps of a take-over, for the ledger. */
export type TakeOverStep = 'offered' | 'refused' | 'switched' | 'kept' | 'doubted' | 'rolledBack';

/** A version that has passed its check. */
interface CheckedVersion {
  readonly version: ProgramVersion;
  /** The result of the check, as a sentence; null if the check gave none. */
  readonly found: string | null;
}

/**
 * The probation of the version that has taken over. It may be rolled back to `previous`. `failures`: number of its
 * workers that have failed.
 */
interface Probation {
  readonly previous: ProgramVersion;
  readonly failures: number;
}

/** The state between two events. */
export interface TakeOverState {
  /** The version from which the next worker starts. */
  readonly current: ProgramVersion;
  /** The version that is being checked; null if there is none. */
  readonly checking: ProgramVersion | null;
  /**
   * The version that has passed its check and replaces `current` at the next start of a worker; null if there is none.
   */
  readonly next: CheckedVersion | null;
  /** Null unless `current` has taken over and may still be rolled back to `previous`. */
  readonly probation: Probation | null;
  /** The time at which the present worker started; null while there is none. */
  readonly since: MonotonicMs | null;
  /**
   * Versions whose worker reported that the run is over or needs a person. They are refused once another version has
   * shown that the run can continue.
   */
  readonly doubted: readonly ProgramVersion[];
  /** Hashes of the versions that are not tried again. */
  readonly refused: readonly string[];
}

/** An event. `at` never decreases from one event to the next. */
export type TakeOverEvent = { readonly at: MonotonicMs } & (
  | {
      /** A version is offered. `again`: true if it is to be tried even if it was refused before. */
      readonly type: 'offered';
      readonly offer: ProgramVersion;
      readonly again: boolean;
    }
  /**
   * The check of a version has ended. `reason`: the reason why it may not take over; null if it may. `found`: the
   * result of the check, as a sentence.
   */
  | {
      readonly type: 'checked';
      readonly hash: string;
      readonly reason: string | null;
      readonly found?: string | null;
    }
  | { readonly type: 'workerStarts' }
  /**
   * `isFailure`: true if nobody asked the worker to end. `isDoubtful`: true if the worker reported that the run cannot
   * continue, which may be the fault of its version.
   */
  | { readonly type: 'workerEnded'; readonly isFailure: boolean; readonly isDoubtful?: boolean }
  | { readonly type: 'tick' }
);

/** An action for the supervisor's process. */
export type TakeOverEffect =
  /** Answered by `checked`. */
  | { readonly type: 'check'; readonly offer: ProgramVersion }
  /** Asks for a restart of the worker after its current step. Each tick repeats it until the restart. */
  | { readonly type: 'renewWorker' }
  | {
      readonly type: 'record';
      readonly step: TakeOverStep;
      readonly subject: ProgramVersion;
      readonly reason: string | null;
    };

/** The next state, and the effects to carry out now, in this order. */
interface TakeOverResult {
  readonly state: TakeOverState;
  readonly effects: readonly TakeOverEffect[];
}

/** The state before the first event. `refused`: hashes of the versions that were refused or rolled back earlier. */
export function createInitialTakeOver(current: ProgramVersion, refused: readonly string[]): TakeOverState {
  return { current, checking: null, next: null, probation: null, since: null, doubted: [], refused };
}

/** Handles an event: returns the next state, and the effects to carry out now, in this order. */
export function nextTakeOverState(
  state: TakeOverState,
  event: TakeOverEvent,
  rules: TakeOverRules = TAKE_OVER_RULES,
): TakeOverResult {
  switch (event.type) {
    case 'offered':
      return onOffered(state, event.offer, event.again);
    case 'checked':
      return onChecked(state, event);
    case 'workerStarts':
      return onWorkerStarts(state, event.at);
    case 'workerEnded': {
      const endedState = { ...state, since: null };
      return event.isDoubtful ? onDoubtful(endedState) : onWorkerEnded(endedState, event.isFailure, rules);
    }
    case 'tick':
      return onTick(state, event.at, rules);
  }
}

/**
 * Asks for a restart of the worker while a version waits to take over. Otherwise, a worker that has run for the length
 * of the probation shows that its version is good, and that the run could continue: its version is kept, and the
 * doubted versions are refused.
 */
function onTick(state: TakeOverState, now: MonotonicMs, rules: TakeOverRules): TakeOverResult {
  const { probation, next, current, since, doubted, refused } = state;
  if (next !== null) return { state, effects: [{ type: 'renewWorker' }] };
  if (since === null || now - since < rules.probationMs) return { state, effects: [] };
  return {
    state: { ...state, probation: null, doubted: [], refused: [...refused, ...doubted.map(({ hash }) => hash)] },
    effects: [
      ...(probation === null ? [] : [record('kept', current)]),
      ...doubted.map((version) => record('refused', version, 'Another version could continue the run.')),
    ],
  };
}

/** False while an offer would be ignored because another version is being checked, switched to, or on probation. */
export function acceptsOffers({ checking, next, probation }: TakeOverState): boolean {
  return checking === null && next === null && probation === null;
}

function onOffered(state: TakeOverState, offer: ProgramVersion, isRepeated: boolean): TakeOverResult {
  const isDoubted = state.doubted.some(({ hash }) => hash === offer.hash);
  const isRefused = (state.refused.includes(offer.hash) || isDoubted) && !isRepeated;
  if (!acceptsOffers(state) || isRefused || offer.hash === state.current.hash) return { state, effects: [] };
  const doubted = state.doubted.filter(({ hash }) => hash !== offer.hash);
  return {
    state: { ...state, checking: offer, doubted },
    effects: [record('offered', offer), { type: 'check', offer }],
  };
}

function onChecked(
  state: TakeOverState,
  { hash, reason, found = null }: Extract<TakeOverEvent, { readonly type: 'checked' }>,
): TakeOverResult {
  const { checking } = state;
  if (checking?.hash !== hash) return { state, effects: [] };
  if (reason === null)
    return {
      state: { ...state, checking: null, next: { version: checking, found } },
      effects: [{ type: 'renewWorker' }],
    };
  return {
    state: { ...state, checking: null, refused: [...state.refused, hash] },
    effects: [record('refused', checking, reason)],
  };
}

function onWorkerStarts(state: TakeOverState, now: MonotonicMs): TakeOverResult {
  const { next, current } = state;
  if (next !== null) {
    const newProbation = { previous: current, failures: 0 };
    return {
      state: { ...state, current: next.version, next: null, probation: newProbation, since: now },
      effects: [record('switched', next.version, next.found)],
    };
  }
  return { state: { ...state, since: now }, effects: [] };
}

function onWorkerEnded(state: TakeOverState, isFailure: boolean, rules: TakeOverRules): TakeOverResult {
  const { probation, current } = state;
  if (probation === null || !isFailure) return { state, effects: [] };
  const failures = probation.failures + 1;
  if (failures < rules.maxFailures) {
    return { state: { ...state, probation: { ...probation, failures } }, effects: [] };
  }
  return {
    state: {
      ...state,
      current: probation.previous,
      probation: null,
      refused: [...state.refused, current.hash],
    },
    effects: [record('rolledBack', current, `Its process failed ${failures} times soon after it took over.`)],
  };
}

/**
 * Handles a worker that reported that the run cannot continue. The cause may be the version on probation or the run
 * itself, such as a full disk. The previous version shows which: it continues the run, or it ends as well. The new
 * version is refused only if the previous one continues.
 */
function onDoubtful(state: TakeOverState): TakeOverResult {
  const { probation, current, doubted } = state;
  if (probation === null) return { state, effects: [] };
  const reason = 'It found that the run is over or needs a person, which the previous version is to confirm.';
  return {
    state: { ...state, current: probation.previous, probation: null, doubted: [...doubted, current] },
    effects: [record('doubted', current, reason)],
  };
}

function record(step: TakeOverStep, subject: ProgramVersion, reason: string | null = null): TakeOverEffect {
  return { type: 'record', step, subject, reason };
}
