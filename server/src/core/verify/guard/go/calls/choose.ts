// Chooses few calls of Go functions that together distinguish many mutants. Prefers short calls with values of the
// tests.

import { formatShownCall } from './code.ts';
import type { GoCallsReport } from './goCallsOrder.ts';
import type { CallLine, GoResult } from './program.ts';
import type { GoCall, GoPackagePlan, GoSubject } from './plan.ts';
import { isBasic } from './declarations.ts';
import { isPlainList } from './examples.ts';

/** Maximum lengths, in characters, of a call and of a result, so that a test stays readable. */
const [MAX_CALL, MAX_RESULT] = [110, 100] as const;
/** Amounts that a rank, an odd character and an uninformative value add to the cost of a call, which is its length. */
const [COST_OF_RANK, COST_OF_ODD, COST_OF_EMPTY] = [12, 30, 40] as const;
/** A result that a test can compare, with its index among the results. */
export interface Comparable {
  readonly at: number;
  readonly result: GoResult;
}

/** A chosen call. */
export interface ChosenCall {
  readonly call: GoCall;
  /** The call as a person reads it. */
  readonly shown: string;
  readonly results: readonly GoResult[];
  /** The mutants that change a result, and the behaviour of the call with each. */
  readonly tells: readonly { readonly mutant: number; readonly then: string }[];
}

/** A function with its chosen calls. */
export interface ChosenFunction {
  readonly subject: GoSubject;
  readonly calls: readonly ChosenCall[];
}

/**
 * The functions with calls that distinguish mutants, at most `maxCalls` calls each. `placeOf`: file and line of a
 * mutant. A mutant belongs to the function whose lines contain it, and otherwise to the first function of its file with
 * a call that distinguishes it.
 */
export function chooseGoCalls(
  plan: Pick<GoPackagePlan, 'subjects' | 'types'>,
  report: GoCallsReport,
  placeOf: (mutant: number) => { readonly path: string; readonly line: number },
  maxCalls: number,
): readonly ChosenFunction[] {
  const lineByCall = new Map(report.deterministic.map((line) => [line.call, line]));
  const candidates = collectCandidates(plan, report, lineByCall);
  const subjectByMutant = new Map<number, GoSubject>();
  for (const { subject, tells } of candidates)
    for (const { mutant } of tells) {
      const { path, line } = placeOf(mutant);
      if (path !== subject.path) continue;
      const { startLine, endLine } = subject.range;
      if (!subjectByMutant.has(mutant) || (startLine <= line && line <= endLine)) subjectByMutant.set(mutant, subject);
    }
  return plan.subjects.flatMap((subject) => {
    const candidatesOfSubject = candidates
      .filter((candidate) => candidate.subject === subject)
      .map((candidate) => ({
        ...candidate,
        tells: candidate.tells.filter(({ mutant }) => subjectByMutant.get(mutant) === subject),
      }));
    const calls = chooseFewest(candidatesOfSubject, maxCalls);
    return calls.length === 0 ? [] : [{ subject, calls }];
  });
}

interface RankedCall extends ChosenCall {
  readonly subject: GoSubject;
  readonly cost: number;
}

function collectCandidates(
  plan: Pick<GoPackagePlan, 'subjects' | 'types'>,
  report: GoCallsReport,
  lineByCall: ReadonlyMap<number, CallLine>,
): readonly RankedCall[] {
  const differencesByCall = new Map<number, { readonly mutant: number; readonly line: CallLine }[]>();
  for (const difference of report.detections)
    differencesByCall.set(difference.line.call, [...(differencesByCall.get(difference.line.call) ?? []), difference]);
  let callIndex = -1;
  return plan.subjects.flatMap((subject) =>
    subject.calls.flatMap((call): readonly RankedCall[] => {
      callIndex += 1;
      const line = lineByCall.get(callIndex);
      const distinguishedMutants = differencesByCall.get(callIndex);
      if (!line || !distinguishedMutants || !('results' in line)) return [];
      const { results } = line;
      const shown = formatShownCall(subject, call);
      const comparableResults = findComparableResults(subject, results, plan.types);
      if (comparableResults.length === 0 || shown.length > MAX_CALL) return [];
      if (comparableResults.some(({ result }) => result.is !== 'error' && result.text.length > MAX_RESULT)) return [];
      const tells = distinguishedMutants.flatMap(({ mutant, line: mutantLine }) =>
        detectsDifference(comparableResults, mutantLine) ? [{ mutant, then: describeOutcome(mutantLine) }] : [],
      );
      return tells.length === 0
        ? []
        : [{ subject, call, shown, results, tells, cost: computeCost(call, shown, comparableResults) }];
    }),
  );
}

