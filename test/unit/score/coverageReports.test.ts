// Reports of coverage: what each format says, which file of the tree it means, and whether it is about that file as it
// is now.

import { expect, test } from 'vitest';
import { matchesFile } from '../../../server/src/core/score/coverage/matchesFile.ts';
import { readIstanbul } from '../../../server/src/core/score/coverage/istanbul.ts';
import { readLcov } from '../../../server/src/core/score/coverage/lcov.ts';
import { resolveInTree } from '../../../server/src/core/score/coverage/report.ts';

const tree = new Set(['src/sum.ts', 'sum.ts', 'src/deep/sum.ts']);

test.each([
  ['src/sum.ts', 'src/sum.ts'],
  ['./src/sum.ts', 'src/sum.ts'],
  ['/elsewhere/shop/src/sum.ts', 'src/sum.ts'],
  ['/elsewhere/shop/src//./deep/sum.ts', 'src/deep/sum.ts'],
  ['C:\\shop\\src\\sum.ts', 'src/sum.ts'],
  ['lib/sum.ts', 'sum.ts'],
  ['src/other.ts', null],
  ['', null],
])('%s of a report is %s of the tree: the longest end that is a file', (path, place) => {
  expect(resolveInTree(path, (one) => tree.has(one))).toBe(place);
});

const text = [
  '// Adds figures.',
  '# Adds figures.',
  '/* Adds',
  ' * figures. */',
  '',
  'export function sum(a, b) {',
  '  return a + b;',
  '}',
  'export const half = (a) => a / 2;',
  '',
].join('\n');
const sum = { line: 6, endLine: 8, statements: 1 };
const half = { line: 9, endLine: 9, statements: 1 };
const reported = (lines: readonly number[], functions: readonly { name: string; line: number }[] = []) => ({
  path: 'a.js',
  lines: new Map(lines.map((line) => [line, 1])),
  functions,
});

test.each<[string, ReturnType<typeof reported>, readonly (typeof sum)[], boolean]>([
  ['lines that hold code', reported([7, 9]), [sum, half], true],
  ['a line beyond the end', reported([7, 9, 11]), [], false],
  ['the last line', reported([7, 8, 9]), [], true],
  ['a comment of two slashes', reported([1]), [], false],
  ['a comment of a hash', reported([2]), [], false],
  ['the begin of a long comment', reported([3]), [], false],
  ['the rest of a long comment', reported([4]), [], false],
  ['a blank line', reported([5]), [], false],
  ['every line, blank ones too', reported([1, 2, 3, 4, 5, 6, 7, 8, 9]), [sum, half], true],
  ['a function where it stands', reported([7], [{ name: 'sum', line: 6 }]), [], true],
  ['a function where another stands', reported([7], [{ name: 'half', line: 6 }]), [], false],
  ['a method by its last name', reported([7], [{ name: 'Figures.sum', line: 6 }]), [], true],
  ['a function without a name', reported([7], [{ name: '(anonymous)', line: 9 }]), [], true],
  ['a function that the tool has named', reported([7], [{ name: 'anonymous_1', line: 9 }]), [], true],
  ['a function with a number for a name', reported([7], [{ name: '12', line: 9 }]), [], true],
  ['a function that the tool has numbered', reported([7], [{ name: 'arrow_3', line: 9 }]), [], true],
  ['no line of a function', reported([7]), [sum, half], false],
  ['no line of a function that does nothing', reported([7]), [sum, { ...half, statements: 0 }], true],
  ['the first line of a function', reported([6]), [sum], true],
  ['the last line of a function', reported([8]), [sum], true],
])('a report of %s', (_what, report, functions, expected) => {
  expect(matchesFile(report, text, functions)).toBe(expected);
});

test.each(['', 'null', '3', '"text"', '[]', '{}', '{"a.js": null}', '{"a.js": "x"}', '{"a.js": {"s": {}}}', '{"a'])(
  '%j is no report of Istanbul',
  (report) => {
    expect(readIstanbul(report)).toBeNull();
  },
);

test('Istanbul: a line ran as often as the statement there that ran most; what is no place is left out', () => {
  const at = (line: unknown) => ({ start: { line } });
  const report = {
    'key.js': {
      statementMap: { 0: at(1), 1: at(1), 2: at(0), 3: at('4'), 4: null, 5: at(2), 6: [] },
      s: { 0: 1, 1: 3, 2: 9, 3: 9, 4: 9, 5: 'often', 6: 9 },
      fnMap: { 0: { name: 'f', loc: at(1) }, 1: { name: 'g' }, 2: { name: 4, loc: at(1) }, 3: null },
    },
    'path.js': { path: 'other.js', statementMap: {}, s: {}, fnMap: [] },
  };
  expect(readIstanbul(JSON.stringify(report))).toEqual([
    { path: 'key.js', lines: new Map([[1, 3]]), functions: [{ name: 'f', line: 1 }] },
    { path: 'other.js', lines: new Map(), functions: [] },
  ]);
});

test('lcov: lines are added up, and what is no line, no name or no file is left out', () => {
  const report = [
    'TN:',
    'DA:1,1',
    'SF:a.js',
    'FN:1,f',
    'FN:2,9,g',
    'FN:h',
    'BRDA:3,0,0,1',
    'DA:3,2,checksum',
    'DA:3,1',
    'DA:4,-1',
    'DA:0,1',
    'DA:x,1',
    'DA:5,x',
    'DA:6',
    'end_of_record',
    'DA:7,1',
    '',
  ].join('\n');
  expect(readLcov(report)).toEqual([
    {
      path: 'a.js',
      lines: new Map([
        [3, 3],
        [4, 0],
      ]),
      functions: [
        { line: 1, name: 'f' },
        { line: 2, name: 'g' },
      ],
    },
  ]);
  expect(readLcov('TN:\nDA:1,1\nend_of_record\n')).toBeNull();
});
