// What the gate that tries mutants answers, row by row.

import { describe, expect, test } from 'vitest';
import { gate as guard } from '../../../server/src/core/verify/gates/guard/gate.ts';
import { findUnreached } from '../../../server/src/core/verify/gates/guard/unreached.ts';
import type { MutantStatus } from '../../../server/src/core/verify/guard/mutantRuns.ts';
import type { Mutant, MutantPlan } from '../../../server/src/core/verify/guard/planMutants.ts';
import type { ProofContext } from '../../../server/src/core/verify/proof.ts';
import type { RunResult } from '../../../server/src/core/ports/sandbox.ts';
import type { Verdict } from '../../../server/src/core/model.ts';
import type { MemoryCommand } from '../../helpers/memorySandbox.ts';
import { answerOf, spoken, type Given } from './inMemory.ts';
import { edit } from './verifying.ts';
import { proofOf, verdict } from './proofContext.ts';

describe('guard', () => {
  const after = 'abcdefghij';
  /** A mutant puts an X in the place of one letter. */
  const mutants = (count: number, more: Partial<Mutant> = {}): Mutant[] =>
    Array.from({ length: count }, (_, at) => ({
      ...{ path: 'a.js', operator: 'number', line: at + 1, touched: true, start: at, end: at + 1, text: 'X' },
      ...{ shown: `${after[at]} → X`, probe: null },
      ...more,
    })) as Mutant[];
  const counts = (passed: number, failed: number): Partial<RunResult> => ({
    stdout: `==== ${failed} failed, ${passed} passed in 0.64s ====`,
    exitCode: failed > 0 ? 1 : 0,
  });
  /** Tests that notice an X in the place of these letters. */
  const noticing =
    (letters: string): MemoryCommand =>
    (texts) =>
      counts(3, [...letters].some((letter) => !(texts.get('a.js') ?? '').includes(letter)) ? 1 : 0);
  const tested = [verdict('tests', 'passed')];
  const guarded = (
    run: MemoryCommand,
    more: Partial<Given> & { plan?: Partial<MutantPlan>; proof?: Partial<ProofContext> } = {},
  ) =>
    answerOf(guard, {
      files: { 'a.js': after.toUpperCase() },
      edits: [edit('a.js', after.toUpperCase(), after)],
      commands: {
        'run-tests': (texts, signal) => (texts.get('a.js') === after.toUpperCase() ? counts(3, 0) : run(texts, signal)),
      },
      verdicts: tested,
      ...more,
      overrides: {
        settings: { testCommand: 'run-tests' },
        proof: proofOf({
          planMutants: async () => ({
            mutants: mutants(5),
            omittedCount: 0,
            probes: [],
            schemata: { files: [], switched: [] },
            ...more.plan,
          }),
          ...more.proof,
        }),
        ...more.overrides,
      },
    });

  test.each<[string, string, string]>([
    [
      'all',
      'abcde',
      'passed: Strong: the tests notice 5 of 5 mutants of the touched lines and the functions around them.',
    ],
    [
      'four of five',
      'abcd',
      'passed: Strong: the tests notice 4 of 5 mutants of the touched lines and the functions around them.',
    ],
    [
      'three of five',
      'abc',
      'unknown: Weak: the tests notice 3 of 5 mutants of the touched lines and the functions around them. Not noticed: a.js:4 d → X; a.js:5 e → X.',
    ],
    [
      'one of five',
      'a',
      'unknown: Weak: the tests notice 1 of 5 mutants of the touched lines and the functions around them. Not noticed: a.js:2 b → X; a.js:3 c → X; a.js:4 d → X; …',
    ],
  ])('%s noticed', async (_what, letters, expected) => {
    expect(spoken(await guarded(noticing(letters)))).toBe(expected);
  });

  test.each([
    [3, 'all 3 mutants'],
    [1, 'the only mutant'],
  ])('%s mutants are too few to call the tests strong', async (count, words) => {
    expect(spoken(await guarded(noticing('abcde'), { plan: { mutants: mutants(count) } }))).toBe(
      `passed: The tests notice ${words} that could be judged.`,
    );
  });

  test.each<[string, readonly Verdict[], string]>([
    ['nothing was tested', [], 'Weak: the tests have shown nothing.'],
    ['the tests are unknown', [verdict('tests', 'unknown')], 'Weak: the tests have shown nothing.'],
    ['only the types are known', [verdict('types', 'passed')], 'Weak: the tests have shown nothing.'],
    [
      'the comparison has passed',
      [...tested, verdict('differential', 'passed')],
      'Not needed: the comparison of the old and the new code has shown more.',
    ],
    [
      'only exports change',
      [...tested, verdict('differential', 'unknown', { unexported: '`f`' })],
      'Not needed: only what is exported changes, which no mutant of the code would show.',
    ],
    [
      'the tests take too long',
      [verdict('tests', 'passed', { reachingSeconds: 31 })],
      'Not measured: the tests that reach the touched lines take 31 s or more, too long for a mutant in 60 s (`selfware.verify.guardSeconds`).',
    ],
    [
      'a quarter of all tests takes too long',
      [verdict('tests', 'passed', { secondsBefore: 124 })],
      'Not measured: the tests that reach the touched lines take 31 s or more, too long for a mutant in 60 s (`selfware.verify.guardSeconds`).',
    ],
  ])('not measured where %s', async (_what, verdicts, reason) => {
    expect(spoken(await guarded(noticing('abcde'), { verdicts }))).toBe(`unknown: ${reason}`);
  });

  test('tests that take just as long as they may are run', async () => {
    const verdicts = [verdict('tests', 'passed', { reachingSeconds: 30, secondsBefore: 89 })];
    expect((await guarded(noticing('abcde'), { verdicts })).outcome).toBe('passed');
  });

  test('where the tests are red before, only another failure notices a mutant', async () => {
    const red: MemoryCommand = (texts) => {
      const noticed = !(texts.get('a.js') ?? '').includes('a') && texts.get('a.js') !== after.toUpperCase();
      return { stdout: `TAP version 13\nok 1 - x\nnot ok 2 - y\n${noticed ? 'not ' : ''}ok 3 - z\n1..3`, exitCode: 1 };
    };
    const answer = await guarded(red, { commands: { 'run-tests': red } });
    expect(spoken(answer)).toContain('unknown: Weak: the tests notice 1 of 5 mutants');
  });

  test('tests that do not run alike twice judge no mutant', async () => {
    let turn = 0;
    const fickle =
      (second: Partial<RunResult>): MemoryCommand =>
      () =>
        (turn += 1) === 1 ? counts(0, 0) : second;
    expect(spoken(await guarded(fickle({ ...counts(3, 0), outcome: 'timedOut', exitCode: null })))).toBe(
      'unknown: The tests give different results in two runs, so no mutant can be judged.',
    );
    turn = 0;
    expect(spoken(await guarded(fickle({ stdout: 'fine' })))).toBe(
      'unknown: The tests give different results in two runs, so no mutant can be judged.',
    );
  });

  test('a mutant that the tests cannot read is none; one that takes too long is noticed, if time tells', async () => {
    const broken: MemoryCommand = (texts) =>
      texts.get('a.js') === after ? counts(3, 0) : { stdout: 'SyntaxError: Oh.', exitCode: 1 };
    expect(spoken(await guarded(broken))).toBe('unknown: Only 0 mutants of the touched lines could be judged in 60 s.');
    const endless: MemoryCommand = (texts) =>
      texts.get('a.js') === after ? counts(3, 0) : { outcome: 'timedOut', exitCode: null };
    const answer = await guarded(endless);
    expect(spoken(answer)).toContain('passed: Strong: the tests notice 5 of 5');
    expect(answer.evidence).toMatchObject({ stopped: 5, dependsOnTime: 1 });
    expect((await guarded(noticing('abcde'))).evidence).not.toHaveProperty('stopped');
    expect((await guarded(noticing('abcde'))).evidence).not.toHaveProperty('dependsOnTime');
  });

  test('nothing that a mutant could be made of', async () => {
    expect(spoken(await guarded(noticing('a'), { plan: { mutants: [] } }))).toBe(
      'unknown: No mutant can be made of the touched lines.',
    );
  });

  test('touched lines that no test reaches', async () => {
    const plan = { mutants: mutants(5, { probe: 0 }), probes: [{ path: 'a.js', id: 0, at: 0, end: null }] };
    const answer = await guarded(() => counts(3, 0), { plan });
    expect(spoken(answer)).toBe('unknown: Weak: no test reaches a.js:1, a.js:2, a.js:3, ….');
    expect(answer.evidence).toMatchObject({ missedPlaces: 'a.js:1\na.js:2\na.js:3\na.js:4\na.js:5' });
  });

  test('a touched line that no test reaches is told beside what the others show', async () => {
    const probes = [{ path: 'a.js', id: 0, at: 0, end: null }];
    const plan = { mutants: [...mutants(4), { ...mutants(5)[4]!, probe: 0 }], probes };
    const answer = await guarded(noticing('abc'), { plan });
    expect(spoken(answer)).toBe(
      'unknown: Weak: no test reaches a.js:5. The tests notice 3 of 5 mutants of the touched lines and the functions around them. Not noticed: a.js:4 d → X.',
    );
    expect(answer.evidence).toMatchObject({ noticed: 3, survived: 1, unreached: 1, unreachedLines: 1 });
  });

  test('code that no test runs on a line that tests reach is told as that', async () => {
    const probes = [{ path: 'a.js', id: 0, at: 0, end: null }];
    const plan = { mutants: [...mutants(4), { ...mutants(5)[4]!, line: 4, probe: 0 }], probes };
    const answer = await guarded(noticing('abcd'), { plan });
    expect(spoken(answer)).toMatch(/^unknown: Weak: no test runs `\w` in a\.js:4\. The tests notice 4 of 5 mutants/);
    expect(answer.evidence).not.toHaveProperty('unreachedLines');
  });

  test('a callback that no test runs counts as an unreached line, though its line runs at load', async () => {
    const probes = [{ path: 'a.js', id: 0, at: 0, end: null }];
    const inner = { ...mutants(5)[4]!, line: 4, probe: 0, within: [4, 5] as const };
    const answer = await guarded(noticing('abcd'), { plan: { mutants: [...mutants(4), inner], probes } });
    expect(spoken(answer)).toMatch(/^unknown: Weak: no test runs `\w` in a\.js:4\. The tests notice 4 of 5 mutants/);
    expect(answer.evidence).toMatchObject({ unreachedLines: 1, missedPlaces: 'a.js:4' });
  });

  test('a mutant without a probe that survives does not show that a test runs its line', async () => {
    const probes = [{ path: 'a.js', id: 0, at: 0, end: null }];
    const body = { ...mutants(5)[3]!, line: 5 };
    const plan = { mutants: [...mutants(3), body, { ...mutants(5)[4]!, probe: 0 }], probes };
    expect((await guarded(noticing('abc'), { plan })).evidence).toMatchObject({ survived: 1, unreachedLines: 1 });
  });

  test('a change whose few mutants are noticed is not proven by that, whoever made it', async () => {
    const evidenceOf = async (count: number, isOurs: boolean) =>
      (
        await guarded(noticing('abcde'), {
          plan: { mutants: mutants(count) },
          overrides: { isBuiltInRecipe: () => isOurs },
        })
      ).evidence;
    expect(await evidenceOf(4, true)).toMatchObject({ fewMutants: 1, unproven: expect.stringContaining('few') });
    expect(await evidenceOf(4, false)).toMatchObject({
      fewMutants: 1,
      unproven: expect.stringContaining('leaves out'),
    });
    expect(await evidenceOf(5, true)).not.toHaveProperty('unproven');
  });
});

