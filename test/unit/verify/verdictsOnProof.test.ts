// What the gates of proof answer, row by row: the comparison of old and new code, and the mutants.

import { describe, expect, test } from 'vitest';
import type { GateAnswer } from '../../../server/src/core/verify/answer.ts';
import {
  REPORT_MARK,
  type DifferentialPlan,
  type HarnessReport,
} from '../../../server/src/core/verify/differential/plan.ts';
import { gate as differential } from '../../../server/src/core/verify/gates/differential/gate.ts';
import { gate as guard } from '../../../server/src/core/verify/gates/guard/gate.ts';
import type { Mutant, MutantPlan } from '../../../server/src/core/verify/guard/planMutants.ts';
import type { ProofContext } from '../../../server/src/core/verify/proof.ts';
import type { RunResult } from '../../../server/src/core/ports/sandbox.ts';
import type { Verdict } from '../../../server/src/core/model.ts';
import type { GateName } from '../../../server/src/core/model/gates.ts';
import type { MemoryCommand } from '../../helpers/memorySandbox.ts';
import { answerOf, spoken, type Given } from './inMemory.ts';
import { edit } from './verifying.ts';

const settings = { guardSeconds: 60, guardMutants: 12, guardStrength: 80, differentialSeconds: 60 };
const proofOf = (more: Partial<ProofContext>): ProofContext => ({
  settings,
  harness: ['harness'],
  planDifferential: () => Promise.reject(new Error('Not asked for.')),
  planMutants: () => Promise.reject(new Error('Not asked for.')),
  changesBehavior: () => false,
  looksForImporters: () => true,
  ...more,
});
const verdict = (gate: GateName, outcome: Verdict['outcome'], evidence: Verdict['evidence'] = {}): Verdict => {
  return { gate, outcome, reason: '', evidence, millis: 1 };
};

