// The word for what the verdicts of a change show.

import { expect, test } from 'vitest';
import { STRENGTHS, type Strength, type Verdict } from '../../../server/src/core/model.ts';
import type { GateName } from '../../../server/src/core/model/gates.ts';
import { explainStrength, determineStrength } from '../../../server/src/core/verify/strength.ts';

type Told = Readonly<Partial<Record<GateName, readonly [Verdict['outcome'], Verdict['evidence']?]>>>;

const verdictsOf = (told: Told): Verdict[] =>
  Object.entries(told).map(([gate, [outcome, evidence = {}]]) => ({
    gate: gate as GateName,
    outcome,
    reason: '',
    evidence,
    millis: 0,
  }));
const always: Told = {
  applies: ['passed'],
  syntax: ['passed'],
  charter: ['passed'],
  integrity: ['passed'],
  score: ['passed'],
};
const nothing: Told = {
  types: ['unknown'],
  lint: ['unknown'],
  tests: ['unknown'],
  differential: ['unknown'],
  guard: ['unknown'],
};
const checks: Told = { types: ['passed'], lint: ['passed'] };

test.each<[what: string, told: Told, expected: Strength]>([
  ['nothing but what is always looked at', {}, 'unchecked'],
  [
    'mutants that the tests notice, where only some tests ran',
    { tests: ['passed', { reachingFiles: 1, onlyFiles: 1 }], guard: ['passed', { noticed: 5 }] },
    'tested',
  ],
  [
    'the same behaviour, where only some tests ran',
    { tests: ['unknown', { onlyFiles: 1 }], differential: ['passed'] },
    'proven',
  ],
  ['gates that could not tell', nothing, 'unchecked'],
  ['types alone', { ...nothing, types: ['passed'] }, 'checked'],
  ['lint alone', { ...nothing, lint: ['passed'] }, 'checked'],
  ['tests that reach it', { ...checks, tests: ['passed', { reachingFiles: 2 }] }, 'tested'],
  ['tests that reach it, without types and lint', { ...nothing, tests: ['passed', { reachingFiles: 1 }] }, 'tested'],
  [
    'tests that reach it and ran by themselves',
    { tests: ['passed', { reachingFiles: 1, reachingPassed: 3 }] },
    'tested',
  ],
  [
    'tests that reach it and were all skipped',
    { ...checks, tests: ['passed', { reachingFiles: 1, reachingPassed: 0 }] },
    'checked',
  ],
  [
    'tests that import its file, and call none of the touched code',
    { ...checks, tests: ['passed', { reachingFiles: 2, reachingPassed: 4, touchedPlaces: 1, reachedPlaces: 0 }] },
    'checked',
  ],
  [
    'tests that call some of the touched code',
    { ...checks, tests: ['passed', { reachingFiles: 2, touchedPlaces: 2, reachedPlaces: 1 }] },
    'checked',
  ],
  [
    'tests that call all of the touched code',
    { ...checks, tests: ['passed', { reachingFiles: 0, touchedPlaces: 2, reachedPlaces: 2 }] },
    'tested',
  ],
  [
    'tests of a change that touches nothing that runs',
    { ...checks, tests: ['passed', { reachingFiles: 2, touchedPlaces: 0, reachedPlaces: 0 }] },
    'checked',
  ],
  ['tests that do not reach it', { ...checks, tests: ['passed', { reachingFiles: 0 }] }, 'checked'],
  [
    'tests that do not reach it, without types and lint',
    { ...nothing, tests: ['passed', { reachingFiles: 0 }] },
    'unchecked',
  ],
  ['tests of which nobody knows what they reach', { ...checks, tests: ['passed', {}] }, 'checked'],
  [
    'tests that import it, and come to no touched line',
    { ...checks, tests: ['passed', { reachingFiles: 4 }], guard: ['unknown', { mutants: 3, unreached: 1 }] },
    'checked',
  ],
  [
    'tests that reach all touched code and lines, but not a branch of one',
    {
      tests: ['passed', { reachingFiles: 1, touchedPlaces: 1, reachedPlaces: 1 }],
      guard: ['unknown', { noticed: 0, survived: 2, unreached: 1 }],
    },
    'tested',
  ],
  [
    'tests that notice a mutant, but do not reach another line of the change',
    {
      ...nothing,
      tests: ['passed', { reachingFiles: 1, touchedPlaces: 1, reachedPlaces: 1 }],
      guard: ['unknown', { noticed: 2, survived: 0, unreached: 1, unreachedLines: 1 }],
    },
    'unchecked',
  ],
  [
    'tests that import nothing of it, and notice a mutant',
    { tests: ['passed', { reachingFiles: 0 }], guard: ['unknown', { noticed: 1, survived: 3, unreached: 0 }] },
    'tested',
  ],
  [
    'weak tests that reach it',
    { tests: ['passed', { reachingFiles: 1 }], guard: ['unknown', { noticed: 0, survived: 3, unreached: 0 }] },
    'tested',
  ],
  ['tests that could not tell, and import it', { ...checks, tests: ['unknown', { reachingFiles: 2 }] }, 'checked'],
  ['the comparison of old and new', { ...nothing, differential: ['passed'] }, 'proven'],
  [
    'the calls of tests that pass',
    { ...nothing, tests: ['passed', {}], differential: ['passed', { tracedCalls: 12 }] },
    'tested',
  ],
  [
    'the calls of tests that notice mutants, too',
    { tests: ['passed', {}], differential: ['passed', { tracedCalls: 12 }], guard: ['passed', { noticed: 5 }] },
    'proven',
  ],
  [
    'a comparison that makes it likely, with tests that reach the code',
    { tests: ['passed', { reachingFiles: 1, reachingPassed: 2 }], differential: ['passed', { unproven: 'why' }] },
    'tested',
  ],
  [
    'a comparison that makes it likely, and nothing else',
    { differential: ['passed', { unproven: 'why' }] },
    'unchecked',
  ],
  ['calls of tests that are unknown', { ...nothing, differential: ['passed', { tracedCalls: 12 }] }, 'unchecked'],
  [
    'mutants that the tests notice',
    { ...checks, tests: ['passed', { reachingFiles: 1 }], guard: ['passed', { noticed: 5 }] },
    'proven',
  ],
  ['a benchmark that is no slower, and nothing else', { ...nothing, timing: ['passed'] }, 'unchecked'],
  ...(['applies', 'integrity', 'score', 'types', 'lint', 'tests', 'timing', 'differential'] as const).map(
    (gate): [string, Told, Strength] => [
      `a failure of ${gate}, whatever else passed`,
      {
        ...checks,
        tests: ['passed', { reachingFiles: 1 }],
        differential: ['passed'],
        guard: ['passed'],
        [gate]: ['failed'],
      },
      'unchecked',
    ],
  ),
])('%s', (_what, told, expected) => {
  expect(determineStrength(verdictsOf({ ...always, ...told }))).toBe(expected);
});

