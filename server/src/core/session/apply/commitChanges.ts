// Commits kept changes to a branch that the person chose, one commit each: only the hunks of the change, with its
// proof.

import { canonicalJson } from '../../../util/canonicalJson.ts';
import { sha256 } from '../../../util/hash.ts';
import { SelfwareError } from '../../../util/typedError.ts';
import { removeSpeaker } from '../../../util/visible.ts';
import { mergeBytes } from '../../apply/mergeTexts.ts';
import type { FileEdit, Proposal } from '../../model.ts';
import { AUTHOR_LABELS, authorOf } from '../../model/authors.ts';
import type { CommitReport, CommitRequest } from './keptChanges.ts';
import type { SessionContext } from '../context.ts';
import { requireAllowed } from '../allowance.ts';
import { isSameAfterCommit, readTreeState, type TreeRecord, type TreeState } from '../verify/treeState.ts';
import { findUndoneOnDisk } from './undoneChanges.ts';
import type { BranchTransaction, CommitFile } from '../../ports/git.ts';
import { haveSameBytes } from '../../../util/values/bytes.ts';

/**
 * Commits changes in the order in which they were applied. If the request names none, commits all kept changes that
 * were not committed yet. A change that does not fit the branch is skipped, and reported with the reason. Throws
 * `untrusted`, `forbidden`, `notFound` for an unknown change, `illegalStep` for a named change that is not kept or was
 * undone, and the errors of the branch writer.
 */
export async function commitChanges(context: SessionContext, request: CommitRequest): Promise<CommitReport> {
  if (!context.trusted)
    throw new SelfwareError('untrusted', 'This workspace is not trusted, so none of its hooks is run.', {
      action: 'Trust the workspace first.',
    });
  await requireAllowed(context, 'person', 'commit');
  const { ledger, ports, settings } = context;
  const chosenProposals = await loadChangesToCommit(context, request.changes);
  const branch = request.branch ?? (request.checkedOut ? null : settings['commit.branch']);
  const committed: { proposal: string; commit: string; title: string }[] = [];
  const refusedProposals: { proposal: string; title: string; reason: string }[] = [];
  const before = await readTreeState(context);
  const transaction = await ports.branches.open(branch, { checkedOut: request.checkedOut }, request.signal);
  try {
    for (const proposal of chosenProposals) {
      const { id, title } = proposal;
      request.report?.({
        stage: 'applying',
        done: committed.length + refusedProposals.length,
        total: chosenProposals.length,
        message: `Committing ${title}`,
      });
      try {
        const files = await computeFilesToCommit(context, transaction, proposal);
        if (typeof files === 'string') refusedProposals.push({ proposal: id, title, reason: files });
        else
          committed.push({
            proposal: id,
            title,
            commit: await transaction.commit(files, composeMessage(proposal, settings['commit.subject'])),
          });
      } catch (error) {
        if (!(error instanceof SelfwareError && (error.reason === 'forbidden' || error.reason === 'unavailable')))
          throw error;
        refusedProposals.push({ proposal: id, title, reason: error.message });
      }
    }
    if (committed.length > 0) await transaction.finish();
  } finally {
    await transaction.dispose();
  }
  const edits = chosenProposals
    .filter(({ id }) => committed.some(({ proposal }) => proposal === id))
    .flatMap((proposal) => proposal.edits);
  await keepResults(context, before, { start: transaction.start, tip: committed.at(-1)?.commit }, edits);
  for (const { proposal, commit } of committed)
    await ledger.record({ type: 'committed', data: { proposal, commit, branch: transaction.branch } });
  return { branch: transaction.branch, committed, refused: refusedProposals };
}

/**
 * Makes stored results for the tree before the commits valid for the tree after them, if the first commit is based on
 * the HEAD of that tree, HEAD is now the last commit, and all files are the same. HEAD may move between reading the
 * tree and opening the branch.
 */
async function keepResults(
  context: SessionContext,
  before: TreeState | null,
  { start, tip }: { readonly start: string; readonly tip: string | undefined },
  edits: readonly FileEdit[],
): Promise<void> {
  const headOf = ({ text }: TreeState) => (JSON.parse(text) as TreeRecord).head;
  if (!before || tip === undefined || headOf(before) !== start) return;
  const after = await readTreeState(context);
  if (!after || headOf(after) !== tip) return;
  if (isSameAfterCommit(before, after, edits)) context.baseline.follow(after.key, before.key);
}

/**
 * The changes to commit, in the order in which they were applied. Throws `notFound` for an unknown id, and
 * `illegalStep` for a named change that is not kept or was undone.
 */
