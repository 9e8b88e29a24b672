// Records that a person undid an applied change in a later commit, or wrote its lines differently.

import { extname } from 'node:path/posix';
import { describeError, throwIfCancelled } from '../../../util/typedError.ts';
import type { FileEdit, Millis, Proposal } from '../../model.ts';
import type { ChangedFile, Commit } from '../../ports/git.ts';
import type { SessionContext } from '../context.ts';
import { findLaterEdit, containsWholeChange, type LaterEdit } from './findLaterEdit.ts';
import { isHandwritten } from '../recipes/readingEdits.ts';
import { readEvents } from './lessonEvidence.ts';

/**
 * Number of days for which a change is followed. Later edits probably serve new needs and do not correct the change.
 */
const MAX_DAYS = 30;
/** Maximum number of changes that are followed: the newest ones. */
const MAX_CHANGES = 100;
/** Number of newest commits that are read. */
const MAX_COMMITS = 200;
/** Maximum number of versions of files that are read: those of the newest commits. */
const MAX_VERSIONS = 200;
/** Maximum number of characters of a recorded diff. */
const MAX_DIFF_CHARACTERS = 2_000;

/** An applied change that was kept, and the time from which later commits count. */
interface FollowedChange {
  readonly proposal: Proposal;
  readonly followedFrom: Millis;
}

/** A commit with the files that it changed. */
type CommitWithFiles = Omit<Commit, 'paths'> & { readonly files: readonly ChangedFile[] };

/** The versions of a file that a commit replaced and made. */
interface FileVersion {
  readonly commit: CommitWithFiles;
  readonly file: ChangedFile;
}

/** The effect of a commit on a change. */
interface Rework {
  readonly commit: CommitWithFiles;
  readonly edit: LaterEdit;
}

/**
 * Searches the commits since each recently kept change, and records which of them undid or rewrote it. A commit counts
 * only if the checked-out commit still lacks the change. Errors are only logged, because nothing else depends on this.
 * Throws `cancelled`.
 */
export async function recordLaterEdits(context: SessionContext, signal: AbortSignal): Promise<void> {
  try {
    for (const { proposal, rework } of await findReworks(context, signal)) {
      const { commit, edit } = rework;
      // Another process may have recorded it meanwhile.
      if (await isRecorded(context, proposal.id)) continue;
      await context.ledger.record({
        type: 'reworked',
        data: {
          proposal: proposal.id,
          commit: commit.hash,
          subject: commit.subject,
          undone: edit.isUndone,
          diff: edit.diff.slice(0, MAX_DIFF_CHARACTERS),
        },
      });
      context.emit({ type: 'status' });
    }
  } catch (error) {
    throwIfCancelled(signal);
    context.ports.log.write('warn', `Later edits of kept changes were not read: ${describeError(error)}`, error);
  }
}

/** True if a later edit of this proposal is recorded. */
async function isRecorded({ ledger }: SessionContext, proposalId: string): Promise<boolean> {
  const events = readEvents(await ledger.query({ types: ['reworked'] }));
  return events.some((event) => event.type === 'reworked' && event.data.proposal === proposalId);
}

/** The kept changes that a commit has undone or rewritten, with that commit. */
async function findReworks(context: SessionContext, signal: AbortSignal) {
  const { ports } = context;
  const followedChanges = await findFollowed(context);
  const head = followedChanges.length === 0 ? null : ((await ports.git.state())?.head ?? null);
  if (head === null) return [];
  const paths = new Set(followedChanges.flatMap(({ proposal }) => proposal.edits.map(({ path }) => path)));
  const extensions = [...new Set([...paths].map((path) => extname(path) || path))];
  const commits = await ports.history.changes({ since: null, limit: MAX_COMMITS, extensions, signal });
  const versions = commits
    .flatMap((commit) =>
      commit.files.filter(({ path }) => paths.has(path)).map((file): FileVersion => ({ commit, file })),
    )
    .slice(0, MAX_VERSIONS);
  if (versions.length === 0) return [];
  const blobs = await ports.history.readBlobs(
    [...new Set(versions.flatMap(({ file }) => [file.beforeId, file.afterId]))],
    signal,
  );
  const textOf = ({ path }: ChangedFile, id: string) => decodeHandwritten(path, blobs.get(id));
  const reworkedProposals: { readonly proposal: Proposal; readonly rework: Rework }[] = [];
  for (const { proposal, followedFrom } of followedChanges) {
    const otherEdits = followedChanges.flatMap(({ proposal: otherProposal }) =>
      otherProposal === proposal ? [] : otherProposal.edits,
    );
    const rework = await findRework(
      context,
      proposal,
      versions.filter(({ commit }) => commit.atMs >= followedFrom),
      { textOf, others: otherEdits, head, signal },
    );
    if (rework) reworkedProposals.push({ proposal, rework });
  }
  return reworkedProposals;
}

