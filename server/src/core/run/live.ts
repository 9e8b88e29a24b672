// Describes what an unattended run is doing at this moment, for anybody who watches it.

import { formatCount } from '../../util/counted.ts';
import type { NightState } from '../model/nights.ts';
import type { Millis } from '../model.ts';
import { nameStage } from '../operation.ts';
import { healthLines, type RunHealth } from './health.ts';
import { findHeldChanges, isHeld } from './heldChanges.ts';
import type { LiveState } from './liveState.ts';
import { findUnansweredAnomaly } from './nightQueries.ts';
import type { Night } from './nightTypes.ts';
import { MINUTE_MS, HOUR_MS } from '../../util/timing/durations.ts';

/** A night, with the state that its process reports. */
export interface WatchedNight {
  readonly night: Night;
  /** Null if no process has recorded anything yet. */
  readonly live: LiveState | null;
  /** Wishes that have not been done, in the order in which they are tried. */
  readonly wishes: readonly string[];
  /** Absent if only the state is shown. */
  readonly health?: RunHealth;
  /** The worst figure of Selfware itself that misses its target, in words; null or absent if none is known. */
  readonly bottleneck?: string | null;
}

/** The commands for a person when a run waits for them. */
export const CONTINUE_ADVICE =
  'Look at it: `selfware report`. Continue: `selfware night continue`. End it: `selfware night stop`.';

/**
 * The state of a run in progress, for whoever watches it. `draining`: it ends after its current step, or another
 * process then continues it. `degraded`: it works with less than it should have.
 */
export type CurrentState = NightState | 'draining' | 'degraded';

const STATE_TEXTS: Readonly<Record<CurrentState, string>> = {
  running: 'running',
  degraded: 'degraded, running',
  waiting: 'waits, running',
  needsPerson: 'needs you, running',
  draining: 'ends after its current step, running',
  stopped: 'stopped',
};

/**
 * Changes per hour of the newest run since it began, waiting included; null within its first minute, or if there is no
 * run.
 */
export function computeChangesPerHour({ runs }: Night, now: Millis): number | null {
  const run = runs.at(-1);
  if (!run || now - run.startedAt < MINUTE_MS) return null;
  return (run.committed / (now - run.startedAt)) * HOUR_MS;
}

/**
 * The state at this moment. A run that has waited is `running` as soon as it does something again. `live`: null if no
 * process has recorded its state yet.
 */
export function determineCurrentState(night: Pick<Night, 'state' | 'runs'>, live: LiveState | null): CurrentState {
  const { state, isDraining, isDegraded } = determineStateParts(night, live);
  if (isDraining) return 'draining';
  return isDegraded && state === 'running' ? 'degraded' : state;
}

/**
 * The current state in three parts. `state`: what the run does. `isDraining`: it ends after its current step.
 * `isDegraded`: it works with less than it should have.
 */
export function determineStateParts(
  night: Pick<Night, 'state' | 'runs'>,
  live: LiveState | null,
): { readonly state: NightState; readonly isDraining: boolean; readonly isDegraded: boolean } {
  const isActive = night.state !== 'stopped';
  return {
    state: night.state === 'waiting' && live?.progress ? 'running' : night.state,
    isDraining: isActive && (live?.isDraining === true || isAskedToEnd(night, live)),
    isDegraded: isActive && (live?.degraded?.length ?? 0) > 0,
  };
}

/**
 * True if a person has asked the process of the newest run to end. A request to an earlier process of the same run does
 * not count.
 */
function isAskedToEnd({ runs }: Pick<Night, 'runs'>, live: LiveState | null): boolean {
  const { askedToEndAt, resumed = 0 } = runs.at(-1) ?? {};
  if (askedToEndAt === undefined) return false;
  return live === null ? resumed === 0 : askedToEndAt >= live.startedAt;
}