async function loadChangesToCommit(context: SessionContext, ids: readonly string[]): Promise<readonly Proposal[]> {
  const { ledger } = context;
  const [proposals, commits, checkpoints] = [
    await ledger.proposals(),
    await ledger.commits(),
    await ledger.checkpoints(),
  ];
  const positionOf = ({ checkpoint }: Proposal) => checkpoints.findIndex(({ id }) => id === checkpoint);
  const undoneIds = await findUndoneOnDisk(
    context,
    proposals.filter(({ id }) => !commits.has(id)),
  );
  const namedProposals = ids.map((id) => {
    const match = proposals.find((proposal) => proposal.id === id || proposal.checkpoint === id);
    if (!match)
      throw new SelfwareError('notFound', `There is no change ${id}.`, {
        action: 'Run `selfware proposals list --all`.',
      });
    if (undoneIds.has(match.id))
      throw new SelfwareError('illegalStep', `${match.title} was undone: the files no longer hold it.`, {
        action: 'Only what is in the files is committed.',
      });
    if (match.status !== 'kept')
      throw new SelfwareError('illegalStep', `${match.title} is ${match.status}; only kept changes are committed.`);
    return match;
  });
  const chosenProposals =
    namedProposals.length > 0
      ? namedProposals
      : proposals.filter(
          ({ id, status, edits }) => status === 'kept' && edits.length > 0 && !commits.has(id) && !undoneIds.has(id),
        );
  return chosenProposals.toSorted((a, b) => positionOf(a) - positionOf(b));
}

/**
 * The files that the commit writes, or a sentence with the reason why the change cannot be committed to this branch.
 */
async function computeFilesToCommit(
  context: SessionContext,
  transaction: BranchTransaction,
  { edits, checkpoint }: Proposal,
): Promise<readonly CommitFile[] | string> {
  const files: CommitFile[] = [];
  const modes = new Map(
    (await context.ledger.checkpoints())
      .find(({ id }) => id === checkpoint)
      ?.files.map(({ path, mode }) => [path, mode]),
  );
  if (edits.length === 0) return 'Its texts are no longer kept.';
  for (const { path, before, after } of edits) {
    const fileOnBranch = await transaction.read(path);
    const [base, theirs] = [
      await computeBytesToStore(transaction, path, before),
      await computeBytesToStore(transaction, path, after),
    ];
    const mode = fileOnBranch?.mode ?? modes.get(path) ?? 0o644;
    if (haveSameBytes(fileOnBranch?.bytes ?? null, theirs)) continue;
    if (haveSameBytes(fileOnBranch?.bytes ?? null, base)) files.push({ path, bytes: theirs, mode });
    else {
      const mergedBytes = mergeBytes(base, fileOnBranch?.bytes ?? null, theirs);
      if (!mergedBytes)
        return `${path} on ${transaction.branch} is not what the change was made from: it builds on work that is not committed there.`;
      if (!haveSameBytes(mergedBytes, fileOnBranch?.bytes ?? null)) files.push({ path, bytes: mergedBytes, mode });
    }
  }
  return files.length > 0 ? files : `${transaction.branch} holds it already.`;
}

/** The bytes that git would store for a text at this path; null for no file. */
async function computeBytesToStore(
  work: BranchTransaction,
  path: string,
  text: string | null,
): Promise<Uint8Array | null> {
  return text === null ? null : work.toStoredBytes(path, new TextEncoder().encode(text));
}

/** The commit message: subject, rationale, and trailers in the format of git-interpret-trailers(1). */
function composeMessage(proposal: Proposal, subject: string): string {
  const { id, title, rationale, recipe, pointsBefore, pointsAfter, verdicts, strength, receipt } = proposal;
  const points =
    pointsBefore && pointsAfter
      ? [
          `Selfware-Points: ${pointsBefore.total.toFixed(3)} -> ${pointsAfter.total.toFixed(3)}`,
          `Selfware-Ruler: ${pointsAfter.ruler.version} ${pointsAfter.ruler.hash}`,
        ]
      : [];
  const gates = [
    ...(strength ? [`Selfware-Strength: ${strength}`] : []),
    `Selfware-Verdicts: ${verdicts.map(({ gate, outcome }) => `${gate} ${outcome}`).join(', ')}`,
    `Selfware-Verdicts-Hash: sha256:${sha256(canonicalJson(verdicts))}`,
  ];
  const trailers = [
    `Selfware-Proposal: ${id}`,
    `Selfware-Author: ${AUTHOR_LABELS[authorOf(proposal)]}`,
    `Selfware-Recipe: ${recipe}`,
    ...points,
    ...gates,
    ...(receipt ? [`Selfware-Receipt: sha256:${receipt}`] : []),
  ];
  // The trailer names the author, so the subject need not.
  const subjectLine = subject
    .replaceAll('{title}', () => removeSpeaker(title))
    .replaceAll('{recipe}', () => recipe)
    .replace(/\s+/g, ' ')
    .trim();
  return `${subjectLine}\n\n${rationale.trim() === '' ? '' : `${rationale.trim()}\n\n`}${trailers.join('\n')}\n`;
}
