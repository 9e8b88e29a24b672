// Finds the tasks on which every attempt of the proposers has failed, so that a person can act on them.

import { plainReason } from '../../../protocol/plainWords.ts';
import { counted } from '../../../util/counted.ts';
import type { GateName } from '../../model/gates.ts';
import type { Millis } from '../../model.ts';
import {
  SHOWN_KINDS,
  type AnsweredData,
  type AskedTask,
  type FailedTask,
  type Intervention,
} from '../../model/asks.ts';
import { computeAccount, MAX_ATTEMPTS, MAX_CRASHES } from '../../proposers/accounts.ts';
import { notify, type SessionContext } from '../context.ts';
import { getRunId } from './attemptRunId.ts';
import { readAskEvents } from './pastAttempts.ts';
import { CORRECTION_BY_FAILURE, failureText, interventionSentence, isGate, type Failure } from './interventionTexts.ts';

/** The beginning of the reason of an answer that was not judged again. */
const REPETITION = /^(?:It edited [^\n]*?\. )?The same (?:change was|edits were) refused before: /;
/** Ids of tasks about which a person was notified in this session. */
const notifiedTasks = new WeakMap<SessionContext, Set<string>>();

/**
 * Returns all tasks that wait for a person, or only the one with this id, and adds a notice about each, once in a
 * session.
 */
export async function findInterventions(context: SessionContext, id?: string): Promise<readonly Intervention[]> {
  const failed = await listFailedTasks(context, id);
  const foundInterventions = failed.filter(({ waits }) => waits);
  for (const intervention of foundInterventions) notifyOnce(context, intervention);
  return foundInterventions;
}

/**
 * Returns the tasks at which all attempts so far have failed, or only the one with this id. Leaves out tasks that a
 * person has dropped since they were last asked about. Adds no notice.
 */
export async function listFailedTasks(context: SessionContext, id?: string): Promise<readonly FailedTask[]> {
  const events = await readAskEvents(context);
  const tasks = new Map(events.flatMap(({ asked }) => (asked ? [[asked.task.id, asked.task] as const] : [])));
  const droppedAt = await timesOfDrops(context);
  const failedTasks: FailedTask[] = [];
  for (const task of tasks.values()) {
    if (id !== undefined && task.id !== id) continue;
    const lastAskedAt = events.findLast(({ asked }) => asked?.task.id === task.id)?.at ?? 0;
    if ((droppedAt.get(task.id) ?? -Infinity) >= lastAskedAt) continue;
    const { attempts, rounds, deaths } = computeAccount(events, task.id, getRunId(context), context.ports.clock.now());
    if (rounds + deaths === 0 || !(await isUnsolved(context, attempts))) continue;
    const waits = rounds >= MAX_ATTEMPTS || deaths >= MAX_CRASHES;
    failedTasks.push({ ...(await loadIntervention(context, task, attempts, { rounds, deaths })), waits });
  }
  return failedTasks;
}

/** The times at which a person has dropped tasks, by the id of the task. */
async function timesOfDrops({ ledger }: SessionContext): Promise<ReadonlyMap<string, Millis>> {
  const events = await ledger.query({ types: ['taskDropped'] });
  return new Map(events.map(({ at, data }) => [(data as { readonly task: string }).task, at]));
}

function notifyOnce(context: SessionContext, intervention: Intervention): void {
  const notified = notifiedTasks.get(context) ?? new Set<string>();
  notifiedTasks.set(context, notified);
  if (notified.has(intervention.task.id)) return;
  notified.add(intervention.task.id);
  notify(context, {
    severity: 'warning',
    message: interventionSentence(intervention),
    action:
      `${intervention.corrections.join(' ')} Then ask for the same again and choose Try Again, ` +
      'or use --again on the command line.',
  });
}

/**
 * True if the last proposal was refused or rolled back, or if there is none. False even then if the last answer was
 * shown to a person, as an acceptance test is.
 */
async function isUnsolved({ ledger }: SessionContext, attempts: readonly AnsweredData[]): Promise<boolean> {
  const newest = attempts.at(-1);
  if (newest && SHOWN_KINDS.has(newest.task.kind) && newest.outcome === 'proposed') return false;
  const last = attempts.findLast(({ proposal }) => proposal !== null)?.proposal ?? null;
  const status = last === null ? null : (await ledger.proposal(last))?.status;
  return status === null || status === undefined || ['refused', 'rolledBack'].includes(status);
}

async function loadIntervention(
  { ledger }: SessionContext,
  task: AskedTask,
  attempts: readonly AnsweredData[],
  { rounds, deaths }: { readonly rounds: number; readonly deaths: number },
): Promise<Intervention> {
  const reasons: string[] = [];
  const failures: Failure[] = Array.from({ length: deaths }, () => 'process' as const);
  for (const { outcome, proposal, reason } of attempts) {
    if (outcome === 'spare') continue;
    const filed = proposal === null ? null : await ledger.proposal(proposal);
    const attemptReason = filed?.reason ?? reason ?? 'It led to no change.';
    failures.push(outcome === 'failed' ? 'proposer' : failureIn(attemptReason));
    reasons.push(plainReason(attemptReason));
  }
  const counts = new Map<Failure, number>();
  for (const failure of failures) counts.set(failure, (counts.get(failure) ?? 0) + 1);
  const byFrequency = [...counts].sort(([, a], [, b]) => b - a);
  return {
    task,
    attempts: rounds + deaths,
    tried: reasons,
    learned: byFrequency.map(([failure, count]) => `${counted(count, 'time')}: ${failureText(failure)}.`),
    corrections: [...new Set(byFrequency.flatMap(([failure]) => CORRECTION_BY_FAILURE[failure] ?? []))],
  };
}

/** The place of failure of an answer that came. */
function failureIn(reason: string): Failure {
  return REPETITION.test(reason) ? 'repetition' : (findGate(reason) ?? 'answer');
}

/**
 * The gate that a reason names at its beginning, or after the files of an answer that was judged before it was filed.
 */
function findGate(reason: string): GateName | null {
  const name = /^(?:It edited [^\n]*?\. )?([a-z]+): /.exec(reason)?.[1] ?? '';
  return isGate(name) ? name : null;
}
