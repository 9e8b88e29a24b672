// What holds in every world, as data: each invariant finds its violations among the facts.

import { SUPERVISION_RULES } from '../../../../server/src/core/run/supervision.ts';
import { factsOf, type Fact } from './facts.ts';
import { MAX_BETWEEN_BEATS_MS, MAX_LATE_MS, MAX_REMAINING_MS } from './world.ts';

export interface Invariant {
  readonly name: string;
  /** Descriptions; empty if the invariant holds. */
  readonly violations: (facts: readonly Fact[]) => readonly string[];
}

const {
  tickMs,
  beatMs,
  silenceMs,
  noProgressMs,
  firstBackoffMs,
  maxBackoffMs,
  healthyMs,
  maxStarts,
  startsWindowMs,
  killAfterMs,
  stopAfterMs,
} = SUPERVISION_RULES;
/** Time in ms within which silence is found: the time-out, a beat and a tick. */
const FOUND_MS = silenceMs + beatMs + tickMs;
/** Latest regular tick after something is due. */
const LATE_MS = tickMs + 2 * MAX_LATE_MS;

export const INVARIANTS: readonly Invariant[] = [
  {
    name: 'there are never two workers',
    violations: (facts) => factsOf(facts, 'started').flatMap(({ at, alive }) => (alive > 0 ? [`at ${at}`] : [])),
  },
  {
    name: 'an hour has at most five starts',
    violations(facts) {
      const starts = factsOf(facts, 'started').map(({ at }) => at);
      return starts.flatMap((at, index) => {
        const first = starts[index - maxStarts];
        return first !== undefined && at - first < startsWindowMs ? [`${maxStarts + 1} from ${first} to ${at}`] : [];
      });
    },
  },
  { name: 'silence is found in time', violations: (facts) => foundLate(facts, 'hung', FOUND_MS) },
  {
    name: 'a lack of progress is found in time',
    violations: (facts) => foundLate(facts, 'stuck', noProgressMs + MAX_BETWEEN_BEATS_MS + LATE_MS),
  },
  {
    name: 'no healthy worker is killed',
    violations: (facts) =>
      factsOf(facts, 'signalled').flatMap(({ at, worker, condition, isDue }) =>
        condition === 'healthy' && !isDue ? [`worker ${worker} at ${at}`] : [],
      ),
  },
  {
    name: 'pauses double, and a healthy time ends that',
    violations: (facts) =>
      pauses(facts).flatMap(({ endedAt, pauseMs, expectedMs, sleptMs, isFull }) => {
        const isShort = pauseMs < expectedMs;
        const isLong = !isFull && pauseMs - sleptMs > expectedMs + MAX_LATE_MS;
        return isShort || isLong ? [`${pauseMs} ms instead of ${expectedMs} after the end at ${endedAt}`] : [];
      }),
  },
  {
    name: 'after trouble it runs again',
    violations: (facts) =>
      pauses(facts).flatMap(({ endedAt, pauseMs, sleptMs }) =>
        pauseMs - sleptMs > startsWindowMs + maxBackoffMs + LATE_MS ? [`${pauseMs} ms after ${endedAt}`] : [],
      ),
  },
  {
    name: 'a person is told of a long pause',
    violations(facts) {
      const told = new Set(factsOf(facts, 'told').map(({ at }) => at));
      return pauses(facts).flatMap(({ endedAt, pauseMs, sleptMs }) =>
        pauseMs - sleptMs > maxBackoffMs + LATE_MS && !told.has(endedAt) ? [`at ${endedAt}`] : [],
      );
    },
  },
  {
    name: 'a worker with too much memory is drained as soon as a start is free',
    violations(facts) {
      const found = (worker: number) => [...factsOf(facts, 'drainAsked'), ...ends(facts)].find(isOf(worker))?.at;
      return factsOf(facts, 'large').flatMap(({ at, worker }) => {
        const until = found(worker) ?? stopAt(facts);
        const lateMs = until - at - sleptBetween(facts, at, until);
        return lateMs > startsWindowMs + MAX_BETWEEN_BEATS_MS ? [`worker ${worker}: ${lateMs} ms`] : [];
      });
    },
  },
  {
    name: 'stop leaves nothing',
    violations(facts) {
      const [end] = factsOf(facts, 'supervisionEnded');
      const left = factsOf(facts, 'over').filter(({ alive }) => alive > 0);
      if (!end || end.end !== 'stopped' || end.alive > 0 || left.length > 0) return ['something is left'];
      const tookMs = end.at - stopAt(facts) - sleptBetween(facts, stopAt(facts), end.at);
      const isImmortal = tookMs <= MAX_REMAINING_MS + LATE_MS && wasKilledBefore(facts, end.at - killAfterMs);
      return tookMs > stopAfterMs + 2 * MAX_LATE_MS && !isImmortal ? [`it took ${tookMs} ms`] : [];
    },
  },
];

