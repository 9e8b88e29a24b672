// Describes what an unattended run is doing at this moment, for anybody who watches it.

import { counted } from '../../util/counted.ts';
import type { Millis } from '../model.ts';
import { stageWord } from '../operation.ts';
import { healthLines, type RunHealth } from './health.ts';
import { heldChanges, isHeld } from './heldChanges.ts';
import type { LiveState } from './liveState.ts';
import { unansweredAnomaly } from './nightQueries.ts';
import type { Night } from './nightTypes.ts';

/** A night, with the state that its process reports. */
export interface WatchedNight {
  readonly night: Night;
  /** Null if no process has recorded anything yet. */
  readonly live: LiveState | null;
  /** Wishes that have not been done, in the order in which they are tried. */
  readonly wishes: readonly string[];
  /** Absent if only the state is shown. */
  readonly health?: RunHealth;
}

/** The commands for a person when a run waits for them. */
export const CONTINUE_ADVICE =
  'Look at it: `selfware report`. Continue: `selfware night continue`. End it: `selfware night stop`.';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const STATE_TEXTS: Readonly<Record<Night['state'], string>> = {
  running: 'running',
  waiting: 'waits, running',
  needsPerson: 'needs you, running',
  stopped: 'stopped',
};

/**
 * Changes per hour of the newest run since it began, waiting included; null within its first minute, or without a run.
 */
export function changesPerHour({ runs }: Night, now: Millis): number | null {
  const run = runs.at(-1);
  if (!run || now - run.startedAt < MINUTE_MS) return null;
  return (run.committed / (now - run.startedAt)) * HOUR_MS;
}

/** The state, which is `running` as soon as a run that has waited does something again. */
export function determineCurrentState<State extends Night['state']>(
  state: State,
  live: LiveState | null,
): State | 'running' {
  return state === 'waiting' && live?.progress ? 'running' : state;
}

/** The work of the newest run and its current step, as lines for a person. `clock` formats a time of day. */
export function liveLines(
  { night, live, wishes, health }: WatchedNight,
  now: Millis,
  clock: (time: Millis) => string,
): string[] {
  const run = night.runs.at(-1);
  const { plan, startedAt = now, committed = 0, resumed = 0 } = run ?? {};
  const rate = changesPerHour(night, now);
  const limit = plan ? ` of at most ${plan.maxChanges}` : '';
  const pace = rate === null ? '' : `, ${rate.toFixed(1)} an hour`;
  const newest = night.changes.at(-1);
  const state = STATE_TEXTS[determineCurrentState(night.state, live)];
  const until = plan ? `, until ${clock(plan.until)}` : '';
  return [
    `${night.branch}: ${state} since ${clock(startedAt)}${until}`,
    `  Now        ${describeStep(night, live, now, clock)}`,
    `  Changes    ${committed}${limit}${pace}${newest ? `; newest: ${newest.title}` : ''}`,
    `  Not taken  ${missesText(night)}`,
    ...(health ? healthLines(health, live).map(([name, text]) => `  ${name.padEnd(11)}${text}`) : []),
    ...(plan?.proposer == null ? [] : [`  Asks       ${plan.proposer}`]),
    ...(heldLine(night) === null ? [] : [`  Held       ${heldLine(night)}`]),
    ...(wishes.length === 0 ? [] : [`  Wishes     ${wishes.length}: ${wishes.slice(0, 3).join(' · ')}`]),
    ...(live ? [`  Process    ${processLine(live, resumed)}`] : []),
  ];
}

/** The work of the newest run and its current step, in one line for a person. */
export function liveLine({ night, live }: WatchedNight, now: Millis, clock: (time: Millis) => string): string {
  const [first = ''] = liveLines({ night, live, wishes: [] }, now, clock);
  const changes = counted(night.runs.at(-1)?.committed ?? 0, 'change');
  return `Unattended run on ${first}, ${changes}. ${describeStep(night, live, now, clock)}`;
}

