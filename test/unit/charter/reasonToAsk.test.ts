// Which verified changes are applied unasked, and which need a person: by level, claim, verdicts and author.

import { expect, test } from 'vitest';
import { createCharter } from '../../../server/src/core/charter/charter.ts';
import type { FileEdit, SafetyLevel, Verdict } from '../../../server/src/core/model.ts';
import type { ClaimKind } from '../../../server/src/core/model/claims.ts';
import { GATE_ORDER, type GateName } from '../../../server/src/core/model/gates.ts';
import { createMemoryFiles } from '../../helpers/memoryFiles.ts';
import { determineStrength } from '../../../server/src/core/verify/strength.ts';

function charterAt(approval: 'strict' | 'moderate' | 'minimal') {
  return createCharter({
    files: createMemoryFiles({}),
    protectedPaths: [],
    approval,
    maxChanges: 10,
    strengthOf: determineStrength,
    isOurs: (recipe) => recipe === 'ours',
  });
}

const verdicts = (outcomes: Partial<Record<GateName, Verdict['outcome'] | null>> = {}): Verdict[] =>
  GATE_ORDER.flatMap((gate) =>
    outcomes[gate] === null ? [] : [{ gate, outcome: outcomes[gate] ?? 'passed', reason: '', evidence: {}, millis: 0 }],
  );
const sameCode = (outcomes: Partial<Record<GateName, Verdict['outcome'] | null>>, files: number): Verdict[] =>
  verdicts(outcomes).map((verdict) =>
    verdict.gate === 'differential' ? { ...verdict, evidence: { identical: files } } : verdict,
  );
const noChecks = { types: 'unknown', lint: 'unknown', guard: 'unknown', differential: 'unknown' } as const;
const reached = (measured: readonly Verdict[], reachingFiles: number): Verdict[] =>
  measured.map((one) => (one.gate === 'tests' ? { ...one, evidence: { reachingFiles } } : one));
const lines = (count: number): FileEdit[] => [
  { path: 'a.ts', before: 'same\n', after: `same\n${'new\n'.repeat(count)}` },
];

