// Records that a person undid a kept change in a later commit, or wrote its lines differently.

import { extname } from 'node:path/posix';
import type { StoredProposal } from '../../ledger/events.ts';
import type { Millis } from '../../model.ts';
import type { ChangedFile, Commit } from '../../ports/git.ts';
import type { SessionContext } from '../context.ts';
import { findLaterEdit, type LaterEdit } from './findLaterEdit.ts';
import { isHandwritten } from '../recipes/readingEdits.ts';
import { readEvents } from './lessonEvidence.ts';

/** A change is followed for this long. Later edits are about new needs rather than about the change. */
const MAX_DAYS = 30;
/** Maximum number of changes that are followed: the newest ones. */
const MAX_CHANGES = 100;
/** Number of newest commits that are read. */
const MAX_COMMITS = 300;
/** Maximum number of characters of a recorded diff. */
const MAX_DIFF_CHARACTERS = 2_000;

type CommitWithFiles = Omit<Commit, 'paths'> & { readonly files: readonly ChangedFile[] };

/** A kept change and the time from which later commits count. */
interface Followed {
  readonly proposal: StoredProposal;
  readonly since: Millis;
}

/**
 * Looks through the commits since each recently kept change, and records the first that undid or rewrote it. Commits
 * that Selfware has made do not count. Throws `cancelled`.
 */
export async function recordLaterEdits(context: SessionContext, signal: AbortSignal): Promise<void> {
  const { ledger, ports } = context;
  const followed = await findFollowed(context);
  if (followed.length === 0 || (await ports.git.state())?.head == null) return;
  const endings = [...new Set(followed.flatMap(({ proposal }) => proposal.edits.map(({ path }) => extname(path))))];
  const own = await findOwnCommits(context);
  const commits = (await ports.history.changes({ since: null, limit: MAX_COMMITS, endings, signal }))
    .filter(({ hash }) => !own.has(hash))
    .toReversed();
  for (const { proposal, since } of followed) {
    const found = await findFirstEdit(
      context,
      proposal,
      commits.filter(({ atMs }) => atMs >= since),
      signal,
    );
    if (!found) continue;
    const { commit, edit } = found;
    await ledger.record({
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
}

/** The newest kept changes that no commit has reworked yet. */
async function findFollowed({ ledger, ports }: SessionContext): Promise<readonly Followed[]> {
  const oldest = ports.clock.now() - MAX_DAYS * 24 * 3_600_000;
  const keptAt = new Map<string, Millis>();
  for (const event of readEvents(await ledger.query({ types: ['kept', 'reworked'] }))) {
    if (event.type === 'kept' && event.at >= oldest) keptAt.set(event.data.proposal, event.at);
    else if (event.type === 'reworked') keptAt.delete(event.data.proposal);
  }
  if (keptAt.size === 0) return [];
  return (await ledger.histories())
    .flatMap((proposal): readonly Followed[] => {
      const since = keptAt.get(proposal.id);
      // git stores whole seconds.
      return since === undefined || proposal.status !== 'kept' ? [] : [{ proposal, since: since - (since % 1000) }];
    })
    .slice(-MAX_CHANGES);
}

async function findOwnCommits({ ledger }: SessionContext): Promise<ReadonlySet<string>> {
  const events = readEvents(await ledger.query({ types: ['nightCommitted'] }));
  const commits = [...(await ledger.commits()).values()].map(({ commit }) => commit);
  return new Set([
    ...commits,
    ...events.flatMap((event) => (event.type === 'nightCommitted' ? [event.data.commit] : [])),
  ]);
}

/** The first of these commits, oldest first, that undid or rewrote the change; null if none did. */
async function findFirstEdit(
  { ledger, ports }: SessionContext,
  { id, edits }: StoredProposal,
  commits: readonly CommitWithFiles[],
  signal: AbortSignal,
): Promise<{ readonly commit: CommitWithFiles; readonly edit: LaterEdit } | null> {
  const paths = new Set(edits.map(({ path }) => path));
  const touching = commits.filter(({ files }) => files.some(({ path }) => paths.has(path)));
  if (touching.length === 0) return null;
  const texts = new Map((await ledger.proposal(id))?.edits.map((edit) => [edit.path, edit]));
  for (const commit of touching)
    for (const { path, before, after } of commit.files) {
      const kept = texts.get(path);
      if (!kept) continue;
      const blobs = await ports.history.texts([before, after], signal);
      const [old, changed] = [before, after].map((blob) => decodeHandwritten(path, blobs.get(blob)));
      const edit = old == null || changed == null ? null : findLaterEdit(kept, old, changed);
      if (edit) return { commit, edit };
    }
  return null;
}

/** The text of a file; null if it is missing, generated, too large, or not UTF-8. */
function decodeHandwritten(path: string, bytes: Uint8Array | undefined): string | null {
  if (!bytes) return null;
  const text = new TextDecoder('utf-8').decode(bytes);
  return isHandwritten(path, text) ? text : null;
}
