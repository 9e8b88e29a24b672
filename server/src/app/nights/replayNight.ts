// Judges the proposals of a night again, with this version and, if a person names one, under another charter. Nothing
// but objects in the state folder is written.

import { join } from 'node:path';
import { createWorkingTree } from '../../adapters/files/workingTree.ts';
import { listCommitsAfter, commitEdits, type NightCommit } from '../../adapters/git/nightBranch.ts';
import { createCharter } from '../../core/charter/charter.ts';
import { authorOf, type Author } from '../../core/model/authors.ts';
import { adjustAllowances, tightenAllowances } from '../../core/model/capabilities.ts';
import type { Judgement } from '../../core/model/judgement.ts';
import type { NightMiss } from '../../core/model/nights.ts';
import type { Millis, Proposal } from '../../core/model.ts';
import { findRecipeFacts } from '../../core/propose/recipeTable.ts';
import { compareCommitted, compareRefused, compareWithoutReply, type ReplayedProposal } from '../../core/run/replay.ts';
import { createChangeLimits, findOrder, listUnjudged, type ChangeLimits } from '../../core/run/replayLimits.ts';
import type { CommittedChange, Night } from '../../core/run/nightTypes.ts';
import { determineStrength } from '../../core/verify/strength.ts';
import type { CharterFile } from '../../settings/charterFile.ts';
import { describeError, SelfwareError, throwIfCancelled } from '../../util/typedError.ts';
import { loadEffectiveSettings } from '../teamSettings.ts';
import { loadNights } from './night.ts';
import { withOpenNight, type NightDecisionRequest, type OpenedNight } from './openEndedNight.ts';
import { judgeCommit, explainDroppedChange } from './moveNight.ts';

/** The proposals of a night, judged again. */
export interface Replay {
  readonly night: string;
  readonly proposals: readonly ReplayedProposal[];
  /** Phrases that name the parts of the charter about which nothing could be determined. */
  readonly notJudged: readonly string[];
}

/** The rules by which the proposals of a night are judged, in addition to their checks. */
interface ReplayRules {
  readonly charter: CharterFile;
  readonly limits: ChangeLimits;
}

/**
 * Judges the proposals of a night again, in the order in which they were judged then. `onReplayed` receives each
 * proposal as soon as it has been judged. `onlyIds`: the proposals to judge; null for all. Proposals that were put off
 * are skipped. A proposal is unknown, with the reason, if it cannot be judged, or if its author would have been asked
 * about another tree. Throws `notFound` if there is no such night, `locked` while a run is in progress, and
 * `cancelled`.
 */
export async function replayNight(
  request: NightDecisionRequest,
  branch: string | null,
  charter: CharterFile,
  onReplayed: (proposal: ReplayedProposal) => void,
  onlyIds: ReadonlySet<string> | null = null,
): Promise<Replay> {
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
    const rules = { charter, limits: await startLimits(morning, charter) };
    const proposals: ReplayedProposal[] = [];
    let changedTitle: string | null = null;
    for (const judgedChange of (await listJudged(morning)).filter(({ id }) => onlyIds === null || onlyIds.has(id))) {
      const { id, title, was, author } = judgedChange;
      const compared =
        compareWithoutReply(author, changedTitle) ??
        (await judgeOrUnknown(
          () =>
            'change' in judgedChange
              ? replayChange(morning, judgedChange.change, commits, rules)
              : replayMiss(morning, judgedChange, commits, rules),
          request.signal,
        ));
      if (compared.outcome === 'different') changedTitle ??= title;
      const replayed = { proposal: id, title, was, ...compared };
      proposals.push(replayed);
      onReplayed(replayed);
    }
    return { night: night.branch, proposals, notJudged: listUnjudged(charter.authors ?? {}) };
  });
}

/** A proposal of a night, and the time at which it was judged. */
type JudgedProposal = Pick<ReplayedProposal, 'title' | 'was'> & {
  readonly id: string;
  readonly at: Millis;
  readonly author: Author | undefined;
} & ({ readonly change: CommittedChange } | JudgedMiss);

