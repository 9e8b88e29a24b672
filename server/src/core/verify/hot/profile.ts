// Sums up the profiles that the processes of a run have written, and finds the functions that took most of the time.

import type { FunctionMetrics } from '../../model.ts';

/** One process: microseconds with code of the repository on the stack, and the self time of its functions. */
export interface ProfileLine {
  readonly total: number;
  /** `line` is 1-based, in the code as it ran, which may be compiled. */
  readonly functions: readonly (readonly [path: string, name: string, line: number, micros: number])[];
}

/** A function that took much of the time. Its lines are 1-based and inclusive. */
export interface HotFunction {
  readonly path: string;
  readonly name: string;
  readonly startLine: number;
  readonly endLine: number;
  /** Self time as a share of the time with code of the repository on the stack, from 0 to 1. */
  readonly share: number;
  /** Self time in milliseconds. */
  readonly millis: number;
}

/** Functions with a smaller share are not reported. */
export const MIN_SHARE = 0.02;

/** Parses the lines. Skips incomplete ones, which processes leave that are killed while writing. */
export function readProfileLines(text: string): readonly ProfileLine[] {
  return text.split('\n').flatMap((line) => {
    try {
      const value = JSON.parse(line) as Partial<ProfileLine> | null;
      return typeof value?.total === 'number' && Array.isArray(value.functions) ? [value as ProfileLine] : [];
    } catch {
      return [];
    }
  });
}

/**
 * The functions with at least `MIN_SHARE` of the time, hottest first. `functionsOf`: the functions of a file in the
 * repository; null for a file that is not reported.
 */
export function findHotFunctions(
  lines: readonly ProfileLine[],
  functionsOf: (path: string) => readonly FunctionMetrics[] | null,
): { readonly millis: number; readonly found: readonly HotFunction[] } {
  const total = lines.reduce((sum, line) => sum + line.total, 0);
  const times = new Map<FunctionMetrics, number>();
  for (const [path, name, line, micros] of lines.flatMap(({ functions }) => functions)) {
    const sampledFunction = findFunctionAt(functionsOf(path) ?? [], name, line);
    if (sampledFunction) times.set(sampledFunction, (times.get(sampledFunction) ?? 0) + micros);
  }
  const hotFunctions = [...times]
    .map(([{ path, name, line, endLine }, micros]) => {
      return { path, name, startLine: line, endLine, share: micros / total, millis: Math.round(micros / 1000) };
    })
    .filter(({ share }) => share >= MIN_SHARE)
    .sort((a, b) => b.share - a.share || (a.path < b.path ? -1 : 1));
  return { millis: Math.round(total / 1000), found: hotFunctions };
}

/**
 * The function of this name that begins nearest to the line; compiled code may have other line numbers. If no function
 * has this name, the innermost function around the line; null if there is none.
 */
function findFunctionAt(functions: readonly FunctionMetrics[], name: string, line: number): FunctionMetrics | null {
  const lastPart = name.split(/[. ]/).at(-1)!;
  const namesakes =
    lastPart === '' ? [] : functions.filter((candidate) => candidate.name.split('.').at(-1) === lastPart);
  if (namesakes.length > 0)
    return namesakes.reduce((a, b) => (Math.abs(b.line - line) < Math.abs(a.line - line) ? b : a));
  const enclosingFunctions = functions.filter((candidate) => candidate.line <= line && line <= candidate.endLine);
  return enclosingFunctions.length === 0 ? null : enclosingFunctions.reduce((a, b) => (b.line >= a.line ? b : a));
}
