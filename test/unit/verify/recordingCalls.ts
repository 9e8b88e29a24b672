// Runs texts of a plan with recording, as a test would call them.

import { expect } from 'vitest';
import { installRecorder } from '../../../server/src/adapters/harness/inTests/recorder.ts';
import { isTestEdit } from '../../../server/src/core/paths/testEdits.ts';
import { compareTraces, createTraceRun } from '../../../server/src/core/verify/traces/compareTraces.ts';
import { planTraces, type TracePlan } from '../../../server/src/core/verify/traces/planTraces.ts';
import type { TracesLine } from '../../../server/src/core/verify/traces/recording.ts';

export const plan = (before: string | null, after: string | null, path = 'src/a.js') =>
  planTraces([{ path, before, after }], isTestEdit);
export const named = (text: string) => text.replace(/return (.+);/g, 'const returned = $1;\n  return returned;');

/** Runs a text that declares `main` as a script would, in a test with this name. */
export function recorded(text: string, run: (main: any) => unknown, test = 't'): TracesLine[] {
  using recording = startRecording(text, test);
  run(recording.main);
  return recording.drain();
}

/** The same, of a run that is awaited. */
export async function recordedLater(text: string, run: (main: any) => Promise<unknown>): Promise<TracesLine[]> {
  using recording = startRecording(text, 't');
  await run(recording.main);
  return recording.drain();
}

function startRecording(text: string, test: string) {
  const recorder = installRecorder();
  recorder.setTests(new Set([test]));
  return {
    main: new Function(`${text.replaceAll('export ', '')}\nreturn main;`)() as unknown,
    drain: () => recorder.drain('f', { ran: new Set([test]), failed: new Set() }),
    [Symbol.dispose]: () => void delete (globalThis as Record<string, unknown>)['__selfwareTrace'],
  };
}

/** Compares the calls of `run` on both sides of an edit that leaves no gap. */
export function compared(before: string, after: string, run: (main: any) => unknown) {
  const traces = plan(before, after);
  expect(traces.gaps).toEqual([]);
  const trace = (side: TracePlan['base']) => createTraceRun(recorded(side.texts[0]!.text, run));
  return compareTraces(traces, [trace(traces.base), trace(traces.base)], trace(traces.candidate));
}

export const price = `export function main(count, list = []) {
  if (count > 9) {
    list.push('many');
    return count * 4;
  }
  return count * 5;
}
`;
