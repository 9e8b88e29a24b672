// Distinguishes a call that takes long because its numbers are large, such as a recursion that doubles its work with
// each step, from one that does not end.

import type { Law } from '../../../core/verify/counterexamples/plan.ts';
import type { ValueSpec } from '../messages.ts';
import type { ProbeAnswer } from '../sideProcesses.ts';

/** Arguments below this are not made smaller, because there are too few smaller numbers to compare. */
const MIN_NUMBER = 4;
/** Minimum milliseconds of a call that counts as longer. Differences between shorter calls are mostly chance. */
const SLOW_MS = 40;
/** The duration grows if a call takes at least this many times as long as one with a smaller number. */
const GROWTH = 3;
/** Maximum number of calls with numbers between the last one that ended and the first one that did not. */
const MAX_BETWEEN = 5;

/** The part of the processes that this file uses: it calls the code of a law with arguments. */
interface LawSides {
  ask(law: Law, args: readonly ValueSpec[]): Promise<ProbeAnswer>;
}

/**
 * True if the call ends with a smaller number in place of one of its integers, and takes much longer the larger that
 * number is. The call with the arguments `args` was seen to take too long.
 */
export async function takesLongerWithSize(law: Law, args: readonly ValueSpec[], lawSides: LawSides): Promise<boolean> {
  for (const [index, value] of args.entries()) {
    if (typeof value !== 'number' || !Number.isInteger(value) || value < MIN_NUMBER) continue;
    if (await growsWithNumber(value, (smaller) => measureCall(law, args.with(index, smaller), lawSides))) return true;
  }
  return false;
}

/**
 * True if calls with numbers below `limit` end, and one takes several times as long as one with a smaller number.
 * `measureWith`: milliseconds of the call with a number; null if it takes too long.
 */
export async function growsWithNumber(
  limit: number,
  measureWith: (number: number) => Promise<number | null>,
): Promise<boolean> {
  // The first call loads the code.
  if ((await measureWith(1)) === null) return false;
  // A slow call is repeated, because other work on the machine may have slowed it down.
  const growsAgain = async (number: number, before: number, millis: number) =>
    isGrowth(before, millis) && isGrowth(before, Math.min(millis, (await measureWith(number)) ?? 0));
  let [largestEnded, endedMs, smallestTooLarge] = [1, 0, limit];
  for (let number = 2; number < limit; number *= 2) {
    const millis = await measureWith(number);
    if (millis === null) {
      smallestTooLarge = number;
      break;
    }
    if (await growsAgain(number, endedMs, millis)) return true;
    [largestEnded, endedMs] = [number, millis];
  }
  for (let tries = 0; tries < MAX_BETWEEN && smallestTooLarge - largestEnded > 1; tries += 1) {
    const number = Math.floor((largestEnded + smallestTooLarge) / 2);
    const millis = await measureWith(number);
    if (millis === null) smallestTooLarge = number;
    else if (await growsAgain(number, endedMs, millis)) return true;
    else [largestEnded, endedMs] = [number, millis];
  }
  return false;
}

function isGrowth(before: number, after: number): boolean {
  return after >= SLOW_MS && after >= GROWTH * before;
}

async function measureCall(law: Law, args: readonly ValueSpec[], lawSides: LawSides): Promise<number | null> {
  const startedAt = performance.now();
  const answer = await lawSides.ask(law, args);
  // Replaces the stopped process by means of a quick call, because the start of a process takes longer than a call.
  if (!('probed' in answer)) {
    await lawSides.ask(
      law,
      args.map((value) => (typeof value === 'number' ? 1 : value)),
    );
    return null;
  }
  return performance.now() - startedAt;
}