/**
 * A sentence for a person about what has happened to the branch. `kept`: number of changes that are still on it;
 * `left`: number of changes that could not be reapplied, or that are already on the user's branch; `parked`: number of
 * held changes that were taken off. If none is parked, the branch was moved because the user's branch has moved.
 */
export function movedSentence({ kept, left, parked }: Readonly<Record<'kept' | 'left' | 'parked', number>>): string {
  const skippedText = left === 0 ? '' : ` ${counted(left, 'change')} left out.`;
  if (parked === 0) return `Your branch has moved. ${counted(kept, 'change')} kept.${skippedText}`;
  const parkedText = counted(parked, 'held change was', 'held changes were');
  return (
    `${parkedText} taken off the branch and ${parked === 1 ? 'waits' : 'wait'} for you. ${counted(kept, 'change')} ` +
    `kept.${skippedText}`
  );
}

/** A sentence that the proposer of the newest run is not trusted, and what follows; null if it is trusted. */
export function heldLine(night: Pick<Night, 'runs' | 'canaries' | 'changes' | 'parked' | 'heldOrders'>): string | null {
  const run = night.runs.at(-1);
  if (!run || !isHeld(night, run.id)) return null;
  // The task may have been given on an earlier branch of the same order.
  const proposer = night.canaries.findLast((canary) => canary.solved)?.proposer ?? run.plan.proposer ?? 'The proposer';
  const heldCount = heldChanges(night).length;
  const heldText =
    heldCount === 0 ? '' : ` ${counted(heldCount, 'change of its waits', 'changes of its wait')} for you.`;
  return `${proposer} has “solved” a task that cannot be solved, and is not asked any more.${heldText}`;
}

/** The reason that a run waits, and when it looks again. */
export function waitSentence({ reason, until }: NonNullable<Night['waiting']>, clock: (at: Millis) => string): string {
  return until === null ? reason : `${reason} It looks again at ${clock(until)}.`;
}

/** A sentence about the current step of the run, for a person. */
export function describeStep(
  night: Pick<Night, 'waiting' | 'state' | 'unusual'>,
  live: LiveState | null,
  now: Millis,
  clock: (time: Millis) => string,
): string {
  const need = unansweredAnomaly(night);
  if (need) return `It needs you. ${need.reason} ${CONTINUE_ADVICE}`;
  if (night.waiting && determineCurrentState(night.state, live) === 'waiting')
    return waitSentence(night.waiting, clock);
  if (!live?.progress) return 'Starting';
  const { progress, trying, stageSince } = live;
  const count = progress.total === null ? '' : ` ${progress.done}/${progress.total}`;
  const seconds = Math.max(0, Math.round((now - stageSince) / 1000));
  const progressText = trying === null || progress.message.includes(trying) ? '' : ` (${trying})`;
  return `${stageWord(progress)}${count}: ${progress.message}${progressText}, for ${seconds} s`;
}

/** The kinds of misses that wait. They no longer count once a person has decided on the proposal. */
const WAITING_OUTCOMES: ReadonlySet<string> = new Set<Night['misses'][number]['what']>(['deferred', 'asks']);

function missesText({ misses, settled }: Night): string {
  const count = (what: Night['misses'][number]['what']) =>
    misses.filter((miss) => miss.what === what && !(WAITING_OUTCOMES.has(what) && settled.includes(miss.proposal)))
      .length;
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

function processLine({ rssMb, cpuSeconds, startedAt, at, tries }: LiveState, resumed: number): string {
  const elapsed = Math.max(1, (at - startedAt) / 1000);
  const resumedText = resumed === 0 ? '' : `, started again ${counted(resumed, 'time')}`;
  return `${counted(tries, 'try', 'tries')}, ${rssMb} MB, ${Math.round((cpuSeconds / elapsed) * 100)} % of a core${resumedText}`;
}
