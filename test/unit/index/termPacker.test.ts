// Terms as numbers: the same terms, in the same order, as those of the texts one by one.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { spellTerms } from '../../../server/src/core/index/terms/spellTerms.ts';
import {
  createTermPacker,
  type PackedTerms,
  type TermPacker,
} from '../../../server/src/core/index/terms/termPacker.ts';
import { runs } from '../../helpers/properties.ts';
import { extractTerms, extractWords } from '../../../server/src/core/index/terms/terms.ts';
import {
  createWordTable,
  type NumbersOfWords,
  type WordTable,
} from '../../../server/src/core/index/terms/wordTable.ts';
import { createCodes } from '../../../server/src/util/codes.ts';

const odd = [
  'é',
  'naïve',
  '日本語',
  '𝒳y',
  '\ud800',
  'a\ud800b',
  '\ud835',
  'ß',
  '٣',
  '²',
  '$',
  '_',
  'parseURL',
  'HTTP2Server',
  'ABc',
  'aBC',
  'a1B2',
  '__x$y__',
  'Long'.repeat(16),
  'Long'.repeat(17),
  'x'.repeat(100_000),
  'x',
  ' ',
  '\n',
  '.',
  '-',
  '×',
  '\u0301',
  'e\u0301',
  '\0',
  '￿',
];
const text = fc.oneof(
  fc
    .array(fc.oneof(fc.constantFrom(...odd), fc.string({ unit: 'binary' }), fc.string()), { maxLength: 40 })
    .map((parts) => parts.join('')),
  fc.string({ unit: 'binary', maxLength: 200 }),
);

test('the words of any text are found as the pattern of words finds them', () => {
  fc.assert(
    fc.property(fc.array(text, { maxLength: 5 }), (texts) => {
      const met: string[] = [];
      const table = createWordTable(asked((word) => [met.push(word) - 1]));
      for (const each of texts) expect(numbersIn(table, each).map((number) => met[number])).toEqual(extractWords(each));
    }),
    runs(2_000),
  );
});

test('the words of a part are those of the part alone', () => {
  fc.assert(
    fc.property(text, fc.nat(200), fc.nat(200), (whole, one, other) => {
      const [from, to] = [Math.min(one, other, whole.length), Math.min(Math.max(one, other), whole.length)];
      const met: string[] = [];
      const table = createWordTable(asked((word) => [met.push(word) - 1]));
      expect(numbersIn(table, whole, from, to).map((number) => met[number])).toEqual(
        extractWords(whole.slice(from, to)),
      );
    }),
    runs(2_000),
  );
});

test('many words are told apart, and each keeps its numbers', () => {
  let next = 0;
  const table = createWordTable(asked((word) => (word.endsWith('0') ? [] : [next++, -1, next++])));
  const words = Array.from({ length: 50_000 }, (_, at) => `w${at.toString(36)}`);
  const rounds = [0, 1].map(() => numbersIn(table, words.join(' ')));
  expect(rounds[1]).toEqual(rounds[0]);
  const wanted = words.filter((word) => !word.endsWith('0'));
  expect(rounds[0]).toEqual(wanted.flatMap((_, at) => [at * 2, -1, at * 2 + 1]));
});

test('texts come back with their terms, counts and lengths', () => {
  fc.assert(
    fc.property(fc.array(text, { maxLength: 8 }), (texts) => {
      const packer = createTermPacker();
      texts.forEach((each, at) => {
        expect(packer.joinTerms(packer.numbersOf(each))).toBe(extractTerms(each).join(' '));
        expect(packer.count()).toBe(at);
        add(packer, each);
      });
      packer.finish();
      expect(texts.map((_, at) => countsIn(packer.batch, at))).toEqual(
        texts.map((each) => counted(extractTerms(each))),
      );
      expect(Array.from(packer.batch.lengths)).toEqual(texts.map((each) => extractTerms(each).length));
    }),
    runs(500),
  );
});

test('a count goes as far as there is room, a length further', () => {
  const packer = createTermPacker();
  add(packer, 'again '.repeat(100));
  packer.finish();
  expect([countsIn(packer.batch, 0), packer.batch.lengths[0]]).toEqual([[['again', 31]], 100]);
});

test('spelled again and counted again, texts have the same terms, counts and lengths', () => {
  const often = fc
    .tuple(fc.constantFrom('one', 'twoParts'), fc.integer({ min: 1, max: 70 }))
    .map(([word, count]) => `${word} `.repeat(count));
  fc.assert(
    fc.property(fc.array(fc.array(fc.oneof(text, often), { maxLength: 4 }), { maxLength: 5 }), (texts) => {
      const packer = createTermPacker();
      for (const parts of texts) add(packer, parts.join(' '));
      packer.finish();
      texts.forEach((parts, at) => {
        const spelled = Buffer.from(spellTerms(packer.batch, at))
          .toString()
          .split(' ')
          .filter((term) => term !== '');
        expect(counted(spelled)).toEqual(counted(extractTerms(parts.join(' '))));
        expect(spelled.length).toBe(packer.batch.lengths[at]);
      });
    }),
    runs(300),
  );
});

test('given terms come before those of the text', () => {
  const packer = createTermPacker();
  packer.open('one two three');
  packer.add(packer.numbersOf('three four'), 4, 13);
  packer.finish();
  expect(countsIn(packer.batch, 0)).toEqual([
    ['three', 2],
    ['four', 1],
    ['two', 1],
  ]);
  expect(packer.batch.lengths[0]).toBe(4);
});

function asked(numbersOf: (word: string) => readonly number[]): NumbersOfWords {
  return { ascii: (units, from, to) => numbersOf(String.fromCharCode(...units.subarray(from, to))), other: numbersOf };
}

function numbersIn(table: WordTable, of: string, from = 0, to = of.length): number[] {
  const end = table.read(createCodes()(of), from, to, 0);
  return Array.from(table.found().subarray(0, end));
}

function add(packer: TermPacker, whole: string): void {
  packer.open(whole);
  packer.add([], 0, whole.length);
}

function countsIn({ terms, starts, entries }: PackedTerms, text: number): [string, number][] {
  const names = terms.split(' ');
  return Array.from(entries.subarray(starts[text], starts[text + 1]), (entry) => [names[entry >>> 5]!, entry & 31]);
}

/** In the order of their first occurrence. */
function counted(terms: readonly string[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, Math.min(31, (counts.get(term) ?? 0) + 1));
  return [...counts];
}
