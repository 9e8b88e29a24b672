// Parses the recording that the code inserted by `recorders.ts` writes while the tests run: one line of JSON per call,
// `[path, offset, arguments]`.

import type { ExampleValue } from '../counterexamples/plan.ts';
import { sampleEvenly } from '../../../util/values/sampleEvenly.ts';

/** The arguments of calls, by the path of the file and the offset at which the function begins. */
export type RecordedCalls = Readonly<Record<string, Readonly<Record<number, readonly (readonly ExampleValue[])[]>>>>;

/** Maximum number of calls that are stored for each function. */
const MAX_CALLS = 60;

/**
 * The calls in the text of a recording, each once. They are sorted, because several processes write them in no fixed
 * order; short calls come first, because they are easier to read in a test. Samples the calls of a function evenly if
 * there are more than `MAX_CALLS`.
 */
export function readRecordedCalls(text: string): RecordedCalls {
  const callsByFile = new Map<string, Map<number, Map<string, readonly ExampleValue[]>>>();
  const lines = [...new Set(text.split('\n'))];
  for (const line of lines.toSorted((a, b) => a.length - b.length || (a < b ? -1 : 1))) {
    const parsedLine = readLine(line);
    if (!parsedLine) continue;
    const [path, offset, values] = parsedLine;
    const callsOfFile = callsByFile.get(path) ?? new Map<number, Map<string, readonly ExampleValue[]>>();
    callsByFile.set(path, callsOfFile);
    callsOfFile.set(offset, (callsOfFile.get(offset) ?? new Map<string, readonly ExampleValue[]>()).set(line, values));
  }
  return Object.fromEntries(
    [...callsByFile].map(([path, callsOfFile]) => [
      path,
      Object.fromEntries(
        [...callsOfFile].map(([offset, calls]) => [offset, sampleEvenly([...calls.values()], MAX_CALLS)]),
      ),
    ]),
  );
}

/**
 * The call in a line. Null for an incomplete line (its process was killed), and for any other text, because the code
 * under test can write to the file as well.
 */
function readLine(line: string): readonly [path: string, at: number, values: readonly ExampleValue[]] | null {
  try {
    const parsed: unknown = line === '' ? null : JSON.parse(line);
    if (!Array.isArray(parsed) || parsed.length !== 3) return null;
    const [path, offset, values] = parsed as readonly unknown[];
    const isCall = typeof path === 'string' && typeof offset === 'number' && Array.isArray(values);
    return isCall && values.every(isExampleValue) ? [path, offset, values] : null;
  } catch {
    return null;
  }
}

function isExampleValue(value: unknown): value is ExampleValue {
  if (typeof value !== 'object' || value === null) return true;
  const { $, of, fields } = value as Readonly<Record<string, unknown>>;
  if ($ === 'array') return Array.isArray(of) && of.every(isExampleValue);
  if ($ !== 'record' || !Array.isArray(fields)) return false;
  return fields.every(
    (field) => Array.isArray(field) && field.length === 2 && typeof field[0] === 'string' && isExampleValue(field[1]),
  );
}
