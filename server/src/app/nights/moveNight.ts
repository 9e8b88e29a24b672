// Moves the branch of a night to another base, or takes changes out of it: each remaining change is replayed, and
// judged again once anything before it differs. What does not fit or fails is left out, with the reason.

import { join } from 'node:path';
import { commitsAfter, proposalIn, replayCommit, tipInside } from '../../adapters/git/nightBranch.ts';
import { stateFolderFor } from '../../adapters/files/stateFolder.ts';
import { createGitRunner } from '../../adapters/git/runGit.ts';
import type { Judgement } from '../../core/model/judgement.ts';
import type { Night } from '../../core/run/nights.ts';
import { judgeRevisions } from '../judging.ts';
import { nightOn, type NightContext } from './night.ts';

export interface Moved {
  readonly commits: readonly { readonly proposal: string; readonly commit: string }[];
  readonly left: readonly { readonly proposal: string; readonly reason: string }[];
}

/**
 * Rewrites the branch. `without`: proposals to take out. Call this only if the branch is where the night left it.
 * Throws `stale` if the branch moves meanwhile, and `forbidden` if it is checked out; the branch stays as it is then.
 */
export async function moveNight(
  context: NightContext,
  night: Night,
  { onto, without = new Set() }: { readonly onto: string; readonly without?: ReadonlySet<string> },
): Promise<Moved> {
  const { request, places, branch, repository } = context;
  const known = await branch.tip(night.branch);
  await branch.checkOut(places.replay, night.branch, onto, request.signal);
  const git = createGitRunner(places.replay);
  const all = new Map(
    known === null ? [] : (await commitsAfter(places.replay, night.base, known)).map((one) => [one.id, one]),
  );
  const commits: { proposal: string; commit: string }[] = [];
  const left: { proposal: string; reason: string }[] = [];
  let tip = onto;
  let sameBefore = onto === night.base;
  for (const { proposal, title, commit: id } of night.changes) {
    const commit = all.get(id);
    if (without.has(proposal) || !commit) {
      left.push({ proposal, reason: commit ? 'It was taken out.' : 'Its commit is gone.' });
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
  const there = new Set(commits.map(({ proposal }) => proposal));
  const left = night.changes
    .filter(({ proposal }) => !there.has(proposal))
    .map(({ proposal }) => ({ proposal, reason: 'It was left out when the branch was moved.' }));
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
