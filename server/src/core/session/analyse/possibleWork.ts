// Computes once for all interfaces which work can be done here: the opportunities that are shown, hidden, and tried by
// improving.

import { detectLanguage } from '../../index/parse/language.ts';
import { splitOpportunityIds } from '../../ledger/opportunityIds.ts';
import { awaitsPerson, isSettled } from '../../ledger/proposalLife.ts';
import type { Opportunity } from '../../model.ts';
import { selectCandidates } from '../../prioritise/prioritise.ts';
import type { Barrier, PossibleWork } from './analysisTypes.ts';
import { SelfwareError } from '../../../util/typedError.ts';
import { createUnfinishedWorkTest } from '../apply/unfinishedWork.ts';
import { notify, fallBackIfDamaged, type SessionContext } from '../context.ts';
import { isJudge } from '../verify/judgeFiles.ts';
import { mayTryUnasked } from '../../propose/unattended.ts';
import { LINTER_FIX_RECIPE } from '../propose/claims.ts';
import { countKnownFixes } from './linting.ts';
import { loadTryingContext } from './ranking.ts';
import { findRefusedPlaces } from './findRefusedPlaces.ts';
import { listHiddenByDefault, listOpportunities } from './listOpportunities.ts';
import type { RepositoryState } from '../../ports/git.ts';

/**
 * Maximum number of changes to tests and configuration that wait for a person. While that many wait, no more are tried.
 */
const MAX_WAITING = 5;

/** The work that can be done in the tree as last analysed. Runs no code of the repository. */
export async function findPossibleWork(context: SessionContext, git: RepositoryState | null): Promise<PossibleWork> {
  const { state } = context;
  // Read before the list, because an analysis may end in between. Then the list may be older than that analysis, and
  // must not be called complete.
  const isAnalysed = state.lastAnalysis !== null;
  const listing = await listOpportunities(context);
  const quiet = listHiddenByDefault(listing);
  const linters = await countKnownFixes(context);
  const waiting = await fallBackIfDamaged(context, new Set<string>(), () => loadWaitingIds(context));
  const openOpportunities = await fallBackIfDamaged(context, [], () => findOpenPlaces(context, listing.shown, waiting));
  const allowedPaths = await filterAllowed(context, openOpportunities);
  const improvable = openOpportunities.filter(({ path }) => allowedPaths.has(path));
  return {
    analysed: isAnalysed,
    shown: listing.shown,
    quiet,
    improvable,
    unfinished: git?.head ? await countUnfinished(context, improvable) : 0,
    protected: openOpportunities.length - improvable.length,
    turnedDown: [...(await findRefusedPlaces(context, [...listing.shown, ...quiet])).values()],
    waiting: [...listing.shown, ...quiet].filter(({ id }) => waiting.has(id)).length,
    linterFixes: linters.fixes,
    linterTrouble: linters.trouble,
    barrier: await findBarrier(context, git),
    languages: collectLanguages(state.analyses.keys()),
    files: state.analyses.size,
  };
}

/** The obstacle to every change here; null if there is none. Requests for a change fail with the same message. */
async function findBarrier(
  { trusted, ports }: SessionContext,
  git: Pick<RepositoryState, 'head'> | null,
): Promise<Barrier | null> {
  if (!trusted)
    return {
      reason: 'untrusted',
      message: 'This workspace is not trusted, so nothing of it is run and nothing is proposed.',
      action: 'Trust the workspace first.',
    };
  const problem = git ? null : await ports.git.explainUnavailable();
  if (problem !== null)
    return {
      reason: 'notARepository',
      message: `Changes are tried out in a git work tree, and ${problem}.`,
      action: 'Run `git status` in a terminal to see what to do; index, search and analysis work without it.',
      broken: true,
    };
  if (!git)
    return {
      reason: 'notARepository',
      message: 'Changes are tried out in a git work tree, and this folder is not a git repository.',
      action: 'Run `git init` and commit once; index, search and analysis work without it.',
    };
  if (!git.head)
    return {
      reason: 'noCommit',
      message: 'Changes are tried out in a git work tree, and this repository has no commit yet.',
      action: 'Commit once.',
    };
  return null;
}

/** HEAD. Throws `untrusted`, `notARepository` or `noCommit` if no changes can be made. */
export async function requireHead(context: SessionContext): Promise<string> {
  const git = context.trusted ? await context.ports.git.state() : null;
  const barrier = await findBarrier(context, git);
  if (barrier) throw new SelfwareError(barrier.reason, barrier.message, { action: barrier.action });
  return git!.head!;
}