/** Names of the invariants that these facts violate, with the first violation of each. */
export function violated(facts: readonly Fact[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { name, violations } of INVARIANTS) {
    const [first] = violations(facts);
    if (first !== undefined) found.set(name, first);
  }
  return found;
}

interface Pause {
  readonly endedAt: number;
  /** Until the next start, or until stop was asked. */
  readonly pauseMs: number;
  readonly sleptMs: number;
  /** Zero after a planned end. */
  readonly expectedMs: number;
  /** All starts of the window were used. */
  readonly isFull: boolean;
}

/** The times without a worker, with the pause that the rules ask for. */
function pauses(facts: readonly Fact[]): readonly Pause[] {
  const starts = factsOf(facts, 'started');
  const until = stopAt(facts);
  let failures = 0;
  return ends(facts)
    .filter(({ at }) => at < until)
    .flatMap(({ at, worker, isFailure }) => {
      const started = starts.find(isOf(worker));
      const next = starts.find(isOf(worker + 1));
      if (!started) return [];
      if (at - started.at >= healthyMs) failures = 0;
      const expectedMs = isFailure ? Math.min(maxBackoffMs, firstBackoffMs * 2 ** failures) : 0;
      if (isFailure) failures += 1;
      const isFull = starts.filter((start) => start.at <= at && start.at > at - startsWindowMs).length >= maxStarts;
      const endAt = next?.at ?? until;
      // A pause that stop has cut is not too short.
      const pauseMs = next ? endAt - at : Math.max(endAt - at, expectedMs);
      return [{ endedAt: at, pauseMs, sleptMs: sleptBetween(facts, at, endAt), expectedMs, isFull }];
    });
}

function foundLate(facts: readonly Fact[], is: 'hung' | 'stuck', withinMs: number): readonly string[] {
  const signals = factsOf(facts, 'signalled');
  return factsOf(facts, is).flatMap(({ at, worker }) => {
    const found = Math.min(
      signals.find((signal) => signal.worker === worker && signal.at >= at)?.at ?? Infinity,
      ends(facts).find(isOf(worker))?.at ?? Infinity,
      stopAt(facts),
    );
    const wokeAt = factsOf(facts, 'slept')
      .filter((sleep) => sleep.at <= found)
      .map((sleep) => sleep.at + sleep.forMs);
    const lateMs = found - Math.max(at, ...wokeAt.map((woke) => woke + MAX_LATE_MS));
    return lateMs > withinMs ? [`worker ${worker} after ${lateMs} ms`] : [];
  });
}

function ends(facts: readonly Fact[]) {
  return factsOf(facts, 'ended');
}

function isOf(worker: number): (fact: { readonly worker: number }) => boolean {
  return (fact) => fact.worker === worker;
}

function stopAt(facts: readonly Fact[]): number {
  return factsOf(facts, 'stopAsked')[0]?.at ?? Infinity;
}

function wasKilledBefore(facts: readonly Fact[], at: number): boolean {
  return factsOf(facts, 'signalled').some((signal) => signal.at <= at && signal.at >= at - MAX_REMAINING_MS);
}

/** How long the machine slept between these times. */
function sleptBetween(facts: readonly Fact[], from: number, to: number): number {
  return factsOf(facts, 'slept').reduce(
    (total, sleep) =>
      total + Math.max(0, Math.min(to, sleep.at + sleep.forMs + MAX_LATE_MS) - Math.max(from, sleep.at)),
    0,
  );
}