/** A proposal that was not committed, with the reason. */
type JudgedMiss = { readonly at: Millis; readonly run: string | undefined; readonly miss: NightMiss };

/**
 * The committed changes and the misses in the order of their events, without deferred proposals, about which nothing
 * was found yet.
 */
async function listJudged({ context, night }: OpenedNight): Promise<readonly JudgedProposal[]> {
  const events = await context.repository.ledger.query({ types: ['nightMissed'] });
  const missed = new Map(
    events.map(({ at, data }) => {
      const { miss, run } = data as { readonly miss: NightMiss; readonly run: string };
      return [miss.proposal, { at, run }];
    }),
  );
  const changes = night.changes.map((change) => ({
    ...{ id: change.proposal, at: change.at, title: change.title, author: change.author },
    ...{ was: 'committed' as const, change },
  }));
  const misses = night.misses.flatMap((miss) =>
    miss.what === 'deferred'
      ? []
      : {
          ...(missed.get(miss.proposal) ?? { at: night.lastAt, run: night.runs.at(-1)?.id }),
          ...{ id: miss.proposal, title: miss.title, author: miss.author, was: miss.what, miss },
        },
  );
  return [...changes, ...misses].toSorted((a, b) => a.at - b.at);
}

/**
 * The limits that the charter names. The changes of other nights count towards the rates, and towards the limits of
 * their own orders.
 */
async function startLimits({ context, night }: OpenedNight, charter: CharterFile): Promise<ChangeLimits> {
  const { request, repository } = context;
  const authorSettings = loadEffectiveSettings(request.rootDir, request.personSettings).settings['charter.authors'];
  const allowances = charter.authors ? tightenAllowances(charter.authors, adjustAllowances(authorSettings)) : null;
  const earlierChanges = (await loadNights(repository.ledger)).flatMap(({ branch, runs, changes }) =>
    branch === night.branch ? [] : changes.map((change) => addOrder(runs, change)),
  );
  return createChangeLimits({ maxChanges: charter.maxChanges ?? null, allowances }, earlierChanges);
}

/** Adds the order to which the run of a change belongs. */
function addOrder<T extends { readonly run: string | undefined }>(runs: Night['runs'], change: T) {
  return { ...change, order: findOrder(runs, change.run) };
}

/** Judges a committed change again. */
async function replayChange(
  morning: OpenedNight,
  change: CommittedChange,
  commits: readonly NightCommit[],
  { charter, limits }: ReplayRules,
): Promise<Compared> {
  const commit = commits.find(({ id }) => id === change.commit);
  if (!commit) return createUnknownComparison('Its commit is no longer on the branch.');
  const changeWithOrder = addOrder(morning.night.runs, change);
  const limitReason = limits.explain(changeWithOrder);
  if (limitReason !== null) return { outcome: 'different', found: limitReason };
  const objection = await explainObjection(morning, charter, { id: change.proposal, paths: change.paths });
  if (objection !== null) return { outcome: 'different', found: `It would wait for a person: ${objection}` };
  const judgement = await judgeCommit(morning.context, commit.parent, commit.id);
  const compared = compareCommitted(change.strength, explainDroppedChange(judgement), judgement);
  if (compared.outcome !== 'different') limits.add(changeWithOrder);
  return compared;
}

/**
 * The objection of the charter to a change whose checks pass: it protects a file, or its approval level asks a person.
 * Null if there is none. Throws `notFound` if the evidence of the proposal is gone, without which the level cannot
 * judge it.
 */
async function explainObjection(
  morning: OpenedNight,
  { approval, protectedPaths = [] }: CharterFile,
  { id, paths }: { readonly id: string; readonly paths: readonly string[] },
): Promise<string | null> {
  const charter = createCharter({
    files: await createWorkingTree(resolveReplayRoot(morning)),
    protectedPaths,
    approval: approval ?? 'branch',
    maxChanges: Infinity,
    strengthOf: determineStrength,
    isOurs: (recipe) => findRecipeFacts(recipe) !== null,
  });
  const answer = await charter.check(paths.map((path) => ({ path })));
  if (!answer.allowed) return answer.reason;
  if (approval === undefined) return null;
  const proposal = await findProposal(morning, id);
  if (!proposal)
    throw new SelfwareError('notFound', `Its evidence is gone, so the level “${approval}” cannot judge it.`);
  return charter.reasonToAsk(proposal);
}

