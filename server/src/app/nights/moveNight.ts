// Moves the branch of a night to another base, takes changes off it, or parks the changes that wait for a person: each
// remaining change is replayed, and judged again if anything before it differs. Changes that cannot be reapplied or
// that fail are left out, with the reason.

import { leftRefOf, listRefs, PARKED_REF_PREFIX, parkedRefOf } from './open/nightRefs.ts';
import { join } from 'node:path';
import {
  listCommitsAfter,
  isInHistory,
  parseProposalTrailer,
  replayCommit,
  readRunBranchTip,
} from '../../adapters/git/nightBranch.ts';
import { resolveStateFolder } from '../../adapters/files/stateFolder.ts';
import { createGitRunner, GitFailure } from '../../adapters/git/runGit.ts';
import { createDeadline } from '../../adapters/run/deadline.ts';
import type { LeftChange } from '../../core/model/nights.ts';
import type { Judgement } from '../../core/model/judgement.ts';
import { findHeldChangesOnBranch } from '../../core/run/heldChanges.ts';
import { listNumberedChanges } from '../../core/run/nightQueries.ts';
import type { CommittedChange, Night } from '../../core/run/nightTypes.ts';
import { describeError, SelfwareError, throwIfCancelled } from '../../util/typedError.ts';
import { judgeRevisions } from '../judging.ts';
import { LEFT_REF_PREFIX } from './open/keptCommits.ts';
import {
  requireNight,
  loadNights,
  findSettled,
  findInterruptionReason,
  TIME_IS_UP,
  type NightContext,
  type RunEnd,
} from './night.ts';

/** Milliseconds for which the commit of a change that was left out is protected. */
const LEFT_REF_MS = 30 * 24 * 60 * 60_000;

/** The changes that are on the branch after a move, and those that are not, with the reason. */
export interface MoveResult {
  readonly commits: readonly { readonly proposal: string; readonly commit: string }[];
  readonly left: readonly LeftChange[];
}

/**
 * Rewrites the branch. `without`: proposals to take off the branch. `parks`: true if these can still be accepted. Call
 * this only if the branch is where the night left it. Throws `stale` if the branch moves meanwhile, and `forbidden` if
 * it is checked out; in both cases the branch is not changed.
 */
export async function moveNight(
  context: NightContext,
  night: Night,
  {
    onto,
    without = new Set(),
    parks = false,
  }: { readonly onto: string; readonly without?: ReadonlySet<string>; readonly parks?: boolean },
): Promise<MoveResult> {
  const { request, places, branch, repository } = context;
  const knownTip = await branch.tip(night.branch);
  await branch.checkOut(places.replay, night.branch, onto, request.signal);
  const git = createGitRunner(places.replay);
  const allChanges = new Map(
    knownTip === null
      ? []
      : (await listCommitsAfter(places.replay, night.base, knownTip)).map((commit) => [commit.id, commit]),
  );
  const commits: { proposal: string; commit: string }[] = [];
  const notReapplied: LeftChange[] = [];
  let tip = onto;
  let isSameBefore = onto === night.base;
  for (const { proposal, title, commit: id } of night.changes) {
    const commit = allChanges.get(id);
    if (without.has(proposal) || !commit) {
      const isGone = !without.has(proposal);
      notReapplied.push(
        isGone ? { proposal, reason: 'Its commit is gone.', lost: true } : createLeftChange(proposal, parks),
      );
      isSameBefore = false;
      continue;
    }
    request.report?.({
      stage: 'verifying',
      done: commits.length + notReapplied.length,
      total: night.changes.length,
      message: `Judging again: ${title}`,
    });
    const replayed = await replayCommit(places.replay, commit, tip);
    const isAlreadyInBase = replayed !== null && replayed !== id && (await hasSameFiles(places.replay, tip, replayed));
    const reason =
      replayed === null
        ? 'The same lines were changed meanwhile.'
        : isAlreadyInBase
          ? 'It is part of your branch now.'
          : isSameBefore
            ? null
            : explainDroppedChange(await judgeCommit(context, tip, replayed));
    // A judgement that was interrupted is no reason to skip a change.
    throwIfCancelled(request.signal);
    if (replayed === null || reason !== null) {
      const leftChange = { proposal, reason: reason ?? '' };
      notReapplied.push(isAlreadyInBase ? leftChange : { ...leftChange, lost: true, commit: id });
      isSameBefore = false;
      continue;
    }
    tip = replayed;
    commits.push({ proposal, commit: tip });
  }
  if (knownTip !== null) {
    await protectLeftCommits(branch.top, night.branch, notReapplied);
    await git.text(['update-ref', `refs/heads/${night.branch}`, tip]);
    await branch.publish(places.replay, night.branch, knownTip, request.signal);
  }
  await repository.ledger.record({
    type: 'nightMoved',
    data: { night: night.branch, base: onto, commits, left: notReapplied },
  });
  const parkedCount = notReapplied.filter(({ held }) => held).length;
  request.onEvent({
    type: 'moved',
    base: onto,
    kept: commits.length,
    left: notReapplied.length - parkedCount,
    parked: parkedCount,
  });
  return { commits, left: notReapplied };
}

