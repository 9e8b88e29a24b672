// Reads the evidence for lessons from the ledger: decisions of people, refusals by gates, and kept, rolled back and
// rewritten changes.

import { readRecordedEvent, type RecordedEvent, type StoredProposal } from '../../ledger/events.ts';
import { isOwnReason } from '../../ledger/ownReasons.ts';
import { undoneReason } from '../../ledger/undoneReason.ts';
import type { Evidence, LessonKind } from '../../learn/lessons.ts';
import type { DismissalKind, Verdict } from '../../model.ts';
import { authorOf } from '../../model/authors.ts';
import type { AskedData } from '../../model/asks.ts';
import type { StoredEvent } from '../../ports/ledger.ts';
import { readLintEvidence } from '../../verify/parse/lintEvidence.ts';

/** The types of events that `collectEvidence` reads. */
export const TEACHING_EVENTS = [
  'proposed',
  'asked',
  'answered',
  'opportunityDismissed',
  'opportunityRestored',
  'verified',
  'refused',
  'rejected',
  'kept',
  'nightMerged',
  'conflicted',
  'rolledBack',
  'reworked',
  'lessonForgotten',
] as const satisfies readonly RecordedEvent['type'][];

/**
 * The kind of lesson that follows from each kind of dismissal; null if none follows. `later` shows nothing about a
 * rule, and `generated` is about the file.
 */
const LESSON_BY_DISMISSAL: Readonly<Record<DismissalKind, LessonKind | null>> = {
  notAProblem: 'dismissed',
  other: 'dismissed',
  wrong: 'wrong',
  later: null,
  generated: null,
};

/** The rule that a proposal is about, and its author. */
export interface ProposalOrigin {
  readonly rule: string;
  /** The recipe, or the name of the proposer as the person wrote it. */
  readonly by: string;
}

/**
 * The origins, by id of the proposal. A proposal of a model is filed without a rule, so it gets the rule of the
 * question.
 */
export function collectOrigins(events: readonly RecordedEvent[]): ReadonlyMap<string, ProposalOrigin> {
  const questions = new Map<string, AskedData>();
  const origins = new Map<string, ProposalOrigin>();
  for (const event of events) {
    if (event.type === 'asked') questions.set(event.data.ask, event.data);
    else if (event.type === 'proposed') origins.set(event.data.proposal.id, determineOrigin(event.data.proposal));
    else if (event.type === 'answered' && event.data.proposal !== null) {
      const question = questions.get(event.data.ask);
      if (question) origins.set(event.data.proposal, determineQuestionOrigin(question));
    }
  }
  return origins;
}

/** The origin of a proposal that answers this question. */
export function determineQuestionOrigin({ task, proposer }: Pick<AskedData, 'task' | 'proposer'>): ProposalOrigin {
  return { rule: task.rule ?? task.kind, by: proposer };
}

/** The rule of the proposal, and its recipe or the kind of its author. */
function determineOrigin(proposal: StoredProposal): ProposalOrigin {
  const author = authorOf(proposal);
  return { rule: proposal.opportunity.rule, by: author === 'recipe' ? proposal.recipe : author };
}

/**
 * The events that this version understands, in the given order. Omits unknown and malformed events. If two processes
 * have recorded the same rework, omits the second record.
 */
export function readEvents(storedEvents: readonly StoredEvent[]): readonly RecordedEvent[] {
  const reworkedIds = new Set<string>();
  return storedEvents.flatMap((storedEvent): readonly RecordedEvent[] => {
    const event = readRecordedEvent(storedEvent);
    if (event === null || event === 'malformed') return [];
    if (event.type !== 'reworked') return [event];
    const isRepeated = reworkedIds.has(event.data.proposal);
    reworkedIds.add(event.data.proposal);
    return isRepeated ? [] : [event];
  });
}

/**
 * Collects the evidence in events of the types `TEACHING_EVENTS`, in the order of the events, which must be given
 * oldest first. Skips evidence that a person has undone or forgotten.
 */
export function collectEvidence(events: readonly RecordedEvent[]): readonly Evidence[] {
  const origins = collectOrigins(events);
  const proposals = new Map<string, StoredProposal>();
  const fixes = new Set<string>();
  let collected: Evidence[] = [];
  const removeEvidenceIf = (isGone: (candidate: Evidence) => boolean) => {
    collected = collected.filter((candidate) => !isGone(candidate));
  };
  for (const event of events) {
    if (event.type === 'proposed') proposals.set(event.data.proposal.id, event.data.proposal);
    else if (event.type === 'verified') {
      if (event.data.claim?.kind === 'fix' && event.data.claim.holds) fixes.add(event.data.proposal);
    } else if (event.type === 'opportunityRestored')
      removeEvidenceIf(({ opportunity }) => opportunity === event.data.opportunity);
    else if (event.type === 'lessonForgotten') {
      const { proposals: forgotten, opportunities, finding: forgottenFinding } = event.data;
      const forgottenIds = new Set([...forgotten, ...opportunities]);
      removeEvidenceIf(
        ({ proposal, opportunity, finding }) =>
          (forgottenIds.has(proposal ?? '') || forgottenIds.has(opportunity ?? '')) &&
          (forgottenFinding === undefined || finding === forgottenFinding),
      );
    } else if (event.type === 'opportunityDismissed') {
      removeEvidenceIf(({ opportunity }) => opportunity === event.data.opportunity);
      collected.push(...createEvidenceOfDismissal(event));
    } else {
      const id = 'proposal' in event.data && typeof event.data.proposal === 'string' ? event.data.proposal : null;
      const proposal = proposals.get(id ?? '');
      if (!proposal) continue;
      const origin = origins.get(proposal.id) ?? determineOrigin(proposal);
      collected = addOutcomes(collected, event, proposal, origin, fixes);
    }
  }
  return collected;
}

