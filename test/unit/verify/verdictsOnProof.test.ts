// What the gate that compares old and new code answers, row by row.

import { describe, expect, test } from 'vitest';
import type { GateAnswer } from '../../../server/src/core/verify/answer.ts';
import {
  REPORT_MARK,
  type DifferentialPlan,
  type HarnessReport,
} from '../../../server/src/core/verify/differential/plan.ts';
import { gate as differential } from '../../../server/src/core/verify/gates/differential/gate.ts';
import type { ProofContext } from '../../../server/src/core/verify/proof.ts';
import type { RunResult } from '../../../server/src/core/ports/sandbox.ts';
import type { Verdict } from '../../../server/src/core/model.ts';
import type { MemoryCommand } from '../../helpers/memorySandbox.ts';
import { answerOf, spoken, type Given } from './inMemory.ts';
import { edit } from './verifying.ts';
import { proofOf, settings, verdict } from './proofContext.ts';

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
    expect(spoken(await compared(plan, { verdicts, proof: { checksImporters: () => looked } }))).toBe(expected);
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
