// Folds events into the state of the ledger: proposals, checkpoints, points, refusals, dismissals and more. The
// functions are pure, and a fold continues from an earlier state.

import { SelfwareError } from '../../util/typedError.ts';
import type { Checkpoint, Dismissal, Millis, Points, Strength, Verdict } from '../model.ts';
import type { Refusal } from '../model/skippedPlaces.ts';
import { readRecordedEvent, type RecordedEvent, type StoredProposal, proposalIdOf } from './events.ts';
import { FOLDED_ELSEWHERE } from './foldedElsewhere.ts';
import { splitOpportunityIds } from './opportunityIds.ts';
import { requireStep, statusAfter } from './proposalLife.ts';
import { undoneReason } from './undoneReason.ts';
import { computeNextVersion, requireVersion, type RuleData } from './ruleVersions.ts';
import type { StoredEvent } from '../ports/ledger.ts';

/** The state after all events up to `last`. */
export interface LedgerState {
  /** Sequence of the newest folded event. */
  readonly last: number;
  /** Proposals by id, in the order in which they were filed. */
  readonly proposals: ReadonlyMap<string, StoredProposal>;
  /** Checkpoints by id, oldest first, without pruned ones. */
  readonly checkpoints: ReadonlyMap<string, Checkpoint>;
  /** Each measurement of points with its time, oldest first. */
  readonly points: readonly { readonly at: Millis; readonly points: Points }[];
  /** Every application of a proposal, oldest first, including those that were rolled back since. */
  readonly changes: readonly { readonly at: Millis; readonly proposal: string }[];
  /**
   * Refusals by a recipe or a gate, rejections and rollbacks: by the id of the opportunity, and also by the content key
   * of the edits.
   */
  readonly refused: ReadonlyMap<string, Refusal>;
  /** By opportunity: the causes for which it was skipped. Each is a text: who skipped it, a space, and the reason. */
  readonly passedOver: ReadonlyMap<string, ReadonlySet<string>>;
  /** Dismissals by opportunity, oldest first. Expired ones are included, undone ones are not. */
  readonly dismissed: ReadonlyMap<string, Dismissal>;
  /**
   * By proposal: its newest outcome, in the order of these outcomes. Outcomes whose lesson a person has forgotten are
   * omitted.
   */
  readonly outcomes: ReadonlyMap<string, { readonly at: Millis; readonly rule: string; readonly failed: boolean }>;
  /** Proposals and opportunities that no longer count for lessons, because a person has forgotten their lesson. */
  readonly idsWithForgottenLessons: ReadonlySet<string>;
  /** By file of rules: its version, which changes with each rule that is written to it. */
  readonly ruleVersions: ReadonlyMap<string, string>;
  /** True while the kill switch is on. */
  readonly stopped: boolean;
  /** By proposal: hash of the text that describes the tree immediately before it was applied. */
  readonly bases: ReadonlyMap<string, string>;
  /** By proposal: its last commit. */
  readonly commits: ReadonlyMap<string, { readonly commit: string; readonly branch: string }>;
  /** Proposals whose texts are no longer stored. */
  readonly textless: ReadonlySet<string>;
  /**
   * The first event that is malformed or not allowed in its position, and that is therefore ignored; null if there is
   * none.
   */
  readonly flaw: { readonly sequence: number; readonly reason: string } | null;
}

/** The state before the first event. */
export const emptyState: LedgerState = {
  last: 0,
  proposals: new Map(),
  checkpoints: new Map(),
  points: [],
  changes: [],
  refused: new Map(),
  passedOver: new Map(),
  dismissed: new Map(),
  outcomes: new Map(),
  idsWithForgottenLessons: new Set(),
  ruleVersions: new Map(),
  stopped: false,
  bases: new Map(),
  commits: new Map(),
  textless: new Set(),
  flaw: null,
};

/** Computes the strength of verdicts; null if there are none. */
export type StrengthOf = (verdicts: readonly Verdict[]) => Strength | null;

/**
 * Returns the state after these events, which follow `state.last` in order; `state` is not changed. An event that is
 * malformed or not allowed changes only `last` and, if it is the first such event, `flaw`. An event of an unknown type
 * changes only `last`. `strengthOf`: computes the strength of verdicts that an older version has recorded without it.
 */
