// Searches that are expensive: for a named place that only the type checker finds, and, when nothing else can be
// proposed, for fixes by the repository's own linters.

import { SelfwareError, throwIfCancelled } from '../../../util/typedError.ts';
import type { Opportunity } from '../../model.ts';
import { isSettled } from '../../ledger/proposalLife.ts';
import { isTestFile } from '../../paths/tests.ts';
import { candidates } from '../../prioritise/prioritise.ts';
import type { PassedOver } from '../../model/passedOver.ts';
import { untilAborted } from '../../../util/watchdog.ts';
import { isWithin } from '../../../util/within.ts';
import type { SessionContext } from '../context.ts';
import { isLayoutFinding } from '../look/lintOpportunities.ts';
import { lintRepository } from '../look/linting.ts';
import { tryingContextOf } from '../look/ranking.ts';
import { seenFindings, seenOpportunities, slowOpportunities } from '../look/seeing.ts';
import { LINTER_FIX } from './claims.ts';
import { passedBefore } from './passingOver.ts';
import type { ProposeRequest } from './requests.ts';

/** While this many linter fixes wait for a person, the linters are not run for more. */
const MAX_WAITING = 5;

interface Attempt {
  readonly context: SessionContext;
  readonly request: ProposeRequest;
  readonly passedOverNow: PassedOver[];
}

/**
 * The opportunity with this id, even if something hides it; undefined if there is none. The search for an unknown id
 * takes as long as a type check. Throws `cancelled`.
 */
export async function namedOpportunity(
  context: SessionContext,
  id: string,
  request: ProposeRequest,
): Promise<Opportunity | undefined> {
  const { shown, hidden } = await seenOpportunities(context);
  const seen = [...shown, ...hidden.map(({ opportunity }) => opportunity)];
  const isNamed = (opportunity: Opportunity) => opportunity.id === id;
  return seen.find(isNamed) ?? (await slowFindings(context, request)).find(isNamed);
}

/** Other callers may wait for the same findings, so a cancel ends the waiting and not the work. */
async function slowFindings(
  context: SessionContext,
  { signal, report }: ProposeRequest,
): Promise<readonly Opportunity[]> {
  report?.({ stage: 'realising', done: 0, total: 1, message: 'the type checker looks at the repository' });
  return untilAborted(slowOpportunities(context), signal);
}

/**
 * Runs the linters and returns what they can fix, best first. Empty if enough linter fixes wait, if the request names
 * rules, if the setting is off, or if the linters cannot be run. An unattended run leaves out findings that are only
 * about layout. These candidates come last, because they gain no points and always need a person.
 */
export async function linterCandidates({ context, request, passedOverNow }: Attempt): Promise<readonly Opportunity[]> {
  const { signal, report } = request;
  const waiting = (await context.ledger.proposals()).filter(
    ({ recipe, status }) => recipe === LINTER_FIX && !isSettled(status),
  );
  const isWanted = request.rules === undefined && context.settings['analysis.linters'];
  if (waiting.length >= MAX_WAITING || !isWanted) return [];
  try {
    const { opportunities } = await lintRepository(context, { signal, ...(report ? { report } : {}) });
    const seen = (await seenFindings(context, opportunities)).filter(isRequestedBy(request));
    const found = context.onBranch ? seen.filter(({ rule }) => !isLayoutFinding(rule)) : seen;
    return chooseCandidates(context, found, passedOverNow);
  } catch (error) {
    throwIfCancelled(signal);
    if (!(error instanceof SelfwareError)) throw error;
    context.ports.log.write('warn', 'The linters of the repository could not be run.', error);
    return [];
  }
}

/** Returns a check that is true for the places and rules that the request names, or for all if it names none. */
export function isRequestedBy({
  places,
  rules,
  exceptTests = false,
}: Pick<ProposeRequest, 'places' | 'rules' | 'exceptTests'>): (one: Pick<Opportunity, 'path' | 'rule'>) => boolean {
  return ({ path, rule }) =>
    (places === undefined || isWithin(path, places)) &&
    (rules === undefined || rules.includes(rule)) &&
    !(exceptTests && isTestFile(path));
}

/** Those that may be tried, best first. Adds the others to `passedOverNow`. */
async function chooseCandidates(
  context: SessionContext,
  found: readonly Opportunity[],
  passedOverNow: PassedOver[],
): Promise<readonly Opportunity[]> {
  const chosen = candidates(found, await tryingContextOf(context));
  passedOverNow.push(...(await passedBefore(context, found, chosen)));
  return chosen;
}
