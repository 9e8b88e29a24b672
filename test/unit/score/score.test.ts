// The ruler on a repository of 500 files: real gains count, however small; tricks and no-ops do not.

import { describe, expect, test } from 'vitest';
import { scoreTree } from '../../../server/src/core/score/score.ts';
import { analyse } from '../analysis/analyseCase.ts';
import { repository, target } from './ordinaryRepository.ts';

const pointsOf = (text: string | null, path = 'src/target.ts'): number =>
  scoreTree(text === null ? repository : [...repository, analyse(path, text).measures]).total;
const before = pointsOf(target);

function replaced(...pairs: readonly (readonly [string, string])[]): string {
  let text = target;
  for (const [from, to] of pairs) {
    expect(text).toContain(from);
    text = text.replaceAll(from, to);
  }
  return text;
}

const nested = `    if (item.length > 0) {
      print(item);
      if (flag) {
        print('flagged');
      }
      print('end');
    }
`;
const flat = `    if (!(item.length > 0)) continue;
    print(item);
    if (flag) {
      print('flagged');
    }
    print('end');
`;

describe('gains', () => {
  const gains: readonly (readonly [string, () => string])[] = [
    ['one unused name of an import goes', () => replaced(['start, unused', 'start'])],
    ['a whole unused import goes', () => replaced(["import { idle } from './idle';\n", ''])],
    [
      'an unused function goes, though it leaves another one unused',
      () => replaced(['function forgotten(value: number) {\n  return helper(value);\n}\n', '']),
    ],
    ['one nested if is flattened', () => replaced([nested, flat])],
    [
      'an else after return goes',
      () =>
        replaced([
          "  } else {\n    print('not flagged');\n  }\n  print('a')",
          "  }\n  print('not flagged');\n  print('a')",
        ]),
    ],
    [
      'an ordinary comment becomes a doc comment',
      () => replaced(['// Closes what was opened before.', '/** Closes what was opened before. */']),
    ],
    ['an any gets a type', () => replaced(['value: any', 'value: { size?: number }'])],
    [
      'a swallowed error is handled',
      () => replaced(['catch {}', 'catch (error) {\n    throw new Error(String(error));\n  }']),
    ],
    [
      'a needless copy goes',
      () => replaced(["[...name.split(',').map((part) => part.trim())]", "name.split(',').map((part) => part.trim())"]),
    ],
    [
      'a nested block becomes a function of its own',
      () =>
        replaced(
          [nested, '    sendOne(item, flag, print);\n'],
          [
            'export function open',
            `function sendOne(item: string, flag: boolean, print: (text: string) => void) {\n${flat.replace('continue', 'return').replaceAll('\n    ', '\n  ').replace('    if', '  if')}}\n\nexport function open`,
          ],
        ),
    ],
  ];
  test.each(gains)('%s', (_, edit) => {
    expect(pointsOf(edit())).toBeGreaterThan(before);
  });
});

describe('exactly nothing', () => {
  const nothings: readonly (readonly [string, () => string])[] = [
    ['comments', () => replaced(["print('a');", "print('a'); // the first\n  /* and\n   more */"])],
    ['layout', () => replaced(['  ', '\t'], ['\n\n', '\n\n\n'])],
    ['empty statements', () => replaced(["print('a');", "print('a');;;"])],
    ['a block around statements', () => replaced(["  print('a');\n", "  {\n    print('a');\n  }\n"])],
    ['a name alone, or behind void', () => replaced(["print('a');", "print('a'); void flag; flag;"])],
    ['a comment in an empty catch', () => replaced(['catch {}', 'catch { /* nobody minds */ }'])],
    ['names', () => replaced(['items', 'entries'])],
    [
      'order of the functions',
      () => {
        const at = target.indexOf('export function open');
        const until = target.indexOf('// Closes');
        return `${target.slice(0, at)}${target.slice(until)}\n${target.slice(at, until)}`;
      },
    ],
    [
      'if and return are written with braces',
      () => replaced(['  if (flag) {\n    return 1;\n', '  if (flag)\n  {\n    return 1;\n']),
    ],
  ];
  test.each(nothings)('%s', (_, edit) => {
    expect(edit()).not.toBe(target);
    expect(pointsOf(edit())).toBe(before);
  });
  test('order of the files', () => {
    const all = [...repository, analyse('src/target.ts', target).measures];
    expect(scoreTree([...all].reverse())).toEqual(scoreTree(all));
  });
});

