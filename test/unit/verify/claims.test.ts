// What a change claims to make better, shown by real tests in a real sandbox, and attacks on each claim.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { chooseClaims } from '../../../server/src/core/session/propose/claims.ts';
import { createBaselineCache } from '../../../server/src/core/verify/baseline.ts';
import { findShownClaim } from '../../../server/src/core/verify/claims/claimVerdicts.ts';
import type { ClaimKind } from '../../../server/src/core/model/claims.ts';
import type { FileEdit } from '../../../server/src/core/model.ts';
import type { DifferentialPlan } from '../../../server/src/core/verify/differential/plan.ts';
import type { ProofContext } from '../../../server/src/core/verify/proof.ts';
import type { Verification } from '../../../server/src/core/verify/verify.ts';
import { edit, mutantsOnly, pointsOf, toldBy, verifying, type Overrides, type Verifying } from './verifying.ts';
import { NODE_TESTS, WITHOUT_MANAGER } from '../../helpers/manifest.ts';
import { thoroughTest } from '../../helpers/thorough.ts';

const mean = `export function mean(values) {
  let sum = 0;
  for (const value of values) {
    sum += value;
  }
  return sum / values.length;
}

export function spread(values) {
  return Math.max(...values) - Math.min(...values);
}
`;
const tests = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mean, spread } from './mean.js';

