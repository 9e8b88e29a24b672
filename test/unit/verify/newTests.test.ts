// The claim `tests` against chance, with a runner in this process, so that chance can be told what to do.

import { expect, test } from 'vitest';
import { isTestEdit } from '../../../server/src/core/paths/testEdits.ts';
import type { InTestsLine, InTestsOrder } from '../../../server/src/core/verify/guard/inTests.ts';
import { describeMutant } from '../../../server/src/core/verify/guard/mutantRuns.ts';
import { planMutants } from '../../../server/src/core/verify/guard/planMutants.ts';
import { verifyProposal } from '../../../server/src/core/verify/verify.ts';
import type { FileEdit } from '../../../server/src/core/model.ts';
import type { VerifyContext } from '../../../server/src/core/verify/context.ts';
import { createInProcessRunner, type RunnerOptions } from '../../helpers/inProcessRunner.ts';
import { never } from '../../adapters/sandbox/sandboxOf.ts';
import { contextOf, edit, mutantsOnly, pointsOf, proposalOf, toldBy } from './verifying.ts';
import { manifestOf } from '../../helpers/manifest.ts';
import { thoroughTest } from '../../helpers/thorough.ts';

const code = 'export function sum(a, b) {\n  return a + b;\n}\nexport function less(a, b) {\n  return a - b;\n}\n';
const head =
  "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { sum, less } from './code.js';\n";
const tests = `${head}test('sum', () => assert.equal(sum(1, 2), 3));\n`;
const files = {
  'package.json': manifestOf('shop'),
  'code.js': code,
  'code.test.js': tests,
};
/** Those of one line alone, and of them the first. */
async function onlyMutant(edits: readonly FileEdit[], wanted: number) {
  const plan = await planMutants(edits, 20, isTestEdit);
  return { ...plan, mutants: plan.mutants.filter(({ line }) => line === wanted).slice(0, 1) };
}

async function claimed(
  body: string,
  random = Math.random,
  line: number | null = null,
  options: RunnerOptions & { readonly files?: Readonly<Record<string, string>> } = {},
  source = code,
  seconds = mutantsOnly.settings.guardSeconds,
  more: Partial<VerifyContext> = {},
  addresses: readonly string[] = [],
) {
  const edits = [edit('code.test.js', tests, `${tests}test('more', () => {\n  ${body}\n});\n`)];
  const still = async () => ({ before: pointsOf({ codeQuality: 10 }), after: pointsOf({ codeQuality: 10 }) });
  const context = contextOf(
    { sandbox: createInProcessRunner({ ...files, ...options.files, 'code.js': source }, { random, ...options }) },
    {
      proof: {
        ...mutantsOnly,
        settings: { ...mutantsOnly.settings, guardSeconds: seconds },
        ...(line === null ? {} : { planMutants: (all) => onlyMutant(all, line) }),
      },
      score: still,
      claimsOf: () => ['tests'],
      testedSources: async () => [{ path: 'code.js', text: source }],
      ...more,
    },
  );
  return toldBy('claim', await verifyProposal(context, { ...proposalOf(edits), addresses }, never)) ?? 'not reached';
}

thoroughTest('a test that passes by chance and then fails by chance has noticed nothing', async () => {
  let seed = 1;
  const random = () => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647;
  const body = 'less(3, 1);\n  assert.ok(Math.random() < 0.75);';
  const requested = [await firstOfLess()];
  let accepted = 0;
  for (let time = 0; time < 100; time += 1) {
    const addresses = time % 2 === 0 ? requested : [];
    if (/^claim passed/.test(await claimed(body, random, null, {}, code, undefined, {}, addresses))) accepted += 1;
  }
  expect(accepted).toBe(0);
});

test('a test that notices a mistake each time shows it, and one is not many', async () => {
  expect(await claimed('assert.equal(less(3, 1), 2);')).toMatch(/^claim passed: 1 new test passes 5 times/);
  expect(await claimed('assert.equal(sum(2, 3), 5);', Math.random, 2)).toBe(
    'claim failed: The one mutant that the new tests notice is noticed by other tests already.',
  );
});

