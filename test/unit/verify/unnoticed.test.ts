// When a judgement says that no test notices what a change does differently.

import { expect, test } from 'vitest';
import type { Verdict } from '../../../server/src/core/model.ts';
import { unknown } from '../../../server/src/core/verify/answer.ts';
import { addUnnoticedNote } from '../../../server/src/core/verify/judge/unnoticedDifference.ts';
import { edit } from './verifying.ts';

const different = unknown('`f(9)` returns true before, and with the change it returns false.', { call: 'f(9)' });
const tests = (evidence: Verdict['evidence'], outcome: Verdict['outcome'] = 'passed'): Verdict[] => [
  { gate: 'tests', outcome, reason: '', evidence, millis: 1 },
];
const GREEN = { passed: 3, failed: 0, failedBefore: 0 };
const code = edit('src/a.ts', 'a < 9', 'a <= 9');
const change = { edits: [code], bytes: [], left: [] };

test('a difference that the tests of both sides let pass is called unnoticed', () => {
  expect(addUnnoticedNote(different, tests(GREEN), change).reason).toMatch(
    /returns false\. The tests pass with and without it: none notices\.$/,
  );
});

test.each<[string, ReturnType<typeof unknown>, Verdict[], readonly ReturnType<typeof edit>[]]>([
  ['there is no difference', unknown('No input reached it.'), tests(GREEN), [code]],
  ['a test changes, too', different, tests(GREEN), [code, edit('test/a.test.ts', 'a', 'b')]],
  ['a test failed before', different, tests({ ...GREEN, failedBefore: 1 }), [code]],
  ['nothing is known of the base', different, tests({ passed: 3, failed: 0 }), [code]],
  ['the tests are unknown', different, tests(GREEN, 'unknown'), [code]],
])('nothing is said if %s', (_what, answer, verdicts, edits) => {
  expect(addUnnoticedNote(answer, verdicts, { ...change, edits })).toEqual(answer);
});