/**
 * The opportunities among `opportunities` that a recipe may try unasked, best first, but those in judge files (tests
 * and configuration) last. Skips fixes of linters. Callers pass no findings of rules that are off, because maintainers
 * seldom welcome such changes.
 */
export async function findProposable(
  context: SessionContext,
  opportunities: readonly Opportunity[],
): Promise<readonly Opportunity[]> {
  const { ledger } = context;
  const ranking = await loadTryingContext(context);
  // Fixes of linters come after all else (`propose/linterCandidates.ts`).
  const ownOpportunities = opportunities.filter(({ recipe }) => recipe !== LINTER_FIX_RECIPE && mayTryUnasked(recipe));
  const candidateList = selectCandidates(ownOpportunities, ranking);
  // A change of judge files always waits for a person, so such changes come last, and only as many as may wait.
  const waiting = (await ledger.proposals()).filter(
    ({ status, edits }) => !isSettled(status) && edits.some(({ path }) => isJudge(path)),
  );
  const judgeOpportunities = selectFirstChanges(
    candidateList.filter(({ path }) => isJudge(path)),
    Math.max(0, MAX_WAITING - waiting.length),
  );
  return [...candidateList.filter(({ path }) => !isJudge(path)), ...judgeOpportunities];
}

/**
 * The opportunities that belong to the first `maxChanges` changes. All opportunities of one recipe in one file belong
 * to one change.
 */
function selectFirstChanges(opportunities: readonly Opportunity[], maxChanges: number): readonly Opportunity[] {
  const changeKeyOf = ({ recipe, path }: Opportunity) => `${recipe} ${path}`;
  const firstChangeKeys = new Set([...new Set(opportunities.map(changeKeyOf))].slice(0, maxChanges));
  return opportunities.filter((opportunity) => firstChangeKeys.has(changeKeyOf(opportunity)));
}

/** Ids of the opportunities whose change waits for a decision. */
async function loadWaitingIds({ ledger }: SessionContext): Promise<ReadonlySet<string>> {
  return new Set(
    (await ledger.proposals()).filter(awaitsPerson).flatMap(({ opportunity }) => splitOpportunityIds(opportunity.id)),
  );
}

/** The opportunities that a recipe may try and that have no waiting change. */
async function findOpenPlaces(
  context: SessionContext,
  opportunities: readonly Opportunity[],
  waiting: ReadonlySet<string>,
): Promise<readonly Opportunity[]> {
  return (await findProposable(context, opportunities)).filter(({ id }) => !waiting.has(id));
}

/**
 * Number of these opportunities in files with uncommitted changes that are not Selfware's own. If git or a file of
 * Selfware cannot be read, adds a notice and returns 0, so that the other parts of the status are shown. Throws
 * `cancelled`.
 */
async function countUnfinished(context: SessionContext, opportunities: readonly Opportunity[]): Promise<number> {
  if (opportunities.length === 0) return 0;
  try {
    const findObstacle = await createUnfinishedWorkTest(context);
    let count = 0;
    for (const { path } of opportunities) if ((await findObstacle(path, false)) !== null) count++;
    return count;
  } catch (error) {
    if (!(error instanceof SelfwareError) || error.reason === 'cancelled') throw error;
    notify(context, { severity: 'error', message: error.message, action: error.action });
    return 0;
  }
}

/** The paths at which the charter allows changes. */
async function filterAllowed(
  { charter }: SessionContext,
  opportunities: readonly Opportunity[],
): Promise<ReadonlySet<string>> {
  const allowed = new Set<string>();
  for (const path of new Set(opportunities.map((opportunity) => opportunity.path)))
    if ((await charter.check([{ path }])).allowed) allowed.add(path);
  return allowed;
}

/** The languages of these files, the most frequent first. Skips languages with at most 5 % of the files. */
function collectLanguages(paths: Iterable<string>): readonly string[] {
  const counts = new Map<string, number>();
  for (const path of paths) {
    const language = detectLanguage(path);
    if (language !== null) counts.set(language, (counts.get(language) ?? 0) + 1);
  }
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return [...counts]
    .filter(([, count]) => count > total / 20)
    .toSorted(([a, countOfA], [b, countOfB]) => countOfB - countOfA || (a < b ? -1 : 1))
    .map(([language]) => language);
}