test('each requested mistake is counted, also where each needs runs of its own', async () => {
  const source = `${code}export function twice(a) {\n  return a * 2;\n}\n`;
  const { mutants } = await planMutants([edit('code.js', '', source)], 20, isTestEdit);
  const requested = [5, 8].map((line) => describeMutant(mutants.find((mutant) => mutant.line === line)!));
  const body =
    "assert.equal(less(3, 1), 2);\n});\ntest('second', async () => {\n" +
    "  const { twice } = await import('./code.js');\n  assert.equal(twice(3), 6);";
  expect(await claimed(body, Math.random, null, {}, source, undefined, {}, requested)).toMatch(
    /^claim passed: 2 new tests pass 5 times, and notice 2 mistakes that no other test notices, such as code\.js:/,
  );
});

test('a mistake that a joint run seemed to notice, and its own run did not, is not counted', async () => {
  const source = `export function near(a) {\n  return a + 1;\n}\n${code}export function twice(a) {\n  return a * 2;\n}\n`;
  const { mutants } = await planMutants([edit('code.js', '', source)], 20, isTestEdit);
  const requested = [2, 8, 11].map((line) => describeMutant(mutants.find((mutant) => mutant.line === line)!));
  const body =
    "const { near, twice } = await import('./code.js');\n  near(1);\n  assert.equal(less(3, 1), 2);\n  assert.equal(twice(3), 6);";
  const noticeAllTogether = (texts: ReadonlyMap<string, string>) => {
    const order = texts.get('node_modules/.selfware/mutants.json');
    if (order === undefined) return null;
    const file = 'code.test.js';
    const lines = (JSON.parse(order) as InTestsOrder).mutants.map(
      (mutant): InTestsLine => ({ fate: 'noticed', mutant, file, tests: 1 }),
    );
    const results = [...lines, { ended: file }].map((line) => JSON.stringify(line)).join('\n');
    (texts as Map<string, string>).set('node_modules/.selfware/mutants.txt', results);
    return { exitCode: 0 };
  };
  const options = { runOther: (_: string, texts: ReadonlyMap<string, string>) => noticeAllTogether(texts) };
  const more = { proof: { ...mutantsOnly, inTests: 'file:///in-tests.mjs' } };
  const asynchronous = `});\ntest('second', async () => {\n  ${body}`;
  expect(await claimed(asynchronous, Math.random, null, options, source, undefined, more, requested)).toMatch(
    /notice 2 mistakes that no other test notices, 2 of the 3 that they are for: code\.js:/,
  );
});

const LESS = 'assert.equal(less(3, 1), 2);';
/** A test besides the new one that runs `less` and checks nothing of it. */
const runsLess = { 'other.test.js': `${head}test('runs less', () => void less(9, 1));\n` };

/** The description of the mutant of `less` that is planned first. */
async function firstOfLess(): Promise<string> {
  return describeMutant((await onlyMutant([edit('code.js', '', code)], 5)).mutants[0]!);
}

/** The answer to a test of `less` that was written for this mutant. */
async function requestedOfLess(options: Parameters<typeof claimed>[3], more = {}, random = Math.random) {
  return claimed(LESS, random, 5, options, code, undefined, more, [await firstOfLess()]);
}

test('a requested mistake takes one run of all other tests, with that mistake', async () => {
  const codeInRuns: string[] = [];
  const other: RunnerOptions['runOther'] = (line, texts) => {
    const isOfOthers = !texts.get('code.test.js')!.includes("'more'") && texts.get('code.js') !== code;
    if (isOfOthers && !line.includes('--version')) codeInRuns.push(texts.get('code.js')!);
    return null;
  };
  expect(await requestedOfLess({ files: runsLess, runOther: other })).toMatch(
    /^claim passed: 1 new test passes 5 times, and notices a mistake that no other test notices: code\.js:5/,
  );
  expect(codeInRuns).toHaveLength(1);
  expect(codeInRuns[0]).not.toContain('return a - b;');
});

