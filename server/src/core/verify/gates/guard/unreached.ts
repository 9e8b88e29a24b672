// Finds the touched code that no test reaches: whole lines, and parts of lines that tests do reach.

import { groupBy } from '../../../../util/values/groupBy.ts';
import { MISSED_PLACES } from '../../../model/evidence.ts';
import { unknown, type GateAnswer } from '../../answer.ts';
import type { MutantStatus, TextOf } from '../../guard/mutantRuns.ts';
import type { Mutant, MutantPlan } from '../../guard/planMutants.ts';
import { shortenToOneLine } from '../../guard/touchedLines.ts';

type Statuses = ReadonlyMap<Mutant, MutantStatus>;

/** The touched code that no test reaches. */
export interface Unreached {
  /** Touched lines with a mutant that no test reaches, and without a mutant that a test may reach, as `path:line`. */
  readonly lines: readonly string[];
  /**
   * Code in other touched lines that no test runs. `isFunction`: true for the body of a function, such as a callback,
   * that the remaining part of its line only passes on.
   */
  readonly parts: readonly { readonly place: string; readonly code: string; readonly isFunction: boolean }[];
}

/** Statuses which show that a test reaches the mutant. */
const NOTICED: ReadonlySet<MutantStatus | undefined> = new Set(['noticed', 'stopped']);
/** Maximum number of places that a sentence lists. */
const MAX_LISTED = 3;

/** An `unknown` answer if no test reaches any mutant of the touched lines; null if a test may reach one. */
export function answerIfNoneReached(plan: MutantPlan, statuses: Statuses, textOf: TextOf): GateAnswer | null {
  const touched = plan.mutants.filter((mutant) => mutant.touched && statuses.get(mutant) !== 'invalid');
  if (touched.length === 0 || touched.some((mutant) => statuses.get(mutant) !== 'unreached')) return null;
  const unreachedCode = findUnreached(plan, statuses, new Set(), textOf);
  return unknown(`Weak: ${describeUnreached(unreachedCode)}.`, {
    mutants: plan.mutants.length,
    unreached: touched.length,
    [MISSED_PLACES]: unreachedCode.lines.join('\n'),
  });
}

/**
 * The touched code that no test reaches. `reached`: the mutants that a test runs, noticed or not. If a mutant was not
 * tried and is not in `reached`, it is open whether a test runs its function.
 */
export function findUnreached(
  plan: MutantPlan,
  statuses: Statuses,
  reached: ReadonlySet<Mutant>,
  textOf: TextOf,
): Unreached {
  const isReached = (mutant: Mutant) => reached.has(mutant) || NOTICED.has(statuses.get(mutant));
  const isOpen = (mutant: Mutant) => !statuses.has(mutant) && !isReached(mutant);
  const lines: string[] = [];
  const parts: Unreached['parts'][number][] = [];
  const mutantsByLine = groupBy(
    plan.mutants.filter(({ touched }) => touched),
    formatLocation,
  );
  for (const mutants of mutantsByLine) {
    const unreachedMutants = mutants.filter((mutant) => statuses.get(mutant) === 'unreached');
    const ranMutants = mutants.filter(isReached);
    const openMutants = mutants.filter(isOpen);
    const sharesFunctionWith = (otherMutants: readonly Mutant[]) => (mutant: Mutant) =>
      otherMutants.some((other) => isInside(other, mutant));
    const besideRunMutants = unreachedMutants.filter(sharesFunctionWith(ranMutants));
    const inUnreachedFunctions = unreachedMutants.filter(
      (mutant) => !sharesFunctionWith([...ranMutants, ...openMutants])(mutant),
    );
    const place = formatLocation(mutants[0]!);
    if (inUnreachedFunctions.length > 0 && ranMutants.length + openMutants.length === 0) lines.push(place);
    else if (inUnreachedFunctions.length > 0)
      parts.push({ place, code: findLargestCode(inUnreachedFunctions, textOf), isFunction: true });
    else if (besideRunMutants.length > 0)
      parts.push({ place, code: findLargestCode(besideRunMutants, textOf), isFunction: false });
  }
  return { lines, parts };
}

/** The number of touched lines that no test runs, or that contain a function that no test runs. */
export function countUnreachedLines({ lines, parts }: Unreached): number {
  return lines.length + parts.filter(({ isFunction }) => isFunction).length;
}

/** True if the first mutant is in the innermost function around the second one. Both are in the same file. */
function isInside({ within }: Mutant, { within: outer }: Mutant): boolean {
  return !outer || (within !== undefined && outer[0] <= within[0] && within[1] <= outer[1]);
}

/** The unreached code as a clause; empty if there is none. */
export function describeUnreached({ lines, parts }: Unreached): string {
  const clauses = [
    ...(lines.length > 0 ? [`reaches ${formatList(lines)}`] : []),
    ...(parts.length > 0 ? [`runs ${formatList(parts.map(({ place, code }) => `\`${code}\` in ${place}`))}`] : []),
  ];
  return clauses.length === 0 ? '' : `no test ${clauses.join(', and none ')}`;
}

/** The longest code that one of the mutants changes, including a `return` before it. */
function findLargestCode(mutants: readonly Mutant[], textOf: TextOf): string {
  const codes = mutants.map(({ path, start, end }) => {
    const text = textOf(path);
    const keyword = /\breturn\s+$/.exec(text.slice(Math.max(0, start - 20), start));
    return shortenToOneLine(text.slice(start - (keyword?.[0].length ?? 0), end));
  });
  return codes.reduce((longest, code) => (code.length > longest.length ? code : longest));
}

function formatLocation({ path, line }: Mutant): string {
  return `${path}:${line}`;
}

function formatList(texts: readonly string[]): string {
  return `${texts.slice(0, MAX_LISTED).join(', ')}${texts.length > MAX_LISTED ? ', …' : ''}`;
}
