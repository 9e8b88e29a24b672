// Brings kept changes of a run to the user: one commit each on the branch, recorded in the repository's ledger. Every
// step can be repeated, so a process that dies in between loses nothing.

import { createGitRunner } from '../../adapters/git/runGit.ts';
import { commitsAfter, type NightCommit } from '../../adapters/git/nightBranch.ts';
import type { Session } from '../../core/session.ts';
import type { Proposal } from '../../core/model.ts';
import { authorOf } from '../../core/model/authors.ts';
import type { NightChange } from '../../core/model/nights.ts';
import type { CommittedChange } from '../../core/run/nights.ts';
import type { BegunRun } from './beginRun.ts';
import { nightOn, type NightContext } from './night.ts';

const TRAILER = /^Selfware-Proposal: (\S+)$/m;

/** Returns the changes that are newly on the branch. Throws `stale` and `forbidden` if the branch is not ours any more. */
export async function handOver(
  { request, places, branch, repository }: NightContext,
  session: Session,
  { branch: name, run }: BegunRun,
): Promise<readonly CommittedChange[]> {
  await commitKept(session);
  const known = await branch.tip(name);
  const night = await nightOn(repository.ledger, name);
  // What was committed is handed over even if the run is being cancelled.
  const signal = new AbortController().signal;
  const tip = await tipIn(places.tree, name);
  if (tip === night.base) return [];
  await branch.publish(places.tree, name, known, signal);
  const recorded = new Set(night.changes.map(({ proposal }) => proposal));
  const added: CommittedChange[] = [];
  for (const commit of await commitsAfter(places.tree, night.base, tip)) {
    const id = TRAILER.exec(commit.message)?.[1];
    if (id === undefined || recorded.has(id)) continue;
    const change = await changeOf(session, id, commit);
    await repository.ledger.record({ type: 'nightCommitted', data: { night: name, run, commit: commit.id, change } });
    const stored = { ...change, commit: commit.id, at: Date.now() };
    added.push(stored);
    request.onEvent({ type: 'committed', change: stored });
  }
  return added;
}

/** Commits what the run has kept. Changes that its ledger knows from elsewhere are in the tree already. */
async function commitKept(session: Session): Promise<void> {
  const done = new Set(
    (await session.ledger.query({ types: ['committed'] })).map(
      ({ data }) => (data as { readonly proposal: string }).proposal,
    ),
  );
  const changes = (await session.proposals.all())
    .filter(({ id, status, edits }) => status === 'kept' && edits.length > 0 && !done.has(id))
    .map(({ id }) => id);
  if (changes.length === 0) return;
  const signal = new AbortController().signal;
  await session.changes.commit({ changes, branch: null, checkedOut: true, signal });
}

async function tipIn(folder: string, branch: string): Promise<string> {
  return (await createGitRunner(folder).text(['rev-parse', `refs/heads/${branch}`])).trim();
}

async function changeOf(session: Session, id: string, commit: NightCommit): Promise<NightChange> {
  const proposal = (await session.proposals.all()).find((one) => one.id === id);
  const cost = await session.proposals.cost(id);
  return proposal ? described(proposal, cost) : unknownChange(id, commit);
}

function described(proposal: Proposal, cost: NightChange['cost']): NightChange {
  const { id, title, rationale, opportunity, recipe, claim = null, strength, pointsBefore, pointsAfter } = proposal;
  return {
    proposal: id,
    title,
    rationale,
    rule: opportunity.rule,
    recipe,
    author: authorOf(proposal),
    strength: strength ?? 'unchecked',
    claim,
    points: pointsBefore && pointsAfter ? { before: pointsBefore.total, after: pointsAfter.total } : null,
    paths: proposal.edits.map(({ path }) => path),
    checks: proposal.verdicts.map(({ gate, outcome, reason }) => ({ gate, outcome, reason })),
    cost,
  };
}

/** The run's own ledger was deleted: the commit is all that is left. */
function unknownChange(id: string, { message }: NightCommit): NightChange {
  return {
    proposal: id,
    title: message.split('\n')[0]!,
    rationale: '',
    rule: 'unknown',
    recipe: 'unknown',
    author: 'agent',
    strength: 'unchecked',
    claim: null,
    points: null,
    paths: [],
    checks: [],
    cost: null,
  };
}