describe('differential', () => {
  const ORDER = 'node_modules/.selfware/order.json';
  const planOf = (more: Partial<DifferentialPlan>): DifferentialPlan => ({
    identical: [],
    restructured: [],
    platform: [],
    unexported: [],
    files: [],
    created: [],
    targets: [],
    gaps: [],
    shapes: {},
    constants: { numbers: [], strings: [], bigints: [] },
    emit: { compiler: {}, paths: {}, baseUrl: null },
    ...more,
  });
  const file = { path: 'a.ts', before: 'x', after: 'y' };
  const target = { kind: 'value', path: 'a.ts', name: 'f', access: 'f' } as const;
  const compared = (
    plan: Partial<DifferentialPlan>,
    more: { proof?: Partial<ProofContext>; run?: MemoryCommand } & Partial<Given> = {},
  ): Promise<GateAnswer> =>
    answerOf(differential, {
      edits: [edit('a.ts', 'x', 'y')],
      commands: { [`harness ${ORDER}`]: more.run ?? (() => ({})) },
      ...more,
      overrides: { proof: proofOf({ planDifferential: async () => planOf(plan), ...more.proof }), ...more.overrides },
    });

  test.each<[string, Partial<DifferentialPlan>, string, GateAnswer['evidence']]>([
    [
      'the same code',
      { identical: ['a.ts'] },
      'passed: The code is the same except for comments, types, `const` for variables that nothing writes to, and unused imports of Node modules.',
      { files: 1, identical: 1 },
    ],
    [
      'the same steps',
      { identical: ['a.ts'], restructured: ['b.ts'] },
      'passed: It takes the same steps in the same order: only the way in which ifs and jumps are written has changed.',
      { files: 2, restructured: 1 },
    ],
    ['nothing that can be called', { files: [file] }, 'unknown: Nothing that was touched can be called.', { gaps: '' }],
    ['nothing at all', {}, 'unknown: Nothing that was touched can be called.', { gaps: '' }],
    [
      'the same code, and something that is not compared',
      { identical: ['a.ts'], gaps: ['b.py is not TypeScript or JavaScript.'] },
      'unknown: b.py is not TypeScript or JavaScript.',
      { gaps: 'b.py is not TypeScript or JavaScript.' },
    ],
    [
      'the same steps, beside other code',
      { restructured: ['b.ts'], files: [file], gaps: ['`f` is out of reach.'] },
      'unknown: `f` is out of reach.',
      { gaps: '`f` is out of reach.' },
    ],
  ])('%s', async (_what, plan, expected, evidence) => {
    const answer = await compared(plan);
    expect([spoken(answer), answer.evidence]).toEqual([expected, evidence]);
  });

  const gone = (path: string, ...names: string[]) => ({ unexported: [{ path, names }] });
  const checked = [verdict('types', 'passed')];
  test.each<[string, Partial<DifferentialPlan>, readonly Verdict[], boolean, string]>([
    [
      'a name, in types that were checked',
      gone('a.ts', 'f'),
      checked,
      true,
      'passed: `f` is no longer exported, nothing imports that, and all other code is the same.',
    ],
    [
      'two names',
      gone('a.ts', 'f', 'g'),
      checked,
      true,
      'passed: `f`, `g` are no longer exported, nothing imports that, and all other code is the same.',
    ],
    [
      'a name that nobody looked for',
      gone('a.ts', 'f'),
      checked,
      false,
      'unknown: `f` is no longer exported; whether other code imports that was not checked.',
    ],
    [
      'a name without types',
      gone('a.js', 'f'),
      checked,
      true,
      'unknown: `f` is no longer exported, and no type check says whether anything imports that.',
    ],
    [
      'a name without a type check',
      gone('a.ts', 'f'),
      [verdict('types', 'unknown'), verdict('lint', 'passed')],
      true,
      'unknown: `f` is no longer exported, and no type check says whether anything imports that.',
    ],
  ])('no longer exported: %s', async (_what, plan, verdicts, looked, expected) => {
    expect(spoken(await compared(plan, { verdicts, proof: { looksForImporters: () => looked } }))).toBe(expected);
  });

  test('it runs only where it is trusted, switched on and installed', async () => {
    const plan = { targets: [target], files: [file] };
    expect(spoken(await compared(plan, { overrides: { trusted: false } }))).toBe(
      'unknown: Not run: the workspace is not trusted.',
    );
    expect(spoken(await compared(plan, { proof: { settings: { ...settings, differentialSeconds: 0 } } }))).toBe(
      'unknown: Not run: it is switched off (`selfware.verify.differentialSeconds`).',
    );
    expect(spoken(await compared(plan, { proof: { harness: null } }))).toBe(
      'unknown: This installation has no harness to run code in.',
    );
  });

  type Found = HarnessReport['targets'][number];
  const found = (more: Partial<Found> = {}): Found => ({
    path: 'a.ts',
    name: 'f',
    outcome: 'same',
    reason: null,
    counterexample: null,
    inputs: 500,
    answered: 400,
    ...more,
  });
  const reporting =
    (...targets: Found[]): MemoryCommand =>
    () => ({
      stdout: `noise\n${REPORT_MARK}${JSON.stringify({ obstacle: null, targets, unreached: [], unexercised: [] })}\n`,
    });
  const plan = { targets: [target], files: [file] };

  test('the order lies in the tree only while the harness runs', async () => {
    let seen: ReadonlyMap<string, string> = new Map();
    let order = '';
    const run: MemoryCommand = (texts, signal) => {
      seen = texts;
      order = texts.get(ORDER) ?? '';
      return reporting(found())(texts, signal);
    };
    expect(spoken(await compared(plan, { run }))).toBe(
      'passed: 1 touched function answers as before on 500 generated inputs.',
    );
    expect(JSON.parse(order)).toMatchObject({ budgetMs: 60_000, runs: 500, targets: [target] });
    expect(seen.has(ORDER)).toBe(false);
  });

  const counterexample = {
    call: 'f(1)',
    before: 'returns 1',
    after: 'returns 2',
    expected: '1',
    imported: { path: 'a.ts', name: 'f' },
  };
  const different = found({ outcome: 'different', counterexample });

  test('a difference fails, and is for a person where it is meant', async () => {
    const run = reporting(different);
    expect(spoken(await compared(plan, { run }))).toBe(
      'failed: `f(1)` returns 1 before, and with the change it returns 2.',
    );
    expect(spoken(await compared(plan, { run, proof: { changesBehavior: () => true } }))).toBe(
      'unknown: The behaviour differs, and a person has to say whether that is meant: ' +
        '`f(1)` returns 1 before, and with the change it returns 2.',
    );
  });

  test.each([
    ['vitest run', "import { expect, test } from 'vitest';"],
    ['jest', "import { f } from './a.ts';"],
    ['node --test', "import assert from 'node:assert/strict';"],
    ['mocha', "import assert from 'node:assert/strict';"],
  ])('the test to keep is one for %s', async (script, first) => {
    const files = { 'package.json': JSON.stringify({ scripts: { test: script } }) };
    const { evidence } = await compared(plan, { files, run: reporting(different) });
    expect(String(evidence['test']).split('\n')[0]).toBe(first);
  });

  test.each<[string, Partial<RunResult>, string, boolean]>([
    ['no report', { exitCode: 1, stderr: 'oh' }, 'unknown: The comparison crashed.', false],
    [
      'no report in time',
      { outcome: 'timedOut', exitCode: null, millis: 90_400 },
      'unknown: The comparison was ended after 90 s.',
      true,
    ],
  ])('%s', async (_what, result, expected, depends) => {
    const answer = await compared(plan, { run: () => result });
    expect(spoken(answer)).toBe(expected);
    expect('dependsOnTime' in answer.evidence).toBe(depends);
  });

  test('of a long complaint the end is shown', async () => {
    const stderr = `${'a'.repeat(1_000)}${'b'.repeat(2_000)}`;
    const { evidence } = await compared(plan, { run: () => ({ exitCode: 1, stderr }) });
    expect(evidence['output']).toBe('b'.repeat(2_000));
  });

  test.each<[string, Found, string, boolean]>([
    ['too few inputs in time', found({ outcome: 'unknown', reason: 'Too few.', outOfTime: true }), 'unknown', true],
    ['what cannot be told', found({ outcome: 'unknown', reason: 'By chance.' }), 'unknown', false],
    ['enough inputs, not all in time', found({ outOfTime: true }), 'passed', false],
  ])('an answer depends on time where more of it would change it: %s', async (_what, one, outcome, depends) => {
    const answer = await compared(plan, { run: reporting(one) });
    expect([answer.outcome, 'dependsOnTime' in answer.evidence]).toEqual([outcome, depends]);
  });
});

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
            more: 0,
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
    const verdicts = [verdict('tests', 'passed', { reachingSeconds: 30, secondsBefore: 90 })];
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
    expect(spoken(await guarded(() => counts(3, 0), { plan }))).toBe(
      'unknown: Weak: no test reaches a.js:1, a.js:2, a.js:3, ….',
    );
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
});
