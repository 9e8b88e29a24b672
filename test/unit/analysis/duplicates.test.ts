// Tokens, fingerprints and matches: the parts that duplicate-code stands on.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  encodeFingerprints,
  GUARANTEED_TOKENS,
  decodeFingerprints,
} from '../../../server/src/core/analysis/duplicates/fingerprints.ts';
import { runs } from '../../helpers/properties.ts';
import { tokenize, type Tokens } from '../../../server/src/core/analysis/duplicates/lexer.ts';
import { findMatches } from '../../../server/src/core/analysis/duplicates/matches.ts';
import type { Language } from '../../../server/src/core/model.ts';

const own = readFileSync(
  join(import.meta.dirname, '..', '..', '..', 'server/src/core/analysis/duplicates/lexer.ts'),
  'utf8',
);

test.each<[Language, string, string]>([
  ['typescript', 'const a = b /* c */ + 1; // d\n', 'const a=b+1;'],
  [
    'typescript',
    `import { a } from './a';\nimport type {\n  b,\n} from './b';\nexport * from './c';\nrun();\n`,
    'run();',
  ],
  [
    'javascript',
    `const { a } = require('./a');\nrun(/[/'"]/.test(a), \`\${'}'} \\\` \`);`,
    `run(/[/'"]/.test(a),\n  \`\${'}'} \\\` \`\n);`,
  ],
  ['tsx', `<p>don't</p>\nrun(); // a`, `<p>don't</p>\n\n  run();`],
  ['python', 'import os\nfrom a import (\n  b,\n  c,\n)\nrun("""a # b""")  # c\n', 'run("""a # b""")'],
  ['rust', `use a::{b, c};\nmod d;\nfn f<'a>(x: &'a str) { run(x) } // e`, `fn f<'a>(x: &'a str) {\n  run(x)\n}`],
  ['go', 'package a\n\nimport (\n  "b"\n)\n\nfunc f() { run(`c`) }', 'func f() {\n run(`c`)\n}'],
  ['c', '#include <a.h>\nint main(void) { return run("b"); }', 'int main(void) {\n  return run("b");\n}'],
  ['csharp', 'using System;\nusing (var a = b()) { run(a); }', 'using (var a = b())\n{\n  run(a);\n}'],
  ['lua', '--[[ a\n b ]] local c = require "c"\nrun(c) -- d', 'run(c)'],
])('%s: layout, comments and imports make no token', (language, text, same) => {
  const hashes = (source: string) => [...tokenize(source, language).hashes];
  expect(hashes(same).length).toBeGreaterThan(2);
  expect(hashes(text)).toEqual(hashes(same));
});

test('different punctuation is different', () => {
  expect(new Set(tokenize('( ) [ ] { } = => + - * / ; , .', 'typescript').hashes).size).toBe(15);
});

test('any text is cut, lines never go back, and no token is lost at the end of the buffer', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 400 }),
      fc.constantFrom<Language>('typescript', 'python', 'haskell', 'php', 'elixir'),
      (text, language) => {
        const { count, lines, endLines, hashes } = tokenize(text, language);
        expect(hashes.length).toBe(count);
        for (let at = 0; at < count; at++) {
          expect(endLines[at]!).toBeGreaterThanOrEqual(lines[at]!);
          if (at > 0) expect(lines[at]!).toBeGreaterThanOrEqual(endLines[at - 1]!);
        }
      },
    ),
    runs(100),
  );
  expect(tokenize('a '.repeat(5_000), 'typescript').count).toBe(5_000);
});

test('every common stretch of the guaranteed length has a fingerprint in common, whatever stands around it', () => {
  const words = fc.array(fc.integer({ min: 0, max: 300 }), { minLength: 0, maxLength: 200 });
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 300 }), { minLength: GUARANTEED_TOKENS, maxLength: 150 }),
      words,
      words,
      words,
      words,
      (common, a, b, c, d) => {
        const prints = (parts: readonly number[][]) => decodeFingerprints(encodeFingerprints(streamOf(parts.flat())));
        const left = prints([a, common, b]);
        const right = new Set(prints([c, common, d]).hashes);
        const inside = [...left.hashes].filter(
          (_, at) => left.tokens[at]! >= a.length && left.tokens[at]! < a.length + common.length,
        );
        expect(inside.some((hash) => right.has(hash))).toBe(true);
      },
    ),
    runs(100),
  );
});

test('fingerprints are small', () => {
  const prints = encodeFingerprints(tokenize(own, 'typescript'));
  expect(prints.length).toBeGreaterThan(0);
  expect(prints.length).toBeLessThan(own.length / 10);
  expect(encodeFingerprints(tokenize('run();', 'typescript'))).toBe('');
});

test('damaged fingerprints give what can be read of them', () => {
  const prints = encodeFingerprints(tokenize(own, 'typescript'));
  expect(decodeFingerprints(prints.slice(0, 4 * Math.floor(prints.length / 8))).hashes.length).toBeGreaterThan(0);
});

test('a match reaches as far as the tokens are equal, and copies in one file do not overlap', async () => {
  const block = Array.from({ length: 100 }, (_, at) => 1_000 + at);
  const streams: Record<string, Tokens> = {
    'a.ts': streamOf([1, 2, ...block, 3]),
    'b.ts': streamOf([4, ...block, 5, 6]),
    'c.ts': streamOf([...block, ...block, ...block]),
  };
  const files = Object.entries(streams).map(([path, tokens]) => ({ path, prints: encodeFingerprints(tokens) }));
  const found = await findMatches(
    files,
    GUARANTEED_TOKENS,
    async (path) => streams[path] ?? null,
    new AbortController().signal,
  );
  const shown = found.map(({ a, b }) => `${a.path} ${a.from}-${a.to} ${b.path} ${b.from}-${b.to}`);
  expect(shown).toContain('a.ts 2-102 b.ts 1-101');
  expect(found.some(({ a, b }) => a.path === 'c.ts' && b.path === 'c.ts' && a.to - a.from === 100)).toBe(true);
  for (const { a, b } of found) expect(a.path !== b.path || a.to <= b.from || b.to <= a.from).toBe(true);
});

test('a file that has changed since gives no match', async () => {
  const stream = streamOf(Array.from({ length: 100 }, (_, at) => at));
  const files = ['a.ts', 'b.ts'].map((path) => ({ path, prints: encodeFingerprints(stream) }));
  expect(
    await findMatches(
      files,
      GUARANTEED_TOKENS,
      async (path) => (path === 'a.ts' ? stream : null),
      new AbortController().signal,
    ),
  ).toEqual([]);
});

function streamOf(hashes: readonly number[]): Tokens {
  const lines = Int32Array.from(hashes, (_, at) => at + 1);
  return {
    count: hashes.length,
    hashes: Int32Array.from(hashes, (hash) => Math.imul(hash + 1, 0x9e3779b1)),
    kinds: new Uint8Array(hashes.length).fill(1),
    lines,
    endLines: lines,
  };
}
