// Span replacements and the style of a file.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { detectStyle } from '../../../server/src/core/propose/fileStyle.ts';
import { runs } from '../../helpers/properties.ts';
import { applyReplacements, lineStart, removeLines } from '../../../server/src/core/propose/textEdit.ts';

test('what no span covers stays, in any order of the replacements', () => {
  expect(
    applyReplacements('\uFEFFab\r\ncd', [
      { start: 5, end: 6, text: 'X' },
      { start: 1, end: 2, text: '' },
      { start: 3, end: 3, text: '!' },
    ]),
  ).toBe('\uFEFFb!\r\nXd');
  fc.assert(
    fc.property(fc.string(), fc.nat(20), fc.nat(20), fc.string(), (text, a, b, inserted) => {
      const [start, end] = [Math.min(a, b, text.length), Math.min(Math.max(a, b), text.length)];
      expect(applyReplacements(text, [{ start, end, text: inserted }])).toBe(
        text.slice(0, start) + inserted + text.slice(end),
      );
    }),
    runs(100),
  );
});

test('the first line starts at 0, although it is empty', () => {
  expect([lineStart('\nab', 0), lineStart('\nab', 1), lineStart('\nab', 3)]).toEqual([0, 1, 1]);
});

test('replacements that overlap are a mistake', () => {
  expect(() =>
    applyReplacements('abc', [
      { start: 0, end: 2, text: '' },
      { start: 1, end: 3, text: '' },
    ]),
  ).toThrow('overlap');
  expect(() => applyReplacements('abc', [{ start: 2, end: 9, text: '' }])).toThrow('leave the text');
});

const removed = (text: string, line: string) =>
  applyReplacements(text, [removeLines(text, text.indexOf(line), text.indexOf(line) + line.length)]);

test.each([
  ['a\nx\nb\n', 'a\nb\n'],
  ['a\n\nx\n\nb\n', 'a\n\nb\n'],
  ['x\n\nb\n', 'b\n'],
  ['{\n  x\n\n  b\n}\n', '{\n  b\n}\n'],
  ['{\n  a\n\n  x\n}\n', '{\n  a\n}\n'],
  ['a\r\n\r\nx\r\n\r\nb\r\n', 'a\r\n\r\nb\r\n'],
  ['a\nx', 'a'],
  ['a\n\nx', 'a'],
  ['a\n\nx\n', 'a\n'],
  ['x', ''],
])('a removed line leaves no hole: %j', (before, after) => {
  expect(removed(before, 'x')).toBe(after);
});

test.each([
  ['', { newline: '\n', indent: '  ', quote: "'", semicolons: true }],
  ['if (a) {\r\n\tb();\r\n}\r\n', { newline: '\r\n', indent: '\t' }],
  ['if (a) {\n    b()\n    if (c) {\n        d()\n    }\n}\n', { newline: '\n', indent: '    ', semicolons: false }],
  ['/*\n * a\n * b\n */\nimport a from "b"\nconst c = "d"\n', { indent: '  ', quote: '"', semicolons: false }],
  ['function a (b) {\n  if (b) {\n    return 1\n  }\n}\n', { spaceBeforeParameters: true }],
  ['function a(b) {\n  if (b) {\n    return function (c) { }\n  }\n}\n', { spaceBeforeParameters: false }],
  [
    'class A {\n  async run (a) {\n    while (a) {\n    }\n  }\n  static #b () {\n  }\n}\n',
    { spaceBeforeParameters: true },
  ],
  [
    'class A {\n  run(a) {\n    for (const b of a) {\n    }\n    if (a) {\n    }\n  }\n}\n',
    { spaceBeforeParameters: false },
  ],
  [
    "import {a} from 'b';\nf({a: 1}, [{b}]);\nconst {c} = f(`${a} ${b} ${c}`);\ng({ a: 1 });\n",
    { spaceInBraces: false },
  ],
  ["import { a } from 'b';\nf({ a: 1 });\nconst d = <A b={c} d={e} f={g} />;\n", { spaceInBraces: true }],
  ['class A\n{\n  run(a: string)\n  {\n    const b = 1;\n  }\n}\n', { indent: '  ', semicolons: true }],
])('style of %j', (text, style) => {
  expect(detectStyle(text)).toMatchObject(style);
});
