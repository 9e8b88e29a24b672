// Collects the facts for the rules about unusual runs: the changes and attempts of all nights as plain lists.

import { EXTERNAL_RECIPE } from '../../model/authors.ts';
import type { CheatKind } from '../../model/cheats.ts';
import type { NightChange, NightEvent } from '../../model/nights.ts';
import type { Millis } from '../../model.ts';

/** The kinds of anomalies. Each has a rule in this folder. */
const ANOMALY_KINDS = [
  'changeRate',
  'oscillation',
  'unexpectedGain',
  'unexpectedCommand',
  'failing',
  'stagnation',
  'escape',
] as const;
export type AnomalyKind = (typeof ANOMALY_KINDS)[number];

/** An anomaly of a run; the run waits for a person because of it. */
export interface Anomaly {
  readonly kind: AnomalyKind;
  /** For a person: the unusual figures next to the usual ones. */
  readonly reason: string;
}

/** A change that was committed, with its time and its run. */
export interface ObservedCommit {
  readonly at: Millis;
  readonly run: string;
  readonly change: NightChange;
}

/**
 * A proposal with its outcome. `passed`: true if it was committed. Proposals on which only a person may decide are not
 * attempts, and neither are deferrals: the final outcome of the proposal counts.
 */
export interface Attempt {
  readonly at: Millis;
  readonly rule: string;
  readonly passed: boolean;
}

/** The data about a run, and about the runs before it, that the rules use. */
export interface RunFacts {
  readonly now: Millis;
  /** The run that is checked. */
  readonly run: string;
  /** The time at which a person last started or continued the run. The person knows what happened before. */
  readonly since: Millis;
  /** The changes of all nights, oldest first. */
  readonly commits: readonly ObservedCommit[];
  /** The attempts of all nights, oldest first. */
  readonly attempts: readonly Attempt[];
  /** Variants of changes that escaped: code that a change touches was made worse on purpose, and all checks passed. */
  readonly escapes: readonly {
    readonly at: Millis;
    readonly run: string;
    readonly title: string;
    readonly kind: CheatKind;
    readonly path: string;
    readonly line: number;
  }[];
  /** Periods in which runs waited for work or for a person, oldest first. An unfinished period ends `now`. */
  readonly waits: readonly { readonly from: Millis; readonly to: Millis }[];
}

/** Events that may occur while a run waits, and that do not end the wait. */
const WHILE_WAITING: ReadonlySet<NightEvent['type']> = new Set(['nightTold', 'nightVariant', 'nightUpgrade']);

/** An event with its time. */
type TimedNightEvent = NightEvent & { readonly at: Millis };

/** The facts about a run at `now`. `events`: the events of all nights, oldest first. */
export function collectFacts(events: readonly TimedNightEvent[], runId: string, now: Millis): RunFacts {
  const commits: ObservedCommit[] = [];
  const attempts: Attempt[] = [];
  const escapes: RunFacts['escapes'][number][] = [];
  const waits: { from: Millis; to: Millis }[] = [];
  const committedProposals = new Set<string>();
  let since = 0;
  let waitsFrom: Millis | null = null;
  for (const event of events) {
    const { at, data } = event;
    if (waitsFrom !== null && !WHILE_WAITING.has(event.type)) {
      waits.push({ from: waitsFrom, to: at });
      waitsFrom = null;
    }
    if ('run' in data && data.run === runId && (event.type === 'nightStarted' || event.type === 'nightAnswered'))
      since = at;
    if (event.type === 'nightWaiting' || event.type === 'nightPaused') waitsFrom = at;
    if (event.type === 'nightCommitted' && !committedProposals.has(event.data.change.proposal)) {
      // A process that died right after the commit records it again.
      committedProposals.add(event.data.change.proposal);
      commits.push({ at, run: event.data.run, change: event.data.change });
      attempts.push({ at, rule: event.data.change.rule, passed: true });
    }
    if (event.type === 'nightVariant' && event.data.outcome === 'escaped' && !event.data.isBeside)
      escapes.push({ at, ...event.data });
    if (event.type === 'nightMissed' && event.data.miss.what !== 'asks' && event.data.miss.what !== 'deferred')
      attempts.push({ at, rule: event.data.miss.rule, passed: false });
  }
  if (waitsFrom !== null) waits.push({ from: waitsFrom, to: now });
  return { now, run: runId, since, commits, attempts, escapes, waits };
}

/** Milliseconds between `from` and `now`, without the waits. */
export function computeWorkTimeSince({ now, waits }: Pick<RunFacts, 'now' | 'waits'>, from: Millis): Millis {
  const waitedMs = waits.reduce((sum, wait) => sum + Math.max(0, wait.to - Math.max(wait.from, from)), 0);
  return Math.max(0, now - from - waitedMs);
}

/** A phrase that names the rule and follows a noun, such as “proposals” or “changes”. */
export function rulePhrase(rule: string): string {
  return rule === EXTERNAL_RECIPE ? 'of models and agents' : `of the rule ${rule}`;
}
