// The red team of a run: what it records of the variants of one change, and when it ends.

import { expect, test } from 'vitest';
import type { NightContext } from '../../../server/src/app/nights/night.ts';
import { tryChange } from '../../../server/src/app/nights/redTeam.ts';
import { collectFacts } from '../../../server/src/core/run/anomalies/facts.ts';
import { CHEAT_KINDS } from '../../../server/src/core/model/cheats.ts';
import type { FileEdit, Proposal } from '../../../server/src/core/model.ts';
import type { Session } from '../../../server/src/core/session.ts';
import type { TriedVariant } from '../../../server/src/core/verify/cheats/judgeVariant.ts';
import { createPart } from '../../helpers/createPart.ts';

const signal = new AbortController().signal;
const [branch, run] = ['selfware/night-2026-11-25', 'run-1'];
const edited = (after: string): readonly FileEdit[] => [{ path: 'a.js', before: 'a', after }];
const proposal = createPart<Proposal>({ id: 'p', title: 'A change', edits: edited('b') });

/** Tries all variants; `outcomes`: by the text after the edit. */
async function tried(
  outcomes: Readonly<Record<string, TriedVariant>>,
  { most = 9, isBeside = false }: { readonly most?: number; readonly isBeside?: boolean } = {},
) {
  const plan = { until: 1, maxChanges: 3, proposer: null, places: null };
  const events: object[] = [{ type: 'nightStarted', at: 1, data: { night: branch, run, base: 'a', plan } }];
  const asked: string[] = [];
  const ledger = {
    query: async () => events,
    proposals: async () => [],
    record: async (event: object) => void events.push({ ...event, at: 2 }),
  };
  const context = createPart<NightContext>({ repository: { ledger }, request: { onEvent: () => undefined } });
  const tryVariant = async (_: Proposal, [edit]: readonly FileEdit[]) => {
    asked.push(edit!.after!);
    return outcomes[edit!.after!] ?? { outcome: 'caught', reason: 'A test fails.' };
  };
  const session = createPart<Session>({ verification: { tryVariant } });
  const variants = CHEAT_KINDS.map((kind) => ({ kind, path: 'a.js', line: 1, isBeside, edits: edited(kind) }));
  const escaped = await tryChange(context, { branch, run }, session, { proposal, variants, maxVariants: most }, signal);
  const recorded = events
    .slice(1)
    .map((event) => (event as { data: TriedVariant & { kind: string; diff?: string; isBeside?: true } }).data);
  return {
    escaped,
    escapes: collectFacts(events as never, run, 3).escapes.length,
    asked,
    data: recorded,
    recorded: recorded.map(({ kind, outcome, reason }) => [kind, outcome, reason]),
  };
}

const PASSES = { outcome: 'escaped', reason: null } as const;

test('an escape is recorded and ends the search', async () => {
  const outcome = await tried({ b: PASSES, 'edge case dropped': PASSES });
  expect([outcome.escaped, outcome.escapes]).toEqual([true, 1]);
  expect(outcome.recorded).toEqual([
    ['weakened assertion', 'caught', 'A test fails.'],
    ['edge case dropped', 'escaped', null],
  ]);
});

test('an escape beside the change is recorded as such, does not pause the run, and the other variants are tried', async () => {
  const outcome = await tried({ b: PASSES, 'edge case dropped': PASSES }, { isBeside: true });
  expect([outcome.escaped, outcome.escapes]).toEqual([false, 0]);
  expect(outcome.recorded).toHaveLength(CHEAT_KINDS.length);
  expect(outcome.data.every((one) => one.isBeside === true)).toBe(true);
});

test('an escape says what the variant does to the file after the change', async () => {
  const { data } = await tried({ b: PASSES, 'edge case dropped': PASSES });
  expect(data.map(({ diff }) => diff)).toEqual([
    undefined,
    '--- a/a.js\n+++ b/a.js\n@@ -1 +1 @@\n-b\n\\ No newline at end of file\n+edge case dropped\n\\ No newline at end of file',
  ]);
});

test('if the change itself does not pass, its variants are not judged', async () => {
  const outcome = await tried({ b: { outcome: 'unknown', reason: 'No tests run here.' } });
  expect(outcome).toMatchObject({ escaped: false, asked: ['b'] });
  expect(outcome.recorded[0]).toEqual([
    'weakened assertion',
    'unknown',
    'The change itself does not pass here. No tests run here.',
  ]);
  expect(outcome.recorded).toHaveLength(CHEAT_KINDS.length);
});

test('the limit of the run holds', async () => {
  expect((await tried({ b: PASSES }, { most: 2 })).recorded).toHaveLength(2);
});
