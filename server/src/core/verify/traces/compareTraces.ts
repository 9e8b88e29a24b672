// Compares the recorded calls of two runs of the base with one or two runs of the candidate.
//
// A call is identified by its test, its function and its number in the order of calls. Only the parts of a call that
// were the same in both runs of the base are compared.

import type { MarkedPlace, TracePlan } from './planTraces.ts';
import type { Digests, TracedCall, TraceLine, TracesEnd, TracesLine } from './recording.ts';

/** One run of the tests with recording. */
export interface TraceRun {
  /** The recorded calls, by test file, test and function. */
  readonly recorded: ReadonlyMap<string, TraceLine>;
  readonly ends: readonly TracesEnd[];
}

/** A call that ended differently with the change. */
export interface TraceDifference {
  /** Number of the function in the plan. */
  readonly traced: number;
  readonly title: string;
  /** 1-based number, in the order of the calls in its test. */
  readonly call: number;
  /** The part that differs: `result.status`, `argument 1.items`, or how the call ended. */
  readonly part: string;
  /** Short texts of both ends of the call, if they differ. */
  readonly ends: { readonly before: string; readonly after: string } | null;
  /** Identifies the difference and the digest of the candidate, to find it in another run. */
  readonly sign: string;
}

/** The result of comparing two runs of the base and one of the candidate. */
export interface TraceComparison {
  readonly differences: readonly TraceDifference[];
  /** Numbers of the functions with a compared call, with the number of their compared calls. */
  readonly compared: ReadonlyMap<number, number>;
  /** Tests in which a call was compared. */
  readonly tests: ReadonlySet<string>;
  /** Numbers of the functions that some test calls. */
  readonly called: ReadonlySet<number>;
  /** Numbers of the functions that were called with other arguments, or another number of times, with the change. */
  readonly calledOtherwise: ReadonlySet<number>;
  /** Places of each side that no compared call has reached. */
  readonly unreached: readonly MarkedPlace[];
  /** Number of calls without the change that were only counted, because there were too many. */
  readonly unrecorded: number;
}

/** Identifies a function in a test. */
const createTraceKey = ({ file, test, traced }: TraceLine): string => `${file}\n${test}\n${traced}`;

/** Creates the run that these lines describe. Tests that failed are skipped. */
export function createTraceRun(lines: readonly TracesLine[]): TraceRun {
  const ends = lines.filter((line): line is TracesEnd => 'tracedFile' in line);
  const failed = new Set(ends.flatMap((end) => end.failed.map((test) => `${end.tracedFile}\n${test}`)));
  const recorded = lines.filter(
    (line): line is TraceLine => 'traced' in line && !failed.has(`${line.file}\n${line.test}`),
  );
  return { recorded: new Map(recorded.map((line) => [createTraceKey(line), line])), ends };
}

/** The differences that the second comparison with the same base has also found. */
export function selectSteadyDifferences(first: TraceComparison, second: TraceComparison): readonly TraceDifference[] {
  const repeatedSigns = new Set(second.differences.map(({ sign }) => sign));
  return first.differences.filter(({ sign }) => repeatedSigns.has(sign));
}

