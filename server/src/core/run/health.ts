// Figures of a run that is in progress: failures by kind, tokens of models, and the success of the last 24 hours.

import { checkLabel } from '../../protocol/plainWords.ts';
import { formatCount } from '../../util/counted.ts';
import { groupThousands } from '../../util/thousands.ts';
import type { AnsweredData, AskedData } from '../model/asks.ts';
import type { NightEvent, NightMiss } from '../model/nights.ts';
import type { Millis } from '../model.ts';
import type { LiveState } from './liveState.ts';
import type { Night } from './nightTypes.ts';
import { countEach } from '../../util/values/countBy.ts';
import { DAY_MS } from '../../util/timing/durations.ts';

/** The number of failures of one kind. `kind`: in words, such as `refused by “Tests”`. */
export interface FailureCount {
  readonly kind: string;
  readonly count: number;
}

/** Figures of the newest run, and of the last 24 hours. A figure that was not measured is null. */
export interface RunHealth {
  /**
   * Failures of the newest run, the most frequent first. Tasks that cannot be solved and repeated edits do not count as
   * failures.
   */
  readonly failures: readonly FailureCount[];
  /** The complete answers of models in the newest run; null if there were none. */
  readonly answers: {
    readonly count: number;
    readonly outputTokens: number;
    /** Null if the answers took no measurable time. */
    readonly tokensPerSecond: number | null;
  } | null;
  /**
   * Proposals and wishes that were committed in the last 24 hours, and the number that were judged; null if none was
   * judged.
   */
  readonly day: { readonly committed: number; readonly judged: number } | null;
}

/** The events that the figures are computed from. */
export const HEALTH_EVENT_TYPES = ['asked', 'answered', 'nightCommitted', 'nightMissed', 'nightWish'] as const;

/** One of these events, as it is stored in the ledger. */
export type HealthEvent = { readonly at: Millis } & (
  | { readonly type: 'asked'; readonly data: AskedData }
  | { readonly type: 'answered'; readonly data: AnsweredData }
  | Extract<NightEvent, { readonly type: (typeof HEALTH_EVENT_TYPES)[number] }>
);

/** The figures of the newest run of a night. `events`: those of the types in `HEALTH_EVENT_TYPES`, oldest first. */
export function measureHealth(night: Night, events: readonly HealthEvent[], now: Millis): RunHealth {
  const run = night.runs.at(-1);
  const askIds = new Set(
    events.flatMap(({ type, at, data }) =>
      type === 'asked' && run && data.night === run.since && at >= run.startedAt && data.task.kind !== 'canary'
        ? [data.ask]
        : [],
    ),
  );
  // A later answer to the same question replaces an earlier one.
  const answers = [
    ...new Map(
      events.flatMap(({ type, data }) =>
        type === 'answered' && askIds.has(data.ask) ? [[data.ask, data] as const] : [],
      ),
    ).values(),
  ];
  const outcomes = collectOutcomes(events);
  const kinds = [
    ...outcomes.flatMap(({ run: id, failure }) => (failure !== null && id === run?.id ? [failure] : [])),
    ...answers.flatMap((answer) => describeFailure(answer) ?? []),
  ];
  const outcomesOfDay = outcomes.filter(({ at }) => at > now - DAY_MS);
  const committed = outcomesOfDay.filter(({ failure }) => failure === null).length;
  return {
    failures: countKinds(kinds),
    answers: sumAnswers(answers),
    day: outcomesOfDay.length === 0 ? null : { committed, judged: outcomesOfDay.length },
  };
}

/** The outcome of a proposal or a wish. `failure`: in words; null if it was committed. */
interface Outcome {
  readonly at: Millis;
  readonly run: string;
  readonly failure: string | null;
}

/** The last outcome of each proposal and wish. A proposal or wish that waits has none. */
function collectOutcomes(events: readonly HealthEvent[]): readonly Outcome[] {
  const outcomes = new Map<string, Outcome>();
  for (const { type, at, data } of events) {
    if (type === 'nightCommitted') addOutcome(outcomes, data.change.proposal, { at, run: data.run, failure: null });
    if (type === 'nightMissed') {
      const failure = describeMiss(data.miss);
      addOutcome(outcomes, data.miss.proposal, failure === null ? null : { at, run: data.run, failure });
    }
    if (type === 'nightWish') {
      const { run, outcome, wish, proposal } = data;
      const failure = outcome === 'committed' ? null : 'wish not done';
      addOutcome(outcomes, proposal ?? `wish ${wish}`, outcome === 'deferred' ? null : { at, run, failure });
    }
  }
  return [...outcomes.values()];
}

