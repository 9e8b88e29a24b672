// Files for searchers under test, made without a parser.

import { divideIntoChunks } from '../../../server/src/core/index/parse/chunk.ts';
import type { SearchedFile } from '../../../server/src/core/index/search/searcher.ts';
import type { SymbolInfo } from '../../../server/src/core/model.ts';

/** Definitions are the words after `def`, each on a line of its own. `refined` = with symbols, as after parsing. */
export function searchedFile(
  path: string,
  text: string,
  options: { readonly refined?: boolean; readonly vector?: (chunk: string) => Float32Array } = {},
): SearchedFile {
  const symbols = options.refined === false ? [] : symbolsOf(text);
  const chunks = divideIntoChunks(path, text, symbols);
  return {
    record: {
      path,
      size: text.length,
      mtimeMs: 0,
      hash: '',
      language: null,
      tokens: 0,
      symbols,
      imports: [],
      generated: false,
      trouble: null,
      chunks: chunks.map(({ id, startLine, endLine, symbol }) => ({ id, path, startLine, endLine, symbol })),
    },
    chunks: chunks.map(({ id, terms, text: piece }) => ({ id, terms, vector: options.vector?.(piece) ?? null })),
  };
}

function symbolsOf(text: string): SymbolInfo[] {
  return text.split('\n').flatMap((line, at) => {
    const name = /^def (\w+)/.exec(line)?.[1];
    if (!name) return [];
    const range = { startLine: at + 1, startColumn: 1, endLine: at + 1, endColumn: line.length + 1 };
    return [{ name, path: name, kind: 'function' as const, range, nameRange: range, exported: true }];
  });
}
