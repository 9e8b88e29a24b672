// Files cut into pieces.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { divideIntoChunks, MAX_CHUNK, divideIntoWindows } from '../../../server/src/core/index/parse/chunk.ts';
import { runs } from '../../helpers/properties.ts';
import { symbolsOf } from './support.ts';
import type { SymbolInfo } from '../../../server/src/core/model.ts';
import { createPart } from '../../helpers/createPart.ts';

const statement = (name: string, lines: number) =>
  `// About ${name}.\nexport function ${name}() {\n${`  doSomethingWith(${name});\n`.repeat(lines)}}\n`;

test('a small file is one chunk that carries path, names and text as terms', async () => {
  const text = 'export function readConfig() {}\n';
  const [chunk, ...more] = divideIntoChunks('src/io/config.ts', text, await symbolsOf('typescript', text));
  expect(more).toEqual([]);
  expect(chunk).toMatchObject({
    path: 'src/io/config.ts',
    startLine: 1,
    endLine: 1,
    symbol: 'readConfig',
    text: 'export function readConfig() {}',
  });
  expect(chunk!.terms.split(' ').filter((term) => term === 'config').length).toBe(6);
  expect(chunk!.terms).toMatch(/^config config src io readconfig/);
});

test('definitions stay whole and take their comments along', async () => {
  const text = ['one', 'two', 'three', 'four'].map((name) => statement(name, 36)).join('\n');
  const chunks = divideIntoChunks('a.ts', text, await symbolsOf('typescript', text));
  expect(chunks.map(({ symbol, text: piece }) => [symbol, piece.split('\n')[0]])).toEqual([
    ['one', '// About one.'],
    ['two', '// About two.'],
    ['three', '// About three.'],
    ['four', '// About four.'],
  ]);
});

test('small definitions are merged', async () => {
  const text = Array.from({ length: 60 }, (_, index) => statement(`fn${index}`, 2)).join('\n');
  const chunks = divideIntoChunks('a.ts', text, await symbolsOf('typescript', text));
  expect(chunks.length).toBeGreaterThan(2);
  for (const { text: piece } of chunks.slice(0, -1)) expect(piece.length).toBeGreaterThan(800);
  for (const { text: piece } of chunks) expect(piece).toMatch(/^\/\/ About/);
});

test('an unchanged chunk keeps its id when another part of the file changes', async () => {
  const before = ['one', 'two', 'three'].map((name) => statement(name, 36)).join('\n');
  const after = before
    .replace('doSomethingWith(three)', 'doSomethingElse(three)')
    .replace('// About one.', '// About one.\n// And more.');
  const ids = async (text: string) =>
    divideIntoChunks('a.ts', text, await symbolsOf('typescript', text)).map(({ id }) => id);
  const [old, changed] = [await ids(before), await ids(after)];
  expect(changed.map((id, index) => id === old[index])).toEqual([false, true, false]);
});

test('equal pieces of a file have different ids, equal files under other paths too', () => {
  const text = `${`${'x'.repeat(70)}\n`.repeat(30)}\n`.repeat(4);
  const chunks = [...divideIntoChunks('a.txt', text, []), ...divideIntoChunks('b.txt', text, [])];
  expect(new Set(chunks.map(({ id }) => id)).size).toBe(chunks.length);
});

test.each([
  ['empty', '', 0],
  ['blank', '\n\n  \n', 0],
  ['one line of 900 KB', 'x'.repeat(900_000), Math.ceil(900_000 / MAX_CHUNK)],
  ['CRLF', 'a\r\nb\r\n', 1],
])('%s', (_name, text, count) => {
  expect(divideIntoChunks('a.txt', text, []).length).toBe(count);
});

test('whatever the text, chunks are bounded, ordered, and hold every line that is not blank', () => {
  const line = fc.oneof(
    fc.constant(''),
    fc.string({ maxLength: 120 }).map((text) => text.replaceAll('\n', ' ')),
    fc.nat(5000).map((length) => 'y'.repeat(length)),
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 300 }), (lines) => {
      const chunks = divideIntoChunks('notes.txt', lines.join('\n'), []);
      const covered = new Set<number>();
      let last = 0;
      for (const { startLine, endLine, text } of chunks) {
        expect(startLine).toBeGreaterThanOrEqual(last);
        expect(endLine).toBeGreaterThanOrEqual(startLine);
        expect(text.length).toBeLessThanOrEqual(2 * MAX_CHUNK);
        for (let at = startLine; at <= endLine; at++) covered.add(at);
        last = startLine;
      }
      expect(
        lines.flatMap((text, index) => (text.trim() !== '' && !covered.has(index + 1) ? [index + 1] : [])),
      ).toEqual([]);
      expect(new Set(chunks.map(({ id }) => id)).size).toBe(chunks.length);
    }),
    runs(60),
  );
});

test('one id never stands for two sets of terms: the same lines under another outline are another chunk', () => {
  const text = 'function one() {\n  return 1;\n}\n';
  const range = { startLine: 1, startColumn: 0, endLine: 3, endColumn: 1 };
  const symbol = createPart<SymbolInfo>({ name: 'one', path: 'one', kind: 'function', range, exported: false });
  const inner = { ...symbol, name: 'lost', range: { ...range, startLine: 2 } } as SymbolInfo;
  const [whole, broken] = [
    divideIntoChunks('a.ts', text, [symbol])[0]!,
    divideIntoChunks('a.ts', text, [symbol, inner])[0]!,
  ];
  expect([whole.text, whole.symbol]).toEqual([broken.text, broken.symbol]);
  expect(whole.terms).not.toBe(broken.terms);
  expect(whole.id).not.toBe(broken.id);
});

test.each([
  ['', []],
  ['one\n', ['1-1']],
  ['one\ntwo', ['1-2']],
  ['a\n\n\nb', ['1-4']],
  [`${'x'.repeat(99)}\n`.repeat(20), ['1-9', '10-18', '19-20']],
  ['y'.repeat(5000), ['1-1', '1-1', '1-1']],
  [`${'y'.repeat(2500)}\nz\n`, ['1-1', '1-2']],
])('windows hold every character once, and say their lines: %#', (text, places) => {
  const windows = divideIntoWindows('src/file.ts', text);
  expect(windows.map((window) => window.text).join('')).toBe(text);
  expect(windows.map(({ startLine, endLine }) => `${startLine}-${endLine}`)).toEqual(places);
  expect(new Set(windows.map(({ id }) => id)).size).toBe(windows.length);
});