test('of the requested mistakes, one whose description names a single one comes first', async () => {
  const source = `${code}export function near(a) {\n  return a > 1 ? a + 1 : a - 1;\n}\n`;
  const { mutants } = await planMutants([edit('code.js', '', source)], 40, isTestEdit);
  const descriptions = mutants.filter(({ line }) => line === 8).map(describeMutant);
  const double = descriptions.find((shown) => descriptions.filter((other) => other === shown).length > 1)!;
  const single = 'code.js:8 - → +';
  expect(descriptions).toContain(single);
  const wholeRuns: string[] = [];
  const other: RunnerOptions['runOther'] = (line, texts) => {
    const isOfOthers = !texts.get('code.test.js')!.includes("'more'") && texts.get('code.js') !== source;
    if (isOfOthers && !line.includes('--version')) wholeRuns.push(texts.get('code.js')!);
    return null;
  };
  const body = "const { near } = await import('./code.js');\n  assert.deepEqual([near(1), near(2)], [0, 3]);";
  const asynchronous = `});\ntest('second', async () => {\n  ${body}`;
  const said = await claimed(asynchronous, Math.random, null, { runOther: other }, source, undefined, {}, [
    double,
    single,
  ]);
  expect(said).toContain(`that no other test notices`);
  expect(wholeRuns[0]).toContain('a + 1 : a + 1');
});

test('a requested mistake that another test notices, or that keeps one from running, shows nothing', async () => {
  const said = (others: string) => requestedOfLess({ files: { 'other.test.js': `${head}${others}` } });
  const noticed = "test('less', () => assert.equal(less(4, 1), 3));\n";
  expect(await said(noticed)).toBe(
    'claim failed: The one mutant that the new tests notice is noticed by other tests already.',
  );
  const skipped = "test('less', { skip: less(4, 1) !== 3 }, () => assert.equal(less(4, 1), 3));\n";
  expect(await said(skipped)).toMatch(/^claim unknown: The other tests were stopped, or not all of them ran/);
});

/** True for a run of the other tests with a mistake in `less`. */
const isOthersWithMistake = (texts: ReadonlyMap<string, string>) =>
  !texts.get('code.test.js')!.includes("'more'") && !texts.get('code.js')!.includes('return a - b;');

test('a flaky test that failed before and passes with a mistake does not make up for one that notices it', async () => {
  let isWithMistake = false;
  const other: RunnerOptions['runOther'] = (_line, texts) => {
    isWithMistake = isOthersWithMistake(texts);
    return null;
  };
  const flaky = "test('flaky', () => assert.ok(Math.random() < 0.5));\n";
  const noticing = "test('less', () => assert.equal(less(4, 1), 3));\n";
  const options = { files: { 'other.test.js': `${head}${flaky}${noticing}` }, runOther: other };
  const random = () => (isWithMistake ? 0.1 : 0.9);
  for (const ask of [() => requestedOfLess(options, {}, random), () => claimed(LESS, random, 5, options)])
    expect(await ask()).toBe(
      'claim failed: The one mutant that the new tests notice is noticed by other tests already.',
    );
});

test('other tests that fail because of a probe, or are stopped once, have not noticed a requested mistake', async () => {
  const ofSize = `${head}test('size', () => assert.ok(String(less).length < 50));\n`;
  expect(await requestedOfLess({ files: { 'size.test.js': ofSize } })).toMatch(/^claim passed: /);
  let stopped = 0;
  const other: RunnerOptions['runOther'] = (line, texts) =>
    !line.includes('--version') && isOthersWithMistake(texts) && (stopped += 1) === 1 ? { outcome: 'timedOut' } : null;
  expect(await requestedOfLess({ files: runsLess, runOther: other })).toMatch(/^claim passed: /);
  expect(stopped).toBe(2);
});