/**
 * Adds the evidence of the event about the proposal, and returns all evidence, possibly in a new array. If a change was
 * kept and later rolled back, only the rollback counts; if its lines were rewritten later, only the rewriting counts.
 * `fixes`: ids of the proposals whose fix was shown.
 */
function addOutcomes(
  collected: Evidence[],
  event: RecordedEvent,
  proposal: StoredProposal,
  origin: Parameters<typeof createEvidence>[1],
  fixes: ReadonlySet<string>,
): Evidence[] {
  const { id } = proposal;
  // Two processes may both record a merge. It may also follow a person's decision in Selfware, which takes precedence.
  if (event.type === 'nightMerged' && collected.some((evidence) => evidence.proposal === id)) return collected;
  const newEvidence = collectOutcomes(event, proposal, fixes);
  const kind = newEvidence[0]?.kind;
  const isGone = (candidate: Evidence) =>
    candidate.proposal === id && (kind === 'rolledBack' || candidate.kind === 'kept' || candidate.kind === 'fixed');
  const remaining =
    kind === 'rolledBack' || kind === 'rewritten' ? collected.filter((candidate) => !isGone(candidate)) : collected;
  for (const parts of newEvidence)
    remaining.push({ ...createEvidence(event, origin), ...subjectOf(proposal), ...parts });
  return remaining;
}

/** Evidence about an origin, with its other fields empty. */
function createEvidence({ sequence, at }: RecordedEvent, { rule, by }: ProposalOrigin): Omit<Evidence, 'kind'> {
  return {
    sequence,
    at,
    rule,
    by,
    path: null,
    gate: null,
    finding: null,
    words: null,
    proposal: null,
    opportunity: null,
    replacedBy: null,
    diff: null,
  };
}

/** The id and the path of the proposal. */
function subjectOf({ id, opportunity }: StoredProposal): Pick<Evidence, 'proposal' | 'path'> {
  return { proposal: id, path: opportunity.path };
}

type DismissalEvent = Extract<RecordedEvent, { readonly type: 'opportunityDismissed' }>;

/** The evidence in a dismissal; empty if its kind teaches nothing or its rule is unknown. */
function createEvidenceOfDismissal(event: DismissalEvent): readonly Evidence[] {
  const { opportunity, rule, path = null, kind = 'other', reason } = event.data;
  const lessonKind = LESSON_BY_DISMISSAL[kind];
  if (!lessonKind || rule === undefined) return [];
  return [{ ...createEvidence(event, { rule, by: '' }), by: null, kind: lessonKind, path, words: reason, opportunity }];
}

type EvidenceParts = Pick<Evidence, 'kind'> & Partial<Evidence>;

/**
 * The evidence in an event about a proposal; empty if it gives none. If a linter refused the proposal, there is one for
 * each of its rules.
 */
function collectOutcomes(
  event: RecordedEvent,
  proposal: StoredProposal,
  fixes: ReadonlySet<string>,
): readonly EvidenceParts[] {
  const outcome = findOutcome(event, proposal, fixes);
  if (!outcome || event.type !== 'refused') return outcome ? [outcome] : [];
  const findings = readLintEvidence(findRefusingVerdict(event.data.verdicts)?.evidence ?? {});
  return findings.length === 0
    ? [outcome]
    : findings.map(({ code, message, path }) => ({ ...outcome, finding: code, words: message, path }));
}

/** The evidence in an event about a proposal; null if it gives none. */
function findOutcome(
  event: RecordedEvent,
  { id, title }: StoredProposal,
  fixes: ReadonlySet<string>,
): EvidenceParts | null {
  switch (event.type) {
    case 'rejected': {
      const { reason, replacedBy, correction = false, by } = event.data;
      if (replacedBy !== undefined) return correction ? { kind: 'corrected', replacedBy, words: title } : null;
      return by === 'person' ? { kind: 'rejected', words: reason, ...createOwnMark(reason) } : null;
    }
    case 'refused': {
      const failedVerdict = findRefusingVerdict(event.data.verdicts);
      return failedVerdict && { kind: 'refused', gate: failedVerdict.gate, words: failedVerdict.reason };
    }
    case 'conflicted':
      return { kind: 'rolledBack', words: event.data.reason, isMeasured: true };
    case 'rolledBack': {
      const { by, reason } = event.data;
      return {
        kind: 'rolledBack',
        words: reason,
        ...(by === 'charter' ? { isMeasured: true } : createOwnMark(reason)),
      };
    }
    case 'reworked': {
      const { undone, subject, diff } = event.data;
      return undone
        ? { kind: 'rolledBack', words: undoneReason(subject), isOwn: true }
        : { kind: 'rewritten', words: title, diff };
    }
    case 'kept':
    case 'nightMerged':
      return fixes.has(id) ? { kind: 'fixed', words: title } : { kind: 'kept' };
    default:
      return null;
  }
}

/** The mark of a reason that Selfware itself has written. */
function createOwnMark(reason: string | null): Pick<Evidence, 'isOwn'> {
  return isOwnReason(reason) ? { isOwn: true } : {};
}

/** The failed verdict that refused the proposal; null if it was withdrawn, or if its files had changed. */
function findRefusingVerdict(verdicts: readonly Verdict[]): Verdict | null {
  if (verdicts.some(({ gate, outcome }) => gate === 'applies' && outcome !== 'passed')) return null;
  return verdicts.find(({ outcome }) => outcome === 'failed') ?? null;
}