test('before there are verdicts there is no word', () => {
  expect(determineStrength([])).toBeNull();
});

test('every word has a meaning of its own', () => {
  const verdicts = (strength: Strength) => (strength === 'checked' ? verdictsOf(checks) : []);
  expect(new Set(STRENGTHS.map((strength) => explainStrength(strength, verdicts(strength)))).size).toBe(
    STRENGTHS.length,
  );
});

test('proven names what proved it', () => {
  const meaningOf = (told: Parameters<typeof verdictsOf>[0]) => explainStrength('proven', verdictsOf(told));
  expect(meaningOf({ differential: ['passed'] })).toBe('The code was shown to do what it did before.');
  expect(meaningOf({ differential: ['unknown'], guard: ['passed'] })).toBe(
    'Its tests were shown to notice mistakes in these lines.',
  );
  const added = (noticedMistakes: number) => meaningOf({ claim: ['passed', { kind: 'tests', noticedMistakes }] });
  expect(added(1)).toBe('Its tests were shown to notice a mistake that no other test notices.');
  expect(added(3)).toBe('Its tests were shown to notice 3 mistakes that no other test notices.');
});

test('what was not measured is said to be unknown, and only what was found is said to be missing', () => {
  const meaning = (told: Told) =>
    explainStrength(determineStrength(verdictsOf({ ...always, ...told }))!, verdictsOf(told));
  const passed = { passed: 12 };
  expect(meaning({ lint: ['passed'], tests: ['passed', passed] })).toBe(
    '12 tests passed; whether they run these lines was not measured. Beside them, the linter found nothing.',
  );
  expect(meaning({ types: ['unknown'], tests: ['passed', passed] })).toMatch(
    /not measured\. Beside them, no type check or linter has shown anything\.$/,
  );
  expect(
    meaning({ ...checks, tests: ['passed', { ...passed, reachingFiles: 1, touchedPlaces: 1, reachedPlaces: 0 }] }),
  ).toBe('Only the type check and the linter looked at it; no test is known to run this code.');
  expect(
    meaning({ ...checks, tests: ['passed', { ...passed, reachingFiles: 2, touchedPlaces: 3, reachedPlaces: 2 }] }),
  ).toBe(
    'The tests passed, but as far as is known they run only 2 of the 3 places that it touches; the type check and the linter found nothing.',
  );
  expect(meaning({ lint: ['passed'], tests: ['passed', passed], guard: ['unknown', { unreached: 1 }] })).toBe(
    'Only the linter looked at it; no test is known to run this code.',
  );
  expect(
    meaning({
      lint: ['passed'],
      tests: ['passed', { ...passed, touchedPlaces: 1, reachedPlaces: 1 }],
      guard: ['unknown', { noticed: 2, unreached: 1, unreachedLines: 1 }],
    }),
  ).toBe('Only the linter looked at it; tests call this code, but do not reach all lines of the change.');
  expect(meaning({ lint: ['passed'] })).toBe('Only the linter looked at it; no test has shown anything about it.');
});

test('where only some tests ran, the words say so', () => {
  const verdicts = verdictsOf({ tests: ['passed', { reachingFiles: 1, onlyFiles: 1 }] });
  expect(explainStrength('tested', verdicts)).toBe('The tests that reach this code pass; the others have not run yet.');
  expect(explainStrength('proven', [...verdicts, ...verdictsOf({ differential: ['passed'] })])).toBe(
    'The code was shown to do what it did before; not all tests have run yet.',
  );
});
