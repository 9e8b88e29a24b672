// Finds the tasks on which every attempt of the proposers has failed, so that a person can act on them.

import { plainReason } from '../../../protocol/plainWords.ts';
import { formatCount } from '../../../util/counted.ts';
import type { GateName } from '../../model/gates.ts';
import type { Millis } from '../../model.ts';
import { SHOWN_KINDS, type FailedTask, type Intervention } from '../../model/asks.ts';
import { computeAccount, MAX_ATTEMPTS, MAX_CRASHES, type AskEvent } from '../../proposers/accounts.ts';
import { notify, type SessionContext } from '../context.ts';
import { getOrCreateRunId } from './attemptRunId.ts';
import { collectKeptIds, readAskEvents } from './pastAttempts.ts';
import {
  CORRECTION_BY_FAILURE,
  attemptFailureText,
  interventionSentence,
  isGate,
  type Failure,
} from './interventionTexts.ts';

/** Matches the beginning of the reason of an answer that was not judged again. */
const REPETITION_PATTERN = /^(?:It edited [^\n]*?\. )?The same (?:change was|edits were) refused before: /;
/** By session: ids of tasks about which a person was notified. */
const notifiedTasks = new WeakMap<SessionContext, Set<string>>();

/**
 * Returns all tasks that wait for a person, or only the one with this id, and adds a notice about each, once in a
 * session.
 */
export async function findInterventions(context: SessionContext, id?: string): Promise<readonly Intervention[]> {
  const waitingTasks = (await listFailedTasks(context, id)).filter(({ waits }) => waits);
  const foundInterventions = await Promise.all(
    waitingTasks.map((failedTask) => describeFailedTask(context, failedTask)),
  );
  for (const intervention of foundInterventions) notifyOnce(context, intervention);
  return foundInterventions;
}

/**
 * Returns the tasks on which all attempts so far have failed, or only the one with this id. Leaves out tasks that a
 * person has dropped since they were last asked about. Adds no notice. `describeFailedTask` returns the texts.
 */
export async function listFailedTasks(context: SessionContext, id?: string): Promise<readonly FailedTask[]> {
  const eventsByTask = groupByTask(await readAskEvents(context));
  const droppedAt = await loadDropTimes(context);
  const [run, now] = [getOrCreateRunId(context), context.ports.clock.now()];
  const keptIds = await collectKeptIds(context);
  const failedTasks: FailedTask[] = [];
  for (const [taskId, events] of eventsByTask) {
    if (id !== undefined && taskId !== id) continue;
    const lastQuestion = events.findLast(({ asked }) => asked !== undefined);
    if (lastQuestion?.asked === undefined || (droppedAt.get(taskId) ?? -Infinity) >= lastQuestion.at) continue;
    const { attempts, rounds, crashes } = computeAccount(events, taskId, run, now, undefined, keptIds);
    if (rounds + crashes === 0) continue;
    const waits = rounds >= MAX_ATTEMPTS || crashes >= MAX_CRASHES;
    failedTasks.push({
      task: lastQuestion.asked.task,
      askedAt: lastQuestion.at,
      answers: attempts,
      rounds,
      crashes: crashes,
      waits,
    });
  }
  return filterUnsolved(context, failedTasks);
}

/** The events of each task, oldest first. An answer belongs to the task of its question. */
function groupByTask(events: readonly AskEvent[]): ReadonlyMap<string, readonly AskEvent[]> {
  const taskByQuestion = new Map(events.flatMap(({ asked }) => (asked ? [[asked.ask, asked.task.id] as const] : [])));
  const eventsByTask = new Map<string, AskEvent[]>();
  for (const event of events) {
    const task = event.asked?.task.id ?? taskByQuestion.get(event.answered?.ask ?? '');
    if (task === undefined) continue;
    const eventsOfTask = eventsByTask.get(task);
    if (eventsOfTask) eventsOfTask.push(event);
    else eventsByTask.set(task, [event]);
  }
  return eventsByTask;
}

