// Mistakes in lines that a rule has found to be wrong are not tried: a test would record the fault as right.

import { expect, test } from 'vitest';
import { leaveOutBugs } from '../../../server/src/core/session/analyse/unguarded/withoutBugs.ts';
import type { SessionContext } from '../../../server/src/core/session/context.ts';
import type { MutantPlan } from '../../../server/src/core/verify/guard/planMutants.ts';
import { createPart } from '../../helpers/createPart.ts';

test('only lines with a fault are left out, each in its own file', () => {
  const opportunities = [
    { rule: 'bug-pattern', range: { startLine: 3, endLine: 4 } },
    { rule: 'nested-if', range: { startLine: 9, endLine: 9 } },
  ];
  const analyses = new Map([['a.ts', { opportunities }]]);
  const context = createPart<SessionContext>({ state: createPart({ analyses }) });
  const mutants = [2, 3, 4, 5, 9].flatMap((line) => ['a.ts', 'b.ts'].map((path) => ({ path, line })));
  const plan = createPart<MutantPlan>({ mutants, omittedCount: 1 });
  const left = leaveOutBugs(context, plan);
  expect(left.mutants.map(({ path, line }) => `${path}:${line}`)).toEqual([
    ...['a.ts:2', 'b.ts:2', 'b.ts:3', 'b.ts:4', 'a.ts:5', 'b.ts:5', 'a.ts:9', 'b.ts:9'],
  ]);
  expect(left.omittedCount).toBe(3);
});
