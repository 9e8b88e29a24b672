// Numbers for words: as a map of strings gives them.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createWordNumbers } from '../../../server/src/util/wordNumbers.ts';
import { runs } from '../../helpers/properties.ts';

const word = fc
  .oneof(
    fc.constantFrom('a', 'b', 'a-long-word-with-more-letters', 'é', '日本', '\ud800', 'i̇'),
    fc.string({ unit: 'binary', minLength: 1 }),
  )
  .map((text) => text.replaceAll(' ', '_'));

test('words get the numbers that a map would give them, one by one and many at once', () => {
  fc.assert(
    fc.property(
      fc.array(word),
      fc.array(word, { minLength: 1 }),
      fc.array(word, { minLength: 1 }),
      (first, second, asked) => {
        const met: string[] = [];
        const numbers = createWordNumbers((text) => met.push(text) - 1);
        const map = new Map<string, number>();
        const expected = (text: string): number => {
          if (!map.has(text)) map.set(text, map.size);
          return map.get(text)!;
        };
        for (const each of first) expect(numbers.number(each)).toBe(expected(each));
        expect([...numbers.numberAll(second.join(' '))]).toEqual(second.map(expected));
        expect(met).toEqual([...map.keys()]);
        const found = asked.map((each) => map.get(each) ?? -1);
        expect(asked.map((each) => numbers.find(each))).toEqual(found);
        expect([...numbers.findAll(asked.join(' '))]).toEqual(found);
      },
    ),
    runs(500),
  );
});

test('many words are told apart', () => {
  const numbers = createWordNumbers((text) => Number.parseInt(text.slice(1), 36));
  const words = Array.from({ length: 50_000 }, (_, at) => `w${at.toString(36)}`);
  const all = words.map((_, at) => at);
  expect([...numbers.numberAll(words.join(' '))]).toEqual(all);
  expect([...numbers.findAll(words.join(' '))]).toEqual(all);
  expect([...numbers.findAll('')]).toEqual([]);
});