/** The work of the newest run and its current step, as lines for a person. `clock` formats a time. */
export function liveLines(
  { night, live, wishes, health, bottleneck }: WatchedNight,
  now: Millis,
  clock: (time: Millis) => string,
): string[] {
  const { plan, startedAt = now } = night.runs.at(-1) ?? {};
  const newestChange = night.changes.at(-1);
  const state = STATE_TEXTS[determineCurrentState(night, live)];
  const until = plan ? `, until ${clock(plan.until)}` : '';
  return [
    `${night.branch}: ${state} since ${clock(startedAt)}${until}`,
    `  Now        ${describeStep(night, live, now, clock)}`,
    ...(live?.degraded ?? []).map((reason) => `  Degraded   ${reason}`),
    `  Changes    ${changesText(night, now)}${newestChange ? `; newest: ${newestChange.title}` : ''}`,
    `  Not taken  ${missesText(night)}`,
    ...(health ? healthLines(health, live).map(([name, text]) => `  ${name.padEnd(11)}${text}`) : []),
    ...(plan?.proposer == null ? [] : [`  Asks       ${plan.proposer}`]),
    ...(heldLine(night) === null ? [] : [`  Held       ${heldLine(night)}`]),
    ...(wishes.length === 0 ? [] : [`  Wishes     ${wishes.length}: ${wishes.slice(0, 3).join(' · ')}`]),
    ...(live ? [`  Process    ${processLine(night, live)}`] : []),
    ...(bottleneck ? [`  Bottleneck ${bottleneck}; see \`selfware performance\``] : []),
  ];
}

/**
 * The figures of the newest run for a person, each with its name: changes and their rate, its health, the length of the
 * queue of wishes, the resources of its process, and what is slow in Selfware itself.
 */
export function listRunFigures(
  { night, live, wishes, health, bottleneck }: WatchedNight,
  now: Millis,
): readonly (readonly [string, string])[] {
  return [
    ...(live?.degraded ?? []).map((reason) => ['Degraded', reason] as const),
    ['Changes', changesText(night, now)],
    ...(health ? healthLines(health, live) : []),
    ['Wishes', wishes.length === 0 ? 'none in the queue' : `${wishes.length} in the queue`],
    ...(live ? [['Process', processLine(night, live)] as const] : []),
    ...(bottleneck ? [['Bottleneck', bottleneck] as const] : []),
  ];
}

/**
 * A text such as `3 of at most 20, 1.5 an hour`: the changes that the newest run has committed, their limit, and their
 * rate.
 */
function changesText(night: Night, now: Millis): string {
  const { plan, committed = 0 } = night.runs.at(-1) ?? {};
  const rate = computeChangesPerHour(night, now);
  const limit = plan ? ` of at most ${plan.maxChanges}` : '';
  return `${committed}${limit}${rate === null ? '' : `, ${rate.toFixed(1)} an hour`}`;
}

/** The work of the newest run and its current step, in one line for a person. */
export function liveLine({ night, live }: WatchedNight, now: Millis, clock: (time: Millis) => string): string {
  const [firstLine = ''] = liveLines({ night, live, wishes: [] }, now, clock);
  const changes = formatCount(night.runs.at(-1)?.committed ?? 0, 'change');
  return `Unattended run on ${firstLine}, ${changes}. ${describeStep(night, live, now, clock)}`;
}

/**
 * A sentence for a person about what has happened to the branch. `kept`: number of changes that are still on it;
 * `left`: number of changes that could not be reapplied, or that are already on the user's branch; `parked`: number of
 * held changes that were taken off. If none is parked, the branch was moved because the user's branch has moved.
 */
export function movedSentence({ kept, left, parked }: Readonly<Record<'kept' | 'left' | 'parked', number>>): string {
  const skippedText = left === 0 ? '' : ` ${formatCount(left, 'change')} left out.`;
  if (parked === 0) return `Your branch has moved. ${formatCount(kept, 'change')} kept.${skippedText}`;
  const parkedText = formatCount(parked, 'held change was', 'held changes were');
  return (
    `${parkedText} taken off the branch and ${parked === 1 ? 'waits' : 'wait'} for you. ${formatCount(kept, 'change')} ` +
    `kept.${skippedText}`
  );
}

/**
 * A sentence that says that the proposer of the newest run is not trusted, and what follows from that; null if it is
 * trusted.
 */