/** The entry about a change that was taken off the branch. `parks`: it can still be accepted. */
function createLeftChange(proposal: string, parks: boolean): LeftChange {
  const change = { proposal, reason: 'It was taken out.' };
  return parks ? { ...change, held: true } : change;
}

/** Protects the commits of changes that nobody has rejected from git's garbage collection. */
export async function protectLeftCommits(folder: string, night: string, left: readonly LeftChange[]): Promise<void> {
  const git = createGitRunner(folder);
  for (const { proposal, commit } of left)
    if (commit !== undefined) await git.text(['update-ref', leftRefOf(night, proposal), commit]);
}

/**
 * Records a move whose process died before it could record it: the branch is then where the replay has left it. Returns
 * the night after the move, or the same night if there was none.
 */
export async function computeNightAfterMove(
  { places, branch, repository }: NightContext,
  night: Night,
): Promise<Night> {
  const tip = await branch.tip(night.branch);
  const squashedNight = await computeNightAfterSquash({ branch, repository }, night, tip);
  if (squashedNight.decided !== null) return squashedNight;
  const isReplayed = tip !== null && tip === (await readRunBranchTip(places.replay, night.branch));
  if (!isReplayed || tip === (night.changes.at(-1)?.commit ?? night.base)) return night;
  const base = await branch.base(tip, await branch.head());
  const commits = (await listCommitsAfter(places.replay, base, tip)).flatMap(({ id, message }) => {
    const proposal = parseProposalTrailer(message);
    return proposal === null ? [] : [{ proposal, commit: id }];
  });
  // The ref of a parked change is written first.
  const refs = await listRefs(branch.top, PARKED_REF_PREFIX);
  const leftRefs = await listRefs(branch.top, LEFT_REF_PREFIX);
  const committedProposals = new Set(commits.map(({ proposal }) => proposal));
  const remainingChanges = night.changes
    .filter(({ proposal }) => !committedProposals.has(proposal))
    .map(({ proposal, commit }) => ({
      proposal,
      reason: 'It was left out when the branch was moved.',
      ...(refs.has(parkedRefOf(night.branch, proposal)) ? ({ held: true } as const) : {}),
      ...(leftRefs.has(leftRefOf(night.branch, proposal)) ? ({ lost: true, commit } as const) : {}),
    }));
  await repository.ledger.record({
    type: 'nightMoved',
    data: { night: night.branch, base, commits, left: remainingChanges },
  });
  return requireNight(repository.ledger, night.branch);
}

/**
 * Records a squash whose process died before it could record it: the branch is then one commit on the base, with the
 * files of the last change. Returns the night after the squash, or the same night if there was none.
 */
export async function computeNightAfterSquash(
  { branch, repository }: Pick<NightContext, 'branch' | 'repository'>,
  night: Night,
  tip: string | null,
): Promise<Night> {
  const lastChange = night.changes.at(-1);
  if (tip === null || !lastChange || tip === lastChange.commit || night.decided !== null) return night;
  if (!(await isSquashOf(branch.top, night, tip, lastChange.commit))) return night;
  const data = { night: night.branch, verdict: 'squashed', changes: null, commit: tip } as const;
  await repository.ledger.record({ type: 'nightDecided', data });
  return requireNight(repository.ledger, night.branch);
}

/** The lines of a squashed commit that name its changes. */
export function squashLines({ changes }: Night): readonly string[] {
  return changes.map(({ title, proposal }) => `- ${title} (${proposal})`);
}