export function fold(state: LedgerState, events: readonly StoredEvent[], strengthOf: StrengthOf): LedgerState {
  if (events.length === 0) return state;
  const draft: Draft = {
    last: state.last,
    proposals: new Map(state.proposals),
    checkpoints: new Map(state.checkpoints),
    points: [...state.points],
    changes: [...state.changes],
    refused: new Map(state.refused),
    passedOver: new Map(state.passedOver),
    dismissed: new Map(state.dismissed),
    outcomes: new Map(state.outcomes),
    idsWithForgottenLessons: new Set(state.idsWithForgottenLessons),
    ruleVersions: new Map(state.ruleVersions),
    stopped: state.stopped,
    bases: new Map(state.bases),
    commits: new Map(state.commits),
    textless: new Set(state.textless),
    flaw: state.flaw,
  };
  for (const stored of events) {
    const event = readRecordedEvent(stored);
    const flaw =
      event === 'malformed'
        ? `Event ${stored.sequence} (${stored.type}) lacks required fields.`
        : event && explainFlaw(draft, event);
    if (flaw) draft.flaw ??= { sequence: stored.sequence, reason: flaw };
    else if (event && event !== 'malformed') applyEvent(draft, event, strengthOf);
    draft.last = stored.sequence;
  }
  return draft;
}

/**
 * Throws if the event may not follow. `illegalStep`: the status of its proposal does not allow it. `notFound`: its
 * proposal is unknown. `stale`: a rule was written for another version of its file.
 */
export function checkFollows(state: LedgerState, event: Pick<RecordedEvent, 'type' | 'data'>): void {
  if (event.type === 'ruleWritten') return requireVersion(state.ruleVersions, event.data as RuleData);
  const nextStatus = statusAfter(event.type);
  const id = proposalIdOf(event);
  if (event.type === 'interrupted') {
    const status = state.proposals.get(id ?? '')?.status;
    if (status !== 'verifying')
      throw new SelfwareError('illegalStep', `A proposal that is ${status ?? 'unknown'} is not being verified.`);
  } else if (event.type === 'proposed') {
    if (id !== null && state.proposals.has(id))
      throw new SelfwareError('illegalStep', `There is a proposal ${id} already.`);
  } else if (nextStatus && id !== null) {
    const proposal = state.proposals.get(id);
    if (!proposal)
      throw new SelfwareError('notFound', `There is no proposal ${id}.`, { action: 'Run `selfware proposals list`.' });
    requireStep(proposal.status, nextStatus);
    if (
      nextStatus === 'approved' &&
      (proposal.verdicts.length === 0 || proposal.verdicts.some((verdict) => verdict.outcome === 'failed'))
    ) {
      throw new SelfwareError('illegalStep', 'A proposal that has not passed its gates cannot be approved.', {
        action: 'Verify it first.',
      });
    }
  }
}

/** The mutable state during a fold. */
type Draft = {
  -readonly [K in keyof LedgerState]: LedgerState[K] extends ReadonlyMap<infer A, infer B>
    ? Map<A, B>
    : LedgerState[K] extends ReadonlySet<infer A>
      ? Set<A>
      : LedgerState[K] extends readonly (infer A)[]
        ? A[]
        : LedgerState[K];
};

/** The reason why the event is not allowed; null if it is. */
function explainFlaw(state: LedgerState, event: RecordedEvent): string | null {
  try {
    checkFollows(state, event);
    return null;
  } catch (error) {
    if (error instanceof SelfwareError)
      return `Event ${event.sequence} (${event.type}) is not allowed there: ${error.message}`;
    throw error;
  }
}