test('mean of three', () => {
  assert.equal(mean([1, 2, 3]), 2);
});
test('spread', () => {
  assert.equal(typeof spread([1, 5]), 'number');
});
`;
const files = {
  'package.json': JSON.stringify({ type: 'module', scripts: { test: NODE_TESTS }, ...WITHOUT_MANAGER }),
  'mean.js': mean,
  'mean.test.js': tests,
};
const fixed = mean.replace('  let sum', '  if (values.length === 0) return 0;\n  let sum');
const withTest = (body: string, name = 'mean of nothing') => `${tests}test('${name}', () => {\n  ${body}\n});\n`;
const shows = withTest('assert.equal(mean([]), 0);');

/** The score falls by `cost`, and as many average lines would cost one point. */
function costing(cost: number, price = 1): Overrides {
  return {
    score: async () => ({
      before: pointsOf({ codeQuality: 10 }),
      after: pointsOf({ codeQuality: 10 - cost }),
      price,
      typeHoles: { before: 3, after: 3 },
    }),
  };
}

function claiming(claimed: ClaimKind | null, overrides: Overrides): Overrides {
  return {
    claimsOf: ({ recipe }, all) => chooseClaims({ recipe, ...(claimed ? { claimed } : {}) }, all),
    testedSources: async () => [{ path: 'mean.js', text: mean }],
    ...costing(0.5),
    ...overrides,
  };
}

async function verify(edits: readonly FileEdit[], claimed: ClaimKind | null = null, overrides: Overrides = {}) {
  const verification = await given.verify(edits, claiming(claimed, overrides));
  return { ...verification, claim: findShownClaim(verification.verdicts), told: toldBy('claim', verification) };
}

const both = (code: string, test: string) => [edit('mean.js', mean, code), edit('mean.test.js', tests, test)];

let given: Verifying;
beforeAll(async () => {
  given = await verifying(files);
});
afterAll(() => given[Symbol.asyncDispose]());

test('fix: a test that fails without the change and passes with it shows one, at its price', async () => {
  const shown = await verify(both(fixed, shows));
  expect(shown.told).toMatch(
    /^claim passed: Without the change “mean of nothing” fails \(.*NaN !== 0\); with it, it passes, 5 times each\./,
  );
  expect(shown).toMatchObject({ outcome: 'verified', claim: { kind: 'fix', holds: true, price: 0.5 } });
  const dear = await verify(both(fixed, shows), null, costing(1.5));
  expect(dear.outcome).toBe('refused');
  expect(dear.verdicts.at(-1)).toMatchObject({
    gate: 'score',
    reason:
      'The score falls: 10 → 8.5 points. Code of this length may cost 1 points: one guard, and what the ' +
      'other lines cost on average here. With as many lines, it has to cost 0.5 points less.',
  });
});

const median = `${mean}export function median(values) {\n  return values.toSorted()[values.length >> 1];\n}\n`;
const usesMedian = withTest('assert.equal(median([1, 2, 3]), 2);').replace('mean, spread', 'mean, median, spread');

thoroughTest(
  'a request is shown by the test that it brings, although others do not run without it either',
  async () => {
    const shown = await verify(both(median, usesMedian), 'request');
    expect(shown.told).toMatch(
      /^claim passed: Without the change “mean\.test\.js › mean of nothing” fails \(it is not there\); with it,/,
    );
  },
);

test.each<[what: string, code: string, test: string, why: RegExp]>([
  ['a name that is not there without it', median, usesMedian, /cannot use what they test|do not run at all/],
  ['an assertion of nothing new', fixed, withTest('assert.equal(mean([2]), 2);'), /pass without the change, too/],
  ['a test without an assertion', fixed, withTest('mean([]);'), /pass without the change, too/],
  [
    'chance',
    fixed,
    // Fails five times and then passes five times in 2 of 10,000,000 cases.
    withTest('assert.ok(Math.random() < 0.95);'),
    /pass without the change|None of the tests|fails with the change/,
  ],
  [
    'a time-out',
    fixed,
    `${tests}test('mean of nothing', { timeout: 1_000 }, async () => {\n  if (Number.isNaN(mean([]))) ` +
      `await new Promise((done) => setTimeout(done, 4_000));\n});\n`,
    /run out of time/,
  ],
  [
    'a test that is skipped',
    fixed,
    `${tests}test('mean of nothing', { skip: true }, () => {\n  assert.equal(mean([]), 0);\n});\n`,
    /More tests are skipped|pass without the change|does not run everywhere/,
  ],
  [
    'an expectation that is weakened',
    fixed,
    shows.replace('  assert.equal(mean([1, 2, 3]), 2);\n', ''),
    /removes a check/,
  ],
])('fix: %s shows none', async (_, code, test, why) => {
  const refused = await verify(both(code, test), 'fix');
  expect(refused.outcome).toBe('refused');
  expect(refused.verdicts.at(-1)?.reason).toMatch(why);
});

test('fix: without a test, or without code, nothing is shown', async () => {
  expect(await verify([edit('mean.js', mean, fixed)], 'fix')).toMatchObject({
    outcome: 'refused',
    told: expect.stringContaining('It brings no test that would show the defect.'),
  });
  expect(await verify([edit('mean.test.js', tests, shows)], 'fix')).toMatchObject({ outcome: 'refused' });
});

thoroughTest('request: what is not there without the change may be asked for; a person always decides', async () => {
  const asked = await verify(both(median, usesMedian), 'request');
  expect(asked).toMatchObject({ outcome: 'verified', claim: { kind: 'request', holds: true } });
  expect(await verify(both(median, shows.replace(', 0)', ', Number.NaN)')), 'request')).toMatchObject({
    outcome: 'refused',
  });
});

thoroughTest('request: every test that it brings has to pass, and every file of tests to run', async () => {
  const asked = (more: string) =>
    verify([...both(median, usesMedian), edit('more.test.js', null, more)], 'request', {
      claimsOf: () => ['request'],
      // The repository's own command does not run the new file, so the gate `tests` says nothing about it.
      settings: { testCommand: `${NODE_TESTS} mean.test.js` },
    });
  const other = tests.replace('mean of three', 'the accepted one').replace('[1, 2, 3]), 2)', '[1, 2, 3]), 7)');
  expect((await asked(other)).told).toMatch(
    /^claim failed: “the accepted one”, which it brings, fails with the change \(/,
  );
  expect((await asked(tests.replace('mean.js', 'nowhere.js'))).told).toMatch(/more\.test\.js/);
  expect((await asked(tests)).outcome).toBe('verified');
});

const still = {
  ...costing(0),
  // Half of the twelve mutants suffice: each is tried with the new tests and with the others.
  proof: {
    ...mutantsOnly,
    planMutants: async (edits: readonly FileEdit[], most: number) => {
      const plan = await mutantsOnly.planMutants(edits, most);
      return { ...plan, mutants: plan.mutants.slice(6) };
    },
  },
  baseline: createBaselineCache(),
  treeKey: (edits: readonly FileEdit[]) => JSON.stringify(edits),
};

test('tests: they have to notice a mistake that no other test notices', async () => {
  const edits = [edit('mean.test.js', tests, withTest('assert.equal(spread([1, 5]), 4);', 'of two'))];
  const notices = await verify(edits, null, still);
  expect(notices).toMatchObject({ outcome: 'verified', claim: { kind: 'tests', holds: true } });
  expect(notices.told).toMatch(
    /^claim passed: 1 new test passes 5 times, and notices a mistake that no other test notices: mean\.js:\d+ /,
  );
  // A mistake that they were asked to notice is tried first.
  const triedOf = ({ verdicts }: Pick<Verification, 'verdicts'>) => {
    const { evidence } = verdicts.find(({ gate }) => gate === 'claim')!;
    return [evidence['mutants'], evidence['mutant']];
  };
  const [usual, mutant] = triedOf(notices);
  expect(usual).toBeGreaterThan(1);
  const addressed = await given.verify(edits, claiming(null, still), undefined, { addresses: [String(mutant)] });
  expect(triedOf(addressed)).toEqual([1, mutant]);
  const file = tests.replace(/test\('spread'[^]*$/, '').replace('mean of three', 'again');
  const repeats = await verify([edit('more.test.js', null, file)], null, still);
  expect(repeats).toMatchObject({ outcome: 'refused', told: expect.stringMatching(/noticed by other tests already/) });
});

test.each<[what: string, test: string, why: RegExp]>([
  [
    'a test of itself',
    withTest('const own = (n) => n + 1;\n  assert.equal(own(1), 2);', 'own'),
    /notice none of|noticed by other tests/,
  ],
  [
    'an assertion that always holds',
    withTest('assert.equal(typeof mean([1]), typeof mean([2]));', 'types'),
    /notice|noticed/,
  ],
  [
    'chance',
    withTest('assert.ok(spread([1, 5]) === 4 && Math.random() < 0.2);', 'chance'),
    /fails|sometimes fail|times in a row|No new test passes|noticed by other tests/,
  ],
  [
    'another test that is taken out',
    shows.replace(/test\('spread'[^]*?\n}\);\n/, ''),
    /fewer tests|assert less|does not rise/,
  ],
])('tests: %s shows nothing', async (_, test, why) => {
  const refused = await verify([edit('mean.test.js', tests, test)], null, still);
  expect(refused).toMatchObject({ outcome: 'refused', reason: expect.stringMatching(why) });
});

thoroughTest('tests beside code: shown only if the code is seen to keep behaviour', async () => {
  const renamed = mean.replaceAll('sum', 'total');
  const edits = both(renamed, withTest('assert.equal(spread([1, 5]), 4);', 'of two'));
  const open = await verify(edits, null, still);
  expect(open).toMatchObject({
    outcome: 'refused',
    reason: expect.stringMatching(/^claim: 1 new test .*Nothing shows that the code beside them keeps behaviour\.$/),
  });
  const identical = { files: [], gaps: [], targets: [], unexported: [], restructured: [], identical: ['mean.js'] };
  const proof: ProofContext = {
    ...mutantsOnly,
    settings: { ...mutantsOnly.settings, differentialSeconds: 1 },
    planDifferential: async () => identical as unknown as DifferentialPlan,
  };
  expect(await verify(edits, null, { ...still, proof })).toMatchObject({
    outcome: 'verified',
    claim: { kind: 'tests', holds: true, evidence: expect.stringMatching(/^1 new test .* The code is the same /) },
  });
});

test('tests: one that spoils what other tests use is refused', async () => {
  const spoils =
    `import { writeFileSync } from 'node:fs';\n${tests.replace('mean of three', 'writes')}writeFileSync(new ` +
    `URL('./mean.js', import.meta.url), 'export const mean = () => 1;');\n`;
  const refused = await verify([edit('a.test.js', null, spoils)], null, still);
  expect(refused.outcome).toBe('refused');
});

test('speed: without a benchmark it cannot be tested, and the benchmark itself may not change', async () => {
  const without = await verify([edit('mean.js', mean, fixed)], 'speed');
  expect(without).toMatchObject({ outcome: 'refused', claim: { kind: 'speed', holds: null } });
  expect(without.told).toMatch(/^claim unknown: Not testable: no benchmark is configured/);
  const own = await verify([edit('mean.js', mean, fixed)], 'speed', { settings: { benchCommand: 'node mean.js' } });
  expect(own.told).toMatch(/mean\.js belongs to the benchmark/);
});
