// A negated condition is true exactly where the condition is false, NaN and all.

import fc from 'fast-check';
import type { ts } from 'ts-morph';
import { expect, test } from 'vitest';
import { negate } from '../../../server/src/core/propose/syntax/negate.ts';
import { runs } from '../../helpers/properties.ts';
import { parseSource } from '../../../server/src/core/propose/syntax/parse.ts';
import { applyReplacements } from '../../../server/src/core/propose/textEdit.ts';

function negated(condition: string): string {
  const sourceFile = parseSource('a.ts', `if (${condition}) {}`)!;
  const statement = sourceFile.statements[0] as ts.IfStatement;
  const text = applyReplacements(sourceFile.text, negate(sourceFile, statement.expression));
  return text.slice('if ('.length, -') {}'.length);
}

test.each([
  ['a', '!a'],
  ['!a', 'a'],
  ['!!a', '!a'],
  ['a === b', 'a !== b'],
  ['a != null', 'a == null'],
  ['a < b', '!(a < b)'],
  ['!(a < b)', 'a < b'],
  ['!(/* why */ a)', '(/* why */ a)'],
  ['a && b !== c', '!a || b === c'],
  ['a || !b.c', '!a && b.c'],
  ['a && (b || !c)', '!a || (!b && c)'],
  ['a && b || c', '!(a && b || c)'],
  ['a ?? b', '!(a ?? b)'],
  ['a instanceof B', '!(a instanceof B)'],
  ['!(a in b) && c', 'a in b || !c'],
  ['a?.b()', '!a?.b()'],
  ['await a', '!await a'],
  ['a = b', '!(a = b)'],
  ['a, b', '!(a, b)'],
  ['(a, b)', '!(a, b)'],
  ['a ? b : c', '!(a ? b : c)'],
  ['typeof a === "b"', 'typeof a !== "b"'],
  ['-a', '!(-a)'],
])('%s → %s', (condition, expected) => {
  expect(negated(condition)).toBe(expected);
});

const condition = fc.letrec<{ all: string }>((tie) => ({
  all: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom('a', 'b', 'c', 'a < b', 'b >= c', 'a === c', 'b != a', 'a !== b'),
    tie('all').map((inner) => `!(${inner})`),
    fc.constantFrom('!a', '!!b', '!c'),
    fc
      .tuple(tie('all'), fc.constantFrom('&&', '||'), tie('all'))
      .map(([left, operator, right]) => `(${left}) ${operator} (${right})`),
    fc.tuple(tie('all'), tie('all'), tie('all')).map(([one, two, three]) => `(${one}) && (${two}) && (${three})`),
  ),
})).all;

test('it is the opposite for every value', () => {
  const values = [0, 1, NaN, null, undefined, '', 'x'];
  fc.assert(
    fc.property(condition, (text) => {
      const both = new Function('a', 'b', 'c', `return [!!(${text}), !!(${negated(text)})];`) as (
        a: unknown,
        b: unknown,
        c: unknown,
      ) => [boolean, boolean];
      for (const a of values)
        for (const b of values)
          for (const c of values) {
            const [before, after] = both(a, b, c);
            expect(after).toBe(!before);
          }
    }),
    runs(200),
  );
});
