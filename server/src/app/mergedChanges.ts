// Records that a person has taken commits of an unattended run into their branch by git: by a merge, a cherry-pick, or
// a squashed commit whose message names them. Such a change counts as kept, like a change that was applied by Selfware.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { resolveStateFolder } from '../adapters/files/stateFolder.ts';
import { openNightBranch, parseProposalTrailers } from '../adapters/git/nightBranch.ts';
import { createGitRunner, GitFailure } from '../adapters/git/runGit.ts';
import type { RecordedEvent } from '../core/ledger/events.ts';
import { proposalIdOf } from '../core/ledger/events.ts';
import { importEvents } from '../core/ledger/importing.ts';
import { isSettled } from '../core/ledger/proposalLife.ts';
import type { FileEdit } from '../core/model.ts';
import type { Log } from '../core/ports/system.ts';
import { foldNights, NIGHT_EVENT_TYPES } from '../core/run/nights.ts';
import type { Night } from '../core/run/nightTypes.ts';
import { containsWholeChange } from '../core/session/learn/findLaterEdit.ts';
import { determineStrength } from '../core/verify/strength.ts';
import { describeError } from '../util/typedError.ts';
import type { Environment } from '../util/values/environment.ts';
import { resolveNightFolders } from './nights/nightFolders.ts';
import { openLedger, type OpenLedger } from './nights/sharedKnowledge.ts';

/** The repository whose branch is read. */
interface Repository {
  readonly rootDir: string;
  readonly env: Environment;
  readonly log: Log;
}

/** Number of newest commits of the branch that are read. */
const MAX_COMMITS = 500;
/**
 * The steps of a proposal up to its verification. Only these are imported; decisions of the run itself stay in its
 * ledger.
 */
const UNTIL_VERIFIED: ReadonlySet<RecordedEvent['type']> = new Set([
  'proposed',
  'verifying',
  'interrupted',
  'verified',
]);

/** A change of a night (one unattended run) that is in the history of the branch that is checked out. */
interface LandedChange {
  readonly night: Night;
  readonly proposal: string;
  /** The commit in this history. */
  readonly commit: string;
}

/**
 * Records each change of a night whose commit is in the history of the checked-out branch, and whose lines are still
 * there. Only the branch that the run followed counts: a person may check out another branch just to look at the
 * changes. An error is only logged, because nothing else depends on this.
 */
export async function recordMergedChanges(repository: Repository): Promise<void> {
  const nightFolders = resolveNightFolders(repository.rootDir, repository.env);
  if (!existsSync(nightFolders.folder)) return;
  try {
    const ledger = await openLedger(nightFolders.state, repository.log);
    try {
      const landedChanges = await findLanded(repository, ledger);
      if (landedChanges.length > 0) await recordLanded(repository, ledger, landedChanges);
    } finally {
      await ledger.close();
    }
  } catch (error) {
    repository.log.write('warn', `Merged changes of unattended runs were not read: ${describeError(error)}`, error);
  }
}

/** The changes of all nights that are in the history, and on which nobody has decided in Selfware. */
async function findLanded({ rootDir }: Repository, { ledger }: OpenLedger): Promise<readonly LandedChange[]> {
  const events = await ledger.query({ types: NIGHT_EVENT_TYPES });
  const nights = foldNights(
    events as readonly Extract<RecordedEvent, { readonly type: (typeof NIGHT_EVENT_TYPES)[number] }>[],
  );
  const settledIds = new Set((await ledger.histories()).flatMap(({ id, status }) => (isSettled(status) ? [id] : [])));
  const branch = await readBranch(rootDir);
  if (branch === null || nights.some((night) => night.branch === branch)) return [];
  const undecided = nights.flatMap((night) =>
    (night.decided === 'dropped' || !isFollowed(night, branch) ? [] : [...night.changes, ...night.parked])
      .filter(({ proposal }) => !settledIds.has(proposal))
      .map(({ proposal, commit }) => ({ night, proposal, commit })),
  );
  if (undecided.length === 0) return [];
  const git = createGitRunner(rootDir);
  const text = await git.text(['log', `--max-count=${MAX_COMMITS}`, '--format=%H%x00%B%x01', 'HEAD']);
  const commits = new Set<string>();
  const commitByProposal = new Map<string, string>();
  for (const entry of text.split('\u0001')) {
    const [commit = '', message = ''] = entry.trim().split('\0');
    commits.add(commit);
    for (const proposal of parseProposalTrailers(message)) commitByProposal.set(proposal, commit);
  }
  return undecided.flatMap(({ night, proposal, commit }): LandedChange[] => {
    const squashCommit = night.squashedTo !== undefined && commits.has(night.squashedTo) ? night.squashedTo : undefined;
    const commitInHistory = commits.has(commit) ? commit : (commitByProposal.get(proposal) ?? squashCommit);
    return commitInHistory === undefined ? [] : [{ night, proposal, commit: commitInHistory }];
  });
}

