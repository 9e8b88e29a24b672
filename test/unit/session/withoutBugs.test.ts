// Mistakes in lines that a rule has found to be wrong are not tried: a test would record the fault as right.

import { expect, test } from 'vitest';
import { isTestEdit } from '../../../server/src/core/paths/testEdits.ts';
import { removeFaultyLines } from '../../../server/src/core/session/analyse/unguarded/withoutBugs.ts';
import type { SessionContext } from '../../../server/src/core/session/context.ts';
import { SWITCH_FUNCTION } from '../../../server/src/core/verify/guard/inTests.ts';
import { planMutants, type MutantPlan } from '../../../server/src/core/verify/guard/planMutants.ts';
import { createPart } from '../../helpers/createPart.ts';

test('only lines with a fault are left out, each in its own file', () => {
  const opportunities = [
    { rule: 'bug-pattern', range: { startLine: 3, endLine: 4 } },
    { rule: 'nested-if', range: { startLine: 9, endLine: 9 } },
  ];
  const analyses = new Map([['a.ts', { opportunities }]]);
  const context = createPart<SessionContext>({ state: createPart({ analyses }) });
  const mutants = [2, 3, 4, 5, 9].flatMap((line) => ['a.ts', 'b.ts'].map((path) => ({ path, line })));
  const schemata = { files: [], switched: mutants.map(() => true) };
  const plan = createPart<MutantPlan>({ mutants, omittedCount: 1, schemata });
  const left = removeFaultyLines(context, plan);
  expect(left.mutants.map(({ path, line }) => `${path}:${line}`)).toEqual([
    ...['a.ts:2', 'b.ts:2', 'b.ts:3', 'b.ts:4', 'a.ts:5', 'b.ts:5', 'a.ts:9', 'b.ts:9'],
  ]);
  expect(left.omittedCount).toBe(3);
});

test('the switches of the others still turn on the right mistake', async () => {
  const text = 'function last(a) {\n  return a[-1] + 1;\n}\nfunction next(a) {\n  return a * 2 + 1;\n}\n';
  const opportunities = [{ rule: 'bug-pattern', range: { startLine: 2, endLine: 2 } }];
  const analyses = new Map([['a.js', { opportunities }]]);
  const context = createPart<SessionContext>({ state: createPart({ analyses }) });
  const plan = await planMutants([{ path: 'a.js', before: '', after: text }], 100, isTestEdit);
  const { mutants, schemata } = removeFaultyLines(context, plan);
  expect(mutants.length).toBeLessThan(plan.mutants.length);
  expect(schemata.switched).toHaveLength(mutants.length);
  const resultOf = (code: string) => (new Function(`${code}return [next(3), next(5)];`) as () => unknown)();
  const withMistake = (index: number) => {
    Object.defineProperty(globalThis, SWITCH_FUNCTION, {
      value: (asked: number) => asked === index,
      configurable: true,
    });
    try {
      return resultOf(schemata.files[0]!.text);
    } finally {
      Reflect.deleteProperty(globalThis, SWITCH_FUNCTION);
    }
  };
  const switchedMutants = mutants.flatMap((mutant, index) => (schemata.switched[index] ? [{ ...mutant, index }] : []));
  expect(switchedMutants.length).toBeGreaterThan(2);
  for (const { start, end, text: changed, index } of switchedMutants)
    expect(withMistake(index)).toEqual(resultOf(text.slice(0, start) + changed + text.slice(end)));
});
