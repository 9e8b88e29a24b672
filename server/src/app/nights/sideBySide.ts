// Decides how many candidates an unattended run verifies in parallel, and applies the candidates that passed at the
// same time as one that was applied.

import { availableParallelism } from 'node:os';
import { computeCommandsAtOnce } from '../../adapters/sandbox/admission.ts';
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
import { findHeldProposals } from './giveCanary.ts';
import type { NightContext } from './night.ts';
import { findUnwantedProposals } from './tryWish.ts';

/** With fewer cores, the tests of two candidates only share the cores that those of one would use. */
const CORES_FOR_TWO = 4;

/**
 * The number that the person allows (by default two on a machine with enough cores), as far as the machine can run so
 * many commands. 1 with a benchmark, which others would disturb, and if a change is not checked again after it was
 * applied: then nothing would show that a candidate passes on top of the one before.
 */
export function computeCandidatesAtOnce(
  settings: Pick<Settings, 'night.sideBySide' | 'apply.probation' | 'verify.benchCommand'>,
  maxCommands = computeCommandsAtOnce(computeMachineLimits()),
  cores = availableParallelism(),
): number {
  if (settings['apply.probation'] === 'points' || settings['verify.benchCommand'] !== '') return 1;
  const allowed = settings['night.sideBySide'] || (cores >= CORES_FOR_TWO ? 2 : 1);
  return Math.min(allowed, maxCommands);
}

/** The way in which a session of a run verifies its candidates. For `breakdowns`, see `finishVerified`. */
export interface CandidatesOfRun {
  readonly atOnce: number;
  readonly breakdowns: Breakdowns | null;
}

/** The way to verify candidates under these settings. For `atOnce`, see `computeCandidatesAtOnce`. */
export function createCandidatesOfRun(
  settings: Parameters<typeof computeCandidatesAtOnce>[0],
  atOnce = computeCandidatesAtOnce(settings),
): CandidatesOfRun {
  return { atOnce, breakdowns: atOnce > 1 ? { proposals: new Set(), inARow: 0 } : null };
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
  const isUntrusted = await findHeldProposals(context, begunRun);
  const limits = { maxChanges: 1, scope: pickScope(begunRun), unwanted, isUntrusted, breakdowns };
  return (await finishVerified(session, operation, limits, onMiss)) > 0;
}
