// Traces of real test runners, and what the gate differential makes of them in a real sandbox.

import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { locateHarness } from '../../../server/src/app/programPaths.ts';
import { parseResultLines } from '../../../server/src/core/verify/guard/inProcess.ts';
import { ORDER_VARIABLE } from '../../../server/src/core/verify/guard/inTests.ts';
import { compareTraces, createTraceRun, type TraceRun } from '../../../server/src/core/verify/traces/compareTraces.ts';
import { planTraces } from '../../../server/src/core/verify/traces/planTraces.ts';
import type { TracesLine } from '../../../server/src/core/verify/traces/recording.ts';
import { WITHOUT_MANAGER } from '../../helpers/manifest.ts';
import { edit, mutantsOnly, verifying, type Verifying } from './verifying.ts';
import { sample, thoroughTest } from '../../helpers/thorough.ts';

const MINUTE = 60_000;
/** `stamp` differs in each run; nobody checks it. */
const before = `export function price(order) {
  const stamp = Math.random();
  if (order.count > 9) {
    return { sum: order.count * 4, stamp };
  }
  return { sum: order.count * 5, stamp };
}
export async function later(order) {
  return price(order).sum;
}
`;
const same = before.replace('return price(order).sum', 'const { sum } = price(order);\n  return sum');
const other = before.replace('order.count > 9', 'order.count >= 9');
const tests = (head: string) => `${head}
describe('prices', () => {
  let few;
  beforeEach(() => { few = price({ count: 2 }); });
  it('is a number', async () => {
    assert.equal(typeof price({ count: 9 }).sum, 'number');
    assert.equal(typeof await later({ count: 10 }), 'number');
  });
  it('knows a few', () => { assert.equal(few.sum, 10); });
  it('fails', () => { price({ count: 3 }); assert.fail(); });
});
`;
const testsOfAva = `import test from 'ava';
import { price, later } from '../src/price.js';
test.beforeEach((t) => { t.context.few = price({ count: 2 }); });
test('prices is a number', async (t) => {
  t.is(typeof price({ count: 9 }).sum, 'number');
  t.is(typeof await later({ count: 10 }), 'number');
});
test('knows a few', (t) => { t.is(t.context.few.sum, 10); });
test('fails', (t) => { price({ count: 3 }); t.fail(); });
`;
const runners = {
  ava: { head: null, file: 'test/price.js', program: 'ava/entrypoints/cli.mjs', words: [] },
  mocha: {
    head: "import assert from 'node:assert/strict';\nimport { price, later } from '../src/price.js';",
    file: 'test/price.js',
    program: 'mocha/bin/mocha.js',
    words: ['--reporter', 'json', 'test/price.js'],
  },
  jest: {
    head: "const assert = require('node:assert/strict');\nconst { price, later } = require('../src/price.js');",
    file: 'test/price.test.js',
    program: 'jest/bin/jest.js',
    words: ['--runInBand'],
  },
  node: {
    head: "import assert from 'node:assert/strict';\nimport { beforeEach, describe, it } from 'node:test';\nimport { price, later } from '../src/price.js';",
    file: 'test/price.test.js',
    program: null,
    words: ['--test'],
  },
  vitest: {
    head: "import assert from 'node:assert/strict';\nimport { beforeEach, describe, it } from 'vitest';\nimport { price, later } from '../src/price.js';",
    file: 'test/price.test.js',
    program: 'vitest/vitest.mjs',
    words: ['run'],
  },
} as const;

/** In two parts, because Vitest reads such a comment in this file, too. */
const OPTIONS = ['@jest', 'environment-options'].join('-');

