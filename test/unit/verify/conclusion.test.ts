// How a judgement ends, by what its checks answered.

import { expect, test } from 'vitest';
import type { Strength, Verdict } from '../../../server/src/core/model.ts';
import { concludeJudgement, formatDoubts, formatNotShown } from '../../../server/src/core/verify/judge/conclusion.ts';

type Answers = Readonly<Record<string, Verdict['outcome'] | readonly [Verdict['outcome'], Verdict['evidence']]>>;

function conclude(
  answers: Answers,
  { met = true, demanding = true, onlyProse = false, path = 'src/a.ts', strength = 'tested' as Strength } = {},
): string {
  const verdicts = Object.entries(answers).map(([gate, answer]): Verdict => {
    const [outcome, evidence] = typeof answer === 'string' ? [answer, {}] : answer;
    return { gate: gate as Verdict['gate'], outcome, reason: '', evidence, millis: 1 };
  });
  const demands = demanding ? [{ what: 'no check fails', met, found: '' }] : [];
  const policy = { source: null, met, rules: [{ name: 'every change', demands }] };
  const conclusion = concludeJudgement({
    verdicts,
    policy,
    strength,
    files: { paths: [path] },
    ...(onlyProse ? { onlyProse } : {}),
  });
  const notShown = formatNotShown(conclusion);
  const end = conclusion.doubts.length === 0 ? conclusion.kind : `${conclusion.kind}: ${formatDoubts(conclusion)}`;
  return notShown === null ? end : `${end}. ${notShown}`;
}

const absent = ['unknown', { noSuchCheck: 1 }] as const;

test.each<[name: string, answers: Answers, end: string]>([
  ['all pass', { types: 'passed', tests: 'passed' }, 'passed'],
  [
    'the repository has no checks',
    { types: absent, lint: absent, tests: absent },
    'notJudged: Tests, Linter and Types',
  ],
  [
    'behaviour differs, and mutants survive',
    {
      tests: 'passed',
      differential: ['unknown', { call: 'half(4)' }],
      guard: ['unknown', { missed: 'src/c.ts:1 `f();` → nothing', missedPlaces: 'src/a.ts:5\nsrc/b.ts:7' }],
    },
    'look. Not shown: that the behaviour is the same (it differs for half(4)), and ' +
      'that tests would notice a mistake in the touched lines (src/a.ts:5, src/b.ts:7).',
  ],
  [
    'mutants survive only around the touched lines',
    { tests: 'passed', guard: ['unknown', { missed: 'app/[id]/page.tsx:12 `<` → `<=`\napp/(a)/b.ts:7 `1` → `0`' }] },
    'look. Not shown: that tests would notice a mistake in the functions around the touched lines ' +
      '(app/[id]/page.tsx:12, app/(a)/b.ts:7).',
  ],
  [
    'a place could not be compared, and mutants are noticed',
    { tests: 'passed', differential: ['unknown', { gaps: 'A class (src/a.ts:12).' }], guard: 'passed' },
    'look. Not shown: that the behaviour is the same (it could not be compared at src/a.ts:12).',
  ],
  [
    'a statement may be left out, and no test notices',
    { tests: 'passed', guard: ['passed', { unnoticedChange: 'src/a.ts:9 `f();` → nothing' }] },
    'look. Not shown: that tests would notice a mistake in the touched lines (src/a.ts:9).',
  ],
  [
    'the comparison proves the same, so that mutants are needless',
    { tests: 'passed', differential: 'passed', guard: 'unknown' },
    'passed',
  ],
  [
    'a shown fix answers calls that failed',
    {
      tests: 'passed',
      claim: ['passed', { kind: 'fix' }],
      differential: ['unknown', { mendsOnly: 1 }],
      guard: ['unknown', { possible: 0 }],
    },
    'passed',
  ],
  ['only tests change', { tests: 'passed', differential: ['unknown', { nothingToCompare: 1 }] }, 'passed'],
  ['nobody could run the tests', { types: absent, tests: 'unknown' }, 'notJudged: Tests'],
  ['no check ran', { types: 'unknown', lint: 'unknown', tests: 'unknown' }, 'notJudged: Tests, Linter and Types'],
  ['time was over', { types: 'passed', tests: ['unknown', { budget: 1 }] }, 'notJudged: Tests'],
  ['packages are missing', { lint: 'passed', tests: ['unknown', { packages: 'a' }] }, 'notJudged: Tests'],
  ['a program is missing', { lint: 'passed', tests: ['unknown', { exitCode: null }] }, 'notJudged: Tests'],
  ['no test passes, with or without it', { tests: ['unknown', { exitCode: 1, passed: 0 }] }, 'notJudged: Tests'],
  ['tests are flaky', { types: 'passed', tests: ['unknown', { exitCode: 1, passed: 3 }] }, 'look: Tests'],
  ['the script of the tests is edited', { tests: ['unknown', { exitCode: 0 }] }, 'look: Tests'],
  ['types cannot run, and tests do', { types: 'unknown', tests: 'passed' }, 'look: Types'],
  ['a setting is edited', { tests: 'passed', integrity: 'unknown' }, 'look: Tests and settings untouched'],
  [
    'code may hide a fault',
    { tests: 'passed', integrity: ['passed', { hidden: 'a' }] },
    'look: Tests and settings untouched',
  ],
])('%s', (_name, answers, end) => {
  expect(conclude(answers)).toBe(end);
});

