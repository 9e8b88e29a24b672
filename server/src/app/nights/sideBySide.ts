// Decides how many candidates an unattended run verifies in parallel, and applies the candidates that passed at the
// same time as one that was applied.

import { availableParallelism } from 'node:os';
import { computeMaxCommands } from '../../adapters/sandbox/admission.ts';
import { computeMachineLimits } from '../../adapters/sandbox/limits.ts';
import { pickScope } from '../../core/model/workScope.ts';
import { awaitsPerson } from '../../core/ledger/proposalLife.ts';
import type { Proposal } from '../../core/model.ts';
import type { NightMiss } from '../../core/model/nights.ts';
import type { Operation } from '../../core/operation.ts';
import type { Session } from '../../core/session.ts';
import type { Breakdowns } from '../../core/session/cycle/round.ts';
import type { Settings } from '../../settings/schema.ts';
import type { BegunRun } from './beginRun.ts';
import { finishVerified } from './finishVerified.ts';
import { createHeldTest } from './giveCanary.ts';
import type { NightContext } from './night.ts';
import { findUnwantedProposals } from './tryWish.ts';

/**
 * Number of cores from which on two candidates are verified in parallel by default. With fewer cores, their tests would
 * only share the cores that the tests of one candidate can use.
 */
const CORES_FOR_TWO = 4;

/**
 * The number of candidates that are verified in parallel: as many as the person allows (by default two on a machine
 * with enough cores) and the machine can run. 1 if there is a benchmark, because other candidates would disturb it. 1
 * also if changes are not checked again after they are applied, because nothing would then show that a candidate passes
 * on top of an earlier one.
 */
export function computeCandidatesAtOnce(
  settings: Pick<Settings, 'night.sideBySide' | 'apply.probation' | 'verify.benchCommand'>,
  maxCommands = computeMaxCommands(computeMachineLimits()),
  cores = availableParallelism(),
): number {
  if (settings['apply.probation'] === 'points' || settings['verify.benchCommand'] !== '') return 1;
  const allowed = settings['night.sideBySide'] || (cores >= CORES_FOR_TWO ? 2 : 1);
  return Math.min(allowed, maxCommands);
}

/**
 * The way in which a session of a run verifies its candidates. `atOnce`: number of candidates in parallel.
 * `breakdowns`: the verifications that broke down; null if candidates are verified one after the other.
 */
export interface CandidatesOfRun {
  readonly atOnce: number;
  readonly breakdowns: Breakdowns | null;
}

/** Determines the way to verify candidates under these settings. `atOnce`: number of candidates in parallel. */
export function createCandidatesOfRun(
  settings: Parameters<typeof computeCandidatesAtOnce>[0],
  atOnce = computeCandidatesAtOnce(settings),
): CandidatesOfRun {
  return { atOnce, breakdowns: atOnce > 1 ? { proposals: new Set(), consecutiveCount: 0 } : null };
}

/**
 * Applies the next candidate that was verified in parallel with the last change. Returns false if there is none, or if
 * candidates are verified one after the other. Applies one at a time, so that each becomes a commit, and the limits of
 * the run are checked in between.
 */
export async function finishInParallel(
  context: NightContext,
  begunRun: BegunRun,
  session: Session,
  operation: Operation,
  { breakdowns }: Pick<CandidatesOfRun, 'breakdowns'>,
  onMiss: (miss: NightMiss) => Promise<void>,
): Promise<boolean> {
  if (breakdowns === null) return false;
  const waits = (proposal: Proposal) =>
    awaitsPerson(proposal) && proposal.status !== 'deferred' && !breakdowns.proposals.has(proposal.id);
  if (!(await session.proposals.all()).some(waits)) return false;
  const unwanted = await findUnwantedProposals(session, context.repository.ledger);
  const isUntrusted = await createHeldTest(context, begunRun);
  const limits = { maxChanges: 1, scope: pickScope(begunRun), unwanted, isUntrusted, breakdowns };
  return (await finishVerified(session, operation, limits, onMiss)) > 0;
}