test('the tests that were checked together with the new ones and come before them count as other tests', async () => {
  const before = edit('first.test.js', null, `${head}test('first', () => assert.equal(less(3, 1), 2));\n`);
  const members = (ids: readonly string[]) => ids.map((id) => ({ id, edits: id === 'p-1' ? [] : [before] }));
  const said = (ids: readonly string[]) =>
    requestedOfLess({}, { together: { proposals: ids, members: members(ids), verdicts: [], reach: null } });
  expect(await said(['p-0', 'p-1'])).toMatch(/^claim failed: .*noticed by other tests already/);
  expect(await said(['p-1', 'p-0'])).toMatch(/^claim passed: /);
  // Without a place among them, none comes before.
  expect(await said(['p-0', 'p-2'])).toMatch(/^claim passed: /);
});

test('each new test is tried on the mistakes that it was written for, even if the time is up', async () => {
  const source = `${code}export function twice(a) {\n  return a * 2;\n}\n`;
  const { mutants } = await planMutants([edit('code.js', '', source)], 20, isTestEdit);
  const requested = [5, 8].map((line) => describeMutant(mutants.find((mutant) => mutant.line === line)!));
  const body =
    "assert.equal(less(3, 1), 2);\n});\ntest('second', async () => {\n" +
    "  const { twice } = await import('./code.js');\n  assert.equal(twice(3), 6);";
  expect(await claimed(body, Math.random, null, {}, source, 0.001, {}, requested)).toMatch(
    /^claim passed: 2 new tests pass(?!.*Not seen)/,
  );
});

test('a new test that is seen to notice nothing is named', async () => {
  const two = (second: string) => claimed(`assert.equal(less(3, 1), 2);\n});\ntest('second', () => {\n  ${second}`);
  expect(await two('sum(1, 2);')).toMatch(
    /^claim passed: 2 new tests pass 5 times.* Not seen to notice any mistake: “code\.test\.js › second”\.$/,
  );
  // What others notice, too, is noticed.
  expect(await two('assert.equal(sum(2, 3), 5);')).toMatch(/^claim passed: 2 new tests pass(?!.*Not seen)/);
});

test('code that may act outside is named, also if Selfware made the calls itself; packages are named otherwise', async () => {
  const said = (isMeasured: boolean, source: string) =>
    claimed('assert.equal(less(3, 1), 2);', Math.random, null, {}, code, mutantsOnly.settings.guardSeconds, {
      isMeasured: () => isMeasured,
      testedSources: async () => [
        { path: 'code.js', text: code },
        { path: 'used.js', text: source },
      ],
    });
  const names = (use: string) =>
    new RegExp(`^claim passed: .*may act outside the program \\(\`${use}\`, in used\\.js\\)\\.$`);
  const acting = 'export const load = () => fetch("/a");\n';
  expect(await said(false, acting)).toMatch(names('fetch'));
  expect(await said(true, acting)).toMatch(names('fetch'));
  for (const name of ['fs', 'node:child_process', 'dns/promises', 'https://example.com/a.js', '#inner', '/tmp/a.js'])
    expect(await said(true, `import '${name}';\n`)).toMatch(names(name));
  for (const name of ['ms', 'lodash/get', '@scope/name', '@scope/name/part.js']) {
    expect(await said(false, `import '${name}';\n`)).toMatch(names(name));
    expect(await said(true, `import '${name}';\n`)).toMatch(/^claim passed: (?!.*outside)/);
  }
});

test('a mistake is tried even if the runs before it took all the time', async () => {
  expect(await claimed('assert.equal(less(3, 1), 2);', Math.random, 5, {}, code, 0.001)).toMatch(
    /^claim passed: 1 new test passes 5 times/,
  );
});

