// Strong tests notice faults in the touched lines, weak ones do not, and the verdict says which.

import { expect, test } from 'vitest';
import { planMutants } from '../../../server/src/core/verify/guard/planMutants.ts';
import { UNNOTICED_KEY } from '../../../server/src/core/model/proofs.ts';
import type { Verdict } from '../../../server/src/core/model.ts';
import type { ProofContext } from '../../../server/src/core/verify/proof.ts';
import { locateHarness } from '../../../server/src/app/programPaths.ts';
import { edit, toldBy, verifying, watched } from './verifying.ts';
import { WITHOUT_MANAGER } from '../../helpers/manifest.ts';
import { thoroughTest } from '../../helpers/thorough.ts';

const before = `export function price(count, each) {
  if (count <= 0) return 0;
  let sum = count * each;
  if (count >= 10) {
    sum = sum - sum / 10;
  }
  return sum;
}
`;
const after = before.replace(
  'let sum = count * each;\n  if (count >= 10) {\n    sum = sum - sum / 10;\n  }\n  return sum;',
  'const sum = count * each;\n  return count >= 10 ? sum - sum / 10 : sum;',
);

const head =
  "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { price } from '../src/price.js';\n";
const strong = `${head}
test('nothing costs nothing', () => { assert.equal(price(0, 5), 0); assert.equal(price(-1, 5), 0); });
test('few have no rebate', () => { assert.equal(price(1, 5), 5); assert.equal(price(9, 5), 45); });
test('many have one', () => { assert.equal(price(10, 5), 45); assert.equal(price(20, 5), 90); });
`;
const weak = `${head}\ntest('a price is a number', () => { assert.equal(typeof price(3, 5), 'number'); assert.equal(typeof price(30, 5), 'number'); });\n`;
const none = `${head}\ntest('it is a function', () => { assert.equal(typeof price, 'function'); });\n`;

const proof: ProofContext = {
  settings: { guardSeconds: 300, guardMutants: 12, guardStrength: 80, differentialSeconds: 0 },
  harness: null,
  planDifferential: () => Promise.reject(new Error('It is switched off.')),
  planMutants: async (edits, most) => planMutants(edits, most, ({ path }) => path.startsWith('test/')),
  changesBehavior: () => false,
  checksImporters: () => false,
};

/** The verdict, in words, and the evidence that no test notices the absence of a part. */
async function guarded(
  tests: string,
  settings: Partial<ProofContext['settings']> = {},
  [from, to]: readonly [string, string] = [before, after],
): Promise<{
  readonly told: string | undefined;
  readonly unnoticed: unknown;
  readonly evidence: Verdict['evidence'];
}> {
  await using given = await verifying({
    'package.json': JSON.stringify({ type: 'module', scripts: { test: 'node --test' }, ...WITHOUT_MANAGER }),
    'src/price.js': from,
    'test/price.test.js': tests,
  });
  const verification = await given.verify([edit('src/price.js', from, to)], {
    proof: { ...proof, settings: { ...proof.settings, ...settings } },
  });
  const { evidence } = verification.verdicts.find(({ gate }) => gate === 'guard')!;
  return { told: toldBy('guard', verification), unnoticed: evidence[UNNOTICED_KEY], evidence };
}

const MINUTES = 60_000;

test(
  'tests that notice most mutants are strong',
  async () => {
    const { told, unnoticed } = await guarded(strong);
    expect(told).toMatch(/^guard passed: Strong: the tests notice 1\d of 1\d mutants of the touched lines/);
    expect(unnoticed).toBeUndefined();
  },
  5 * MINUTES,
);

