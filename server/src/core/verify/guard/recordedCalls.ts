// Parses the recording that the code inserted by `recorders.ts` writes while the tests run: one line of JSON per call,
// `[path, offset, arguments]`.

import type { ExampleValue } from '../counterexamples/plan.ts';
import { sampleEvenly } from '../../../util/values/sampleEvenly.ts';

/** The arguments of calls, by the path of the file and the offset at which the function begins. */
export type RecordedCalls = Readonly<Record<string, Readonly<Record<number, readonly (readonly ExampleValue[])[]>>>>;

/** Maximum number of calls that are stored for each function. */
const MAX_CALLS = 60;
/** An address of this machine with a port. */
const LOCAL_ADDRESS_PATTERN = /(?:localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1?\]):(\d{4,5})\b/gi;
/**
 * The lowest port that systems assign to a server that asks for any free one: 32768 on Linux, 49152 elsewhere (RFC 6335,
 * section 6).
 */
const FIRST_ASSIGNED_PORT = 32_768;
/** A time in milliseconds since 1970 in a text or as a number, or one in the format of ISO 8601. */
const TIME_PATTERN = /(?<!\d)(?:\d{13}(?!\d)|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z)/g;
const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * The calls in the text of a recording, each once. They are sorted, because several processes write them in no fixed
 * order; short calls come first, because they are easier to read in a test. Samples the calls of a function evenly if
 * there are more than `MAX_CALLS`. Leaves out calls with values that belong to this run of the tests alone. `now`:
 * milliseconds since 1970.
 */
export function readRecordedCalls(text: string, now: number): RecordedCalls {
  const callsByFile = new Map<string, Map<number, Map<string, readonly ExampleValue[]>>>();
  const lines = [...new Set(text.split('\n'))];
  for (const line of lines.toSorted((a, b) => a.length - b.length || (a < b ? -1 : 1))) {
    const parsedLine = readLine(line);
    if (!parsedLine || belongsToOneRun(line, now)) continue;
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

/** True for a call with the address of a server that the tests started on any free port, or with the current time. */
function belongsToOneRun(line: string, now: number): boolean {
  const ports = [...line.matchAll(LOCAL_ADDRESS_PATTERN)].map(([, port]) => Number(port));
  if (ports.some((port) => port >= FIRST_ASSIGNED_PORT)) return true;
  const times = [...line.matchAll(TIME_PATTERN)].map(([time]) =>
    time.includes('T') ? Date.parse(time) : Number(time),
  );
  return times.some((time) => Math.abs(time - now) < DAY_MS);
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
