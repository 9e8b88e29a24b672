// `test.js` in the root of a small package counts as a test when tests are chosen, read and added to, although the
// ruler counts it as code.

import { expect, test } from 'vitest';
import { listContent } from '../../../server/src/core/analysis/inventory.ts';
import { detectLanguage } from '../../../server/src/core/index/parse/language.ts';
import { findWeakenedChecks } from '../../../server/src/core/verify/integrity/weakenedChecks.ts';
import { findReachingTests } from '../../../server/src/core/session/verify/reachingTests.ts';
import { onlyAddsCases } from '../../../server/src/core/verify/claims/addedTests.ts';
import { gate as score } from '../../../server/src/core/verify/gates/score/gate.ts';
import { answerOf } from './inMemory.ts';
import { isTestFile } from '../../../server/src/core/paths/tests.ts';
import { edit, pointsOf } from './verifying.ts';

const BEFORE = `import test from 'ava';
import fn from './index.js';

test('one', t => {
	t.is(fn(1), 1);
});
`;
const AFTER = `${BEFORE}
test('fn returns 2 for 2', t => {
	t.is(fn(2), 2);
});
`;
const edits = [edit('test.js', BEFORE, AFTER)];

test('it reaches what it imports, and a file of that name in another folder may be anything', () => {
  const imports = new Map([
    ['test.js', ['index.js']],
    ['lib/test.js', ['index.js']],
    ['index.js', ['lib/parse.js']],
  ]);
  expect(findReachingTests(imports, ['lib/parse.js'])).toEqual(['test.js']);
});

test('cases are added to it if it runs tests', () => {
  expect(onlyAddsCases(edits)).toBe(true);
  expect(onlyAddsCases([edit('test.js', 'export {};\n', `export {};\n${AFTER}`)])).toBe(false);
});

test('another script that imports a runner is not one of cases: a tool may load it for all tests', () => {
  const before = "import { expect } from 'vitest';\n";
  const setUp = `${before}expect.extend({ toBe: () => ({ pass: true, message: () => '' }) });\n`;
  expect(onlyAddsCases([edit('scripts/environment.js', before, setUp)])).toBe(false);
  expect(onlyAddsCases([edit('scripts/environment.js', null, setUp)])).toBe(false);
});

test('weakening it is found', async () => {
  const inventory = async (path: string, text: string) =>
    listContent({ path, text, language: detectLanguage(path, text), generated: false });
  const weakened = [
    edit('test.js', AFTER, BEFORE),
    edit('index.js', 'export default n => n;\n', 'export default m => m;\n'),
  ];
  expect(await findWeakenedChecks(weakened, { inventory })).toEqual([
    expect.stringContaining('There are fewer tests'),
    expect.stringContaining('The tests assert less'),
  ]);
});

test('its new cases may cost the points of as much code', async () => {
  const verdict = async (path: string, after: number) => {
    const scored = { before: pointsOf({ codeQuality: 10 }), after: pointsOf({ codeQuality: after }), price: 0.5 };
    const inventory = async (name: string, text: string) =>
      isTestFile(name)
        ? { tests: { cases: text.split('test(').length - 1, assertions: text.split('t.is(').length - 1 } }
        : { tests: null };
    const overrides = { claimsOf: () => ['tests'] as const, score: async () => scored, inventory: inventory as never };
    return (await answerOf(score, { edits: [edit(path, BEFORE, AFTER)], overrides })).outcome;
  };
  expect(await verdict('test.js', 9.8)).toBe('unknown');
  // Points for their length are none: the new cases have to notice a mistake.
  expect(await verdict('test.js', 10.5)).toBe('unknown');
  expect(await verdict('test.js', 9)).toBe('failed');
  expect(await verdict('index.test.js', 9.8)).toBe('failed');
});
