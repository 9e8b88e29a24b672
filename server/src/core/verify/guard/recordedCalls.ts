// Parses the recording that the code inserted by `recorders.ts` writes while the tests run: one line of JSON per call,
// `[path, offset, arguments]`.

import type { ExampleValue } from '../counterexamples/plan.ts';
import { sampleEvenly } from '../../../util/values/sampleEvenly.ts';

/** The arguments of calls, by the path of the file and the offset at which the function begins. */
export type RecordedCalls = Readonly<Record<string, Readonly<Record<number, readonly (readonly ExampleValue[])[]>>>>;

/** Maximum number of calls that are stored for each function. */
const MAX_KEPT = 60;

/**
 * The calls in the text of a recording, each once. They are sorted, because several processes write them in no fixed
 * order; short calls come first, because they are easier to read in a test. Samples the calls of a function evenly if
 * there are more than `MAX_KEPT`.
 */
export function readRecordedCalls(text: string): RecordedCalls {
  const lists = new Map<string, Map<number, Map<string, readonly ExampleValue[]>>>();
  const lines = [...new Set(text.split('\n'))];
  for (const line of lines.toSorted((a, b) => a.length - b.length || (a < b ? -1 : 1))) {
    const parsedLine = readLine(line);
    if (!parsedLine) continue;
    const [path, position, values] = parsedLine;
    const ofFile = lists.get(path) ?? new Map<number, Map<string, readonly ExampleValue[]>>();
    lists.set(path, ofFile);
    ofFile.set(position, (ofFile.get(position) ?? new Map<string, readonly ExampleValue[]>()).set(line, values));
  }
  return Object.fromEntries(
    [...lists].map(([path, ofFile]) => [
      path,
      Object.fromEntries(
        [...ofFile].map(([position, calls]) => [position, sampleEvenly([...calls.values()], MAX_KEPT)]),
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
    const [path, position, values] = parsed as readonly unknown[];
    const isCall = typeof path === 'string' && typeof position === 'number' && Array.isArray(values);
    return isCall && values.every(isExample) ? [path, position, values] : null;
  } catch {
    return null;
  }
}

function isExample(value: unknown): value is ExampleValue {
  if (typeof value !== 'object' || value === null) return true;
  const { $, of, fields } = value as Readonly<Record<string, unknown>>;
  if ($ === 'array') return Array.isArray(of) && of.every(isExample);
  if ($ !== 'record' || !Array.isArray(fields)) return false;
  return fields.every(
    (field) => Array.isArray(field) && field.length === 2 && typeof field[0] === 'string' && isExample(field[1]),
  );
}