/** True if the commit `tip` is the result of squashing the night; false for a commit that a person has amended. */
async function isSquashOf(folder: string, night: Night, tip: string, lastCommit: string): Promise<boolean> {
  try {
    const [parents = '', message = ''] = (
      await createGitRunner(folder).text(['log', '-1', '--format=%P%x00%B', tip])
    ).split('\0');
    const isNamed = message.includes(squashLines(night).join('\n'));
    return parents === night.base && isNamed && (await hasSameFiles(folder, tip, lastCommit));
  } catch (error) {
    // The last commit of the night may have been removed.
    if (error instanceof GitFailure) return false;
    throw error;
  }
}

/**
 * True if a tree at `inTree` only adds changes to `tip`. After a change was taken off the end of the branch, the tree
 * still contains it, and would bring it back.
 */
export async function isAhead(folder: string, { gone }: Night, tip: string, inTree: string): Promise<boolean> {
  if (!(await isInHistory(folder, tip, inTree))) return false;
  const commitsAhead = gone.length === 0 ? [] : await listCommitsAfter(folder, tip, inTree);
  return !commitsAhead.some(({ message }) => gone.includes(parseProposalTrailer(message) ?? ''));
}

async function hasSameFiles(folder: string, commit: string, otherCommit: string): Promise<boolean> {
  const text = await createGitRunner(folder).text(['rev-parse', `${commit}^{tree}`, `${otherCommit}^{tree}`]);
  const [first, second] = text.trim().split('\n');
  return first === second;
}

/** Judges one commit in the repository for replays. */
export async function judgeCommit(
  { request, places, branch }: NightContext,
  base: string,
  head: string,
): Promise<Judgement> {
  return judgeRevisions({
    rootDir: join(places.replay, branch.prefix),
    base,
    head,
    policy: null,
    ignoresTeamPolicy: true,
    seconds: null,
    author: null,
    personSettings: request.personSettings,
    env: places.env,
    log: request.log,
    signal: request.signal,
    shared: { packagesOf: branch.top, setUpIn: resolveStateFolder(branch.top, request.setUpEnv ?? request.env) },
    note: (text) => request.onEvent({ type: 'note', text }),
  });
}

/** The reason why a judged change must be dropped; null if it may stay. */
export function explainDroppedChange({ policy, verdicts }: Judgement): string | null {
  if (policy.met) return null;
  const failed = verdicts.find(({ outcome }) => outcome === 'failed');
  const unmet = policy.rules.flatMap(({ demands }) => demands).find(({ met }) => !met);
  return failed?.reason ?? unmet?.found ?? 'It was not shown to be right any more.';
}

/**
 * The changes that are held for a person and can be taken off the branch. Empty if the branch is checked out, was
 * pushed, or was moved by somebody else.
 */
export async function findParkable(
  { branch, repository }: NightContext,
  { branch: name }: { readonly branch: string },
): Promise<readonly CommittedChange[]> {
  const night = await requireNight(repository.ledger, name);
  const heldChanges = findHeldChangesOnBranch(night);
  if (heldChanges.length === 0 || (await branch.tip(name)) !== night.changes.at(-1)?.commit) return [];
  const { checkedOut, pushed } = await branch.findUses(name);
  return checkedOut || pushed ? [] : heldChanges;
}

/** The run whose held changes are parked. `until`: nothing is judged after this time. */
interface Parking {
  readonly branch: string;
  readonly until: number;
}

/**
 * Takes held changes off the branch, calls `run`, and takes off the changes that were held meanwhile. If the latter
 * fails and the run has no other end, this failure is its end.
 */
export async function parkAndRestore(
  context: NightContext,
  parking: Parking,
  run: () => Promise<RunEnd | 'moved' | 'drained'>,
): Promise<RunEnd | 'moved' | 'drained'> {
  const failed = await parkHeld(context, parking);
  if (failed !== null) return { reason: failed, passedOver: {} };
  const end = await run();
  const failedNow = await parkHeld(context, parking);
  if (end !== 'moved') return end;
  if (failedNow !== null) return { reason: failedNow, passedOver: {} };
  if (context.request.signal.aborted) return { reason: await findInterruptionReason(context), passedOver: {} };
  return Date.now() >= parking.until ? { reason: TIME_IS_UP, passedOver: {} } : end;
}