/** True if a run of the night followed the branch, or if it is unknown which one the runs followed. */
function isFollowed({ runs }: Night, branch: string): boolean {
  const refs = runs.flatMap(({ follows }) => follows ?? []);
  return refs.length === 0 || refs.includes(`refs/heads/${branch}`);
}

/** Imports the steps of the changes that HEAD contains from the ledger of the run, and records that they are kept. */
async function recordLanded(
  repository: Repository,
  currentLedger: OpenLedger,
  landed: readonly LandedChange[],
): Promise<void> {
  const { rootDir, env, log } = repository;
  const places = resolveNightFolders(rootDir, env);
  const branch = await openNightBranch(rootDir, places.scratch, log);
  const current = (await readBranch(rootDir)) ?? '';
  const runLedger = await openLedger(resolveStateFolder(join(places.tree, branch.prefix), places.env), log);
  try {
    const remainingChanges: LandedChange[] = [];
    for (const change of landed) {
      const edits = (await runLedger.ledger.proposal(change.proposal))?.edits ?? [];
      if (edits.length > 0 && (await isCommittedInHead(rootDir, edits))) remainingChanges.push(change);
    }
    if (remainingChanges.length === 0) return;
    const ids = new Set(remainingChanges.map(({ proposal }) => proposal));
    // Imports all changes in one call, because an import reads both ledgers completely.
    await importEvents(
      runLedger,
      currentLedger,
      (event) => UNTIL_VERIFIED.has(event.type) && ids.has(proposalIdOf(event) ?? ''),
      determineStrength,
    );
    for (const { night, proposal, commit } of remainingChanges) {
      if ((await currentLedger.ledger.proposal(proposal))?.status !== 'verified') continue;
      // A process that dies in between has not settled the change, so the next start records both.
      await currentLedger.ledger.record({ type: 'committed', data: { proposal, commit, branch: current } });
      await currentLedger.ledger.record({ type: 'nightMerged', data: { night: night.branch, proposal, commit } });
    }
  } finally {
    await runLedger.close();
  }
}

/** True if the last commit contains the whole change; a deleted file has to be missing there. */
async function isCommittedInHead(rootDir: string, edits: readonly FileEdit[]): Promise<boolean> {
  const git = createGitRunner(rootDir);
  for (const edit of edits) {
    const text = await textOrNull(() => git.text(['show', `HEAD:./${edit.path}`]));
    if (text === null ? edit.after !== null : edit.after !== text && !containsWholeChange(edit, text)) return false;
  }
  return true;
}

/** The branch that is checked out; null if there is none. */
async function readBranch(rootDir: string): Promise<string | null> {
  return textOrNull(async () =>
    (await createGitRunner(rootDir).text(['symbolic-ref', '--quiet', '--short', 'HEAD'])).trim(),
  );
}

/** Null if git fails; otherwise the text that `read` returns. */
async function textOrNull(read: () => Promise<string>): Promise<string | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof GitFailure) return null;
    throw error;
  }
}