/** By type of event: the effect on the state. */
const EFFECT_BY_EVENT: {
  readonly [T in RecordedEvent['type']]: (state: Draft, event: EventOf<T>, strengthOf: StrengthOf) => void;
} = {
  opportunityDismissed(state, { at, data }) {
    const { opportunity, kind = 'other', reason, rule = null, path = null, until = null } = data;
    state.dismissed.delete(opportunity);
    state.idsWithForgottenLessons.delete(opportunity);
    state.dismissed.set(opportunity, { opportunity, kind, reason, rule, path, at, until });
  },
  opportunityRestored(state, { data }) {
    state.dismissed.delete(data.opportunity);
  },
  attempt(state, { at, data }) {
    if (data.outcome === 'refused')
      addRefusal(state, data.opportunity, data.content ?? null, { by: 'declined', at, reason: data.reason });
  },
  passedOver(state, { data }) {
    for (const { opportunity, by, reason } of data.places)
      state.passedOver.set(opportunity, new Set([...(state.passedOver.get(opportunity) ?? []), `${by} ${reason}`]));
  },
  proposed(state, { data }) {
    // Only a recorded verification makes a proposal verified, whatever the event claims.
    const {
      verifiedOn: _on,
      receipt: _receipt,
      strength: _strength,
      claim: _claim,
      deferredBusy: _deferred,
      ...filedProposal
    } = data.proposal;
    state.proposals.set(filedProposal.id, {
      ...filedProposal,
      status: 'proposed',
      verdicts: [],
      pointsBefore: null,
      pointsAfter: null,
      reason: null,
      checkpoint: null,
    });
  },
  verifying(state, { data: { proposal } }) {
    const current = state.proposals.get(proposal);
    // If a verification begins twice, the process died in between, and the status before the first one counts.
    const statusBefore = current?.status === 'verifying' ? current.before : current?.status;
    changeProposal(state, proposal, {
      status: 'verifying',
      ...(statusBefore === undefined ? {} : { before: statusBefore }),
    });
  },
  interrupted(state, { data: { proposal } }) {
    const { before = 'proposed' } = state.proposals.get(proposal) ?? {};
    changeProposal(state, proposal, { status: before });
  },
  kept(state, { at, data: { proposal, reason = null, receipt = null } }) {
    changeProposal(state, proposal, { status: 'kept', reason, ...(receipt === null ? {} : { receipt }) });
    addOutcome(state, proposal, at, false);
  },
  conflicted(state, { at, data: { proposal, reason } }) {
    changeProposal(state, proposal, { status: 'conflicted', reason });
    addOutcome(state, proposal, at, true);
  },
  committed(state, { data: { proposal, commit, branch } }) {
    state.commits.set(proposal, { commit, branch });
  },
  verified(state, { data }, strengthOf) {
    const { proposal, verdicts, strength = strengthOf(verdicts), claim = null, tree = null } = data;
    const { pointsBefore, pointsAfter } = data;
    changeProposal(state, proposal, {
      status: 'verified',
      verdicts,
      strength,
      claim,
      pointsBefore,
      pointsAfter,
      reason: null,
      ...(tree === null ? {} : { verifiedOn: tree }),
    });
  },
  refused(state, { at, data }, strengthOf) {
    const { proposal, verdicts, strength = strengthOf(verdicts), claim = null, reason } = data;
    const { pointsBefore, pointsAfter } = data;
    const current = state.proposals.get(proposal);
    const isStale =
      current?.status !== 'verifying' ||
      verdicts.some((verdict) => verdict.gate === 'applies' && verdict.outcome !== 'passed');
    // A proposal whose files have changed since does not count against its opportunity, which may be tried again.
    if (current && !isStale) {
      addRefusal(state, current.opportunity.id, current.content, { by: 'refused', at, reason });
      addOutcome(state, proposal, at, true);
    }
    changeProposal(state, proposal, {
      status: 'refused',
      verdicts,
      strength,
      claim,
      pointsBefore,
      pointsAfter,
      reason,
    });
  },
  approved(state, { data: { proposal, reason } }) {
    changeProposal(state, proposal, { status: 'approved', reason });
  },
  deferred(state, { data: { proposal, reason, busy } }) {
    const earlierDeferrals = state.proposals.get(proposal)?.deferredBusy ?? 0;
    // The proposal waits for a quieter machine, and not for a person: its verdicts are dropped, and the next run
    // verifies it again.
    const resetFields = {
      verdicts: [],
      strength: null,
      claim: null,
      pointsBefore: null,
      pointsAfter: null,
      deferredBusy: earlierDeferrals + 1,
    };
    changeProposal(state, proposal, { status: 'deferred', reason, ...(busy ? resetFields : {}) });
  },
  rejected(state, { at, data: { proposal, reason, replacedBy } }) {
    const current = state.proposals.get(proposal);
    // After a person has rejected a combined change, it is not proposed for each of its places either.
    for (const id of current ? splitOpportunityIds(current.opportunity.id) : [])
      addRefusal(state, id, current?.content ?? null, { by: 'rejected', at, reason });
    // The replacement has an outcome of its own.
    if (replacedBy === undefined) addOutcome(state, proposal, at, true);
    changeProposal(state, proposal, {
      status: 'rejected',
      reason,
      ...(replacedBy === undefined ? {} : { replacedBy }),
    });
  },
  applied(state, { at, data: { proposal, checkpoint, base } }) {
    changeProposal(state, proposal, { status: 'applied', checkpoint: checkpoint.id, reason: null });
    state.checkpoints.set(checkpoint.id, checkpoint);
    if (base) state.bases.set(proposal, base);
    state.changes.push({ at, proposal });
  },
  rolledBack(state, { at, data: { proposal, checkpoint, by, reason } }) {
    const current = proposal === null ? undefined : state.proposals.get(proposal);
    if (current) {
      for (const id of by === 'person' ? splitOpportunityIds(current.opportunity.id) : [current.opportunity.id])
        addRefusal(state, id, current.content, { by: 'rolledBack', at, reason });
      changeProposal(state, current.id, { status: 'rolledBack', reason });
      addOutcome(state, current.id, at, true);
    }
    const rolledBackCheckpoint = state.checkpoints.get(checkpoint);
    if (rolledBackCheckpoint) state.checkpoints.set(checkpoint, { ...rolledBackCheckpoint, rolledBackAt: at });
  },
  reworked(state, { at, data: { proposal, undone, subject } }) {
    const current = state.proposals.get(proposal);
    changeProposal(state, proposal, { rework: { undone, subject } });
    if (!current || !undone) return;
    const refusal = { by: 'rolledBack', at, reason: undoneReason(subject) } as const;
    for (const id of splitOpportunityIds(current.opportunity.id)) addRefusal(state, id, current.content, refusal);
    addOutcome(state, proposal, at, true);
  },
  nightMerged(state, { at, data: { proposal, commit } }) {
    // A decision in Selfware takes precedence over the merged commit.
    if (state.proposals.get(proposal)?.status !== 'verified') return;
    changeProposal(state, proposal, { status: 'kept', reason: `Your branch has its commit ${commit.slice(0, 12)}.` });
    addOutcome(state, proposal, at, false);
  },
  forgotten(state, { data }) {
    for (const id of data.checkpoints) state.checkpoints.delete(id);
    for (const id of data.proposals ?? []) state.textless.add(id);
  },
  ruleWritten(state, { sequence, data: { file, rule } }) {
    state.ruleVersions.set(file, computeNextVersion(state.ruleVersions, file, `${rule} ${sequence}`));
  },
  lessonForgotten(state, { data }) {
    const stillTeaching = new Set(data.stillTeaching);
    const proposals = data.proposals.filter((id) => !stillTeaching.has(id));
    for (const id of [...proposals, ...data.opportunities]) state.idsWithForgottenLessons.add(id);
    for (const id of proposals) {
      state.outcomes.delete(id);
      const current = state.proposals.get(id);
      // The opportunity, and the same edits, may be tried again.
      for (const key of current
        ? [...splitOpportunityIds(current.opportunity.id), current.opportunity.id, current.content]
        : [])
        if (state.refused.get(key)?.by !== 'declined') state.refused.delete(key);
    }
  },
  points(state, { at, data: { points } }) {
    if (points) state.points.push({ at, points });
  },
  stopped(state) {
    state.stopped = true;
  },
  resumed(state) {
    state.stopped = false;
  },
  ...FOLDED_ELSEWHERE,
};

