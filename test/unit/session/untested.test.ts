// Which exported functions are listed because no test reaches them.

import { expect, test } from 'vitest';
import {
  leaveOutTypeTests,
  selectUntested,
  type ExportedFunction,
} from '../../../server/src/core/session/analyse/unguarded/untested.ts';

const candidate = (name: string, changes: Partial<ExportedFunction> = {}): ExportedFunction => ({
  ...{ path: 'src/a.ts', name, line: 1, column: 17, complexity: 2, isReached: false, fileWeight: 1 },
  ...changes,
});
const namesOf = (candidates: readonly ExportedFunction[]) => selectUntested(candidates).listed.map(({ name }) => name);

test('those of central, often changed files and complex ones come first; without a branch none is listed', () => {
  const tested = candidate('tested', { isReached: true, complexity: 9 });
  const plain = candidate('plain', { complexity: 0 });
  const central = candidate('central', { fileWeight: 4 });
  const complex = candidate('complex', { complexity: 20 });
  expect(namesOf([candidate('one'), plain, central, tested, tested, complex])).toEqual(['complex', 'central', 'one']);
});

test('at most ten are listed, and all are counted', () => {
  const many = Array.from({ length: 12 }, (_, at) => candidate(`f${at}`, { line: at + 1 }));
  const tested = Array.from({ length: 4 }, (_, at) => candidate(`t${at}`, { isReached: true }));
  const { listed, count } = selectUntested([...many, ...tested]);
  expect([listed.length, count, listed[0]!.name]).toEqual([10, 12, 'f0']);
});

test('none is listed if the tests reach hardly any function, because they run the program from outside', () => {
  const many = Array.from({ length: 12 }, (_, at) => candidate(`f${at}`));
  expect(selectUntested([...many, candidate('tested', { isReached: true })])).toEqual({ listed: [], count: 0 });
});

test('functions in tests of types are left out, because their code never runs', async () => {
  const inTypeTest = candidate('eq', { path: 'errors.ts' });
  const texts: Readonly<Record<string, string>> = {
    'errors.ts': '// THROWS is not assignable\n$counter.eq = (a) => a;\n',
    'src/a.ts': 'export const one = (a) => (a ? 1 : 2);\n',
  };
  const left = await leaveOutTypeTests([inTypeTest, candidate('one')], async (path) => texts[path] ?? null);
  expect(left.map(({ name }) => name)).toEqual(['one']);
});
