// Moves the branch of a night to another base, takes changes out of it, or parks those that wait for a person: each
// remaining change is replayed, and judged again once anything before it differs. What does not fit or fails is left
// out, with the reason.

import { join } from 'node:path';
import { commitsAfter, proposalIn, replayCommit, tipInside } from '../../adapters/git/nightBranch.ts';
import { stateFolderFor } from '../../adapters/files/stateFolder.ts';
import { createGitRunner } from '../../adapters/git/runGit.ts';
import type { Judgement } from '../../core/model/judgement.ts';
import { heldOnBranch, type CommittedChange, type Night } from '../../core/run/nights.ts';
import { SelfwareError } from '../../util/typedError.ts';
import { judgeRevisions } from '../judging.ts';
import { nightOn, type NightContext } from './night.ts';

/** Refs that keep the commits of parked changes. */
const PARKED = 'refs/selfware/held/';

export interface Moved {
  readonly commits: readonly { readonly proposal: string; readonly commit: string }[];
  readonly left: readonly { readonly proposal: string; readonly reason: string; readonly held?: true }[];
}

/**
 * Rewrites the branch. `without`: proposals to take out; `parks`: they can still be accepted. Call this only if the
 * branch is where the night left it. Throws `stale` if the branch moves meanwhile, and `forbidden` if it is checked out;
 * the branch stays as it is then.
 */
export async function moveNight(
  context: NightContext,
  night: Night,
  {
    onto,
    without = new Set(),
    parks = false,
  }: { readonly onto: string; readonly without?: ReadonlySet<string>; readonly parks?: boolean },
): Promise<Moved> {
  const { request, places, branch, repository } = context;
  const known = await branch.tip(night.branch);
  await branch.checkOut(places.replay, night.branch, onto, request.signal);
  const git = createGitRunner(places.replay);
  const all = new Map(
    known === null ? [] : (await commitsAfter(places.replay, night.base, known)).map((one) => [one.id, one]),
  );
  const commits: { proposal: string; commit: string }[] = [];
  const left: { proposal: string; reason: string; held?: true }[] = [];
  let tip = onto;
  let sameBefore = onto === night.base;
  for (const { proposal, title, commit: id } of night.changes) {
    const commit = all.get(id);
    if (without.has(proposal) || !commit) {
      const held = parks && without.has(proposal) ? ({ held: true } as const) : {};
      left.push({ proposal, reason: commit ? 'It was taken out.' : 'Its commit is gone.', ...held });
      sameBefore = false;
      continue;
    }
    request.report?.({
      stage: 'verifying',
      done: commits.length + left.length,
      total: night.changes.length,
      message: `Judging again: ${title}`,
    });
    const replayed = await replayCommit(places.replay, commit, tip);
    const isThere = replayed !== null && replayed !== id && (await hasSameFiles(places.replay, tip, replayed));
    const reason =
      replayed === null
        ? 'The same lines were changed meanwhile.'
        : isThere
          ? 'It is part of your branch now.'
          : sameBefore
            ? null
            : reasonAgainst(await judgeCommit(context, tip, replayed));
    if (replayed === null || reason !== null) {
      left.push({ proposal, reason: reason ?? '' });
      sameBefore = false;
      continue;
    }
    tip = replayed;
    commits.push({ proposal, commit: tip });
  }
  if (known !== null) {
    await git.text(['update-ref', `refs/heads/${night.branch}`, tip]);
    await branch.publish(places.replay, night.branch, known, request.signal);
  }
  await repository.ledger.record({ type: 'nightMoved', data: { night: night.branch, base: onto, commits, left } });
  request.onEvent({ type: 'moved', base: onto, kept: commits.length, left: left.length });
  return { commits, left };
}

/**
 * Records a move whose process died before it could record it: the branch is then where the replay has left it. Returns
 * the night after the move, or the same night if there was none.
 */
