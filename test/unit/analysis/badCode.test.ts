// Broken, odd and hostile code: the analysis answers, and in time.

import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { rules } from '../../../server/src/core/analysis/rules.ts';
import { findRuleFixtures } from '../../helpers/ruleFolders.ts';
import { analyse, analyseWithTree, languageOfPath } from './analyseCase.ts';

const sources = rules
  .filter(({ scope }) => scope === 'file')
  .flatMap(({ id }) =>
    readdirSync(findRuleFixtures(id))
      .filter((name) => languageOfPath(name) !== null)
      .map((name) => ({ name: `${id}/${name}`, text: readFileSync(join(findRuleFixtures(id), name), 'utf8') })),
  );

const NOISE = ['}', '(', '`${', '/*', '\0', '\ud800', ' else '];

test.each(sources)('cut off and mangled: $name', async ({ name, text }) => {
  const step = Math.max(97, Math.floor(text.length / 40));
  for (let [at, turn] = [0, 0]; at < text.length; at += step, turn += 1) {
    // Each place has its turn of noise; over all sources every noise meets every kind of place.
    const noise = NOISE[turn % NOISE.length]!;
    for (const bad of [text.slice(0, at), text.slice(at), text.slice(0, at) + noise + text.slice(at + 3)])
      expect((await analyseWithTree(`src/${name}`, bad)).trouble).toBeNull();
  }
});

const odd: readonly (readonly [string, string])[] = [
  ['nothing', ''],
  ['blanks', ' \n\t\r\n'],
  ['byte order mark', '\ufeffexport const a = 1;'],
  ['hashbang', '#!/usr/bin/env node\nconst a = 1;\n'],
  ['control characters', '\0\u0001\u2028\u2029'],
  [
    'prototype names',
    'const __proto__ = 1; const constructor = 2; const hasOwnProperty = 3; function toString() {} export const valueOf = 4; toString.call(1); constructor.from(hasOwnProperty.x()); __proto__.slice();',
  ],
  ['circular types', 'type A = B; type B = A; interface C extends C {} class D extends D {} export {};'],
  ['circular values', 'const a = b; const b = a; export const c = (() => c)();'],
  [
    'decorators and private names',
    '@d class A { @d() #x = 1; @d static async *[y]() {} accessor z = 1; } export { A };',
  ],
  ['only an import of itself', "import * as self from './a'; export * from './a';"],
];
test.each(odd)('%s', (_, text) => {
  for (const path of ['src/a.ts', 'src/a.tsx', 'src/a.js']) expect(analyse(path, text).trouble).toBeNull();
});

/** Beyond what recursive parsers can read; the answer may be empty, but there is one. */
const deep: readonly (readonly [string, string])[] = [
  ['parentheses', `export const a = ${'('.repeat(20_000)}1${')'.repeat(20_000)};`],
  ['a chain of operators', `export const a = ${'b(1) + '.repeat(20_000)}1;`],
  ['a chain of &&', `export const a = ${'b && '.repeat(5_000)}1;`],
  ['a long chain of commas', `export const a = (${'b, '.repeat(20_000)}1);`],
  ['a long chain of await', `export async function f(b) { return ${'(await b) && '.repeat(5_000)}1; }`],
  ['else if', `function f(a) { ${'if (a) b(); else '.repeat(3_000)}c(); }`],
  ['arrays', `export const a = ${'['.repeat(5_000)}${']'.repeat(5_000)};`],
  ['functions', `export const a = ${'() => '.repeat(1_000)}1;`],
  ['blocks', `${'{'.repeat(5_000)}${'}'.repeat(5_000)}`],
  ['a wide list', `export const a = [${'1,'.repeat(100_000)}];`],
  [
    'many unused names',
    `${Array.from({ length: 2_000 }, (_, index) => `const a${index} = ${index};`).join('\n')}\nexport {};`,
  ],
];
test.each(deep)('answers: %s', (_, text) => {
  const answer = analyse('src/a.ts', text);
  expect(Array.isArray(answer.opportunities)).toBe(true);
});