/** Compares a run of the candidate with two runs of the base. */
export function compareTraces(
  plan: TracePlan,
  [base, repeatedBase]: readonly [TraceRun, TraceRun],
  candidate: TraceRun,
): TraceComparison {
  const differences: TraceDifference[] = [];
  const compared = new Map<number, number>();
  const tests = new Set<string>();
  const called = new Set<number>();
  let unrecorded = 0;
  const calledOtherwise = new Set<number>();
  const reached = { base: new Set<number>(), candidate: new Set<number>() };
  for (const [name, old] of base.recorded) {
    const { traced } = old;
    if (traced < 0) continue;
    called.add(traced);
    unrecorded += old.count - old.calls.length;
    const second = repeatedBase.recorded.get(name);
    if (second?.count !== old.count) continue;
    const newRecord = candidate.recorded.get(name);
    if (newRecord?.count !== old.count) {
      calledOtherwise.add(traced);
      continue;
    }
    for (const [index, call] of old.calls.entries()) {
      const [repeatedCall, changedCall] = [second.calls[index], newRecord.calls[index]];
      if (!repeatedCall || !changedCall || repeatedCall.ending !== call.ending || call.ending === 'pending') continue;
      if (findFirstDifference(call.before, repeatedCall.before, changedCall.before, false) !== null) {
        calledOtherwise.add(traced);
        continue;
      }
      const difference = findEndDifference(call, repeatedCall, changedCall);
      if (difference !== null) {
        const { digest, ...differenceParts } = difference;
        const sign = `${name}\n${index}\n${difference.part}\n${digest}`;
        differences.push({ traced, title: old.title, call: index + 1, ...differenceParts, sign });
        continue;
      }
      if (!call.tells || !isSteady(call, repeatedCall)) continue;
      compared.set(traced, (compared.get(traced) ?? 0) + 1);
      tests.add(`${old.file}\n${old.test}`);
      call.reached.forEach((place) => reached.base.add(place));
      changedCall.reached.forEach((place) => reached.candidate.add(place));
    }
  }
  // Functions that exist only in the candidate are reached through the compared ones, in the same tests.
  for (const { traced, file, test, calls } of candidate.recorded.values())
    if (traced < 0 && tests.has(`${file}\n${test}`))
      for (const call of calls) call.reached.forEach((place) => reached.candidate.add(place));
  const unreached = (['candidate', 'base'] as const).flatMap((side) =>
    plan[side].marks.filter((_, number) => !reached[side].has(number)),
  );
  return { differences, compared, tests, called, calledOtherwise, unreached, unrecorded };
}

/** True if at least half of the parts of the result or error were the same in both runs of the base. */
function isSteady({ after }: TracedCall, { after: repeatedCalls }: TracedCall): boolean {
  const parts = Object.keys(after).filter((part) => /^(?:result|error)\b/.test(part));
  return 2 * parts.filter((part) => after[part] === repeatedCalls[part]).length >= parts.length;
}

/** A difference at the end of a call. `digest`: the digest of the candidate's result. */
type EndDifference = Pick<TraceDifference, 'part' | 'ends'> & { readonly digest: string };

/** The difference at the end of a call with the change; null if there is none. */
function findEndDifference(call: TracedCall, repeatedCall: TracedCall, changedCall: TracedCall): EndDifference | null {
  const formatEnding = ({ ending, shown }: TracedCall) =>
    ending === 'pending' ? 'was not settled' : `${ending} ${shown}`;
  const ends = { before: formatEnding(call), after: formatEnding(changedCall) };
  if (changedCall.ending !== call.ending) return { part: 'ending', ends, digest: changedCall.ending };
  const part = findFirstDifference(call.after, repeatedCall.after, changedCall.after, true);
  if (part === null) return null;
  return { part, ends: ends.before === ends.after ? null : ends, digest: changedCall.after[part] ?? '' };
}

/**
 * The first part that is the same in both runs of the base, and different in the candidate; null if there is none.
 * `countsNewParts`: if true, a part that only the candidate has also counts.
 */
function findFirstDifference(
  base: Digests,
  repeatedBase: Digests,
  candidate: Digests,
  countsNewParts: boolean,
): string | null {
  for (const part of Object.keys(base))
    if (base[part] === repeatedBase[part] && candidate[part] !== base[part]) return part;
  // If the runs of the base have different parts, an additional part is no evidence.
  const isSteady =
    Object.keys(repeatedBase).every((part) => part in base) && Object.keys(base).every((part) => part in repeatedBase);
  if (!countsNewParts || !isSteady) return null;
  return Object.keys(candidate).find((part) => !(part in base)) ?? null;
}