export async function afterMove({ places, branch, repository }: NightContext, night: Night): Promise<Night> {
  const tip = await branch.tip(night.branch);
  const isReplayed = tip !== null && tip === (await tipInside(places.replay, night.branch));
  if (!isReplayed || tip === night.changes.at(-1)?.commit) return night;
  const base = await branch.base(tip, await branch.head());
  const commits = (await commitsAfter(places.replay, base, tip)).flatMap(({ id, message }) => {
    const proposal = proposalIn(message);
    return proposal === null ? [] : [{ proposal, commit: id }];
  });
  const held = new Set(heldOnBranch(night).map(({ proposal }) => proposal));
  const there = new Set(commits.map(({ proposal }) => proposal));
  const left = night.changes
    .filter(({ proposal }) => !there.has(proposal))
    .map(({ proposal }) => ({
      proposal,
      reason: 'It was left out when the branch was moved.',
      ...(held.has(proposal) ? ({ held: true } as const) : {}),
    }));
  await repository.ledger.record({ type: 'nightMoved', data: { night: night.branch, base, commits, left } });
  return nightOn(repository.ledger, night.branch);
}

async function hasSameFiles(folder: string, one: string, other: string): Promise<boolean> {
  const text = await createGitRunner(folder).text(['rev-parse', `${one}^{tree}`, `${other}^{tree}`]);
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
    seconds: null,
    author: null,
    own: request.own,
    env: places.env,
    log: request.log,
    signal: request.signal,
    lent: { packagesOf: branch.top, setUpIn: stateFolderFor(branch.top, request.env) },
    note: (text) => request.onEvent({ type: 'note', text }),
  });
}

/** Why the change may not stay; null if nothing speaks against it. */
export function reasonAgainst({ policy, verdicts }: Judgement): string | null {
  if (policy.met) return null;
  const failed = verdicts.find(({ outcome }) => outcome === 'failed');
  const unmet = policy.rules.flatMap(({ demands }) => demands).find(({ met }) => !met);
  return failed?.reason ?? unmet?.found ?? 'It was not shown to be right any more.';
}

/** The held changes that can be taken off: none if the branch is checked out, was pushed, or was moved by somebody. */
export async function parkable(
  { branch, repository }: NightContext,
  { branch: name }: { readonly branch: string },
): Promise<readonly CommittedChange[]> {
  const night = await nightOn(repository.ledger, name);
  const held = heldOnBranch(night);
  if (held.length === 0 || (await branch.tip(name)) !== night.changes.at(-1)?.commit) return [];
  const { checkedOut, pushed } = await branch.isHeld(name);
  return checkedOut || pushed ? [] : held;
}

/**
 * Takes all held changes off the branch, so that merging it does not take them. Their commits stay under refs of their
 * own, and their proposals can be accepted. Judges the others again, and checks the branch out again in the tree of the
 * run: no session may be open there. If somebody moves the branch meanwhile, everything stays as it is.
 */
export async function parkHeld(context: NightContext, begun: { readonly branch: string }): Promise<void> {
  const { branch, places, repository, request } = context;
  const held = await parkable(context, begun);
  if (held.length === 0 || request.signal.aborted) return;
  const night = await nightOn(repository.ledger, begun.branch);
  const git = createGitRunner(branch.top);
  for (const change of held) await git.text(['update-ref', refOf(night, change.proposal), change.commit]);
  try {
    const without = new Set(held.map(({ proposal }) => proposal));
    await moveNight(context, night, { onto: night.base, without, parks: true });
  } catch (error) {
    if (error instanceof SelfwareError && (error.reason === 'stale' || error.reason === 'forbidden')) return;
    throw error;
  }
  const tip = (await branch.tip(night.branch)) ?? night.base;
  await branch.checkOut(places.tree, night.branch, tip, request.signal);
}

/** Removes the refs of parked changes that a person does not want. */
export async function forgetParked(
  { branch }: Pick<NightContext, 'branch'>,
  night: Night,
  proposals: ReadonlySet<string>,
): Promise<void> {
  const git = createGitRunner(branch.top);
  for (const { proposal } of night.parked)
    if (proposals.has(proposal)) await git.text(['update-ref', '-d', refOf(night, proposal)]);
}

function refOf({ branch }: Pick<Night, 'branch'>, proposal: string): string {
  return `${PARKED}${branch}/${proposal}`;
}
