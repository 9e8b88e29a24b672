// Strong tests notice faults in the touched lines, weak ones do not, and the verdict says which.

import { expect, test } from 'vitest';
import type { FileEdit } from '../../../server/src/core/model.ts';
import { planMutants } from '../../../server/src/core/verify/guard/planMutants.ts';
import { reachedProbes, withProbes } from '../../../server/src/core/verify/guard/probes.ts';
import type { Proof } from '../../../server/src/core/verify/proof.ts';
import { edit, toldBy, verifying } from './verifying.ts';

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

const proof: Proof = {
  settings: { guardSeconds: 300, guardMutants: 12, guardStrength: 80, differentialSeconds: 0 },
  harness: null,
  planDifferential: () => Promise.reject(new Error('It is switched off.')),
  planMutants: async (edits, most) => planMutants(edits, most, (path) => path.startsWith('test/')),
  changesBehavior: () => false,
  looksForImporters: () => false,
};

async function guarded(tests: string, settings: Partial<Proof['settings']> = {}): Promise<string | undefined> {
  await using given = await verifying({
    'package.json': '{"type": "module", "scripts": {"test": "node --test"}}',
    'src/price.js': before,
    'test/price.test.js': tests,
  });
  return toldBy(
    'guard',
    await given.verify([edit('src/price.js', before, after)], {
      proof: { ...proof, settings: { ...proof.settings, ...settings } },
    }),
  );
}

const MINUTES = 60_000;

test(
  'tests that notice most mutants are strong',
  async () => {
    expect(await guarded(strong)).toMatch(
      /^guard passed: Strong: the tests notice 1\d of 1\d mutants of the touched lines/,
    );
  },
  5 * MINUTES,
);

test(
  'tests that let them pass are weak, and the verdict shows some',
  async () => {
    expect(await guarded(weak)).toMatch(
      /^guard unknown: Weak: the tests notice \d of 1\d mutants of the touched lines and the functions around them\. Not noticed: src\/price\.js:\d+ .+ → .+; /,
    );
  },
  5 * MINUTES,
);

test(
  'where a test is red before, the others guard all the same',
  async () => {
    expect(await guarded(`${strong}\ntest('red before', () => assert.equal(price(1, 1), 2));\n`)).toMatch(
      /^guard passed: Strong: the tests notice 1\d of 1\d mutants of the touched lines/,
    );
  },
  5 * MINUTES,
);

test(
  'touched lines that no test reaches are weak at once',
  async () => {
    expect(await guarded(none)).toMatch(/^guard unknown: Weak: no test reaches src\/price\.js:3, src\/price\.js:4\.$/);
  },
  2 * MINUTES,
);

test(
  'it can be switched off',
  async () => {
    expect(await guarded(strong, { guardSeconds: 0 })).toBe(
      'guard unknown: Not run: it is switched off (`selfware.verify.guardSeconds`).',
    );
  },
  2 * MINUTES,
);

test(
  'where the tests alone take longer than it may, they are not run for it',
  async () => {
    expect(await guarded(strong, { guardSeconds: 0.001 })).toMatch(
      /^guard unknown: Not measured: the tests that reach the touched lines take \d s or more, too long for a mutant in 0\.001 s \(`selfware\.verify\.guardSeconds`\)\.$/,
    );
  },
  2 * MINUTES,
);

/** Every mutant of a text that is new from its first line to its last. */
function mutantsOf(text: string, path = 'src/a.ts', most = 100): string[] {
  return planMutants([{ path, before: '', after: text }], most, () => false).mutants.map(
    ({ operator, shown }) => `${operator}: ${shown}`,
  );
}

test.each<[string, string, readonly string[]]>([
  [
    'conditions',
    'f(); if (a < b) f();',
    [
      'statement: f(); → ;',
      'conditional: a < b → true',
      'statement: f(); → ;',
      'conditional: a < b → false',
      'equality: < → <=',
      'equality: < → >=',
    ],
  ],
  [
    'a choice of the smaller',
    'x = a < b ? a : b;',
    [
      'statement: x = a < b ? a : b; → ;',
      'conditional: a < b → true',
      'conditional: a < b → false',
      'equality: < → >=',
    ],
  ],
  [
    'arithmetic, but no joining of texts',
    "x(a + 1, 'b' + a);",
    ["statement: x(a + 1, 'b' + a); → ;", 'arithmetic: + → -', 'number: 1 → 2', "string: 'b' → ''"],
  ],
  [
    'logic and optional chaining',
    'x(a && b, c ?? d, e?.f);',
    ['statement: x(a && b, c ?? d, e?.f); → ;', 'logical: && → ||', 'logical: ?? → &&', 'optional chaining: ?. → .'],
  ],
  [
    'methods',
    'x(list.filter(y).some(z));',
    ['statement: x(list.filter(y).some(z)); → ;', 'method: some → every', 'method: list.filter(y) → list'],
  ],
  [
    'methods that every object has',
    'x(a.toString(), a.constructor(b), a.valueOf());',
    ['statement: x(a.toString(), a.constructor(b), a.valueOf()); → ;'],
  ],
  [
    'loops that would not end are left out',
    'while (a) b++;',
    ['conditional: a → false', 'statement: b++; → ;', 'update: b++ → b--'],
  ],
  [
    'types, imports, messages and logs are left out',
    "import x from 'y';\ninterface A { b: 'c' }\ntype D = { e: 1 } | 'f';\ndeclare const g: 2;\nconst h = i as 'j';\nconsole.log('k');\nthrow new Error('l');\n",
    [],
  ],
])('mutants: %s', (_what, text, expected) => {
  expect(mutantsOf(text).toSorted()).toEqual([...expected].toSorted());
});

test('few mutants are spread over the touched lines, before those around them', () => {
  const text = Array.from({ length: 30 }, (_, index) => `  x(a + ${index}, b * ${index});`).join('\n');
  const whole = (body: string) => `function f(a, b) {\n${body}\n  return a - b;\n}\n`;
  const edits: FileEdit[] = [{ path: 'a.js', before: whole(''), after: whole(text) }];
  const { mutants, more } = planMutants(edits, 10, () => false);
  expect(new Set(mutants.map(({ line }) => line)).size).toBe(10);
  expect(mutants.every(({ touched }) => touched)).toBe(true);
  expect(more).toBeGreaterThan(50);
  expect(
    planMutants(edits, 1_000, () => false)
      .mutants.filter(({ touched }) => !touched)
      .map(({ line }) => line),
  ).toContain(32);
});

test('probes say what was reached and keep the lines', () => {
  const text = 'function f(a) {\n  if (a > 1) {\n    return 2;\n  }\n  return 3;\n}\n';
  const { probes, mutants } = planMutants([{ path: 'a.js', before: '', after: text }], 100, () => false);
  const probed = withProbes('a.js', text, probes, '/reached');
  expect(probed.split('\n').length).toBe(text.split('\n').length);
  let written = '';
  const world = {
    process: { getBuiltinModule: () => ({ appendFileSync: (_file: string, line: string) => (written += line) }) },
  };
  const run = new Function('globalThis', `${probed}; return f;`) as (scope: object) => (a: number) => number;
  expect([run(world)(1), run(world)(1)]).toEqual([3, 3]);
  const reached = reachedProbes(written);
  const linesReached = new Set(
    mutants.filter(({ probe }) => probe !== null && reached.has(probe)).map(({ line }) => line),
  );
  expect([...linesReached].toSorted()).toEqual([2, 5]);
});