test.each<[string, SafetyLevel, FileEdit[], Verdict[], readonly boolean[]]>([
  // [what, safety, edits, verdicts, needs approval at strict / moderate / minimal]
  ['a small harmless one', 'additive', lines(1), verdicts(), [true, false, false]],
  ['one that changes behaviour', 'behaviorChanging', lines(1), verdicts(), [true, false, false]],
  ['a critical one', 'critical', lines(1), verdicts(), [true, true, true]],
  ['100 lines', 'additive', lines(100), verdicts(), [true, false, false]],
  ['101 lines', 'additive', lines(101), verdicts(), [true, true, false]],
  [
    '60 lines replaced',
    'additive',
    [{ path: 'a', before: 'a\n'.repeat(60), after: 'b\n'.repeat(60) }],
    verdicts(),
    [true, true, false],
  ],
  ['101 lines in two files', 'additive', [...lines(60), ...lines(41)], verdicts(), [true, true, false]],
  [
    'a long file deleted',
    'additive',
    [{ path: 'a', before: 'a\n'.repeat(101), after: null }],
    verdicts(),
    [true, true, true],
  ],
  ['one that may not apply', 'additive', lines(1), verdicts({ applies: 'unknown' }), [true, true, true]],
  ['one that does not apply', 'additive', lines(1), verdicts({ applies: 'failed' }), [true, true, true]],
  ['one that was not seen to apply', 'additive', lines(1), verdicts({ applies: null }), [true, true, true]],
  ['one that may be forbidden', 'additive', lines(1), verdicts({ charter: 'unknown' }), [true, true, true]],
  ['one that was not seen to be allowed', 'additive', lines(1), verdicts({ charter: null }), [true, true, true]],
  ['a failed gate', 'additive', lines(1), verdicts({ lint: 'failed' }), [true, true, true]],
  ['tests unknown', 'additive', lines(1), verdicts({ tests: 'unknown' }), [true, true, true]],
  ['tests not run', 'additive', lines(1), verdicts({ tests: null }), [true, true, true]],
  ['tests unknown, and the same code', 'additive', lines(1), sameCode({ tests: 'unknown' }, 1), [true, false, false]],
  [
    'tests unknown, and the same code in one file of two',
    'additive',
    [...lines(1), ...lines(1)],
    sameCode({ tests: 'unknown' }, 1),
    [true, true, true],
  ],
  ['tests failed, and the same code', 'additive', lines(1), sameCode({ tests: 'failed' }, 1), [true, true, true]],
  ['tests not run, and the same code', 'additive', lines(1), sameCode({ tests: null }, 1), [true, true, true]],
  [
    'tests unknown, and another check that calls it the same code',
    'additive',
    lines(1),
    verdicts({ tests: 'unknown' }).map((one) => (one.gate === 'types' ? { ...one, evidence: { identical: 1 } } : one)),
    [true, true, true],
  ],
  [
    'tests unknown, and the same code that could not be compared',
    'additive',
    lines(1),
    sameCode({ tests: 'unknown', differential: 'unknown' }, 1),
    [true, true, true],
  ],
  [
    'score unknown, and the same code',
    'additive',
    lines(1),
    sameCode({ score: 'unknown', tests: 'unknown' }, 1),
    [true, true, true],
  ],
  ['score unknown', 'additive', lines(1), verdicts({ score: 'unknown' }), [true, true, true]],
  [
    'no linter and no types',
    'additive',
    lines(1),
    verdicts({ lint: 'unknown', types: 'unknown' }),
    [true, false, false],
  ],
  [
    'tests that are weak here, and a comparison',
    'behaviorPreserving',
    lines(1),
    verdicts({ guard: 'unknown' }),
    [true, false, false],
  ],
  [
    'code that could not be compared, and strong tests',
    'behaviorPreserving',
    lines(1),
    verdicts({ differential: 'unknown' }),
    [true, false, false],
  ],
  [
    'neither strong tests nor a comparison',
    'behaviorPreserving',
    lines(1),
    verdicts({ guard: 'unknown', differential: 'unknown' }),
    [true, true, true],
  ],
  [
    'neither of them tried',
    'behaviorChanging',
    lines(1),
    verdicts({ guard: null, differential: null }),
    [true, true, true],
  ],
  [
    'neither of them, where nothing runs',
    'additive',
    lines(1),
    verdicts({ guard: 'unknown', differential: 'unknown' }),
    [true, false, false],
  ],
  ['an unchecked one', 'additive', lines(1), verdicts(noChecks), [true, true, true]],
  ['tests that reach nothing of it', 'additive', lines(1), reached(verdicts(noChecks), 0), [true, true, true]],
  ['tests that reach it, and nothing else', 'additive', lines(1), reached(verdicts(noChecks), 1), [true, false, false]],
  [
    'a type check and nothing else',
    'additive',
    lines(1),
    verdicts({ ...noChecks, types: 'passed' }),
    [true, false, false],
  ],
  ['a linter and nothing else', 'additive', lines(1), verdicts({ ...noChecks, lint: 'passed' }), [true, false, false]],
  ['a difference', 'behaviorPreserving', lines(1), verdicts({ differential: 'failed' }), [true, true, true]],
  [
    'a difference that is meant, and strong tests',
    'behaviorChanging',
    lines(1),
    verdicts({ differential: 'unknown' }).map((verdict) =>
      verdict.gate === 'differential' ? { ...verdict, evidence: { call: 'f(1)' } } : verdict,
    ),
    [true, true, true],
  ],
  ['strong tests that did not run', 'behaviorPreserving', lines(1), verdicts({ tests: 'unknown' }), [true, true, true]],
  ['not verified', 'additive', lines(1), [], [true, true, true]],
])('approval for %s', (_what, safety, edits, measured, expected) => {
  const answers = (['strict', 'moderate', 'minimal'] as const).map(
    (approval) => charterAt(approval).reasonToAsk({ recipe: 'ours', safety, edits, verdicts: measured }) !== null,
  );
  expect(answers).toEqual(expected);
});

test.each<
  [string, 'strict' | 'moderate' | 'minimal', Partial<Parameters<ReturnType<typeof charterAt>['reasonToAsk']>[0]>]
