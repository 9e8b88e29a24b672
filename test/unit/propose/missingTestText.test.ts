// A search for missing tests that proposes none says what no test notices, why there is no test, and what to do.

import { expect, test } from 'vitest';
import type { Proposal } from '../../../server/src/core/model.ts';
import type { MissingTest } from '../../../server/src/core/session/propose/missingTest.ts';
import { missingTestLines, missingTestSentence } from '../../../server/src/core/session/propose/missingTestText.ts';
import type { UnguardedFunction } from '../../../server/src/core/verify/guard/unguarded.ts';
import { createPart } from '../../helpers/createPart.ts';

const search = { files: 1, mutants: 15, survivors: 3, undone: 0, advice: null };
const mistake = (line: number) => ({
  ...{ line, shown: 'push → unshift', place: '', call: 'list(1, 2)' },
  now: 'returns [1, 2]',
  then: 'returns [2, 1]',
});
const withMistakes = (count: number): UnguardedFunction =>
  createPart<UnguardedFunction>({
    path: 'src/list.js',
    name: 'list',
    mistakes: Array.from({ length: count }, (_, at) => mistake(at + 1)),
    test: { refused: 'No test shows how tests are written here.' },
  });
const nothing: MissingTest = { verified: null, refused: [], unwritten: [], withTest: 0, search };
const refused = createPart<Proposal>({
  id: 'p-1',
  title: 'Add a test for parse',
  status: 'refused',
  edits: [{ path: 'test/parse.js', before: '', after: 'x' }],
  reason: 'claim: The new tests do not name their cases.',
});

test('the mistakes are named with the calls that show them, and why no test was written', () => {
  const lines = missingTestLines({ ...nothing, unwritten: [withMistakes(1)] });
  expect(lines).toEqual([
    'Looked for missing tests: put 15 mistakes into 1 file, one at a time; no test notices 3 of them.',
    '  src/list.js, line 1: push → unshift; list(1, 2) then returns [2, 1]; now it returns [1, 2]',
    'No test was written: No test shows how tests are written here.',
    'You can write such a test by hand: call the function as shown, and expect what it does now.',
    'For the other 2 of them, no call was found that shows a difference.',
  ]);
  const many = missingTestLines({ ...nothing, unwritten: [withMistakes(5)], search: { ...search, survivors: 5 } });
  expect(many.filter((line) => line.startsWith('  src/list.js'))).toHaveLength(3);
  expect(many).toContain('  `selfware unguarded` lists 2 more.');
});

test('a refused proposal is named with its check, the reason, and the way to its diff', () => {
  const lines = missingTestLines({ ...nothing, refused: [refused], withTest: 3 });
  expect(lines.slice(1)).toEqual([
    '“Add a test for parse” in test/parse.js was refused. What gets better: The new tests do not name their cases.',
    '  To see the change: `selfware proposals show p-1`',
  ]);
  expect(missingTestSentence({ ...nothing, refused: [refused] })).toMatch(
    /3 of them\. “Add a test for parse” in .* was/,
  );
});

test('where no call shows anything, or everything is noticed, that is said', () => {
  expect(missingTestLines(nothing)[1]).toBe('No call was found that shows any of them, so no test can be written.');
  expect(missingTestLines({ ...nothing, search: { ...search, mutants: 0, survivors: 0, undone: 2 } })[0]).toBe(
    'Looked for missing tests in 1 file: no mistake was tried. There was no time for 2 files.',
  );
  expect(missingTestLines({ ...nothing, search: { ...search, survivors: 0, undone: 2 } })).toEqual([
    'Looked for missing tests: put 15 mistakes into 1 file, one at a time; the tests notice each. There was no time for 2 files.',
  ]);
});
