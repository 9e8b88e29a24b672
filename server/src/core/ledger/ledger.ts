// The ledger of the core: records typed events, and returns proposals, checkpoints, points and other folds.

import { canonicalJson } from '../../util/canonicalJson.ts';
import { sha256 } from '../../util/hash.ts';
import { SelfwareError } from '../../util/typedError.ts';
import type { Checkpoint, Dismissal, FileEdit, Millis, Points, Proposal } from '../model.ts';
import type { Refusal } from '../model/skippedPlaces.ts';
import { findPausedRules, countDecisions, selectActiveDismissals, type RuleDecisions } from './decisions.ts';
import type { LedgerEvent, RecordedEvent, StoredEdit, StoredProposal } from './events.ts';
import { checkFollows, emptyState, fold, type LedgerState, type StrengthOf } from './folds.ts';
import { splitOpportunityIds } from './opportunityIds.ts';
import { isSettled } from './proposalLife.ts';
import { redact } from './redact.ts';
import { computeRuleVersion } from './ruleVersions.ts';
import { selectTexts } from './retention.ts';
import type { Clock, Ids } from '../ports/system.ts';
import type { ContentStore, LedgerStore, LedgerVerification, StoredEvent } from '../ports/ledger.ts';

/**
 * Maximum number of attempts to append an event. Another process may append first, but hardly ever so many times in a
 * row.
 */
const MAX_TRIES = 200;
/** Number of proposals whose texts are cached in memory. */
const MAX_CACHED_TEXTS = 200;

/** Proposals whose texts the store has lost. */
export interface ProposalsWithLostTexts {
  /** Open proposals that can no longer be used, oldest first, without those whose opportunity has a newer proposal. */
  readonly open: readonly Proposal[];
  /** Number of settled proposals that can no longer be shown, and whose receipts cannot be written. */
  readonly decided: number;
}

/** Records events, and reads the resulting state. Each read includes the events that other processes have recorded. */
export interface Ledger {
  /**
   * Redacts secrets in the event, appends it, and returns it as stored. Points that equal the last ones are not
   * appended again; then the last event is returned. Throws `illegalStep`, `notFound` or `stale` if the event must not
   * follow, and the errors of the store.
   */
  record(event: LedgerEvent): Promise<StoredEvent>;
  /**
   * All proposals, oldest first. A proposal whose texts are lost has no edits, and `reason` states this; if it was
   * open, it is shown as refused. A settled proposal whose texts were removed by `tidyTexts` has no edits either.
   */
  proposals(): Promise<readonly Proposal[]>;
  /** The proposal with this id, as in `proposals`; null if there is none. */
  proposal(id: string): Promise<Proposal | null>;
  /** Proposals whose texts the store has lost, although nobody removed them. */
  lostTexts(): Promise<ProposalsWithLostTexts>;
  /**
   * The newest unsettled proposal for this opportunity, so that none is filed twice. Null if there is none, or if its
   * texts are lost.
   */
  openProposalFor(opportunityId: string): Promise<Proposal | null>;
  /** All checkpoints, oldest first. */
  checkpoints(): Promise<readonly Checkpoint[]>;
  /** All points that were recorded, oldest first, with one entry for each change of the points. */
  pointsHistory(): Promise<readonly { readonly at: Millis; readonly points: Points }[]>;
  /** Dismissals in force, oldest first: neither undone nor expired. */
  dismissals(): Promise<readonly Dismissal[]>;
  /**
   * Decisions on opportunities, by rule: dismissals, and changes that were kept, rejected or rolled back. A dismissal
   * that was undone and a decision whose lesson was forgotten do not count.
   */
  decisions(): Promise<ReadonlyMap<string, RuleDecisions>>;
  /** Proposals and opportunities that no longer count for lessons, because a person has forgotten their lesson. */
  idsWithForgottenLessons(): Promise<ReadonlySet<string>>;
  /** The version of a file of rules. An event about a rule names the version that its author has read. */
  ruleVersion(file: string): Promise<string>;
  /** All proposals without their texts, oldest first. */
  histories(): Promise<readonly StoredProposal[]>;
  /** Paused rules, whose last proposals all failed, with the time until which they pause. */
  pausedRules(): Promise<ReadonlyMap<string, Millis>>;
  /**
   * True if the opportunity was refused by a recipe, the gates or a person, if it is dismissed, or if a change for it
   * was rolled back.
   */
  refusedBefore(opportunityId: string): Promise<boolean>;
  /** Ids of all opportunities for which `refusedBefore` is true, and content keys of refused edits. */
  refused(): Promise<ReadonlySet<string>>;
  /** True if exactly these edits were refused, rejected or rolled back, whichever opportunity they were for. */
  refusedContent(edits: readonly FileEdit[]): Promise<boolean>;
  /** The refusal of exactly these edits; null if there is none. */
  refusalOf(edits: readonly FileEdit[]): Promise<Refusal | null>;
  /**
   * Refusals by id of the opportunity, and by content key of the edits. A combined change has an entry for its joined
   * id if the gates refused it, or if it was rolled back automatically. It has an entry for each of its opportunities
   * if a person rejected it or rolled it back.
   */
  refusals(): Promise<ReadonlyMap<string, Refusal>>;
  /** By opportunity: the causes for which it was skipped. Each is a text: who skipped it, a space, and the reason. */
  passedOver(): Promise<LedgerState['passedOver']>;
  /** Number of times that these proposals were applied, including those that were rolled back since. */
  countChanges(proposals: ReadonlySet<string>): Promise<number>;
  /** True while the kill switch is on: after `stopped`, until `resumed`. */
  isStopped(): Promise<boolean>;
  /** Stores a text under its hash. An event must name the hash within an hour, or the text may be removed. */
  putText(text: string): Promise<string>;
  /** The text with this hash; null if it was never stored, or was removed or damaged. */
  text(hash: string): Promise<string | null>;
  /** By proposal: hash of the text that describes the tree immediately before it was applied. */
  bases(): Promise<ReadonlyMap<string, string>>;
  /** By proposal: its last commit. */
  commits(): Promise<LedgerState['commits']>;
  /**
   * If the stored texts take more than this many bytes, removes all that `selectTexts` does not keep. Records which
   * proposals lose their texts, and returns the ids of these proposals.
   */
  tidyTexts(maxBytes: number): Promise<readonly string[]>;
  /** The stored events that the query selects. */
  query(query: Parameters<LedgerStore['read']>[0]): Promise<readonly StoredEvent[]>;
  /** Checks the hash chain, and that each event was allowed in its position. */
  verify(): Promise<LedgerVerification>;
}