/** The proposal with its evidence, from the ledger of the run or of the repository. */
async function findProposal({ context, ledgerOfRun }: OpenedNight, id: string): Promise<Proposal | null> {
  return (await ledgerOfRun.ledger.proposal(id)) ?? (await context.repository.ledger.proposal(id)) ?? null;
}

/** The root of the session in the repository for replays. */
function resolveReplayRoot({ context: { places, branch } }: OpenedNight): string {
  return join(places.replay, branch.prefix);
}

/** The comparison of a proposal's new judgement with the earlier one. */
type Compared = Pick<ReplayedProposal, 'outcome' | 'found' | 'hasFailed' | 'needsNewReply'>;

/** Judges again a proposal that was not committed. */
async function replayMiss(
  morning: OpenedNight,
  { at, run, miss: { proposal: id, what } }: JudgedMiss,
  commits: readonly NightCommit[],
  { charter, limits }: ReplayRules,
): Promise<Compared> {
  const { context, night } = morning;
  if (what === 'asks') return createUnknownComparison('It waits for a person, and no check decides that.');
  const proposal = await findProposal(morning, id);
  if (!proposal) return createUnknownComparison('The ledger no longer knows its edits.');
  const edits = proposal.edits.map((edit) => ({ ...edit, path: `${context.branch.prefix}${edit.path}` }));
  const bases = [night.base, ...commits.map((commit) => commit.id)];
  const madeCommit = await createCommit(context.places.replay, { ...proposal, edits }, bases);
  if (madeCommit === null) return createUnknownComparison('The files that it changes are no longer as they were then.');
  const change = addOrder(night.runs, { author: authorOf(proposal), at, run });
  // The recorded verdicts say that the proposal was refused, so only its paths are judged here.
  const { approval: _, ...paths } = charter;
  const objection =
    limits.explain(change) ??
    (await explainObjection(morning, paths, { id, paths: proposal.edits.map(({ path }) => path) }));
  if (objection !== null) return { outcome: 'same', found: `It would not be committed: ${objection}` };
  const judgement = await judgeCommit(context, madeCommit.parent, madeCommit.commit);
  const compared = what === 'refused' ? compareRefused(proposal.verdicts, judgement) : compareBroken(judgement);
  if (compared.outcome === 'different') limits.add(change);
  return compared;
}

/** Compares a proposal that was rolled back, or whose checks broke down, with its new judgement. */
function compareBroken(judgement: Judgement): Compared {
  const objection = explainDroppedChange(judgement);
  return objection === null
    ? { outcome: 'different', found: `Nothing speaks against it now; it is ${judgement.strength}.` }
    : { outcome: 'same', found: `It would not be committed: ${objection}` };
}

/**
 * Creates a commit of the edits on the newest of these commits that contains the texts before the edits; null if none
 * does.
 */
async function createCommit(folder: string, { edits, title }: Proposal, bases: readonly string[]) {
  for (const parent of bases.toReversed()) {
    const commit = await commitEdits(folder, parent, edits, title);
    if (commit !== null) return { parent, commit };
  }
  return null;
}

/** The comparison; `unknown`, with the reason, if judging fails. Throws `cancelled`. */
async function judgeOrUnknown(judge: () => Promise<Compared>, signal: AbortSignal): Promise<Compared> {
  try {
    return await judge();
  } catch (error) {
    throwIfCancelled(signal);
    if (!(error instanceof SelfwareError)) throw error;
    return { ...createUnknownComparison(describeError(error)), hasFailed: true };
  }
}

/** The comparison `unknown`, with the reason. */
function createUnknownComparison(reason: string): Compared {
  return { outcome: 'unknown', found: reason };
}
