// Figures of a run that is in progress: failures by kind, tokens of models, and the success of the last 24 hours.

import { counted } from '../../util/counted.ts';
import { thousands } from '../../util/thousands.ts';
import type { AnsweredData, AskedData } from '../model/asks.ts';
import type { Millis } from '../model.ts';
import type { LiveState } from './liveState.ts';
import type { Night } from './nightTypes.ts';

/** A question to a model, or its answer, as the ledger has it. */
export interface AskRecord {
  readonly at: Millis;
  readonly asked?: AskedData;
  readonly answered?: AnsweredData;
}

/** How often something failed in one way. `kind`: in words, such as `refused by tests`. */
export interface FailureCount {
  readonly kind: string;
  readonly count: number;
}

/** The figures. What was not measured is null. */
export interface RunHealth {
  /** Failures of the newest run, the most frequent first. */
  readonly failures: readonly FailureCount[];
  /** The answers of models in the newest run; null if there were none. */
  readonly answers: {
    readonly count: number;
    readonly outputTokens: number;
    /** Null if no answer took any time. */
    readonly tokensPerSecond: number | null;
  } | null;
  /** Proposals that were committed in the last 24 hours, of all that were judged; null if none was. */
  readonly day: { readonly committed: number; readonly judged: number } | null;
}

const DAY_MS = 86_400_000;

/** The figures of the newest run of a night. `asks`: all questions and answers in the ledger of the repository. */
export function measureHealth(night: Night, asks: readonly AskRecord[], now: Millis): RunHealth {
  const run = night.runs.at(-1);
  const askIds = new Set(
    asks.flatMap(({ at, asked }) => (run && asked?.night === run.since && at >= run.startedAt ? [asked.ask] : [])),
  );
  // A later answer to the same question replaces an earlier one.
  const answers = new Map(
    asks.flatMap(({ answered }) => (answered && askIds.has(answered.ask) ? [[answered.ask, answered] as const] : [])),
  );
  const outcomes = night.outcomes ?? [];
  const kinds = [
    ...outcomes.flatMap(({ run: id, failure }) => (failure !== null && id === run?.id ? [failure] : [])),
    ...[...answers.values()].flatMap((answer) => describeFailure(answer) ?? []),
  ];
  const ofDay = outcomes.filter(({ at }) => at > now - DAY_MS);
  return {
    failures: countKinds(kinds),
    answers: sumAnswers([...answers.values()]),
    day:
      ofDay.length === 0
        ? null
        : { committed: ofDay.filter(({ failure }) => failure === null).length, judged: ofDay.length },
  };
}

/** The failure of an answer in words; null if it did not fail. */
function describeFailure({ outcome, failure, outage, usage }: AnsweredData): string | null {
  if (outcome === 'refused') return 'unusable answer';
  if (outcome !== 'failed') return null;
  if (failure === 'timedOut') return 'proposer timed out';
  if (outage) return usage === null ? 'proposer not reached' : 'broken answer';
  return failure === 'usage' || failure === 'forbidden' ? 'question refused by the proposer' : 'proposer failed';
}

function countKinds(kinds: readonly string[]): readonly FailureCount[] {
  const counts = new Map<string, number>();
  for (const kind of kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts]
    .map(([kind, count]) => ({ kind, count }))
    .toSorted((a, b) => b.count - a.count || (a.kind < b.kind ? -1 : 1));
}

function sumAnswers(answers: readonly AnsweredData[]): RunHealth['answers'] {
  const withUsage = answers.filter(({ usage }) => usage !== null);
  if (withUsage.length === 0) return null;
  const outputTokens = withUsage.reduce((sum, { usage }) => sum + (usage?.output ?? 0), 0);
  const seconds = withUsage.reduce((sum, { millis }) => sum + millis, 0) / 1000;
  return {
    count: withUsage.length,
    outputTokens,
    tokensPerSecond: seconds > 0 ? outputTokens / seconds : null,
  };
}

/** The figures as lines for a person, each with its name. Figures of which nothing is known have no line. */
export function healthLines(
  { failures, answers, day }: RunHealth,
  live: LiveState | null,
  now: Millis,
): readonly (readonly [string, string])[] {
  const answersText = [...(answers ? [describeAnswers(answers)] : []), ...answeringText(live, now)].join('; ');
  return [
    ...(failures.length === 0
      ? []
      : [['Failed', failures.map(({ kind, count }) => `${count} ${kind}`).join(', ')] as const]),
    ...(answersText === '' ? [] : [['Answers', answersText] as const]),
    ...(day === null
      ? []
      : [['24 hours', `${day.committed} of ${counted(day.judged, 'judged proposal')} committed`] as const]),
  ];
}

function describeAnswers({ count, outputTokens, tokensPerSecond }: NonNullable<RunHealth['answers']>): string {
  const rate = tokensPerSecond === null ? '' : `, ${formatRate(tokensPerSecond)}`;
  return `${thousands(outputTokens)} tokens in ${counted(count, 'answer')}${rate}`;
}

/** The answer that is arriving; empty if no model answers. */
function answeringText(live: LiveState | null, now: Millis): readonly string[] {
  if (!live?.answering) return [];
  const { tokens, since } = live.answering;
  const seconds = Math.max(1, (now - since) / 1000);
  return [`now about ${thousands(tokens)} tokens, ${formatRate(tokens / seconds)}`];
}

function formatRate(tokensPerSecond: number): string {
  return `${tokensPerSecond < 10 ? tokensPerSecond.toFixed(1) : Math.round(tokensPerSecond)} tokens/s`;
}