type EventOf<T extends RecordedEvent['type']> = Extract<RecordedEvent, { readonly type: T }>;

function applyEvent<T extends RecordedEvent['type']>(state: Draft, event: EventOf<T>, strengthOf: StrengthOf): void {
  EFFECT_BY_EVENT[event.type as T](state, event, strengthOf);
}

function changeProposal(state: Draft, id: string, fields: Partial<StoredProposal>): void {
  const proposal = state.proposals.get(id);
  if (proposal) state.proposals.set(id, { ...proposal, ...fields });
}

/** Records a refusal of the opportunity and of the edits. One with the same cause and reason keeps its time. */
function addRefusal(state: Draft, opportunityId: string, content: string | null, refusal: Refusal): void {
  for (const key of content === null ? [opportunityId] : [opportunityId, content]) {
    const earlier = state.refused.get(key);
    if (earlier?.by !== refusal.by || earlier.reason !== refusal.reason) state.refused.set(key, refusal);
  }
}

/**
 * Records the newest outcome of a proposal. A later outcome, such as the rollback of a kept change, replaces the
 * earlier one, and its lesson counts even if the earlier lesson was forgotten.
 */
function addOutcome(state: Draft, id: string, time: Millis, hasFailed: boolean): void {
  const proposal = state.proposals.get(id);
  if (!proposal) return;
  state.idsWithForgottenLessons.delete(id);
  state.outcomes.delete(id);
  state.outcomes.set(id, { at: time, rule: proposal.opportunity.rule, failed: hasFailed });
}