/**
 * Creates the ledger. `strengthOf` computes the strength of verdicts, which is recorded with them, so that the history
 * stays the same.
 */
export function createLedger(
  store: LedgerStore,
  clock: Clock,
  ids: Ids,
  contents: ContentStore,
  strengthOf: StrengthOf,
): Ledger {
  let state: LedgerState = emptyState;
  let queue: Promise<unknown> = Promise.resolve();
  const editsById = new Map<string, readonly FileEdit[]>();

  /** Runs pieces of work one after the other, because folds must run in order. Rejects with the error of `work`. */
  function queueWork<T>(work: () => Promise<T>): Promise<T> {
    const completion = queue.then(work);
    queue = completion.then(
      () => undefined,
      () => undefined,
    );
    return completion;
  }

  /** Folds the events that were recorded since the last read. */
  async function refreshState(): Promise<LedgerState> {
    state = fold(state, await store.read({ after: state.last }), strengthOf);
    return state;
  }

  const readCurrentState = () => queueWork(refreshState);

  async function append(event: LedgerEvent): Promise<StoredEvent> {
    const packedEvent = await pack(event);
    for (let attempts = 1; ; attempts += 1) {
      checkFollows(await refreshState(), packedEvent);
      try {
        const stored = await store.append(
          { id: ids.next('event'), at: clock.now(), type: event.type, data: packedEvent.data },
          { onlyAfter: state.last },
        );
        state = fold(state, [stored], strengthOf);
        return stored;
      } catch (error) {
        // Another process has appended an event meanwhile, so the event is checked against the new state.
        if (!(error instanceof SelfwareError && error.reason === 'stale') || attempts >= MAX_TRIES) throw error;
      }
    }
  }

  /** The event as it is stored: without secrets, and with hashes in place of the texts of edits. */
  async function pack(event: LedgerEvent): Promise<Pick<RecordedEvent, 'type' | 'data'>> {
    if (event.type === 'applied') {
      // Paths are stored unredacted, because rolling back needs them.
      const { checkpoint, ...otherFields } = event.data;
      return {
        type: event.type,
        data: { ...otherFields, checkpoint: { ...(redact(checkpoint) as Checkpoint), files: checkpoint.files } },
      };
    }
    if (event.type === 'verified' || event.type === 'refused') {
      const data = redact(event.data) as typeof event.data;
      return { type: event.type, data: { ...data, strength: strengthOf(event.data.verdicts) } } as Pick<
        RecordedEvent,
        'type' | 'data'
      >;
    }
    if (event.type !== 'proposed')
      return { type: event.type, data: redact(event.data) as Exclude<RecordedEvent, { type: 'proposed' }>['data'] };
    const { edits, ...rest } = event.data.proposal;
    const storedEdits: StoredEdit[] = [];
    for (const { path, before, after } of edits) {
      storedEdits.push({
        path,
        before: before === null ? null : await contents.put(before),
        after: after === null ? null : await contents.put(after),
      });
    }
    const proposal: StoredProposal = {
      ...(redact(rest) as typeof rest),
      // This is not redacted, so that its id, path and symbol still match the opportunity.
      opportunity: rest.opportunity,
      edits: storedEdits,
      content: contentKey(storedEdits),
    };
    return { type: event.type, data: { proposal } };
  }

  /** The proposal with the texts of its edits. Reads lost texts as described at `Ledger.proposals`. */
  async function unpack(stored: StoredProposal): Promise<Proposal> {
    const { edits: storedEdits, content: _content, before: _before, ...otherFields } = stored;
    // A settled proposal without texts is shown without edits, although some texts may still exist, because another
    // proposal has the same texts.
    if (state.textless.has(stored.id) && isSettled(otherFields.status))
      return { ...otherFields, edits: [], reason: otherFields.reason ?? 'Its texts are no longer kept.' };
    const cachedEdits = editsById.get(stored.id);
    if (cachedEdits) return { ...otherFields, edits: cachedEdits };
    const loadedEdits: FileEdit[] = [];
    for (const { path, before, after } of storedEdits) {
      const [oldText, newText] = [await readText(before), await readText(after)];
      if (oldText === 'lost' || newText === 'lost') return markAsLost(otherFields, path);
      loadedEdits.push({ path, before: oldText?.text ?? null, after: newText?.text ?? null });
    }
    if (editsById.size >= MAX_CACHED_TEXTS) editsById.delete(editsById.keys().next().value ?? '');
    editsById.set(stored.id, loadedEdits);
    return { ...otherFields, edits: loadedEdits };
  }

  /** The text with this hash, or `lost`; null if `hash` is null. */
  async function readText(hash: string | null): Promise<{ readonly text: string } | null | 'lost'> {
    if (hash === null) return null;
    try {
      const stored = await contents.get(hash);
      return stored === null ? 'lost' : { text: stored };
    } catch (error) {
      if (error instanceof SelfwareError && error.reason === 'damaged') return 'lost';
      throw error;
    }
  }

  async function readTextOrNull(hash: string | null): Promise<string | null> {
    const stored = await readText(hash);
    return stored === 'lost' ? null : (stored?.text ?? null);
  }

  return {
    record: (event) =>
      queueWork(async () => {
        const unchangedEvent = event.type === 'points' ? await findLastIfUnchanged(event.data.points) : null;
        return unchangedEvent ?? append(event);
      }),
    proposals: async () => {
      const proposals: Proposal[] = [];
      for (const stored of (await readCurrentState()).proposals.values()) proposals.push(await unpack(stored));
      return proposals;
    },
    async proposal(id) {
      const stored = (await readCurrentState()).proposals.get(id);
      return stored ? unpack(stored) : null;
    },
    async openProposalFor(opportunityId) {
      const stored = [...(await readCurrentState()).proposals.values()].findLast(
        (proposal) =>
          splitOpportunityIds(proposal.opportunity.id).includes(opportunityId) && !isSettled(proposal.status),
      );
      const proposal = stored ? await unpack(stored) : null;
      return proposal?.lost === undefined ? proposal : null;
    },
    lostTexts: async () => {
      const { proposals, textless } = await readCurrentState();
      const open: Proposal[] = [];
      const settledProposals: StoredProposal[] = [];
      for (const stored of proposals.values()) {
        if (isSettled(stored.status)) settledProposals.push(stored);
        else open.push(await unpack(stored));
      }
      const newestIdByOpportunity = new Map([...proposals.values()].map(({ id, opportunity }) => [opportunity.id, id]));
      const storedHashes = settledProposals.length === 0 ? new Set<string>() : await listStoredTexts();
      return {
        open: open.filter(
          ({ id, opportunity, lost }) => lost !== undefined && newestIdByOpportunity.get(opportunity.id) === id,
        ),
        decided: settledProposals.filter(
          ({ id, edits }) => !textless.has(id) && edits.some((edit) => !hasAllTexts(storedHashes, edit)),
        ).length,
      };
    },
    checkpoints: async () => [...(await readCurrentState()).checkpoints.values()],
    pointsHistory: async () => (await readCurrentState()).points,
    dismissals: async () => selectActiveDismissals(await readCurrentState(), clock.now()),
    decisions: async () => countDecisions(await readCurrentState()),
    idsWithForgottenLessons: async () => (await readCurrentState()).idsWithForgottenLessons,
    ruleVersion: async (file) => computeRuleVersion((await readCurrentState()).ruleVersions, file),
    histories: async () => [...(await readCurrentState()).proposals.values()],
    pausedRules: async () => findPausedRules(await readCurrentState(), clock.now()),
    async refusedBefore(opportunityId) {
      const currentState = await readCurrentState();
      return (
        currentState.refused.has(opportunityId) ||
        selectActiveDismissals(currentState, clock.now()).some(({ opportunity }) => opportunity === opportunityId)
      );
    },
    async refused() {
      const currentState = await readCurrentState();
      return new Set([
        ...currentState.refused.keys(),
        ...selectActiveDismissals(currentState, clock.now()).map(({ opportunity }) => opportunity),
      ]);
    },
    refusedContent: async (edits) => (await readCurrentState()).refused.has(computeContentKeyOfTexts(edits)),
    refusalOf: async (edits) => (await readCurrentState()).refused.get(computeContentKeyOfTexts(edits)) ?? null,
    refusals: async () => (await readCurrentState()).refused,
    passedOver: async () => (await readCurrentState()).passedOver,
    countChanges: async (proposals) =>
      (await readCurrentState()).changes.filter(({ proposal }) => proposals.has(proposal)).length,
    isStopped: async () => (await readCurrentState()).stopped,
    putText: (text) => contents.put(text),
    text: readTextOrNull,
    bases: async () => (await readCurrentState()).bases,
    commits: async () => (await readCurrentState()).commits,
    async tidyTexts(maxBytes) {
      const sizes = await contents.sizes();
      if (sum(sizes.values()) <= maxBytes) return [];
      const { keep, forget } = await selectTexts(await readCurrentState(), sizes, maxBytes, readTextOrNull);
      // Recorded first, because a text that is missing without a record counts as lost.
      if (forget.length > 0)
        await queueWork(() => append({ type: 'forgotten', data: { checkpoints: [], proposals: forget } }));
      for (const id of forget) editsById.delete(id);
      await contents.remove([...sizes.keys()].filter((hash) => !keep.has(hash)));
      return forget;
    },
    query: (query) => store.read(query),
    async verify() {
      const verification = await store.verify();
      if (!verification.intact) return verification;
      const { flaw } = await readCurrentState();
      return flaw ? { ...verification, intact: false, brokenAt: flaw.sequence, reason: flaw.reason } : verification;
    },
  };

  /** Hashes of the stored texts; an unreadable store counts as empty. */
  async function listStoredTexts(): Promise<ReadonlySet<string>> {
    try {
      return new Set((await contents.sizes()).keys());
    } catch (error) {
      if (error instanceof SelfwareError && error.reason === 'damaged') return new Set();
      throw error;
    }
  }

  /**
   * The last recorded event, if its points are the same; otherwise null. Points are measured often, but only changes
   * are recorded.
   */
  async function findLastIfUnchanged(points: Points | null): Promise<StoredEvent | null> {
    if (points === null) return null;
    const lastPoints = (await refreshState()).points.at(-1);
    if (!lastPoints || canonicalJson(lastPoints.points) !== canonicalJson(redact(points))) return null;
    const [stored] = await store.read({ types: ['points'], limit: 1, newestFirst: true });
    return stored ?? null;
  }
}

