// The runs that record calls: what is said of a difference that was seen once, twice, or in one of two runs.

import { expect, test } from 'vitest';
import { installRecorder } from '../../../server/src/adapters/harness/inTests/recorder.ts';
import { unknown } from '../../../server/src/core/verify/answer.ts';
import { planTraces } from '../../../server/src/core/verify/traces/planTraces.ts';
import { traceBothSides, type TracingRun } from '../../../server/src/core/verify/traces/traceRuns.ts';
import { judgeTraces } from '../../../server/src/core/verify/traces/addTraces.ts';
import { createPart } from '../../helpers/createPart.ts';

const RESULTS = 'node_modules/.selfware/traces.txt';
const before = 'export function main(a) {\n  return [a, turn];\n}\n';
const plan = planTraces([{ path: 'a.js', before, after: before.replace('turn]', 'turn - 1]') }], () => false);

/**
 * Runs the texts of the plan in a tree in memory. `turnAt`: the value of `turn` in each run; each takes a second.
 * `limits`: gets the time limit of each run.
 */
async function judged(turnAt: readonly number[], until: number, limits: number[] = []) {
  const tree = new Map<string, string>();
  const bytes = new TextEncoder();
  let runs = 0;
  const run = createPart<TracingRun>({
    context: { clock: { now: () => runs * 1000 } },
    edits: [],
    without: (_edits: unknown, work: () => Promise<unknown>) => work(),
    worktree: {
      dir: '/tree',
      read: async (path: string) => (tree.has(path) ? bytes.encode(tree.get(path)) : null),
      write: async (writes: readonly { path: string; after: string | null }[]) => {
        for (const { path, after } of writes) after === null ? tree.delete(path) : tree.set(path, after);
      },
    },
    async rerun(_side: unknown, { timeoutMs }: { readonly timeoutMs: number }) {
      limits.push(timeoutMs);
      const recorder = installRecorder();
      const main = new Function('turn', `${tree.get('a.js')!.replace('export ', '')}\nreturn main;`)(turnAt[runs]);
      recorder.setTests(new Set(['t']));
      main(1);
      const lines = recorder.drain('', { ran: new Set(['t']), failed: new Set() });
      delete (globalThis as Record<string, unknown>)['__selfwareTrace'];
      tree.set(RESULTS, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
      runs += 1;
      return { answer: { outcome: 'passed' } };
    },
  });
  const parts = { command: { env: {} }, commands: { onFiles: () => null }, preload: 'file:///preload.js', until };
  const traces = await traceBothSides(run, plan, parts as never, new AbortController().signal);
  if (traces.outcome !== 'compared') return traces;
  expect(tree.size).toBe(0);
  return judgeTraces(unknown('No inputs.'), { plan, traces });
}

const difference = 'In the test “t”, call 1 of `main` leaves another `result.1` than before.';

test('a difference that was seen twice is one', async () => {
  expect(await judged([1, 1, 1, 1], 9_000)).toMatchObject({ outcome: 'failed', reason: difference });
});

test('a difference that was seen in one of two runs is doubtful', async () => {
  const { evidence } = (await judged([1, 1, 1, 2], 9_000)) as { readonly evidence: Record<string, unknown> };
  expect(evidence['traces']).toBe(`${difference} It does so only in some runs.`);
  expect(evidence['dependsOnTime']).toBeUndefined();
});

test('a difference that could not be looked at twice depends on time', async () => {
  expect(await judged([1, 1, 1, 1], 3_500)).toMatchObject({
    outcome: 'unknown',
    evidence: { traces: `${difference} There was no time to see it twice.`, dependsOnTime: 1 },
  });
});

test('the first run may take half of the time, and no run begins that would not end in time', async () => {
  const limits: number[] = [];
  expect(await judged([1, 1, 1, 1], 2_900, limits)).toEqual({ outcome: 'late' });
  expect(limits).toEqual([1_450, 1_900]);
});
