// The arguments that tests pass to functions: what is read of them, and the inputs that are made of them.

import { ts } from 'ts-morph';
import { expect, test } from 'vitest';
import {
  findInputsNearExamples,
  collectScalars,
  computeStrangeness,
} from '../../../server/src/adapters/harness/distinguishing/inputsNearExamples.ts';
import { conformsToParameters } from '../../../server/src/adapters/harness/distinguishing/typeConformance.ts';
import { varyExamples } from '../../../server/src/adapters/harness/distinguishing/varyExamples.ts';
import type { ValueSpec } from '../../../server/src/adapters/harness/messages.ts';
import type { Parameter, Shape } from '../../../server/src/core/verify/differential/plan.ts';
import { collectExamples } from '../../../server/src/core/verify/counterexamples/examples.ts';
import { createLoadFile } from '../../../server/src/core/verify/counterexamples/imports.ts';
import type { SourceTree } from '../../../server/src/core/ports/sources.ts';
import { createPart } from '../../helpers/createPart.ts';

const parsed = (text: string) => ts.createSourceFile('a.test.ts', text, ts.ScriptTarget.Latest, true);

test('calls whose arguments are written out are examples, each once, by the name that the file exports', () => {
  const found = collectExamples([
    parsed(`
      import slug, { parse as read } from '../src/slug';
      import test from 'ava';
      import * as lib from '../src/slug';
      expect(slug('a b', { sep: '_', 'keep-case': true, most: -2 })).toBe('a_b');
      slug('a b', { sep: '_', 'keep-case': true, most: -2 });
      read(['x', null], undefined as never);
      lib.parse(given);
      lib.parse(\`c\`);
      lib.parse({ ...given });
      lib.parse();
      test('a package');
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
  expect(collectScalars(found.get('default')![0]!)).toEqual(['a b', '_', -2]);
});

test('what constructors and static methods are given counts under their own names', () => {
  const found = collectExamples([
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
  const inputs = findInputsNearExamples([['#fff', '#000'], ['red']], [[7, 8]]);
  expect(inputs.slice(0, 2)).toEqual([['#fff', '#000'], ['red']]);
  expect(inputs).toContainEqual(['red', '#000']);
  expect(inputs).toContainEqual([7, '#000']);
  expect(findInputsNearExamples([], [[7, 8]])).toEqual([]);
});

test('arguments that no test passes there cost more than those of the tests', () => {
  const examples = [['#fff', '#000', {}] as never, ['red']];
  expect(computeStrangeness(['red', '#000'], examples, new Set())).toBe(0);
  expect(computeStrangeness(['#000', 'red'], examples, new Set())).toBeGreaterThan(
    computeStrangeness(['red', 1], examples, new Set()),
  );
  expect(computeStrangeness(['foo', 1], [], new Set(['foo']))).toBe(0);
  expect(computeStrangeness(['bar', 1], [], new Set(['foo']))).toBeGreaterThan(0);
});

test('rows of tables, constants and tables of other files give the arguments', () => {
  const tables = parsed('export const CASES = [{ path: "/x", most: 3 }, { path: make(), most: 4 }];');
  const found = collectExamples(
    [
      parsed(`
        import { CASES } from './cases';
        const base = '/a';
        const rows = [['v1', { loose: true }], ['v2']];
        rows.forEach(([version, options]) => valid(version, options));
        it.each([['b', 2], ['c', 3]])('%s', (text, count) => { repeat(text, count); });
        for (const { path, most } of CASES) limit(path, most);
        for (const [input, expected] of Object.entries({ 'a b': 'a-b', c: 'c' })) expect(slug(input)).toBe(expected);
        join(base, \`\${base}/b\`, base + '/c');
        let changing = 'd';
        join(changing);
        ((base) => join(base))(given);
      `),
    ],
    (path) => (path === 'cases.ts' ? tables : null),
  );
  expect(found.get('valid')).toEqual([['v1', { $: 'record', fields: [['loose', true]] }], ['v2']]);
  expect(found.get('repeat')).toEqual([
    ['b', 2],
    ['c', 3],
  ]);
  expect(found.get('limit')).toEqual([['/x', 3]]);
  expect(found.get('slug')).toEqual([['a b'], ['c']]);
  expect(found.get('join')).toEqual([['/a', '/a/b', '/a/c']]);
});

test('of many rows, some from all over are kept', () => {
  const rows = Array.from({ length: 200 }, (_, at) => at);
  const kept = collectExamples([parsed(rows.map((at) => `half(${at});`).join('\n'))]).get('half')!;
  expect(kept.length).toBeLessThan(60);
  expect(Math.max(...kept.map(([at]) => at as number))).toBeGreaterThan(150);
});

test('a function that a function returns has the arguments of both calls', () => {
  const found = collectExamples([
    parsed(`
      const { match: matching } = require('../src/match');
      const toPath = matching('/:id', { end: false });
      toPath('/3');
      matching('/a')('/b');
    `),
  ]);
  const list = (...of: unknown[]) => ({ $: 'array', of });
  expect(found.get('match()')).toEqual([
    [list('/:id', { $: 'record', fields: [['end', false]] }), list('/3')],
    [list('/a'), list('/b')],
  ]);
});

test('varied inputs differ a little from those of the tests, and are the same every time', () => {
  const ground = { strings: ['beta'], numbers: [7], keys: ['loose'], isSigned: false, fixed: false };
  const vary = () => varyExamples([['1.2.3', 4], ['2.0.0-alpha']], ground, 3, 400);
  const inputs = vary();
  expect(vary()).toEqual(inputs);
  const texts = inputs.map(([text]) => text);
  expect(texts).toContain('2.0.0-');
  expect(texts.some((text) => typeof text === 'string' && text.includes('beta'))).toBe(true);
  expect(inputs).toContainEqual(['1.2.3', 5]);
  expect(inputs).toContainEqual(['1.2.3']);
  expect(inputs.some((input) => JSON.stringify(input.at(-1)).includes('"loose"'))).toBe(true);
  expect(inputs.flat().every((value) => typeof value !== 'number' || value >= 0)).toBe(true);
  expect(varyExamples([[''], [{ $: 'array', of: [] }]], ground, 3, 40).length).toBe(40);
  expect(varyExamples([], ground, 3, 10)).toEqual([]);
});

test('an option that the tests set gets values of the type that they give it', () => {
  const ground = { strings: ['x'], numbers: [7], keys: ['width'], isSigned: false, fixed: false };
  const options = { $: 'record' as const, fields: [['width', 80] as const] };
  const inputs = varyExamples([['a b', options], ['c']], ground, 3, 400);
  const widths = inputs.flatMap(([, given]) =>
    typeof given === 'object' && given !== null && given.$ === 'record' ? given.fields.map(([, value]) => value) : [],
  );
  expect(widths.length).toBeGreaterThan(100);
  expect(new Set(widths.map((width) => typeof width))).toEqual(new Set(['number']));
});

test('lists for a maker and for what it makes stay two', () => {
  const ground = { strings: [], numbers: [], keys: ['end'], isSigned: false, fixed: true };
  const list = (...of: string[]) => ({ $: 'array' as const, of });
  const inputs = varyExamples([[list('/:id'), list('/3', '/4')]], ground, 3, 200);
  expect(inputs.every((input) => input.length === 2)).toBe(true);
});

test('a value that the declared type rules out does not fit', () => {
  const kind = (shape: Shape, optional = false): Parameter => ({ name: 'a', shape, optional, rest: false });
  const word: Shape = {
    kind: 'union',
    of: [
      { kind: 'literal', value: 'major' },
      { kind: 'literal', value: 'minor' },
    ],
  };
  const options: Shape = {
    kind: 'record',
    fields: [{ name: 'loose', shape: { kind: 'boolean' }, optional: true }],
    index: null,
  };
  const parameters = [kind({ kind: 'string' }), kind({ kind: 'ref', name: 'Word' }), kind(options, true)];
  const fits = (...given: ValueSpec[]) => conformsToParameters(given, parameters, { Word: word });
  const record = (name: string, value: ValueSpec): ValueSpec => ({ $: 'record', fields: [[name, value]] });
  expect(fits('a', 'major')).toBe(true);
  expect(fits('a', 'minor', record('loose', true))).toBe(true);
  expect(fits('a', 'micro')).toBe(false);
  expect(fits('a')).toBe(false);
  expect(fits('a', 'major', record('loose', 1))).toBe(false);
  expect(fits('a', 'major', record('other', true))).toBe(false);
  expect(fits('a', 'major', undefined, 'b')).toBe(false);
});

test('an empty argument costs more than a word that the tests use', () => {
  const examples = [['alpha beta', 1]];
  expect(computeStrangeness(['beta alpha', 1], examples, new Set())).toBeLessThan(
    computeStrangeness(['', 1], examples, new Set()),
  );
  expect(computeStrangeness(['beta', 1], examples, new Set())).toBeLessThan(
    computeStrangeness(['foo', 1], examples, new Set()),
  );
});

test('a file that many calls import from is opened once, and a member that it only re-exports is not read', () => {
  const opened: string[] = [];
  const texts: Record<string, string> = {
    'library.ts': "export * from './more';\nexport const first = 'a';\nconst own = 'b';\nexport { own as second };",
  };
  const tree = createPart<SourceTree>({
    rootDir: '/r',
    read: (path: string) => {
      opened.push(path);
      return texts[path.replace('/r/', '')];
    },
  });
  const calls = Array.from({ length: 50 }, (_, at) => `pair(all.first, ${at}); pair(all.second, ${at});`);
  const found = collectExamples(
    [
      parsed(`
        import * as all from './library';
        ${calls.join('\n')}
        pair('c', all.missing);
        pair(all);
        pair('d', all.own);
      `),
    ],
    createLoadFile(tree, '/r'),
  ).get('pair')!;
  expect(found).toContainEqual(['a', 0]);
  expect(found.some(([name]) => name === 'b')).toBe(true);
  expect(found.every((list) => list.length === 2 && list[0] !== 'c' && list[0] !== 'd')).toBe(true);
  expect(opened.length).toBe(new Set(opened).size);
  expect(opened.filter((path) => path === '/r/library.ts')).toHaveLength(1);
});

test('constants that stand for themselves, or for far too much, are not read', () => {
  const names = Array.from({ length: 20 }, (_, at) => `const t${at + 1} = t${at} + t${at};`);
  const found = collectExamples([
    parsed(`
      const t0 = 'ab';
      ${names.join('\n')}
      const loop = loop + 'a';
      print(t2);
      print(t20);
      print(loop);
    `),
  ]);
  expect(found.get('print')).toEqual([['abababab']]);
});
