// The arguments that tests pass to functions: what is read of them, and the inputs that are made of them.

import { ts } from 'ts-morph';
import { expect, test } from 'vitest';
import { aroundExamples, scalarsIn, strangeness } from '../../../server/src/adapters/harness/telling/aroundExamples.ts';
import { examplesIn } from '../../../server/src/core/verify/counterexamples/examples.ts';

const parsed = (text: string) => ts.createSourceFile('a.test.ts', text, ts.ScriptTarget.Latest, true);

test('calls whose arguments are written out are examples, each once, by the name that the file exports', () => {
  const found = examplesIn([
    parsed(`
      import slug, { parse as read } from '../src/slug';
      import * as lib from '../src/slug';
      expect(slug('a b', { sep: '_', 'keep-case': true, most: -2 })).toBe('a_b');
      slug('a b', { sep: '_', 'keep-case': true, most: -2 });
      read(['x', null], undefined as never);
      lib.parse(given);
      lib.parse(\`c\`);
      lib.parse({ ...given });
      lib.parse();
    `),
  ]);
  expect(found.get('default')).toEqual([
    [
      'a b',
      {
        $: 'record',
        fields: [
          ['sep', '_'],
          ['keep-case', true],
          ['most', -2],
        ],
      },
    ],
  ]);
  expect(found.get('parse')).toEqual([[{ $: 'array', of: ['x', null] }], ['c']]);
  expect(scalarsIn(found.get('default')![0]!)).toEqual(['a b', '_', -2]);
});

test('what constructors and static methods are given counts under their own names', () => {
  const found = examplesIn([
    parsed(`
      import Stack, { Range as Span } from '../src/stack';
      new Stack(1, 2).has(3);
      new Stack();
      new Stack;
      new Span('a');
      new lib.Other('b');
      new Stack(given);
      Span.of('c');
      Stack.empty();
    `),
  ]);
  expect(Object.fromEntries(found)).toEqual({
    'new default': [[1, 2], []],
    has: [[3]],
    'new Range': [['a']],
    'new Other': [['b']],
    'Range.of': [['c']],
    of: [['c']],
  });
});

test('inputs are the examples first, then each with one argument of another example or of a made input', () => {
  const inputs = aroundExamples([['#fff', '#000'], ['red']], [[7, 8]]);
  expect(inputs.slice(0, 2)).toEqual([['#fff', '#000'], ['red']]);
  expect(inputs).toContainEqual(['red', '#000']);
  expect(inputs).toContainEqual([7, '#000']);
  expect(aroundExamples([], [[7, 8]])).toEqual([]);
});

test('arguments that no test passes there cost more than those of the tests', () => {
  const examples = [['#fff', '#000', {}] as never, ['red']];
  expect(strangeness(['red', '#000'], examples, new Set())).toBe(0);
  expect(strangeness(['#000', 'red'], examples, new Set())).toBeGreaterThan(
    strangeness(['red', 1], examples, new Set()),
  );
  expect(strangeness(['foo', 1], [], new Set(['foo']))).toBe(0);
  expect(strangeness(['bar', 1], [], new Set(['foo']))).toBeGreaterThan(0);
});
