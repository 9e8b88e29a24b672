// Text that no parser was made for.

import { expect, test } from 'vitest';
import { findImports } from '../../../server/src/core/index/parse/imports.ts';
import { parseOutline } from '../../../server/src/core/index/parse/outline.ts';
import { findSyntaxErrors } from '../../../server/src/core/index/parse/syntaxErrors.ts';
import { LANGUAGES, type Language } from '../../../server/src/core/model.ts';
import { parser, symbolsOf } from './support.ts';

const good: Readonly<Record<Language, string>> = {
  typescript: 'const a: number = 1;',
  tsx: 'const a = <b/>;',
  javascript: 'const a = 1;',
  python: 'a = 1\n',
  rust: 'fn a() {}',
  go: 'package a\n',
  java: 'class A {}',
  c: 'int a;',
  cpp: 'class A {};',
  ruby: 'class A; end',
  php: '<?php class A {}',
  csharp: 'class A {}',
  scala: 'class A',
  elixir: 'defmodule A do\nend',
  swift: 'class A {}',
  bash: 'a() { :; }',
  lua: 'local a = 1',
  kotlin: 'class A',
  haskell: 'a = 1\n',
  zig: 'const a = 1;',
};

async function errorsIn(language: Language, text: string): Promise<string[]> {
  const tree = (await parser.parse(language, text))!;
  try {
    return findSyntaxErrors(tree);
  } finally {
    tree.delete();
  }
}

test.each(LANGUAGES)(
  '%s: good text has no errors, broken text has some and still gives an outline',
  async (language) => {
    expect(await errorsIn(language, good[language])).toEqual([]);
    const broken = `${good[language]}\n@@@ )(}{ ]] "unfinished`;
    expect((await errorsIn(language, broken)).length).toBeGreaterThan(0);
    expect(await symbolsOf(language, broken)).toBeInstanceOf(Array);
  },
);

test.each(LANGUAGES)('%s: 100,000 open brackets end nothing', async (language) => {
  for (const text of ['('.repeat(100_000), '{'.repeat(100_000), `x = ${'['.repeat(100_000)}1${']'.repeat(100_000)}`]) {
    const tree = await parser.parse(language, text);
    if (!tree) {
      // Too deep for this grammar: said at once, and a text of some depth is still read.
      expect(language).toBe('scala');
      expect(await symbolsOf(language, `class A { val a = ${'('.repeat(200)}1${')'.repeat(200)} }`)).toHaveLength(2);
      continue;
    }
    expect(parseOutline(tree, language, text)).toBeInstanceOf(Array);
    expect(findImports(tree, language)).toEqual([]);
    expect(findSyntaxErrors(tree)).toBeInstanceOf(Array);
    tree.delete();
  }
});

test.each(['typescript', 'go', 'java', 'rust'] as const)(
  '%s: a page of comments that never end is given up, and the next text is read',
  async (language) => {
    const start = process.threadCpuUsage();
    const tree = await parser.parse(language, `${'/* '.repeat(20)}\n`.repeat(1_000));
    tree?.delete();
    const { user, system } = process.threadCpuUsage(start);
    // It took 9 to 60 s.
    expect((user + system) / 1e6).toBeLessThan(4);
    expect(await errorsIn(language, good[language])).toEqual([]);
  },
);

test('errors are named with their place', async () => {
  expect(await errorsIn('typescript', 'function a( {\n  return 1;\n}\n')).toEqual([
    expect.stringMatching(/line \d+, column \d+/),
  ]);
  expect((await errorsIn('python', `${'def (:\n'.repeat(200)}`)).length).toBeLessThanOrEqual(20);
});

test('a text over 1 MB is not parsed', async () => {
  expect(await parser.parse('typescript', `${'let a = 1;\n'.repeat(100_000)}`)).toBeNull();
});

test('empty text, a lone carriage return and control characters are fine', async () => {
  for (const text of ['', '\r', '\r\n\r\n', '\u2028', '\0']) expect(await symbolsOf('typescript', text)).toEqual([]);
});

test('Swift: what one file leaves behind changes nothing for the next', async () => {
  const text = '#if canImport(A)\nimport A\n#endif\nfunc f() { if #available(iOS 13, *) { g() } }\nlet raw = #"a"#\n';
  for (let round = 0; round < 3; round++) expect(await errorsIn('swift', text)).toEqual([]);
});