/** The newest kept changes whose texts are still stored, and that no commit has reworked yet. */
async function findFollowed({ ledger, ports }: SessionContext): Promise<readonly FollowedChange[]> {
  const oldestTime = ports.clock.now() - MAX_DAYS * 24 * 3_600_000;
  const keptAt = new Map<string, Millis>();
  for (const event of readEvents(await ledger.query({ types: ['kept', 'nightMerged', 'reworked'] }))) {
    const isKept = event.type === 'kept' || event.type === 'nightMerged';
    if (isKept && event.at >= oldestTime) keptAt.set(event.data.proposal, event.at);
    else if (event.type === 'reworked') keptAt.delete(event.data.proposal);
  }
  const followed: FollowedChange[] = [];
  for (const [id, since] of [...keptAt].slice(-MAX_CHANGES)) {
    const proposal = await ledger.proposal(id);
    // git stores whole seconds, so the time is rounded down.
    if (proposal?.status === 'kept' && proposal.edits.length > 0)
      followed.push({ proposal, followedFrom: since - (since % 1000) });
  }
  return followed;
}

/**
 * The newest commit of these versions (given newest first) that undid or rewrote the change; null if none did, or if
 * the change is present again.
 */
async function findRework(
  { ports }: SessionContext,
  { edits }: Proposal,
  versions: readonly FileVersion[],
  search: {
    textOf(file: ChangedFile, id: string): string | null;
    readonly others: readonly FileEdit[];
    readonly head: string;
    readonly signal: AbortSignal;
  },
): Promise<Rework | null> {
  const { textOf, others, head, signal } = search;
  for (const { commit, file } of versions) {
    const edit = edits.find(({ path }) => path === file.path);
    const [before, after] = [textOf(file, file.beforeId), textOf(file, file.afterId)];
    const laterEdit = !edit || before === null || after === null ? null : findLaterEdit(edit, before, after);
    if (!laterEdit) continue;
    // Another change by Selfware may have replaced this one, which is not a correction by a person.
    const wasMadeBySelfware = others.some(
      (otherEdit) =>
        otherEdit.path === file.path &&
        !containsWholeChange(otherEdit, before!) &&
        containsWholeChange(otherEdit, after!),
    );
    if (wasMadeBySelfware) continue;
    if (laterEdit.isUndone && !(await isOnlyUndone(commit))) continue;
    const current = decodeHandwritten(file.path, (await ports.git.readAt(head, file.path)) ?? undefined);
    if (current !== null && !containsWholeChange(edit!, current)) return { commit, edit: laterEdit };
  }
  return null;

  /**
   * True if the commit only undid the whole change. A commit with other edits may contain new code that needs again
   * what the change removed.
   */
  async function isOnlyUndone(commit: CommitWithFiles): Promise<boolean> {
    const files = versions.filter((version) => version.commit === commit).map(({ file }) => file);
    const isUndone = edits.every((edit) => {
      const file = files.find(({ path }) => path === edit.path);
      const [before, after] = file ? [textOf(file, file.beforeId), textOf(file, file.afterId)] : [null, null];
      return before !== null && after !== null && findLaterEdit(edit, before, after)?.isUndone === true;
    });
    if (!isUndone) return false;
    const storedCommit = (await ports.history.commits(MAX_COMMITS, signal)).find(({ hash }) => hash === commit.hash);
    return storedCommit?.paths.length === edits.length;
  }
}

/** The text of a file; null if it is missing, generated, too large, or not UTF-8. */
function decodeHandwritten(path: string, bytes: Uint8Array | undefined): string | null {
  if (!bytes) return null;
  const text = new TextDecoder('utf-8').decode(bytes);
  return isHandwritten(path, text) ? text : null;
}