describe('what no test reaches', () => {
  const mutant = (more: Partial<Mutant>) =>
    ({ ...{ path: 'a.js', line: 1, touched: true, start: 0, end: 1, probe: null }, ...more }) as Mutant;
  const [outer, inner, second] = [mutant({}), mutant({ within: [3, 9] }), mutant({ within: [3, 9], start: 1, end: 2 })];
  const find = (statuses: readonly (readonly [Mutant, MutantStatus])[], reached: readonly Mutant[] = []) => {
    const plan = { mutants: [outer, inner, second] } as unknown as MutantPlan;
    const { lines, parts } = findUnreached(plan, new Map(statuses), new Set(reached), () => 'ab');
    return [...lines, ...parts.map(({ code, isFunction }) => `${code}${isFunction ? ' (function)' : ''}`)];
  };

  test.each<[string, ReturnType<typeof find>, readonly string[]]>([
    ['nothing was run', find([outer, inner, second].map((one) => [one, 'unreached'] as const)), ['a.js:1']],
    [
      'a mutant of the function was not tried',
      find([
        [outer, 'noticed'],
        [inner, 'unreached'],
      ]),
      [],
    ],
    [
      'it was not tried, but seen',
      find(
        [
          [outer, 'noticed'],
          [inner, 'unreached'],
        ],
        [second],
      ),
      ['a'],
    ],
    [
      'only the outer one was not tried',
      find([
        [inner, 'unreached'],
        [second, 'invalid'],
      ]),
      ['a (function)'],
    ],
    [
      'one survived unseen',
      find([
        [outer, 'survived'],
        [inner, 'unreached'],
        [second, 'survived'],
      ]),
      ['a.js:1'],
    ],
    [
      'the inner one ran',
      find([
        [outer, 'unreached'],
        [inner, 'survived'],
        [second, 'noticed'],
      ]),
      ['a'],
    ],
  ])('%s', (_what, found, expected) => {
    expect(found).toEqual(expected);
  });
});