/**
 * Takes all held changes off the branch, so that a merge does not include them. Their commits stay under separate refs,
 * and their proposals can be accepted. Judges the other changes again. If the run ends meanwhile, or they cannot be
 * judged, all changes after the first held one are also taken off. Checks the branch out again in the tree of the run,
 * where no session may be open. If somebody moves the branch meanwhile, nothing is changed. Returns the reason for a
 * failure; otherwise null.
 */
export async function parkHeld(context: NightContext, parking: Parking): Promise<string | null> {
  const parkableChanges = await findParkable(context, parking);
  if (parkableChanges.length === 0) return null;
  const note = (text: string) => context.request.onEvent({ type: 'note', text });
  const deadline = createDeadline(parking.until);
  const signal = AbortSignal.any([context.request.signal, deadline.signal]);
  try {
    throwIfCancelled(signal);
    await removeFromParking(context, parking, parkableChanges, signal);
    return null;
  } catch (error) {
    if (!signal.aborted) note(`The other changes of the branch were not judged again. ${describeError(error)}`);
  } finally {
    deadline.dispose();
  }
  try {
    const { changes } = await requireNight(context.repository.ledger, parking.branch);
    const firstHeldIndex = changes.findIndex(({ proposal }) => proposal === parkableChanges[0]!.proposal);
    // If only the last step has failed, the changes are already off the branch, and the last step is repeated.
    await removeFromParking(
      context,
      parking,
      firstHeldIndex < 0 ? [] : changes.slice(firstHeldIndex),
      new AbortController().signal,
    );
    return null;
  } catch (error) {
    const reason = `Held changes could not be taken off ${parking.branch}. ${describeError(error)}`;
    note(reason);
    return reason;
  }
}

async function removeFromParking(
  nightContext: NightContext,
  parking: Pick<Parking, 'branch'>,
  changes: readonly CommittedChange[],
  signal: AbortSignal,
): Promise<void> {
  const { branch, places, repository } = nightContext;
  const context = { ...nightContext, request: { ...nightContext.request, signal } };
  const night = await requireNight(repository.ledger, parking.branch);
  const excludedProposals = new Set(changes.map(({ proposal }) => proposal));
  const git = createGitRunner(branch.top);
  for (const { proposal, commit } of changes)
    await git.text(['update-ref', parkedRefOf(night.branch, proposal), commit]);
  try {
    if (excludedProposals.size > 0)
      await moveNight(context, night, { onto: night.base, without: excludedProposals, parks: true });
  } catch (error) {
    if (!(error instanceof SelfwareError && (error.reason === 'stale' || error.reason === 'forbidden'))) throw error;
    return forgetParked(context, night.branch, [...excludedProposals]);
  }
  const tip = (await branch.tip(night.branch)) ?? night.base;
  await branch.checkOut(places.tree, night.branch, tip, signal);
}

/** Removes the refs of parked changes that a person does not want. Does nothing for a change that has none. */
export async function forgetParked(
  { branch }: Pick<NightContext, 'branch'>,
  night: string,
  proposals: readonly string[],
): Promise<void> {
  const git = createGitRunner(branch.top);
  for (const proposal of proposals) await git.text(['update-ref', '-d', parkedRefOf(night, proposal)]);
}

/**
 * Removes the refs of parked changes that a person has applied or rejected, and those of changes that were left out a
 * month ago or on a branch that was dropped.
 */
export async function forgetDecided({ branch, repository }: Pick<NightContext, 'branch' | 'repository'>) {
  const refs = await listRefs(branch.top, PARKED_REF_PREFIX);
  const leftRefs = await listRefs(branch.top, LEFT_REF_PREFIX);
  if (refs.size + leftRefs.size === 0) return;
  const git = createGitRunner(branch.top);
  const settledIds = await findSettled(repository.ledger);
  // Other refs belong to runs in other work trees of this repository.
  for (const night of await loadNights(repository.ledger)) {
    const isOver = night.decided === 'dropped' || Date.now() - night.lastAt > LEFT_REF_MS;
    for (const ref of leftRefs)
      if (isOver && ref.startsWith(`${LEFT_REF_PREFIX}${night.branch}/`)) await git.text(['update-ref', '-d', ref]);
    const decidedIds = listNumberedChanges(night).flatMap(({ proposal }) =>
      settledIds.has(proposal) ? [proposal] : [],
    );
    await forgetParked(
      { branch },
      night.branch,
      decidedIds.filter((proposal) => refs.has(parkedRefOf(night.branch, proposal))),
    );
  }
}
