// Counts the points that new tests earn: for lines that no test ran before and in which they notice a mutant.

import type { GateInput } from '../gate.ts';
import type { Mutant } from '../guard/planMutants.ts';
import type { TestRun } from '../testing/testRun.ts';
import { formatCount, type GateAnswer } from '../answer.ts';

/** Maximum duration, in milliseconds, of tests that run once more to measure coverage. */
const MAX_RERUN_MS = 60_000;

/** Mutants in code that no other test reaches. */
interface GuardCandidates {
  /** The mutant that is already confirmed; null if other tests reach its code. */
  readonly confirmed: Mutant | null;
  /** Mutants that must be confirmed before their lines count. */
  readonly unconfirmed: readonly Mutant[];
  /** Time after which no mutant is tried. */
  readonly until: number;
  isNoticed(mutant: Mutant): Promise<boolean>;
}

/** The lines that the new tests guard, and the points for them. */
interface Earned {
  readonly lines: number;
  readonly points: NonNullable<GateAnswer['points']>;
}

/**
 * The points for lines that no test ran before and in which the new tests notice mutants. Null if there are no such
 * lines, or if the coverage of the tree is unknown.
 */
export async function measureEarnedPoints(
  { context, edits }: GateInput,
  { answer }: TestRun,
  { confirmed, unconfirmed, until, isNoticed }: GuardCandidates,
): Promise<Earned | null> {
  if (confirmed === null && unconfirmed.length === 0) return null;
  const isUncovered = await context.uncovered?.(answer.millis <= MAX_RERUN_MS);
  if (!isUncovered) return null;
  const createLineKey = ({ path, line }: Mutant) => `${line} ${path}`;
  const isInUncoveredLine = ({ path, line }: Mutant) => isUncovered(path, line);
  const lines = new Set(confirmed && isInUncoveredLine(confirmed) ? [createLineKey(confirmed)] : []);
  for (const mutant of unconfirmed.filter(isInUncoveredLine)) {
    if (context.clock.now() > until) break;
    if (!lines.has(createLineKey(mutant)) && (await isNoticed(mutant))) lines.add(createLineKey(mutant));
  }
  if (lines.size === 0) return null;
  const { before, after } = await context.score(edits, lines.size);
  return { lines: lines.size, points: { before, after } };
}

/** The answer with the points that the new tests earn. */
export function addEarnedPoints(answer: GateAnswer, earned: Earned | null): GateAnswer {
  if (!earned) return answer;
  const { lines, points } = earned;
  const gain = Math.round((points.after.total - points.before.total) * 100) / 100;
  const guardedText = `${formatCount(lines, 'line')} that no test ran before ${lines === 1 ? 'is' : 'are'} guarded now`;
  const reason = `${answer.reason} ${guardedText}: +${gain} points.`;
  return { ...answer, reason, points, evidence: { ...answer.evidence, guardedLines: lines, coverageGain: gain } };
}