/** The results that a test can compare. If the call returned an error, only the presence of the error is compared. */
export function findComparableResults(
  { results: types }: Pick<GoSubject, 'results'>,
  results: readonly GoResult[],
  declared: Readonly<Record<string, string>>,
): readonly Comparable[] {
  const indexedResults = results.map((result, index) => ({ at: index, result }));
  const returnedErrors = indexedResults.filter(({ at, result }) => types[at] === 'error' && result.is === 'error');
  if (returnedErrors.length > 0) return returnedErrors;
  return indexedResults.filter(({ at, result }) => isComparable(types[at] ?? '', result, declared));
}

function isComparable(type: string, { is, text }: GoResult, declared: Readonly<Record<string, string>>): boolean {
  const underlyingType = declared[type.replace(/^\*/, '')];
  if (is === 'value') return isBasic(type) || (underlyingType !== undefined && isBasic(underlyingType));
  if (is === 'list') return (isPlainList(type) || type.startsWith('map[')) && text.startsWith(type);
  if (is === 'text') return underlyingType !== undefined && !underlyingType.startsWith('interface');
  if (is === 'nil') return type === 'error' || /^(?:\*|\[\]|map\[)/.test(type);
  return false;
}

/**
 * True if the call panics with the mutant, or if a compared result differs. Of errors, only their presence is compared.
 */
function detectsDifference(comparableResults: readonly Comparable[], candidate: CallLine): boolean {
  if (!('results' in candidate)) return 'panics' in candidate;
  return comparableResults.some(({ at, result }) => {
    const resultWithMutant = candidate.results[at];
    return resultWithMutant?.is !== result.is || (result.is !== 'error' && resultWithMutant.text !== result.text);
  });
}

/** The behaviour of a call, as the end of a sentence, such as `returns 3, nil`. */
export function describeOutcome(line: CallLine): string {
  if ('panics' in line) return `panics: ${line.panics.slice(0, 80)}`;
  if (!('results' in line)) return 'needs a value that cannot be made';
  return `returns ${line.results.map(formatResult).join(', ')}`;
}

function formatResult({ is, text }: GoResult): string {
  if (is === 'error') return `error ${JSON.stringify(text).slice(0, 80)}`;
  return is === 'other' ? `a ${text}` : text;
}

function computeCost(call: GoCall, shown: string, comparableResults: readonly Comparable[]): number {
  const values = [...(call.receiver ? [call.receiver] : []), ...call.given].flatMap((value) =>
    'text' in value ? [value.text] : value.given,
  );
  const odd = /[^ -~]|\\/.test(shown) ? COST_OF_ODD : 0;
  const empty = values.some((text) => /^(?:""|``|nil|\[\]\w+\{\})$/.test(text)) ? COST_OF_EMPTY : 0;
  const failing = comparableResults.some(({ result }) => result.is === 'error') ? COST_OF_RANK : 0;
  const length = comparableResults.reduce(
    (sum, { result }) => sum + (result.is === 'error' ? 0 : result.text.length),
    0,
  );
  return shown.length + length + COST_OF_RANK * call.rank + odd + empty + failing;
}

/** Few calls that together distinguish all mutants of the candidates, if `maxCalls` are enough. */
function chooseFewest(candidates: readonly RankedCall[], maxCalls: number): readonly ChosenCall[] {
  const uncovered = new Set(candidates.flatMap(({ tells }) => tells.map(({ mutant }) => mutant)));
  const chosenCalls: ChosenCall[] = [];
  while (uncovered.size > 0 && chosenCalls.length < maxCalls) {
    const countUncovered = ({ tells }: RankedCall) => tells.filter(({ mutant }) => uncovered.has(mutant)).length;
    const [best] = candidates.toSorted((a, b) => countUncovered(b) - countUncovered(a) || a.cost - b.cost);
    if (!best || countUncovered(best) === 0) break;
    const { call, shown, results } = best;
    const tells = best.tells.filter(({ mutant }) => uncovered.has(mutant));
    chosenCalls.push({ call, shown, results, tells });
    for (const { mutant } of tells) uncovered.delete(mutant);
  }
  return chosenCalls;
}