export function heldLine(night: Pick<Night, 'runs' | 'canaries' | 'changes' | 'parked' | 'heldOrders'>): string | null {
  const run = night.runs.at(-1);
  if (!run || !isHeld(night, run.id)) return null;
  // The task may have been given on an earlier branch of the same order.
  const proposer = night.canaries.findLast((canary) => canary.solved)?.proposer ?? run.plan.proposer ?? 'The proposer';
  const heldCount = findHeldChanges(night).length;
  const heldText =
    heldCount === 0 ? '' : ` ${formatCount(heldCount, 'change of its waits', 'changes of its wait')} for you.`;
  return `${proposer} has “solved” a task that cannot be solved, and is not asked any more.${heldText}`;
}

/** The reason why a run waits, and the time at which it checks again. */
export function waitSentence({ reason, until }: NonNullable<Night['waiting']>, clock: (at: Millis) => string): string {
  return until === null ? reason : `${reason} It looks again at ${clock(until)}.`;
}

/**
 * A sentence about what a run lacks, for its output. Null if it is a repetition, or if the cause is an error, which has
 * a line of its own.
 */
export function degradedSentence({
  cause,
  reasons,
  isRepeated,
}: {
  readonly cause: 'means' | 'error';
  readonly reasons: readonly string[];
  readonly isRepeated?: true;
}): string | null {
  if (cause === 'error' || isRepeated) return null;
  return reasons.length === 0 ? 'no longer degraded' : `degraded: ${reasons.join(' ')}`;
}

/** A sentence about the current step of the run, for a person. */
export function describeStep(
  night: Pick<Night, 'waiting' | 'state' | 'unusual' | 'runs'>,
  live: LiveState | null,
  now: Millis,
  clock: (time: Millis) => string,
): string {
  const anomaly = findUnansweredAnomaly(night);
  if (anomaly) return `It needs you. ${anomaly.reason} ${CONTINUE_ADVICE}`;
  if (night.waiting && determineCurrentState(night, live) === 'waiting') return waitSentence(night.waiting, clock);
  if (!live?.progress) return 'Starting';
  const { progress, trying, stageSince } = live;
  const count = progress.total === null ? '' : ` ${progress.done}/${progress.total}`;
  const seconds = Math.max(0, Math.round((now - stageSince) / 1000));
  const progressText = trying === null || progress.message.includes(trying) ? '' : ` (${trying})`;
  return `${nameStage(progress)}${count}: ${progress.message}${progressText}, for ${seconds} s`;
}

/** The kinds of misses that wait. They no longer count once a person has decided on the proposal. */
const WAITING_OUTCOMES: ReadonlySet<string> = new Set<Night['misses'][number]['what']>(['deferred', 'asks']);

function missesText({ misses, settled }: Night): string {
  const count = (missKind: Night['misses'][number]['what']) =>
    misses.filter(
      (miss) => miss.what === missKind && !(WAITING_OUTCOMES.has(missKind) && settled.includes(miss.proposal)),
    ).length;
  const parts = [
    [count('refused'), 'refused by a check'],
    [count('rolledBack'), 'rolled back'],
    [count('brokeDown'), 'could not be checked'],
    [count('deferred'), count('deferred') === 1 ? 'waits for a quieter machine' : 'wait for a quieter machine'],
    [count('asks'), count('asks') === 1 ? 'waits for you' : 'wait for you'],
  ] as const;
  const counts = parts.filter(([number]) => number > 0).map(([number, words]) => `${number} ${words}`);
  return counts.length === 0 ? 'nothing so far' : counts.join(', ');
}

function processLine({ runs }: Night, { rssMb, cpuSeconds, startedAt, at, tries }: LiveState): string {
  const resumed = runs.at(-1)?.resumed ?? 0;
  const elapsed = Math.max(1, (at - startedAt) / 1000);
  const resumedText = resumed === 0 ? '' : `, started again ${formatCount(resumed, 'time')}`;
  return `${formatCount(tries, 'try', 'tries')}, ${rssMb} MB, ${(cpuSeconds / elapsed).toFixed(1)} cores${resumedText}`;
}