test.each([
  ['README.md', 'look: Tests'],
  ['packages/a/LICENSE', 'look: Tests'],
  ['docs/guide.md', 'look: Tests'],
  ['docs/conf.py', 'notJudged: Tests'],
  ['data/hello.md', 'notJudged: Tests'],
  ['test/cases/README.md', 'notJudged: Tests'],
])('%s that code names, without tests that can run', (path, end) => {
  expect(conclude({ types: absent, tests: 'unknown' }, { path })).toBe(end);
});

test('prose needs no check, nor does a policy without checks, and a demand that is not met decides', () => {
  expect(conclude({ tests: 'unknown', charter: 'unknown' }, { onlyProse: true })).toBe('look: Allowed here');
  expect(conclude({ tests: absent }, { path: '.gitignore' })).toBe('passed');
  expect(conclude({ tests: 'unknown' }, { demanding: false })).toBe('look: Tests');
  expect(conclude({ tests: 'unknown' }, { met: false })).toBe('notPassed');
});

test('equal answers of old and new code need the checks all the same', () => {
  expect(conclude({ tests: 'unknown', differential: 'passed' })).toBe('notJudged: Tests');
});

test('a change that is neither proven nor tested does not pass without a word', () => {
  const checked = { types: 'passed', tests: 'passed' } as const;
  expect(conclude(checked, { strength: 'checked' })).toBe('look. Not shown: that a test runs what changes.');
  expect(conclude(checked, { strength: 'checked', path: 'test/a.test.ts' })).toBe(
    'look. Not shown: that the changed tests notice a mistake.',
  );
  expect(conclude(checked, { strength: 'unchecked', path: 'package.json' })).toBe('passed');
});

test('the reason of a check that did not run stands in the sentence', () => {
  const reason = 'Not measured: the tests that reach the touched lines take 20 s or more.';
  const conclusion = concludeJudgement({
    policy: { source: null, met: true, rules: [] },
    verdicts: [
      { gate: 'differential', outcome: 'unknown', reason: 'The comparison crashed.', evidence: {}, millis: 1 },
      { gate: 'guard', outcome: 'unknown', reason, evidence: {}, millis: 1 },
    ],
    strength: 'tested',
    files: { paths: ['src/a.py'] },
  });
  expect(formatNotShown(conclusion)).toBe(
    'Not shown: that the behaviour is the same (the comparison crashed), and ' +
      'that tests would notice a mistake in the touched lines (the tests that reach the touched lines take 20 s or more).',
  );
});