test('a second mistake is tried then, too, if the other tests notice the first one', async () => {
  const source = code.replace('return a + b;', 'return a > 5 ? a - b : a + b;');
  const planTwo: NonNullable<VerifyContext['proof']>['planMutants'] = async (edits) => {
    const plan = await planMutants(edits, 20, isTestEdit);
    const named = (shown: string) => plan.mutants.filter(({ line, operator }) => line === 2 && operator === shown);
    const signs = named('arithmetic').toSorted((one, other) => other.start - one.start);
    return { ...plan, mutants: signs };
  };
  const proof = { ...mutantsOnly, settings: { ...mutantsOnly.settings, guardSeconds: 0.001 }, planMutants: planTwo };
  const body = 'assert.equal(sum(1, 2), 3);\n  assert.equal(sum(9, 2), 7);';
  expect(await claimed(body, Math.random, null, {}, source, 0.001, { proof })).toMatch(
    /^claim passed: 1 new test passes 5 times, and notices a mistake that no other test notices: code\.js:2 - → \+/,
  );
});

test('where the other tests do not start any more, nobody can say what only the new ones notice', async () => {
  const other: RunnerOptions['runOther'] = (_line, texts) => {
    const isProbed = texts.get('code.js')!.includes('.selfware/reached');
    return isProbed && !texts.get('code.test.js')!.includes("'more'")
      ? { exitCode: 1, stderr: 'No space left.' }
      : null;
  };
  expect(await claimed('assert.equal(sum(2, 3), 5);', Math.random, 2, { runOther: other })).toMatch(
    /^claim unknown: The other tests do not run as they did before/,
  );
});

test('tests that check the size of the code fail with probes, and do not hide what the new ones notice', async () => {
  const sized = (share: number) => {
    const ordinary = Array.from(
      { length: 19 - share },
      (_, at) => `test('sum ${at}', () => assert.equal(sum(1, 2), 3));\n`,
    );
    const ofSize = Array.from(
      { length: share },
      (_, at) => `test('size ${at}', () => assert.ok(String(sum).length < 50));\n`,
    );
    return { 'size.test.js': `${head}${[...ordinary, ...ofSize].join('')}` };
  };
  const saidWith = (share: number) =>
    claimed('assert.equal(less(3, 1), 2);', Math.random, null, { files: sized(share) });
  expect(await saidWith(2)).toMatch(/^claim passed: 1 new test passes 5 times/);
  expect(await saidWith(3)).toMatch(/^claim passed: 1 new test passes 5 times/);
});

test('other tests that fail with probes, as in a runtime without modules of Node, are run with each mistake', async () => {
  const probed = "test('no probes', () => assert.ok(!String(less).includes('getBuiltinModule')));\n";
  const other = `${probed}test('less', () => assert.equal(less(4, 1), 3));\n`;
  const said = (body: string, others: string) =>
    claimed(body, Math.random, null, { files: { 'other.test.js': `${head}${others}` } });
  const more = 'assert.equal(less(3, 1), 2);';
  expect(await said(more, probed)).toMatch(/^claim passed: 1 new test passes 5 times, and notices a mistake that no/);
  // They notice it, too.
  expect(await said(more, other)).toMatch(/^claim unknown: The other tests do not run as they did before/);
});

test('other tests that fail with probes have to run completely, and twice, to have missed a mistake', async () => {
  const probed = "test('no probes', () => assert.ok(!String(less).includes('getBuiltinModule')));\n";
  const said = (others: string, random = Math.random) =>
    claimed('assert.equal(less(3, 1), 2);', random, 5, { files: { 'other.test.js': `${head}${probed}${others}` } });
  // A test that is skipped with the mistake is missing, and nothing else fails.
  const skipping = "test('less', { skip: less(4, 1) !== 3 }, () => assert.equal(less(4, 1), 3));\n";
  expect(await said(skipping)).toMatch(/^claim unknown: The other tests do not run as they did before/);
  // A test that passes in the first run with the mistake and fails in the second one.
  let misses = 0;
  const chance = () => ((misses += 1) === 1 ? 0.1 : 0.9);
  const byChance = "test('less', () => assert.ok(less(4, 1) === 3 || Math.random() < 0.5));\n";
  expect(await said(byChance, chance)).toMatch(/^claim unknown: The other tests do not run as they did before/);
  expect(misses).toBe(2);
});

