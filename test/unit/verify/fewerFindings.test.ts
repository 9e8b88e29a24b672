// The claim findings of a recipe: its rule has to find less, and no other rule more.

import { expect, test } from 'vitest';
import { checkFewerFindings } from '../../../server/src/core/verify/claims/findings.ts';
import type { GateInput } from '../../../server/src/core/verify/gate.ts';
import { createPart } from '../../helpers/createPart.ts';

/** Each word of a text counts as a finding of the rule with that name. */
const findings = async (_path: string, text: string) => {
  const counts = new Map<string, number>();
  for (const rule of text.split(' ').filter(Boolean)) counts.set(rule, (counts.get(rule) ?? 0) + 1);
  return counts;
};

const run = (before: string, after: string) =>
  checkFewerFindings(
    createPart<GateInput>({
      context: { findings },
      edits: [{ path: 'src/a.ts', before, after }],
      proposal: { opportunity: { rule: 'legacy-call' } },
    }),
  );

test.each([
  ['one fewer', 'legacy-call legacy-call', 'legacy-call', 'passed'],
  ['none left, others as before', 'legacy-call nested-if', 'nested-if', 'passed'],
  ['as many', 'legacy-call', 'legacy-call', 'failed'],
  ['more of another rule', 'legacy-call', 'nested-if', 'failed'],
])('%s', async (_name, before, after, outcome) => {
  expect((await run(before, after)).outcome).toBe(outcome);
});

test('unknown where nothing counts findings', async () => {
  expect((await checkFewerFindings(createPart<GateInput>({ context: {}, edits: [] }))).outcome).toBe('unknown');
});
