// Writes the report of a night (one unattended run), with the diffs of its commits and of the proposals that wait for a
// person.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readCommitDiffs } from '../../adapters/git/commitDiffs.ts';
import { createGitRunner } from '../../adapters/git/runGit.ts';
import { resolveStateFolder } from '../../adapters/files/stateFolder.ts';
import { formatUnifiedDiff } from '../../core/propose/unifiedDiff.ts';
import { shortenDiff, type ShortDiff } from '../../core/run/report/changeDiff.ts';
import { parseAskEvents } from '../../core/session/ask/pastAttempts.ts';
import type { NightSpending } from '../../core/model/asks.ts';
import { mapProposers, sumNightSpending } from '../../core/proposers/nightSpending.ts';
import type { ProposersById } from '../../core/run/report/nightFigures.ts';
import { createReportData, type ReportData } from '../../core/run/report/reportData.ts';
import { renderNightReport } from '../../core/run/report/nightReport.ts';
import { findProposalsForPerson, listNumberedChanges } from '../../core/run/nightQueries.ts';
import type { Night } from '../../core/run/nightTypes.ts';
import type { Operation } from '../../core/operation.ts';
import { openLedger } from './sharedKnowledge.ts';
import type { NightRequest } from './night.ts';
import { readKeptCommits } from './open/keptCommits.ts';
import { resolveNightFolders } from './nightFolders.ts';

/** Maximum number of diffs of changes. Of further changes, the report names the command that shows the diff. */
const MAX_DIFFS = 30;

/** The repository of the report. */
interface ReportRequest extends Pick<NightRequest, 'rootDir' | 'env' | 'log'>, Partial<Operation> {}

/** The report as Markdown. `nights`: all nights of the repository, oldest first. */
export async function reportNight(request: ReportRequest, night: Night, nights: readonly Night[]): Promise<string> {
  const commits = listNumberedChanges(night)
    .slice(0, MAX_DIFFS)
    .map(({ commit }) => commit);
  const diffs = await readCommitDiffs(request.rootDir, commits, shortenDiff, request.signal);
  const undecidedNights = await findUndecided(request, night, nights);
  const questions = await readQuestions(request, night);
  return renderNightReport(night, new Map([...diffs, ...(await readDiffsOfWaitingProposals(request, night))]), {
    earlier: findEarlier(night, nights),
    undecided: undecidedNights,
    kept: (await readKeptCommits(request.rootDir, nights)).filter((commit) => commit.night !== night.branch),
    ...questions,
  });
}

/** The report as data. `nights`: all nights of the repository, oldest first. */
export async function reportNightAsData(
  request: ReportRequest,
  night: Night,
  nights: readonly Night[],
): Promise<ReportData> {
  return createReportData(night, {
    earlier: findEarlier(night, nights),
    commitsOnNoBranch: await readKeptCommits(request.rootDir, nights),
    ...(await readQuestions(request, night)),
  });
}

/** The nights before this one. */
function findEarlier(night: Night, nights: readonly Night[]): readonly Night[] {
  const index = nights.findIndex(({ branch }) => branch === night.branch);
  return nights.slice(0, Math.max(0, index));
}

/** The other nights with changes on a branch that nobody has merged, deleted or decided on. */
async function findUndecided(
  { rootDir }: ReportRequest,
  night: Night,
  nights: readonly Night[],
): Promise<readonly Night[]> {
  const candidates = nights.filter(
    ({ branch, decided, changes }) => branch !== night.branch && decided === null && changes.length > 0,
  );
  if (candidates.length === 0) return [];
  const git = createGitRunner(rootDir);
  const unmerged = (await git.text(['branch', '--no-merged', 'HEAD', '--format=%(refname:short)'])).split('\n');
  return candidates.filter(({ branch }) => unmerged.includes(branch));
}

/** Reads the cost of the night's questions to models, from the ledger of the user's repository. */
export async function readSpending(request: ReportRequest, night: Night): Promise<NightSpending> {
  return (await readQuestions(request, night)).spent;
}

/**
 * Reads the cost of the night's questions, and which proposer made which proposal, from the ledger of the user's
 * repository.
 */
async function readQuestions(
  { rootDir, env, log }: ReportRequest,
  night: Night,
): Promise<{ readonly spent: NightSpending; readonly proposers: ProposersById }> {
  const repositoryLedger = await openLedger(resolveNightFolders(rootDir, env).state, log);
  try {
    const events = (await repositoryLedger.ledger.query({ types: ['asked', 'answered'] })).flatMap(parseAskEvents);
    return { spent: sumNightSpending(night, events, Date.now()), proposers: mapProposers(events) };
  } finally {
    await repositoryLedger.close();
  }
}

/**
 * Diffs of the proposals that wait for a person, from the ledger of the run. A proposal whose texts are no longer
 * stored has no diff.
 */
async function readDiffsOfWaitingProposals(
  { rootDir, env, log }: ReportRequest,
  night: Night,
): Promise<readonly (readonly [string, ShortDiff])[]> {
  const waitingProposals = findProposalsForPerson(night).slice(0, MAX_DIFFS);
  if (waitingProposals.length === 0) return [];
  const places = resolveNightFolders(rootDir, env);
  const prefix = (await createGitRunner(rootDir).text(['rev-parse', '--show-prefix'])).trim();
  const state = resolveStateFolder(join(places.tree, prefix), places.env);
  if (!existsSync(join(state, 'ledger.db'))) return [];
  const runLedger = await openLedger(state, log);
  try {
    const diffs: (readonly [string, ShortDiff])[] = [];
    for (const { proposal: id } of waitingProposals) {
      const proposal = await runLedger.ledger.proposal(id);
      if (proposal) diffs.push([id, shortenDiff(formatUnifiedDiff(proposal.edits))]);
    }
    return diffs;
  } finally {
    await runLedger.close();
  }
}