/**
 * A commit is recorded again after a crash, and once more by its wish. The first such record stays, because its time is
 * the time of the commit. `outcome`: null if the proposal or wish waits, which removes an earlier outcome.
 */
function addOutcome(outcomes: Map<string, Outcome>, id: string, outcome: Outcome | null): void {
  if (outcome === null) outcomes.delete(id);
  else if (outcome.failure !== null || outcomes.get(id)?.failure !== null) outcomes.set(id, outcome);
}

/** The failure of a proposal in words; null if it waits. */
function describeMiss({ what, gate }: NightMiss): string | null {
  const gatePhrase = gate === undefined ? '' : ` by “${checkLabel(gate)}”`;
  if (what === 'refused') return `refused${gatePhrase || ' by a check'}`;
  if (what === 'rolledBack') return `rolled back${gatePhrase}`;
  return what === 'brokeDown' ? 'could not be checked' : null;
}

/**
 * The failure of an answer in words; null if it did not fail, was cancelled, or only repeats edits that were judged
 * before.
 */
function describeFailure({ outcome, failure, outage, usage, gate, duplicate }: AnsweredData): string | null {
  if (outcome === 'refused' && duplicate) return null;
  if (outcome === 'refused') return gate === undefined ? 'unusable answer' : `refused by “${checkLabel(gate)}”`;
  if (outcome !== 'failed') return null;
  if (failure === 'timedOut') return 'proposer timed out';
  if (outage) return usage === null ? 'proposer not reached' : 'broken answer';
  return failure === 'usage' || failure === 'forbidden' ? 'question refused by the proposer' : 'proposer failed';
}

function countKinds(kinds: readonly string[]): readonly FailureCount[] {
  return [...countEach(kinds)]
    .map(([kind, count]) => ({ kind, count }))
    .toSorted((a, b) => b.count - a.count || (a.kind < b.kind ? -1 : 1));
}

/**
 * The totals of the complete answers; null if there are none. Leaves out unfinished answers, because their usage is
 * only an upper bound.
 */
function sumAnswers(answers: readonly AnsweredData[]): RunHealth['answers'] {
  const completeAnswers = answers.filter(
    ({ outcome, usage }) => usage !== null && outcome !== 'failed' && outcome !== 'cancelled',
  );
  if (completeAnswers.length === 0) return null;
  const outputTokens = completeAnswers.reduce((sum, { usage }) => sum + (usage?.output ?? 0), 0);
  const seconds = completeAnswers.reduce((sum, { millis }) => sum + millis, 0) / 1000;
  return {
    count: completeAnswers.length,
    outputTokens,
    tokensPerSecond: seconds > 0 ? outputTokens / seconds : null,
  };
}

/**
 * The figures as lines for a person, each with its name. Unknown figures have no line. `live`: the state that the
 * process has recorded, or null.
 */
export function healthLines(
  { failures, answers, day }: RunHealth,
  live: LiveState | null,
): readonly (readonly [string, string])[] {
  const answersText = [...(answers ? [describeAnswers(answers)] : []), ...describeArrivingAnswer(live)].join('; ');
  return [
    ...(failures.length === 0
      ? []
      : [['Failed', failures.map(({ kind, count }) => `${count} ${kind}`).join(', ')] as const]),
    ...(answersText === '' ? [] : [['Answers', answersText] as const]),
    ...(day === null
      ? []
      : [
          [
            '24 hours',
            `${day.committed} of ${formatCount(day.judged, 'judged proposal or wish', 'judged proposals and wishes')} committed`,
          ] as const,
        ]),
  ];
}

function describeAnswers({ count, outputTokens, tokensPerSecond }: NonNullable<RunHealth['answers']>): string {
  const rate = tokensPerSecond === null ? '' : `, ${formatRate(tokensPerSecond)}`;
  return `${groupThousands(outputTokens)} tokens in ${formatCount(count, 'answer')}${rate}`;
}

/** The answer that is arriving; empty if none is arriving. */
function describeArrivingAnswer(live: LiveState | null): readonly string[] {
  const answer = live?.progress?.answer;
  if (!answer) return [];
  const rate = answer.tokensPerSecond === null ? '' : `, ${formatRate(answer.tokensPerSecond)}`;
  return [`now about ${groupThousands(answer.tokens)} tokens${rate}`];
}

function formatRate(tokensPerSecond: number): string {
  return `${tokensPerSecond < 10 ? tokensPerSecond.toFixed(1) : Math.round(tokensPerSecond)} tokens/s`;
}
