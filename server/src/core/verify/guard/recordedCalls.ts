// Reads the calls of functions that were written down while the tests ran.

import type { Example } from '../counterexamples/plan.ts';

/** The arguments of calls, by the path of the file and the offset at which the function begins. */
export type RecordedCalls = Readonly<Record<string, Readonly<Record<number, readonly (readonly Example[])[]>>>>;

/** Maximum number of calls of one function that are kept. */
const MAX_KEPT = 60;

/** The calls in the text of the file to which the code of `recorders.ts` appends them. Of many calls of a function, some are kept, spread over all of them. */
export function recordedCalls(text: string): RecordedCalls {
  const lists = new Map<string, Map<number, Map<string, readonly Example[]>>>();
  for (const line of new Set(text.split('\n'))) {
    const [path, at, values] = readLine(line) ?? [];
    if (path === undefined || at === undefined || values === undefined) continue;
    const ofFile = lists.get(path) ?? new Map<number, Map<string, readonly Example[]>>();
    lists.set(path, ofFile);
    ofFile.set(at, (ofFile.get(at) ?? new Map<string, readonly Example[]>()).set(line, values));
  }
  return Object.fromEntries(
    [...lists].map(([path, ofFile]) => [
      path,
      Object.fromEntries([...ofFile].map(([at, calls]) => [at, spread([...calls.values()])])),
    ]),
  );
}

/** Null for an incomplete line, of a process that ended while it wrote. */
function readLine(line: string): readonly [path: string, at: number, values: readonly Example[]] | null {
  try {
    return line === '' ? null : (JSON.parse(line) as readonly [string, number, readonly Example[]]);
  } catch {
    return null;
  }
}

function spread<T>(all: readonly T[]): readonly T[] {
  if (all.length <= MAX_KEPT) return all;
  return Array.from({ length: MAX_KEPT }, (_, at) => all[Math.floor((at * all.length) / MAX_KEPT)]!);
}
