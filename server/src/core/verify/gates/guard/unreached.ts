// Finds what no test reaches in the touched lines: whole lines, and parts of lines that tests do reach.

import { groupBy } from '../../../../util/values/groupBy.ts';
import { unknown, type GateAnswer } from '../../answer.ts';
import type { MutantStatus, TextOf } from '../../guard/mutantRuns.ts';
import type { Mutant, MutantPlan } from '../../guard/planMutants.ts';
import { onOneLine } from '../../guard/touchedLines.ts';

type Statuses = ReadonlyMap<Mutant, MutantStatus>;

/** What no test reaches in the touched lines. */
export interface Unreached {
  /** Touched lines with a mutant that no test reaches and none that a test is known to reach, as `path:line`. */
  readonly lines: readonly string[];
  /** Code that no test runs in other touched lines. */
  readonly parts: readonly { readonly place: string; readonly code: string }[];
}

/** Statuses of mutants that tests reach. */
const REACHED: ReadonlySet<MutantStatus | undefined> = new Set(['noticed', 'stopped', 'survived', 'unjudged']);
/** Maximum number of places that a sentence lists. */
const MAX_LISTED = 3;

/** The answer `unknown` if no test reaches any mutant of the touched lines; null if one may be reached. */
export function answerIfNoneReached(plan: MutantPlan, statuses: Statuses, textOf: TextOf): GateAnswer | null {
  const touched = plan.mutants.filter((mutant) => mutant.touched && statuses.get(mutant) !== 'invalid');
  if (touched.length === 0 || touched.some((mutant) => statuses.get(mutant) !== 'unreached')) return null;
  return unknown(`Weak: ${unreachedText(findUnreached(plan, statuses, textOf))}.`, {
    mutants: plan.mutants.length,
    unreached: touched.length,
  });
}

/** What no test reaches in the touched lines. a mutant without a status does not show that its line is reached. */
export function findUnreached(plan: MutantPlan, statuses: Statuses, textOf: TextOf): Unreached {
  const ofLines = groupBy(
    plan.mutants.filter(({ touched }) => touched),
    placeOf,
  );
  const found = ofLines.flatMap((mutants) => {
    const unreached = mutants.filter((mutant) => statuses.get(mutant) === 'unreached');
    const isReached = mutants.some((mutant) => REACHED.has(statuses.get(mutant)));
    return unreached.length === 0 ? [] : [{ place: placeOf(mutants[0]!), unreached, isReached }];
  });
  return {
    lines: found.flatMap(({ place, isReached }) => (isReached ? [] : [place])),
    parts: found.flatMap(({ place, unreached, isReached }) =>
      isReached ? [{ place, code: largestCode(unreached, textOf) }] : [],
    ),
  };
}

/** What no test reaches, as a clause; empty if that is nothing. */
export function unreachedText({ lines, parts }: Unreached): string {
  const clauses = [
    ...(lines.length > 0 ? [`reaches ${listed(lines)}`] : []),
    ...(parts.length > 0 ? [`runs ${listed(parts.map(({ place, code }) => `\`${code}\` in ${place}`))}`] : []),
  ];
  return clauses.length === 0 ? '' : `no test ${clauses.join(', and none ')}`;
}

/** The longest code that one of the mutants changes, with the `return` before it. */
function largestCode(mutants: readonly Mutant[], textOf: TextOf): string {
  const codes = mutants.map(({ path, start, end }) => {
    const text = textOf(path);
    const keyword = /\breturn\s+$/.exec(text.slice(Math.max(0, start - 20), start));
    return onOneLine(text.slice(start - (keyword?.[0].length ?? 0), end));
  });
  return codes.reduce((longest, code) => (code.length > longest.length ? code : longest));
}

function placeOf({ path, line }: Mutant): string {
  return `${path}:${line}`;
}

function listed(texts: readonly string[]): string {
  return `${texts.slice(0, MAX_LISTED).join(', ')}${texts.length > MAX_LISTED ? ', …' : ''}`;
}
