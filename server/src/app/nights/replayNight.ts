// Judges the proposals of a night again, with this version and, if a person names one, under another charter. Nothing
// but objects in the state folder is written.

import { join } from 'node:path';
import { createWorkingTree } from '../../adapters/files/workingTree.ts';
import { listCommitsAfter, commitEdits, type NightCommit } from '../../adapters/git/nightBranch.ts';
import { createCharter } from '../../core/charter/charter.ts';
import type { Proposal } from '../../core/model.ts';
import { compareCommitted, compareRefused, type ReplayedProposal } from '../../core/run/replay.ts';
import type { Night } from '../../core/run/nightTypes.ts';
import type { CharterFile } from '../../settings/charterFile.ts';
import { describeError, SelfwareError, throwIfCancelled } from '../../util/typedError.ts';
import { withOpenNight, type NightDecisionRequest, type OpenedNight } from './openEndedNight.ts';
import { judgeCommit, explainDroppedChange } from './moveNight.ts';

/** The proposals of a night, judged again. */
export interface Replay {
  readonly night: string;
  readonly proposals: readonly ReplayedProposal[];
}

/**
 * Judges the proposals of a night again. `onReplayed` receives each proposal as soon as it has been judged. `onlyIds`:
 * the proposals to judge; null for all. Proposals that were put off are skipped. A proposal that cannot be judged is
 * unknown, with the reason. Throws `notFound`, `locked`, `cancelled`.
 */
export async function replayNight(
  request: NightDecisionRequest,
  branch: string | null,
  charter: CharterFile,
  onReplayed: (proposal: ReplayedProposal) => void,
  onlyIds: ReadonlySet<string> | null = null,
): Promise<Replay> {
  const isWanted = ({ proposal }: { readonly proposal: string }) => onlyIds === null || onlyIds.has(proposal);
  return withOpenNight(request, branch, async (openedNight) => {
    const { night } = openedNight;
    const placesOfNight = openedNight.context.places;
    // A separate folder, because `computeNightAfterMove` recognises an interrupted move by the usual one.
    const context = {
      ...openedNight.context,
      places: { ...placesOfNight, replay: join(placesOfNight.folder, 'again') },
    };
    const morning = { ...openedNight, context };
    const { places, branch: userBranch } = context;
    const tip = (await userBranch.tip(night.branch)) ?? night.base;
    await userBranch.checkOut(places.replay, night.branch, tip, request.signal);
    const commits = await listCommitsAfter(places.replay, night.base, tip);
    const proposals: ReplayedProposal[] = [];
    const report = (replayed: ReplayedProposal) => {
      proposals.push(replayed);
      onReplayed(replayed);
    };
    for (const change of night.changes.filter(isWanted)) {
      const { proposal, title, strength } = change;
      const compared = await judgeOrUnknown(async () => {
        const commit = commits.find(({ id }) => id === change.commit);
        if (!commit) return unknownComparison('Its commit is no longer on the branch.');
        const protection = await findProtection(rootOf(morning), charter, change.paths);
        if (protection !== null) return { outcome: 'different', found: `It would wait for a person: ${protection}` };
        const judged = await judgeCommit(context, commit.parent, commit.id);
        return compareCommitted(strength, explainDroppedChange(judged), judged);
      }, request.signal);
      report({ proposal, title, was: 'committed', ...compared });
    }
    for (const miss of night.misses.filter(isWanted)) {
      // Nothing was found yet that another judgement could confirm.
      if (miss.what === 'deferred') continue;
      const compared = await judgeOrUnknown(() => replayMiss(morning, miss, commits, charter), request.signal);
      report({ proposal: miss.proposal, title: miss.title, was: miss.what, ...compared });
    }
    return { night: night.branch, proposals };
  });
}

/** The reason why the charter of a night protects these files; null if they may be changed. */
async function findProtection(root: string, charter: CharterFile, paths: readonly string[]): Promise<string | null> {
  const { check } = createCharter({
    files: await createWorkingTree(root),
    protectedPaths: charter.protectedPaths ?? [],
    approval: 'branch',
    maxChanges: Infinity,
  });
  const answer = await check(paths.map((path) => ({ path })));
  return answer.allowed ? null : answer.reason;
}

/** The root of the session in the repository for replays. */
function rootOf({ context: { places, branch } }: OpenedNight): string {
  return join(places.replay, branch.prefix);
}

type Compared = Pick<ReplayedProposal, 'outcome' | 'found' | 'hasFailed'>;

async function replayMiss(
  morning: OpenedNight,
  { proposal: id, what }: Night['misses'][number],
  commits: readonly NightCommit[],
  charter: CharterFile,
): Promise<Compared> {
  const { context, night, ledgerOfRun } = morning;
  if (what === 'asks') return unknownComparison('It waits for a person, and no check decides that.');
  const proposal = (await ledgerOfRun.ledger.proposal(id)) ?? (await context.repository.ledger.proposal(id));
  if (!proposal) return unknownComparison('The ledger no longer knows its edits.');
  const edits = proposal.edits.map((edit) => ({ ...edit, path: `${context.branch.prefix}${edit.path}` }));
  const bases = [night.base, ...commits.map((commit) => commit.id)];
  const madeCommit = await createCommit(context.places.replay, { ...proposal, edits }, bases);
  if (madeCommit === null) return unknownComparison('The files that it changes are no longer as they were then.');
  const protection = await findProtection(
    rootOf(morning),
    charter,
    proposal.edits.map(({ path }) => path),
  );
  if (protection !== null) return { outcome: 'same', found: `It would not be committed: ${protection}` };
  const judged = await judgeCommit(context, madeCommit.parent, madeCommit.commit);
  if (what === 'refused') return compareRefused(proposal.verdicts, judged);
  const against = explainDroppedChange(judged);
  return against === null
    ? { outcome: 'different', found: `Nothing speaks against it now; it is ${judged.strength}.` }
    : { outcome: 'same', found: `It would not be committed: ${against}` };
}

/** The edits as a commit on the newest of these commits that contains the texts before them; null if none does. */
async function createCommit(folder: string, { edits, title }: Proposal, bases: readonly string[]) {
  for (const parent of bases.toReversed()) {
    const commit = await commitEdits(folder, parent, edits, title);
    if (commit !== null) return { parent, commit };
  }
  return null;
}

async function judgeOrUnknown(judge: () => Promise<Compared>, signal: AbortSignal): Promise<Compared> {
  try {
    return await judge();
  } catch (error) {
    throwIfCancelled(signal);
    if (!(error instanceof SelfwareError)) throw error;
    return { ...unknownComparison(describeError(error)), hasFailed: true };
  }
}

function unknownComparison(reason: string): Compared {
  return { outcome: 'unknown', found: reason };
}