test('a function that is one expression counts as code that the new tests run', async () => {
  const arrow = 'export const sum = (a, b) => a + b;\nexport const less = (a, b) => a - b;\n';
  expect(await claimed('assert.equal(less(3, 1), 2);', Math.random, null, {}, arrow)).toMatch(
    /^claim passed: 1 new test passes 5 times, and notices a mistake that no other test notices: code\.js:2/,
  );
});

test('lines that no test ran before and that are guarded now earn points, all others do not', async () => {
  const guarded: (number | undefined)[] = [];
  const score = async (_: unknown, lines?: number) => {
    guarded.push(lines);
    return { before: pointsOf({ testCoverage: 10 }), after: pointsOf({ testCoverage: 10 + (lines ?? 0) }) };
  };
  const inLine = (wanted: number) => async () => (path: string, line: number) => path === 'code.js' && line === wanted;
  const said = (uncovered: VerifyContext['uncovered']) =>
    claimed('assert.equal(less(3, 1), 2);', Math.random, null, {}, code, mutantsOnly.settings.guardSeconds, {
      score,
      ...(uncovered ? { uncovered } : {}),
    });
  expect(await said(inLine(5))).toMatch(/1 line that no test ran before is guarded now: \+1 points\.$/);
  expect(guarded).toEqual([undefined, 1]);
  // Another line is uncovered, or the coverage is unknown.
  for (const uncovered of [inLine(2), async () => null, undefined])
    expect(await said(uncovered)).toMatch(/^claim passed: (?!.*guarded now)/);
  expect(guarded).toEqual([undefined, 1, undefined, undefined, undefined]);
});

/** The lines that earn points, if the new tests begin to depend on chance once the first mistake is shown. */
async function earnedByChance(source: string, body: string, wanted: readonly number[]): Promise<unknown> {
  let isShown = false;
  const guarded: unknown[] = [];
  const said = await claimed(body, () => (isShown ? 0.9 : 0.1), null, {}, source, mutantsOnly.settings.guardSeconds, {
    uncovered: async () => {
      isShown = true;
      return (path, line) => path === 'code.js' && wanted.includes(line);
    },
    score: async (_, lines) => {
      isShown = false;
      guarded.push(lines);
      return { before: pointsOf({ testCoverage: 10 }), after: pointsOf({ testCoverage: 10 + (lines ?? 0) }) };
    },
  });
  expect(said).toMatch(/^claim passed: .*guarded now/);
  return guarded.at(-1);
}
const OTHER = 'export function other(a, b) {\n  return a * b;\n}\n';
const IMPORTED = "const { other } = require('./code.js');";
const afterLess = (line: string) => `${IMPORTED}\n  ${LESS}\n  ${line}`;

test('a line whose mistake the tests missed at first earns nothing if they notice it later', async () => {
  const body = afterLess('assert.ok([6, 1.5].includes(other(3, 2)) || Math.random() < 0.5);');
  expect(await earnedByChance(`${OTHER}${code}`, body, [2, 8])).toBe(1);
});

test('a line earns nothing if the tests fail without a mistake, too', async () => {
  const line = 'other(3, 2);\n  assert.ok(Math.random() < 0.5);';
  expect(await earnedByChance(`${code}${OTHER}`, afterLess(line), [5, 8])).toBe(1);
});

test('each further line earns points that the tests guard', async () =>
  expect(await earnedByChance(`${code}${OTHER}`, afterLess('assert.equal(other(3, 2), 6);'), [5, 8])).toBe(2));
