// How a judgement ends, by what its checks answered.

import { expect, test } from 'vitest';
import type { Verdict } from '../../../server/src/core/model.ts';
import { concludeJudgement, doubtsText } from '../../../server/src/core/verify/judge/conclusion.ts';

type Answers = Readonly<Record<string, Verdict['outcome'] | readonly [Verdict['outcome'], Verdict['evidence']]>>;

function conclude(
  answers: Answers,
  { met = true, demanding = true, onlyProse = false, path = 'src/a.ts' } = {},
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
    files: { paths: [path] },
    ...(onlyProse ? { onlyProse } : {}),
  });
  return conclusion.doubts.length === 0 ? conclusion.kind : `${conclusion.kind}: ${doubtsText(conclusion)}`;
}

const absent = ['unknown', { noSuchCheck: 1 }] as const;

test.each<[name: string, answers: Answers, end: string]>([
  ['all pass', { types: 'passed', tests: 'passed' }, 'passed'],
  [
    'the repository has no checks',
    { types: absent, lint: absent, tests: absent },
    'notJudged: Tests, Linter and Types',
  ],
  ['behaviour differs, and mutants survive', { tests: 'passed', differential: 'unknown', guard: 'unknown' }, 'passed'],
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
