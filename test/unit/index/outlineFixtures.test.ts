// Sources of every language beside what is to be found in them: an outline written by hand, a blank line, the imports.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findImports } from '../../../server/src/core/index/parse/imports.ts';
import { detectLanguage } from '../../../server/src/core/index/parse/language.ts';
import { parseOutline } from '../../../server/src/core/index/parse/outline.ts';
import type { SymbolInfo } from '../../../server/src/core/model.ts';
import { parser, shown } from './support.ts';

const folder = join(import.meta.dirname, '../../fixtures/languages');
const sources = readdirSync(folder).filter((name) => !name.endsWith('.outline'));

async function found(
  name: string,
  text: string,
): Promise<{ readonly symbols: readonly SymbolInfo[]; readonly imports: readonly string[] }> {
  const language = detectLanguage(name, text)!;
  const tree = (await parser.parse(language, text))!;
  try {
    return { symbols: parseOutline(tree, language, text), imports: findImports(tree, language) };
  } finally {
    tree.delete();
  }
}

describe.each(sources)('%s', (name) => {
  const text = readFileSync(join(folder, name), 'utf8');

  test('outline and imports are those written beside it', async () => {
    const [outlined = '', imported = ''] = readFileSync(join(folder, `${name}.outline`), 'utf8').split(/\n\n/);
    const { symbols, imports } = await found(name, text);
    expect(symbols.map(shown)).toEqual(outlined.split('\n').filter((line) => line !== ''));
    expect(imports).toEqual(imported.split('\n').filter((line) => line !== ''));
  });

  test('names stand where nameRange says', async () => {
    const lines = text.split('\n');
    for (const { name: symbol, nameRange: at } of (await found(name, text)).symbols) {
      const there = lines[at.startLine - 1]!.slice(
        at.startColumn - 1,
        at.endLine === at.startLine ? at.endColumn - 1 : undefined,
      );
      expect(symbol === there || symbol.endsWith(there) || there.includes(symbol)).toBe(true);
    }
  });

  test('Windows line ends change nothing', async () => {
    const { symbols, imports } = await found(name, text);
    const windows = await found(name, text.replaceAll('\n', '\r\n'));
    expect([windows.symbols.map(shown), windows.imports]).toEqual([symbols.map(shown), imports]);
  });

  test('cut off anywhere, it still gives an outline', async () => {
    for (let part = 1; part < 8; part++)
      expect((await found(name, text.slice(0, (text.length * part) >> 3))).symbols).toBeInstanceOf(Array);
  });
});