/** Identifies edits by their paths and the hashes of their texts. Their order does not matter. */
function contentKey(edits: readonly StoredEdit[]): string {
  return sha256(
    canonicalJson(
      edits
        .map(({ path, before, after }) => [path, before, after])
        .sort(([a], [b]) => ((a ?? '') < (b ?? '') ? -1 : 1)),
    ),
  );
}

/** Identifies edits by their paths and texts. Their order does not matter. */
function computeContentKeyOfTexts(texts: readonly FileEdit[]): string {
  return contentKey(texts.map(({ path, before, after }) => ({ path, before: hashOf(before), after: hashOf(after) })));
}

/** The proposal without edits, with the reason; an open one counts as refused. `path`: the file with the lost text. */
function markAsLost(proposal: Omit<Proposal, 'edits'>, path: string): Proposal {
  const reason = `The texts of this proposal are lost or damaged (${path}), so it cannot be used. Propose the change again.`;
  return isSettled(proposal.status)
    ? { ...proposal, edits: [], reason }
    : { ...proposal, edits: [], status: 'refused', reason, lost: path };
}

function hasAllTexts(storedHashes: ReadonlySet<string>, { before, after }: StoredEdit): boolean {
  return [before, after].every((hash) => hash === null || storedHashes.has(hash));
}

function sum(numbers: Iterable<number>): number {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
}

function hashOf(text: string | null): string | null {
  return text === null ? null : sha256(text);
}
