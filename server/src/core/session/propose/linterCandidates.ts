// Finds fixes by the repository's own linters, which are tried when nothing else can be proposed.

import { SelfwareError, throwIfCancelled } from '../../../util/typedError.ts';
import type { Opportunity } from '../../model.ts';
import { isSettled } from '../../ledger/proposalLife.ts';
import { selectCandidates } from '../../prioritise/prioritise.ts';
import type { SkippedPlace } from '../../model/skippedPlaces.ts';
import type { SessionContext } from '../context.ts';
import { isLayoutFinding } from '../analyse/lintOpportunities.ts';
import { lintRepository } from '../analyse/linting.ts';
import { loadTryingContext } from '../analyse/ranking.ts';
import { filterFindings } from '../analyse/listOpportunities.ts';
import { LINTER_FIX_RECIPE } from './claims.ts';
import { findPassedOver } from './passedOverPlaces.ts';
import { createRequestFilter } from './requestScope.ts';
import type { ProposeRequest } from './requests.ts';

/** Maximum number of linter fixes that wait for a person. While that many wait, the linters are not run for more. */
const MAX_WAITING = 5;

/** A search for a proposal, with the places that it has skipped so far. */
interface Attempt {
  readonly context: SessionContext;
  readonly request: ProposeRequest;
  readonly passedOverNow: SkippedPlace[];
}

/**
 * Runs the linters, and returns the findings that may be fixed unasked, best first. Empty if enough linter fixes wait,
 * if the request names rules or other kinds of work, if the setting is off, or if the linters cannot be run. An
 * unattended run skips findings about layout only. These candidates come last, because they gain no points and always
 * need a person.
 */
export async function findLinterCandidates({
  context,
  request,
  passedOverNow,
}: Attempt): Promise<readonly Opportunity[]> {
  const { signal, report } = request;
  const waitingFixes = (await context.ledger.proposals()).filter(
    ({ recipe, status }) => recipe === LINTER_FIX_RECIPE && !isSettled(status),
  );
  const isStyleWanted = request.kinds?.includes('style') ?? true;
  const isWanted = request.rules === undefined && isStyleWanted && context.settings['analysis.linters'];
  if (waitingFixes.length >= MAX_WAITING || !isWanted) return [];
  try {
    const { opportunities } = await lintRepository(context, { signal, ...(report ? { report } : {}) });
    const requestedFindings = (await filterFindings(context, opportunities)).filter(createRequestFilter(request));
    const findings = context.onBranch
      ? requestedFindings.filter(({ rule }) => !isLayoutFinding(rule))
      : requestedFindings;
    return chooseCandidates(context, findings, passedOverNow);
  } catch (error) {
    throwIfCancelled(signal);
    if (!(error instanceof SelfwareError)) throw error;
    context.ports.log.write('warn', 'The linters of the repository could not be run.', error);
    return [];
  }
}

/** The candidates that may be tried, best first. Adds the others to `passedOverNow`. */
async function chooseCandidates(
  context: SessionContext,
  findings: readonly Opportunity[],
  passedOverNow: SkippedPlace[],
): Promise<readonly Opportunity[]> {
  const candidatesToTry = selectCandidates(findings, await loadTryingContext(context));
  passedOverNow.push(...(await findPassedOver(context, findings, candidatesToTry)));
  return candidatesToTry;
}
