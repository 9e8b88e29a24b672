// Hands the kept changes of a run over to the user: each becomes one commit on the branch, and is recorded in the
// repository's ledger. Every step can be repeated, so a process that dies in between loses nothing.

import {
  listCommitsAfter,
  parseProposalTrailer,
  readRunBranchTip,
  type NightCommit,
} from '../../adapters/git/nightBranch.ts';
import type { Session } from '../../core/session.ts';
import type { Proposal } from '../../core/model.ts';
import { authorOf } from '../../core/model/authors.ts';
import { REPOSITORY_CHECKS } from '../../core/model/gateStages.ts';
import type { NightChange } from '../../core/model/nights.ts';
import type { CommittedChange } from '../../core/run/nightTypes.ts';
import type { BegunRun } from './beginRun.ts';
import { SelfwareError } from '../../util/typedError.ts';
import { isAhead } from './moveNight.ts';
import { hashHunks } from './oscillationHashes.ts';
import { requireNight, type NightContext } from './night.ts';

/**
 * Hands over the kept changes, and returns those that are new on the branch. Null if the branch was not changed,
 * because it belongs to somebody else now: a person has checked it out, moved or deleted it, or the tree contains
 * changes that were taken off the branch.
 */
export async function handOver(
  { request, places, branch, repository }: NightContext,
  session: Session,
  { branch: name, run }: BegunRun,
): Promise<readonly CommittedChange[] | null> {
  await commitKeptChanges(session);
  const knownTip = await branch.tip(name);
  const night = await requireNight(repository.ledger, name);
  // Committed changes are handed over even if the run is being cancelled.
  const signal = new AbortController().signal;
  const tip = await readRunBranchTip(places.tree, name);
  if (tip === null || tip === night.base) return [];
  if (knownTip === null && night.changes.length > 0) return null;
  if (!(await isAhead(places.tree, night, knownTip ?? night.base, tip))) return null;
  try {
    await branch.publish(places.tree, name, knownTip, signal);
  } catch (error) {
    if (error instanceof SelfwareError && (error.reason === 'stale' || error.reason === 'forbidden')) return null;
    throw error;
  }
  const recordedIds = new Set(night.changes.map(({ proposal }) => proposal));
  const addedChanges: CommittedChange[] = [];
  for (const commit of await listCommitsAfter(places.tree, night.base, tip)) {
    const id = parseProposalTrailer(commit.message);
    if (id === null || recordedIds.has(id)) continue;
    const change = await createChange(session, id, commit);
    await repository.ledger.record({ type: 'nightCommitted', data: { night: name, run, commit: commit.id, change } });
    const storedChange = { ...change, commit: commit.id, at: Date.now(), run };
    addedChanges.push(storedChange);
    request.onEvent({ type: 'committed', change: storedChange });
  }
  return addedChanges;
}

/** Commits the changes that the run has kept. Changes that its ledger knows from elsewhere are already in the tree. */
async function commitKeptChanges(session: Session): Promise<void> {
  const committedIds = new Set(
    (await session.ledger.query({ types: ['committed'] })).map(
      ({ data }) => (data as { readonly proposal: string }).proposal,
    ),
  );
  const changes = (await session.proposals.all())
    .filter(({ id, status, edits }) => status === 'kept' && edits.length > 0 && !committedIds.has(id))
    .map(({ id }) => id);
  for (const change of changes) await commitUnlessLost(session, change);
}

/** Commits a change. Skips a change that the tree has lost because the tree was checked out again. */
async function commitUnlessLost(session: Session, change: string): Promise<void> {
  const signal = new AbortController().signal;
  try {
    await session.changes.commit({ changes: [change], branch: null, checkedOut: true, signal });
  } catch (error) {
    if (!(error instanceof SelfwareError && error.reason === 'illegalStep')) throw error;
  }
}

/** The record of a change that was committed. */
async function createChange(session: Session, id: string, commit: NightCommit): Promise<NightChange> {
  const proposal = (await session.proposals.all()).find((candidate) => candidate.id === id);
  const cost = await session.proposals.cost(id);
  return proposal ? describeChange(proposal, cost) : createUnknownChange(id, commit);
}

function describeChange(proposal: Proposal, cost: NightChange['cost']): NightChange {
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
    proposedAt: proposal.createdAt,
    checks: proposal.verdicts.map(({ gate, outcome, reason }) => ({ gate, outcome, reason })),
    commands: collectCommands(proposal),
    cost,
    turns: hashHunks(proposal.edits),
  };
}

/** The commands of the repository that checked a change, without duplicates. */
function collectCommands({ verdicts }: Proposal): readonly string[] {
  const lines = verdicts.flatMap(({ gate, evidence: { command } }) =>
    REPOSITORY_CHECKS.has(gate) && typeof command === 'string' ? [command] : [],
  );
  return [...new Set(lines)];
}

/** The change according to its commit, because the run's own ledger was deleted. */
function createUnknownChange(id: string, { message }: NightCommit): NightChange {
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