/** The times at which a person has dropped tasks, by the id of the task. */
async function loadDropTimes({ ledger }: SessionContext): Promise<ReadonlyMap<string, Millis>> {
  const events = await ledger.query({ types: ['taskDropped'] });
  return new Map(events.map(({ at, data }) => [(data as { readonly task: string }).task, at]));
}

function notifyOnce(context: SessionContext, intervention: Intervention): void {
  const notifiedIds = notifiedTasks.get(context) ?? new Set<string>();
  notifiedTasks.set(context, notifiedIds);
  if (notifiedIds.has(intervention.task.id)) return;
  notifiedIds.add(intervention.task.id);
  notify(context, {
    severity: 'warning',
    message: interventionSentence(intervention),
    action:
      `${intervention.corrections.join(' ')} Then ask for the same again and choose Try Again, ` +
      'or use --again on the command line.',
  });
}

/**
 * Selects the tasks without a proposal, and those whose last proposal was refused or rolled back. Leaves out tasks
 * whose last answer was shown to a person, as an acceptance test is.
 */
async function filterUnsolved(
  { ledger }: SessionContext,
  tasks: readonly FailedTask[],
): Promise<readonly FailedTask[]> {
  const lastProposalOf = ({ answers }: FailedTask) =>
    answers.findLast(({ proposal }) => proposal !== null)?.proposal ?? null;
  const hasProposals = tasks.some((task) => lastProposalOf(task) !== null);
  const statusById = new Map(hasProposals ? (await ledger.proposals()).map(({ id, status }) => [id, status]) : []);
  return tasks.filter((task) => {
    const newest = task.answers.at(-1);
    if (newest && SHOWN_KINDS.has(newest.task.kind) && newest.outcome === 'proposed') return false;
    const status = statusById.get(lastProposalOf(task) ?? '');
    return status === undefined || status === 'refused' || status === 'rolledBack';
  });
}

/** Describes the attempts at a task, what was learned from them, and what a person could correct. */
export async function describeFailedTask(
  { ledger }: SessionContext,
  { task, answers, rounds, crashes }: FailedTask,
): Promise<Intervention> {
  const reasons: string[] = [];
  const failures: Failure[] = Array.from({ length: crashes }, () => 'process' as const);
  for (const { outcome, proposal, reason } of answers) {
    if (outcome === 'spare') continue;
    const filedProposal = proposal === null ? null : await ledger.proposal(proposal);
    const attemptReason = filedProposal?.reason ?? reason ?? 'It led to no change.';
    failures.push(outcome === 'failed' ? 'proposer' : classifyFailure(attemptReason));
    reasons.push(plainReason(attemptReason));
  }
  const counts = new Map<Failure, number>();
  for (const failure of failures) counts.set(failure, (counts.get(failure) ?? 0) + 1);
  const failuresByFrequency = [...counts].sort(([, a], [, b]) => b - a);
  return {
    task,
    attempts: rounds + crashes,
    tried: reasons,
    learned: failuresByFrequency.map(
      ([failure, count]) => `${formatCount(count, 'time')}: ${attemptFailureText(failure)}.`,
    ),
    corrections: [...new Set(failuresByFrequency.flatMap(([failure]) => CORRECTION_BY_FAILURE[failure] ?? []))],
  };
}

/** The kind of failure of an attempt that was answered, from its reason. */
function classifyFailure(reason: string): Failure {
  return REPETITION_PATTERN.test(reason) ? 'repetition' : (findGate(reason) ?? 'answer');
}

/**
 * The gate that the reason names at its beginning, or after the paths of an answer that was judged before it was filed;
 * null if it names none.
 */
function findGate(reason: string): GateName | null {
  const name = /^(?:It edited [^\n]*?\. )?([a-z]+): /.exec(reason)?.[1] ?? '';
  return isGate(name) ? name : null;
}
