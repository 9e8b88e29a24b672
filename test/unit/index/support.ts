// A parser on the real grammars and the outline as lines of text, for the tests of this folder.

import { createGrammarsFromNodeModules } from '../../../server/src/adapters/grammars/grammars.ts';
import { parseOutline } from '../../../server/src/core/index/parse/outline.ts';
import { createParser } from '../../../server/src/core/index/parse/parser.ts';
import type { Language, SymbolInfo } from '../../../server/src/core/model.ts';

export const parser = createParser(createGrammarsFromNodeModules());

export async function symbolsOf(language: Language, text: string): Promise<SymbolInfo[]> {
  const tree = await parser.parse(language, text);
  if (!tree) throw new Error(`${language} was not parsed`);
  try {
    return parseOutline(tree, language, text);
  } finally {
    tree.delete();
  }
}

/** `kind path startLine-endLine`, with a `+` in front where it is exported. */
export function shown({ kind, path, range, exported }: SymbolInfo): string {
  return `${exported ? '+' : ' '}${kind} ${path} ${range.startLine}-${range.endLine}`;
}