/** Whoever wants points without an improvement tries these. */
describe('never a gain', () => {
  const tricks: readonly (readonly [string, () => string])[] = [
    ['silence the unused import', () => replaced(['import { idle }', '// @ts-ignore\nimport { idle }'])],
    ['silence the linter', () => replaced(['import { idle }', '// eslint-disable-next-line\nimport { idle }'])],
    ['take the file out of the check', () => `// @ts-nocheck\n${target}`],
    ['pretend to use it by void', () => replaced(['/** Sends', 'void forgotten; void idle;\n/** Sends'])],
    ['pretend to use it by naming it', () => replaced(['/** Sends', 'forgotten; idle;\n/** Sends'])],
    ['rename it with an underscore', () => replaced(['{ idle }', '{ idle as _idle }'])],
    [
      'doc comments that repeat the name',
      () =>
        replaced(
          ['// Closes what was opened before.', '/** Close. */'],
          ['export function open', '/** The open function. */\nexport function open'],
        ),
    ],
    [
      'doc comments with empty tags',
      () => replaced(['export function open', '/** @param name @returns */\nexport function open']),
    ],
    ['any instead of a type', () => replaced(['flag: boolean', 'flag: any'])],
    ['casts instead of checks', () => replaced(['value!.size', '(value as unknown as { size: number })!.size'])],
    ['non-null assertions', () => replaced(['return name;', 'return name!;'])],
    [
      'a flat function is split in two',
      () =>
        replaced(
          ["  print('c');\n  print('d');\n  return 2;\n", '  rest(print);\n  return 2;\n'],
          [
            'export function open',
            "function rest(print: (text: string) => void) {\n  print('c');\n  print('d');\n}\n\nexport function open",
          ],
        ),
    ],
    [
      '&& instead of if',
      () => replaced(["if (flag) {\n        print('flagged');\n      }", "flag && print('flagged');"]),
    ],
    [
      '?: instead of if',
      () => replaced(["if (flag) {\n        print('flagged');\n      }", "flag ? print('flagged') : undefined;"]),
    ],
    ['a function around the nested part', () => replaced([nested, `    (() => {\n${nested}    })();\n`])],
    ['void the swallowed error', () => replaced(['catch {}', 'catch (error) { void error; }'])],
    ['documentation is deleted', () => replaced(['/** Sends what is due to the printer of the house. */\n', ''])],
    ['clean code is deleted', () => replaced(["  print('a');\n  print('b');\n  print('c');\n  print('d');\n", ''])],
    [
      'more work is nested',
      () =>
        replaced([
          "  print('a');\n  print('b');\n  print('c');\n  print('d');\n",
          "  if (items.length) {\n    print('a');\n    print('b');\n    print('c');\n    print('d');\n  }\n",
        ]),
    ],
  ];
  test.each(tricks)('%s', (_, edit) => {
    const text = edit();
    expect(text).not.toBe(target);
    expect(pointsOf(text) - before).toBeLessThanOrEqual(0);
  });

  test('a file is split in two', () => {
    const at = target.indexOf('export function open');
    const parts = [target.slice(0, at), `import { start } from './start';\n${target.slice(at)}`];
    const split = scoreTree([
      ...repository,
      ...parts.map((text, index) => analyse(`src/part${index}.ts`, text).measures),
    ]).total;
    expect(split).toBe(before);
  });
});

/**
 * Size dilutes densities: each clean statement that is added is worth this much at most in 500 files, so padding does
 * not pay.
 */
const PADDING_PER_STATEMENT = 0.08;

test('padding is worth next to nothing, and less than the smallest real gain', () => {
  const padded = replaced(["  print('a');\n", `  print('a');\n${'  items.at(0);\n'.repeat(10)}`]);
  const gain = pointsOf(padded) - before;
  expect(gain).toBeLessThanOrEqual(10 * PADDING_PER_STATEMENT);
  expect(gain / 10).toBeLessThan((pointsOf(replaced(['start, unused', 'start'])) - before) / 2);
});