/** One run of these texts with recording. */
async function recorded(runner: keyof typeof runners, texts: ReturnType<typeof planTraces>['base']['texts']) {
  const { head, file, program, words } = runners[runner];
  const dir = await realpath(await mkdtemp(join(tmpdir(), 'selfware-traces-')));
  try {
    const ours = join(import.meta.dirname, '..', '..', '..', 'node_modules');
    for (const folder of ['src', 'test', 'node_modules']) await mkdir(join(dir, folder));
    if (program !== null) await symlink(join(ours, runner), join(dir, 'node_modules', runner));
    const [order, results] = [join(dir, 'order.json'), join(dir, 'results.txt')];
    const text = texts[0]!.text;
    // Jest runs larger files first. It does not judge this one, because its environment has options.
    const other = `/** ${OPTIONS} {"a": 1} */\n// ${'.'.repeat(5_000)}\n${head}\nit('is not judged', () => later({ count: 10 }));\n`;
    if (runner === 'jest') await writeFile(join(dir, 'test/other.test.js'), other);
    const required = `${text.replaceAll('export ', '')}\nmodule.exports = { price, later };\n`;
    await Promise.all([
      writeFile(join(dir, 'package.json'), runner === 'jest' ? '{"jest": {"transform": {}}}' : '{"type": "module"}'),
      writeFile(join(dir, 'src/price.js'), runner === 'jest' ? required : text),
      writeFile(join(dir, file), head === null ? testsOfAva : tests(head)),
      writeFile(order, JSON.stringify({ mutants: [], until: Date.now() + 600_000, results, traces: true })),
      writeFile(results, ''),
    ]);
    // Nothing else, so that no test that ran in this process before has a say.
    const { PATH, HOME, TMPDIR } = process.env;
    const env = {
      PATH,
      HOME,
      TMPDIR,
      NODE_OPTIONS: `--import=${locateHarness(false).inTests}`,
      [ORDER_VARIABLE]: order,
    };
    const output = await new Promise<string>((resolve) => {
      const entry = program === null ? [] : [join(ours, program)];
      execFile(process.execPath, [...entry, ...words], { cwd: dir, env }, (error, stdout, stderr) =>
        resolve(`${error?.code ?? error?.signal ?? 'no error'}\n${stdout}\n${stderr}`),
      );
    });
    const lines = parseResultLines(await readFile(results, 'utf8')) as readonly TracesLine[];
    if (lines.length === 0) throw new Error(`Nothing was recorded. ${runner} ended with ${output}`);
    // Every run has another folder, which names the test file for some runners.
    return lines.map((line): TracesLine => ('file' in line ? { ...line, file: '' } : { ...line, tracedFile: '' }));
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

test.each(sample(Object.keys(runners).toReversed() as (keyof typeof runners)[], 2))(
  '%s: the calls of both sides are compared test by test',
  async (runner) => {
    const compared = async (after: string) => {
      const plan = planTraces([{ path: 'src/price.js', before, after }], () => false);
      const sides = [plan.base, plan.base, plan.candidate];
      const [base, again, candidate] = (await Promise.all(sides.map(({ texts }) => recorded(runner, texts)))).map(
        createTraceRun,
      ) as [TraceRun, TraceRun, TraceRun];
      return { base, ...compareTraces(plan, [base, again], candidate) };
    };
    const alike = await compared(same);
    expect(alike.base.ends).toMatchObject([{ tests: 3, failed: [expect.any(String)] }]);
    expect(alike).toMatchObject({ differences: [], unreached: [] });
    expect([[...alike.compared], alike.tests.size]).toEqual([[[0, 1]], 1]);

    const { differences, calledOtherwise } = await compared(other);
    expect(differences).toMatchObject([{ title: expect.stringContaining('prices is a number'), part: 'result.sum' }]);
    expect([...calledOtherwise]).toEqual([]);
  },
  3 * MINUTE,
);

/** With traces alone: no inputs are generated, and no mutant is tried. */
function proofOf(
  traceSeconds = 600,
  guardSeconds = 0,
  differentialSeconds = 10,
): NonNullable<Parameters<Verifying['verify']>[1]>['proof'] {
  const gaps = ['`price` takes an order, for which no values can be generated.'];
  const nothing = {
    identical: [],
    restructured: [],
    unexported: [],
    files: [],
    created: [],
    targets: [],
    platform: [],
    shapes: {},
  };
  const constants = { numbers: [], strings: [], bigints: [] };
  return {
    ...mutantsOnly,
    settings: { guardSeconds, guardMutants: 8, guardStrength: 80, differentialSeconds, traceSeconds },
    inTests: locateHarness(false).inTests,
    planDifferential: async () => ({
      ...nothing,
      gaps,
      constants,
      emit: { compiler: {}, paths: {}, baseUrl: null },
    }),
    planTraces: async (edits) => planTraces(edits, () => false),
  };
}

thoroughTest(
  'the gate passes, fails or stays unknown by what the tests call, and the user’s files stay as they are',
  async () => {
    const { head } = runners.mocha;
    const green = tests(head).replace("it('fails', () => { price({ count: 3 }); assert.fail(); });", '');
    const manifest = { type: 'module', scripts: { test: 'mocha' }, ...WITHOUT_MANAGER };
    const files = { 'package.json': JSON.stringify(manifest), 'src/price.js': before, 'test/price.js': green };
    await using given = await verifying(files, ['mocha']);
    const judge = async (after: string, proof = proofOf()) => {
      const { verdicts } = await given.verify([edit('src/price.js', before, after)], { proof });
      return verdicts.find(({ gate }) => gate === 'differential');
    };
    expect(await judge(same)).toMatchObject({
      outcome: 'passed',
      reason: expect.stringMatching(/^The calls that the tests make end as before: 1 call in 1 test, 1 function\. /),
      evidence: { tracedCalls: 1, tracesCompared: '1 call in 1 test, 1 function' },
    });
    expect(await judge(other)).toMatchObject({
      outcome: 'failed',
      reason: 'In the test “prices is a number”, call 2 of `price` leaves another `result.sum` than before.',
      evidence: { tracedTest: 'prices is a number' },
    });
    const unreached = before.replace('return price', "if (order.count > 99) return 'too many';\n  return price");
    expect(await judge(unreached)).toMatchObject({
      outcome: 'unknown',
      evidence: { traces: expect.stringMatching(/^No call that could be compared reaches src\/price\.js:9 /) },
    });
    // The mutants that follow are made in the text of the candidate, not in the one that recorded its calls.
    const { verdicts } = await given.verify([edit('src/price.js', before, same)], { proof: proofOf(600, 300) });
    expect(verdicts.slice(-2)).toMatchObject([
      { gate: 'differential', outcome: 'passed' },
      {
        gate: 'guard',
        reason: expect.stringMatching(
          /the tests notice (?:\d of \d mutants? of the touched lines|all \d mutants|the only mutant)/i,
        ),
      },
    ]);
    expect((await judge(same, proofOf(0)))?.evidence['traces']).toBeUndefined();
    expect(await judge(same, proofOf(600, 0, 0))).toMatchObject({
      outcome: 'unknown',
      reason: 'Not run: it is switched off (`selfware.verify.differentialSeconds`).',
    });
    expect(await judge(same, proofOf(0.001))).toMatchObject({
      outcome: 'unknown',
      evidence: { traces: expect.stringContaining('could not be compared in 0.001 s'), dependsOnTime: 1 },
    });
  },
  5 * MINUTE,
);

thoroughTest(
  'with `node --test`, the gate passes or fails by the calls that the tests of several files make',
  async () => {
    const { head } = runners.node;
    const green = tests(head).replace("it('fails', () => { price({ count: 3 }); assert.fail(); });", '');
    const manifest = { type: 'module', scripts: { test: 'node --test' }, ...WITHOUT_MANAGER };
    const files = {
      'package.json': JSON.stringify(manifest),
      'src/price.js': before,
      'test/price.test.js': green,
      'test/other.test.js': green.replace('prices', 'other prices').replaceAll('count: 9', 'count: 1'),
    };
    await using given = await verifying(files);
    const judge = async (after: string) => {
      const { verdicts } = await given.verify([edit('src/price.js', before, after)], { proof: proofOf() });
      return verdicts.find(({ gate }) => gate === 'differential');
    };
    expect(await judge(same)).toMatchObject({
      outcome: 'passed',
      evidence: { tracedCalls: 2, tracesCompared: '2 calls in 2 tests, 1 function' },
    });
    expect(await judge(other)).toMatchObject({ outcome: 'failed', evidence: { tracedTest: 'prices is a number' } });
  },
  5 * MINUTE,
);