>([
  ['A person approves every change at the level “strict”.', 'strict', {}],
  ['It edits tests, settings or what a build reads.', 'minimal', { safety: 'critical' }],
  ['“brought” is not a recipe of', 'minimal', { safety: 'behaviorChanging', recipe: 'brought' }],
  [
    'The check “Tests” did not pass it: No tests were found.',
    'minimal',
    { verdicts: verdicts({ tests: 'unknown' }).map((one) => ({ ...one, reason: 'No tests were found.' })) },
  ],
  ['The check “Allowed here” was not tried.', 'minimal', { verdicts: verdicts({ charter: null }) }],
  ['The check “Tests” was not tried.', 'minimal', { verdicts: verdicts({ tests: null }) }],
  [
    '`f(1)` answers differently with it.',
    'minimal',
    { verdicts: verdicts().map((one) => (one.gate === 'differential' ? { ...one, evidence: { call: 'f(1)' } } : one)) },
  ],
  [
    'In the test “a”, call 1 of `f` leaves another `result` than before.',
    'minimal',
    {
      verdicts: verdicts({ differential: 'unknown' }).map((one) =>
        one.gate === 'differential'
          ? {
              ...one,
              evidence: { tracedDifference: 'In the test “a”, call 1 of `f` leaves another `result` than before.' },
            }
          : one,
      ),
    },
  ],
  [
    'neither the comparison of old and new code nor mutants',
    'minimal',
    {
      verdicts: verdicts({ guard: 'unknown' }).map((one) =>
        one.gate === 'differential' ? { ...one, evidence: { tracedCalls: 12 } } : one,
      ),
    },
  ],
  [
    'neither the comparison of old and new code nor mutants',
    'minimal',
    { verdicts: verdicts({ guard: 'unknown', differential: 'unknown' }) },
  ],
  ['It is unchecked: no test that reaches it', 'minimal', { safety: 'additive', verdicts: verdicts(noChecks) }],
  ['It changes more than 100 lines (level “moderate”).', 'moderate', { edits: lines(101) }],
])('a person is told why they are asked: %s', (reason, approval, change) => {
  expect(
    charterAt(approval).reasonToAsk({
      recipe: 'ours',
      safety: 'behaviorPreserving',
      edits: lines(1),
      verdicts: verdicts(),
      ...change,
    }),
  ).toContain(reason);
});

test.each<[kind: ClaimKind, asks: boolean]>([
  ['points', false],
  ['types', false],
  ['fix', true],
  ['tests', true],
  ['speed', true],
  ['findings', true],
  ['request', true],
  ['upkeep', true],
])('a claim of %s needs a person: %s', (kind, asks) => {
  const claim = { kind, holds: true, evidence: 'It is shown.', price: null };
  // Exact types leave the score as it is, so its verdict is unknown.
  const measured = verdicts(kind === 'types' ? { score: 'unknown' } : {});
  const proposal = {
    recipe: 'ours',
    safety: 'behaviorPreserving' as const,
    edits: lines(1),
    verdicts: measured,
    claim,
  };
  for (const approval of ['moderate', 'minimal'] as const)
    expect(charterAt(approval).reasonToAsk(proposal) !== null).toBe(asks);
  expect(charterAt('strict').reasonToAsk(proposal)).not.toBeNull();
  if (kind === 'types')
    expect(charterAt('minimal').reasonToAsk({ ...proposal, claim: { ...claim, holds: null } })).not.toBeNull();
});

test.each<[kind: ClaimKind, only: string]>([
  ['fix', 'a call that Selfware generated shows the defect and nothing else differs'],
  [
    'tests',
    'the change only adds test cases, each of them notices a mistake, and neither these nor the code that they lead to reaches outside the program',
  ],
  ['speed', 'the gain is over 20 % at a confidence over 0.8 and the comparison finds no difference'],
])('why a claim of %s needs a person is a sentence', (kind, only) => {
  const claim = { kind, holds: true, evidence: 'It is shown.', price: null };
  const asked = { recipe: 'ours', safety: 'behaviorPreserving' as const, edits: lines(1), verdicts: verdicts(), claim };
  expect(charterAt('minimal').reasonToAsk(asked)).toContain(`It is applied without a person only if ${only}.`);
});

test.each<[SafetyLevel, boolean]>([
  ['additive', false],
  ['behaviorPreserving', false],
  ['behaviorChanging', true],
  ['critical', true],
])('code by an unknown author that is %s needs a person: %s', (safety, expected) => {
  for (const approval of ['moderate', 'minimal'] as const) {
    expect(
      charterAt(approval).reasonToAsk({ recipe: 'brought', safety, edits: lines(1), verdicts: verdicts() }) !== null,
    ).toBe(expected);
    expect(
      charterAt(approval).reasonToAsk({
        recipe: 'brought',
        safety,
        edits: lines(1),
        verdicts: sameCode({ tests: 'unknown' }, 1),
      }),
    ).not.toBeNull();
  }
});

test('where nobody says what verdicts show, a person decides about everything', () => {
  const blind = createCharter({
    files: createMemoryFiles({}),
    protectedPaths: [],
    approval: 'minimal',
    maxChanges: 1,
    isOurs: () => true,
  });
  expect(blind.reasonToAsk({ recipe: 'ours', safety: 'additive', edits: lines(1), verdicts: verdicts() })).toContain(
    'It is unchecked',
  );
});