test(
  'tests that let them pass are weak, and the verdict shows some',
  async () => {
    const { told, unnoticed, evidence } = await guarded(weak);
    expect(told).toMatch(
      /^guard unknown: Weak: the tests notice \d of 1\d mutants of the touched lines and the functions around them\. Not noticed: src\/price\.js:\d+ .+ → .+; /,
    );
    // A part of the touched lines whose absence no test notices.
    expect(unnoticed).toMatch(/^src\/price\.js:[34] .+ → /);
    // Of `if (count <= 0) return 0;`, which the change leaves as it was, mutants are counted apart.
    const [noticed, survived, touched] = ['noticed', 'survived', 'touchedJudged'].map((key) => Number(evidence[key]));
    expect(touched).toBeGreaterThan(0);
    expect(touched).toBeLessThan(noticed! + survived!);
    expect(evidence).toMatchObject({ touchedNoticed: expect.any(Number), touchedStopped: 0 });
  },
  5 * MINUTES,
);

thoroughTest(
  'another limit or another text that no test notices is no absence of a part',
  async () => {
    const [old, text] = ['  return sum;\n', "  if (sum > 1e9) throw new Error('too much');\n  return sum;\n"];
    const throws =
      "test('too much', () => { assert.throws(() => price(1e9, 1e9)); assert.equal(price(1, 5e8), 5e8); });\n";
    expect((await guarded(strong + throws, {}, [before, before.replace(old, text)])).unnoticed).toBeUndefined();
  },
  5 * MINUTES,
);

thoroughTest(
  'where a test is red before, the others guard all the same',
  async () => {
    const red = `${strong}\ntest('red before', () => assert.equal(price(1, 1), 2));\n`;
    expect((await guarded(red, { guardMutants: 6 })).told).toMatch(
      /^guard passed: Strong: the tests notice [56] of [56] mutants of the touched lines/,
    );
  },
  5 * MINUTES,
);

test(
  'touched lines that no test reaches are weak at once',
  async () => {
    expect((await guarded(none)).told).toMatch(
      /^guard unknown: Weak: no test reaches src\/price\.js:3, src\/price\.js:4\.$/,
    );
  },
  2 * MINUTES,
);

thoroughTest(
  'a branch that no test takes is named, and the rest of its line is judged',
  async () => {
    const [old, text] = ['  return sum;\n', '  if (sum > 1e9) { return 1e9; }\n  return sum;\n'];
    const { told } = await guarded(strong, {}, [before, before.replace(old, text)]);
    expect(told).toMatch(
      /^guard unknown: Weak: no test runs `return 1e9` in src\/price\.js:7\. The tests notice \d+ of \d+ mutants/,
    );
  },
  5 * MINUTES,
);

const ofMocha = strong.replace("import { test } from 'node:test';\n", '').replaceAll('test(', 'it(');

test(
  'with Mocha, all mutants are tried in one run of the tests',
  async () => {
    await using given = await verifying(
      {
        'package.json': '{"type": "module", "scripts": {"test": "mocha test/price.test.js"}}',
        'src/price.js': before,
        'test/price.test.js': ofMocha,
      },
      ['mocha'],
    );
    const { sandbox, lines } = watched(given);
    const verification = await given.verify([edit('src/price.js', before, after)], {
      sandbox,
      proof: { ...proof, inTests: locateHarness(false).inTests },
    });
    expect(toldBy('guard', verification)).toMatch(/^guard passed: Strong: the tests notice 1\d of 12 mutants/);
    // The base, the candidate, and one run for twelve mutants, or two where a busy machine has ended the first.
    expect(lines.filter((line) => line.includes('run test')).length).toBeLessThan(6);
  },
  5 * MINUTES,
);

test(
  'it can be switched off',
  async () => {
    expect((await guarded(strong, { guardSeconds: 0 })).told).toBe(
      'guard unknown: Not run: it is switched off (`selfware.verify.guardSeconds`).',
    );
  },
  2 * MINUTES,
);

test(
  'where the tests alone take longer than it may, they are not run for it',
  async () => {
    expect((await guarded(strong, { guardSeconds: 0.001 })).told).toMatch(
      /^guard unknown: Not measured: the tests that reach the touched lines take \d s or more, too long for a mutant in 0\.001 s \(`selfware\.verify\.guardSeconds`\)\.$/,
    );
  },
  2 * MINUTES,
);