test('a clean file more or less moves little', () => {
  const clean = 'export function add(a: number, b: number) {\n  return a + b;\n}\n';
  expect(
    Math.abs(
      pointsOf(`${target}`) -
        scoreTree([...repository, analyse('src/target.ts', target).measures, analyse('src/clean.ts', clean).measures])
          .total,
    ),
  ).toBeLessThan(0.5);
});

test('tests and generated files do not count', () => {
  const awful = 'function f(a: any) { if (a) { if (a) { if (a) { eval(a); } } } }\nexport {};\n';
  const all = [...repository, analyse('src/target.ts', target).measures];
  for (const measures of [
    analyse('test/awful.ts', awful).measures,
    analyse('src/awful.ts', awful, { generated: true }).measures,
  ])
    expect(scoreTree([...all, measures]).total).toBe(before);
});

test('an over-complex function gains by being cut, a simple one does not', () => {
  const steps = (count: number, from = 0): string =>
    Array.from({ length: count }, (_, index) => `  if (items[${from + index}]) print('${from + index}');\n`).join('');
  const whole = (count: number): string =>
    `export function run(items: readonly string[], print: (text: string) => void) {\n${steps(count)}}\n`;
  const cut = (count: number): string =>
    `export function run(items: readonly string[], print: (text: string) => void) {\n${steps(count / 2)}  rest(items, print);\n}\nfunction rest(items: readonly string[], print: (text: string) => void) {\n${steps(count / 2, count / 2)}}\n`;
  expect(pointsOf(cut(24))).toBeGreaterThan(pointsOf(whole(24)));
  expect(pointsOf(cut(12))).toBe(pointsOf(whole(12)));
});

test('what was not measured is unknown and earns nothing, and the others earn no more for it', () => {
  const points = scoreTree(repository);
  expect(points.categories.testCoverage).toEqual({
    points: null,
    max: 250,
    unknown: ['test coverage'],
    inputs: [{ name: 'test coverage', points: null, max: 250 }],
  });
  expect(points.max).toBe(1000);
  expect(scoreTree([])).toMatchObject({ total: 0, max: 1000 });
  const covered = scoreTree([...repository, { 'coverage.covered': 3, 'coverage.coverable': 4 }]);
  expect([covered.total - points.total, covered.max]).toEqual([expect.closeTo(187.5, 9), 1000]);
  const python = scoreTree([{ files: 1, statements: 100, excess: 0, cognitive: 10, depth: 20 }]);
  expect(python.categories.codeQuality).toMatchObject({ max: 250, unknown: ['dead code', 'unused exports'] });
  expect(python.categories.codeQuality.points).toBeGreaterThan(124);
  expect(python.categories.codeQuality.points).toBeLessThanOrEqual(125);
  expect(python.categories.safety).toMatchObject({ points: null, max: 200, unknown: ['hazards'] });
  expect(
    scoreTree([
      { statements: 10, cognitive: 0 },
      { 'coverage.covered': 3, 'coverage.coverable': 4 },
    ]).categories.testCoverage,
  ).toMatchObject({ points: 187.5, max: 250, unknown: [] });
});

/** Each is a way to be rid of the first without mending anything. */
test.each([
  ['// @ts-ignore\nrun(1);', 'run(1 as any);'],
  ['// @ts-expect-error\nrun(1);', 'run(1 as any);'],
  ['// eslint-disable-next-line\nrun(1);', '// NOSONAR\nrun(1);'],
  ['run(a as any);', 'run(a as unknown as string);'],
  ['run(a!);', 'run(a as string);'],
  ['try { Promise.resolve(1); } catch {}', 'Promise.resolve(1).then(run);'],
  ['try { Promise.resolve(1); } catch {}', 'Promise.resolve(1).then(run).catch(() => undefined);'],
  ["eval('run(1)');", "setTimeout('run(1)');"],
])('a hazard is not to be had cheaper: %s', (text, instead) => {
  const inFunction = (body: string) =>
    `export function f(run: (a: unknown) => void, a: string | null) {\n  ${body.replaceAll('\n', '\n  ')}\n}\n`;
  const pointsWith = (body: string) =>
    scoreTree([...repository, analyse('src/target.ts', inFunction(body)).measures]).categories.safety.points!;
  expect(pointsWith(instead)).toBeLessThanOrEqual(pointsWith(text));
});
