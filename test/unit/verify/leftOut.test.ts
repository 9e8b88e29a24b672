// Mutants are put into lines that are there, so they do not show what a change leaves out. Alone they prove only changes
// by recipes of ours.

import { expect, test } from 'vitest';
import { createCharter } from '../../../server/src/core/charter/charter.ts';
import type { Author } from '../../../server/src/core/model/authors.ts';
import type { Verdict } from '../../../server/src/core/model.ts';
import { GATE_ORDER } from '../../../server/src/core/model/gates.ts';
import { UNPROVEN_KEY } from '../../../server/src/core/model/proofs.ts';
import { explainMissingGain, findShownClaim } from '../../../server/src/core/verify/claims/claimVerdicts.ts';
import { planMutants } from '../../../server/src/core/verify/guard/planMutants.ts';
import type { ProofContext } from '../../../server/src/core/verify/proof.ts';
import { determineStrength } from '../../../server/src/core/verify/strength.ts';
import { createMemoryFiles } from '../../helpers/memoryFiles.ts';
import { createPart } from '../../helpers/createPart.ts';
import { WITHOUT_MANAGER } from '../../helpers/manifest.ts';
import { edit, verifying } from './verifying.ts';
import { sample } from '../../helpers/thorough.ts';

const BEFORE = `export function send(target, body) {
  const text = String(body);
  if (text.length > 3) {
    target.set('x-long', 1);
  }
  const lower = text.trim().toLowerCase();
  target.set('x-length', lower.length);
  return target.end(lower);
}
`;
/** Without the branch and without \`trim\`: the text of the test needs neither. */
const AFTER = BEFORE.replace(/ {2}if \(text.*\n.*\n {2}\}\n/, '').replace('.trim()', '');
const TESTS = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { send } from '../src/send.js';
test('a text is sent in lower case, with its length', () => {
  const calls = [];
  assert.equal(send({ set: (...call) => calls.push(call), end: (text) => (calls.push(text), 1) }, 'aBc'), 1);
  assert.deepEqual(calls, [['x-length', 3], 'abc']);
});
`;
const proof = createPart<ProofContext>({
  settings: { guardSeconds: 300, guardMutants: 12, guardStrength: 80, differentialSeconds: 0 },
  harness: null,
  planMutants: async (edits: Parameters<ProofContext['planMutants']>[0], most: number) =>
    planMutants(edits, most, ({ path }) => path.startsWith('test/')),
  changesBehavior: () => false,
  checksImporters: () => false,
});

test.each(
  sample(
    [
      [false, {}, 'tested'],
      [true, {}, 'proven'],
      [true, { isCorrected: true }, 'tested'],
      [true, { partOf: 'whole' }, 'tested'],
      [true, { restOf: 'whole' }, 'tested'],
    ] as const,
    5,
  ),
)('a change that leaves out what no test needs; by a recipe of ours: %s %j', async (isOurs, more, strength) => {
  expect(AFTER).not.toMatch(/trim|x-long/);
  await using given = await verifying({
    'package.json': JSON.stringify({ type: 'module', scripts: { test: 'node --test' }, ...WITHOUT_MANAGER }),
    'src/send.js': BEFORE,
    'test/send.test.js': TESTS,
  });
  const overrides = { proof, isBuiltInRecipe: () => isOurs };
  const { verdicts } = await given.verify([edit('src/send.js', BEFORE, AFTER)], overrides, undefined, more);
  const guard = verdicts.find(({ gate }) => gate === 'guard');
  expect(guard).toMatchObject({ outcome: 'passed', evidence: { survived: 0 } });
  expect(determineStrength(verdicts)).toBe(strength);
});

const verdict = (gate: Verdict['gate'], outcome: Verdict['outcome'], evidence: Verdict['evidence'] = {}): Verdict => ({
  ...{ gate, outcome, evidence, reason: `${gate}.`, millis: 0 },
});

test('a requested refactoring that mutants alone have examined waits for a person, with what they showed', () => {
  const verdicts = [
    verdict('score', 'unknown', { judgedBy: 'claim', tried: 'request' }),
    verdict('claim', 'unknown', { kind: 'request', needsSame: 1 }),
    verdict('guard', 'passed', { [UNPROVEN_KEY]: 'why' }),
  ];
  expect(explainMissingGain(verdicts)).toBeNull();
  expect(findShownClaim(verdicts)).toMatchObject({
    kind: 'request',
    holds: null,
    evidence: expect.stringMatching(/^guard\. Whether/),
  });
  const without = verdicts.slice(0, 2);
  expect(explainMissingGain(without)).toBe('claim: claim.');
});

test('a fix of a generated call beside which nothing differs is proven by mutants, whoever made it', () => {
  const guard = verdict('guard', 'passed', { [UNPROVEN_KEY]: 'why' });
  const mends = verdict('differential', 'unknown', { mendsOnly: 1 });
  const differs = verdict('differential', 'unknown', { mendedCall: 'a()' });
  const tests = verdict('tests', 'passed', { reachingFiles: 1 });
  expect([mends, differs].map((shown) => determineStrength([tests, shown, guard]))).toEqual(['proven', 'tested']);
  const few = verdict('guard', 'passed', { [UNPROVEN_KEY]: 'why', fewMutants: 1 });
  expect(determineStrength([tests, mends, few])).toBe('tested');
});

test.each<[Author, Verdict['outcome'], Verdict['evidence'], boolean]>([
  ['model', 'unknown', {}, true],
  ['agent', 'unknown', {}, true],
  ['person', 'unknown', {}, false],
  ['recipe', 'unknown', {}, false],
  ['model', 'passed', {}, false],
  ['model', 'passed', { tracedCalls: 3 }, false],
  ['model', 'passed', { [UNPROVEN_KEY]: 'annotations' }, false],
])(
  'on the branch of a night, points by an author (%s) whose comparison is %s %j wait: %s',
  (author, outcome, evidence, waits) => {
    const charter = createCharter({
      ...{ files: createMemoryFiles({}), protectedPaths: [], approval: 'branch', maxChanges: 10 },
      ...{ strengthOf: determineStrength, isOurs: (recipe: string) => recipe === 'ours' },
    });
    const shown: Partial<Record<Verdict['gate'], Verdict['evidence']>> = {
      guard: { [UNPROVEN_KEY]: 'why' },
      tests: { reachingFiles: 1 },
    };
    const verdicts = GATE_ORDER.map((gate) =>
      gate === 'differential' ? verdict(gate, outcome, evidence) : verdict(gate, 'passed', shown[gate]),
    );
    const recipe = author === 'recipe' ? 'ours' : 'external';
    const claim = { kind: 'points', holds: true, evidence: '', price: null } as const;
    const edits = [edit('a.js', 'a\n', 'b\n')];
    const reason = charter.reasonToAsk({ recipe, author, safety: 'behaviorChanging', edits, verdicts, claim });
    expect(reason).toEqual(waits ? expect.stringContaining('no comparison of old and new code') : null);
  },
);
