// Asks a proposer for the next worthwhile tasks, until a proposal results, no task remains, no further question is
// possible, or `MAX_TASKS` tasks were tried.

import type { PlaceWithoutResult } from '../propose/requests.ts';
import { throwIfCancelled } from '../../../util/typedError.ts';
import { NO_TESTS, type TestsUnavailable } from '../../verify/testing/unchangedTests.ts';
import type { WorkScope } from '../../model/workScope.ts';
import type { SessionContext } from '../context.ts';
import { requireMayApply } from '../apply/applyPause.ts';
import { readSetupState } from '../setup/setupState.ts';
import { askQuestion } from './asking.ts';
import { getOrCreateRunId } from './attemptRunId.ts';
import { openProposers } from './openProposer.ts';
import type { AskNextOutcome, AskNextRequest } from './askTypes.ts';
import { chooseNextTask } from './nextTask.ts';
import { readAskEvents } from './pastAttempts.ts';

/**
 * Maximum number of tasks in one call, so that the caller can report the tasks without a result before it calls again.
 */
const MAX_TASKS = 5;
/** By session: ids of tasks that need no further attempt in it. */
const exhaustedTasksBySession = new WeakMap<SessionContext, Set<string>>();

/**
 * Asks for one task after the other until a proposal is filed, no question is possible, no task is left, or `MAX_TASKS`
 * tasks were tried. Throws the errors of `askQuestion`. With `toApply`, also throws `paused` if no proposer's change
 * may be applied now.
 */
export async function askNext(
  context: SessionContext,
  { proposer, places, excluded, kinds, toApply = false, ...operation }: AskNextRequest,
  signal: AbortSignal,
): Promise<AskNextOutcome> {
  // Checked first, because the search for a task runs the repository's tests.
  const proposers = await openProposers(context, proposer, 'request');
  if (toApply) await requireMayApply(context, proposers);
  const exhaustedTasks = exhaustedTasksBySession.get(context) ?? new Set<string>();
  exhaustedTasksBySession.set(context, exhaustedTasks);
  const scope: WorkScope = {
    ...(places === undefined ? {} : { places }),
    ...(excluded === undefined ? {} : { excluded }),
    ...(kinds === undefined ? {} : { kinds }),
  };
  const triedPlaces: PlaceWithoutResult[] = [];
  for (let tasks = 0; tasks < MAX_TASKS; tasks += 1) {
    throwIfCancelled(signal);
    const events = await readAskEvents(context);
    const next = await chooseNextTask(context, events, getOrCreateRunId(context), {
      ...operation,
      scope,
      without: exhaustedTasks,
      proposer,
      signal,
    });
    if (next === null || 'refused' in next) {
      const obstacle = next === null ? {} : { hindrance: await findHindrance(context, next) };
      return { proposal: null, tried: triedPlaces, hasMore: false, stopReason: null, ...obstacle };
    }
    const { request, identifiedTask } = next;
    const question = { ...operation, task: request, proposer: next.proposer, toApply, signal };
    const outcome = await askQuestion(context, question, signal);
    if (outcome.final === 'all')
      return { proposal: null, tried: triedPlaces, hasMore: false, stopReason: outcome.refused };
    if (outcome.proposal) return { proposal: outcome.proposal, tried: triedPlaces, hasMore: false, stopReason: null };
    if (outcome.final === 'task') exhaustedTasks.add(identifiedTask.task.id);
    triedPlaces.push({
      opportunity: identifiedTask.task.opportunity ?? identifiedTask.task.id,
      rule: identifiedTask.opportunity?.rule ?? identifiedTask.task.kind,
      path: identifiedTask.task.path ?? '',
      refused: outcome.refused ?? '',
    });
  }
  return { proposal: null, tried: triedPlaces, hasMore: true, stopReason: null };
}

/**
 * Explains why the tests do not run here, and names the next step for a person. A set-up is not suggested if there are
 * no tests.
 */
async function findHindrance(context: SessionContext, { refused }: TestsUnavailable): Promise<string> {
  const { action } = await readSetupState(context);
  return action === null || refused === NO_TESTS ? refused : `${refused} ${action}`;
}
