// Repeats calls in another environment: in another time zone and language, at another time, and with other random
// numbers. The old and the new code may answer alike in one environment and differently in another.

import type { ComparedTarget, TargetReport } from '../../../core/verify/differential/plan.ts';
import { confirmCounterexample, type ConfirmationSession, type Ends, type Pair } from '../confirmDifference.ts';
import { describeDifference } from '../difference.ts';
import type { Call, SideStart } from '../messages.ts';
import { CALL_MS, FOREIGN_ENVIRONMENT, startSide, type SideAnswer } from '../sideProcesses.ts';
import { openPair, type Starts } from './startSides.ts';
import { sampleEvenly } from '../../../util/values/sampleEvenly.ts';

/** Maximum number of calls of a target that are repeated. */
const MAX_CALLS = 60;
/** Minimum number of calls to compare, unless the target has fewer. If time allows fewer, the result is unknown. */
const MIN_CALLS = 10;
/** Minimum number of milliseconds for the calls, however little time the target has left. */
const MIN_CALLS_MS = 1_000;
/** The environment as the end of a sentence. */
const ENVIRONMENT_PHRASE = `where TZ is ${FOREIGN_ENVIRONMENT.TZ} and LC_ALL is ${FOREIGN_ENVIRONMENT.LC_ALL}`;

/** The part of the report of a target that a difference or a doubt in the other environment determines. */
export type ForeignDifference = Pick<TargetReport, 'outcome' | 'reason' | 'counterexample' | 'outOfTime'>;

/** The processes of both sides in another environment. They start when they are first asked. */
export interface ForeignSides {
  /** Repeats some of these calls until `until`. Null if both sides answer alike. */
  compare(
    index: number,
    target: ComparedTarget,
    calls: readonly Call[],
    until: number,
  ): Promise<ForeignDifference | null>;
  /** Ends the processes. */
  end(): void;
}

/**
 * Creates the sides, whose processes start at the first comparison. `createStarts`: returns the data to start both sides, for
 * all files or, if `onlyPath` is not null, for one.
 */
export function createForeignSides(
  entry: URL,
  createStarts: (onlyPath: string | null) => Starts,
  deadlines: Ends,
): ForeignSides {
  let pair: Pair | null = null;
  const computeRemainingMs = (until: number) => Math.max(1, until - performance.now());
  const openBoth = (onlyPath: string | null, until: number) => {
    const { oldStart, newStart } = createStarts(onlyPath);
    return openPair(
      entry,
      { oldStart: useForeignEnvironment(oldStart), newStart: useForeignEnvironment(newStart) },
      computeRemainingMs(until),
    );
  };
  const confirmationSession: ConfirmationSession = {
    ends: deadlines,
    async openPair(onlyPath, until = deadlines.endOfAll) {
      const openedPair = await openBoth(onlyPath, until);
      return 'obstacle' in openedPair ? null : openedPair;
    },
    async openOldSide(onlyPath) {
      const openedSide = await startSide(
        entry,
        useForeignEnvironment(createStarts(onlyPath).oldStart),
        computeRemainingMs(deadlines.endOfAll),
      );
      return 'obstacle' in openedSide ? null : openedSide;
    },
  };
  return { compare, end };

  async function compare(
    index: number,
    target: ComparedTarget,
    calls: readonly Call[],
    until: number,
  ): Promise<ForeignDifference | null> {
    const openedPair: Awaited<ReturnType<typeof openBoth>> = pair ?? (await openBoth(null, deadlines.endOfAll));
    if ('obstacle' in openedPair)
      return performance.now() >= deadlines.endOfAll
        ? createTimeoutDoubt()
        : createDoubt(`Its code cannot be called ${ENVIRONMENT_PHRASE}: ${openedPair.obstacle}`);
    pair = openedPair;
    const sampledCalls = sampleEvenly(calls, MAX_CALLS);
    const callsUntil = Math.min(deadlines.endOfAll, Math.max(until, performance.now() + MIN_CALLS_MS));
    for (const [callCount, call] of sampledCalls.entries()) {
      const millis = Math.min(CALL_MS, computeRemainingMs(callsUntil));
      if (millis <= 1) return callCount < Math.min(MIN_CALLS, sampledCalls.length) ? createTimeoutDoubt() : null;
      const [oldAnswer, newAnswer] = await Promise.all([
        openedPair.oldSide.ask(index, call, millis),
        openedPair.newSide.ask(index, call, millis),
      ]);
      if (areAlike(oldAnswer, newAnswer)) continue;
      if (!('outcome' in oldAnswer)) {
        end();
        return millis < CALL_MS
          ? createTimeoutDoubt()
          : createDoubt(`Its old code gives no answer ${ENVIRONMENT_PHRASE}.`);
      }
      const confirmation = await confirmCounterexample(
        confirmationSession,
        index,
        target,
        call,
        sampledCalls.slice(0, callCount + 1),
      );
      if (!('outcome' in newAnswer)) end();
      if (confirmation === 'late') return createTimeoutDoubt();
      return confirmation.counterexample === null
        ? { ...confirmation, reason: `${confirmation.reason} That was ${ENVIRONMENT_PHRASE}.` }
        : { ...confirmation, counterexample: { ...nameEnvironment(confirmation.counterexample), expected: null } };
    }
    return null;
  }

  function end(): void {
    pair?.oldSide.end();
    pair?.newSide.end();
    pair = null;
  }
}

function useForeignEnvironment(start: SideStart): SideStart {
  return { ...start, isAbroad: true };
}

function areAlike(oldAnswer: SideAnswer, newAnswer: SideAnswer): boolean {
  return 'outcome' in oldAnswer && 'outcome' in newAnswer && !describeDifference(oldAnswer.outcome, newAnswer.outcome);
}

function nameEnvironment<Change extends { readonly call: string }>(change: Change): Change {
  return { ...change, call: `${change.call} ${ENVIRONMENT_PHRASE}` };
}

function createDoubt(reason: string): ForeignDifference {
  return { outcome: 'unknown', reason, counterexample: null };
}

function createTimeoutDoubt(): ForeignDifference {
  return { ...createDoubt('No time was left to call it in another time zone and language.'), outOfTime: true };
}
