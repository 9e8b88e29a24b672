// The symbol that a result of a search is shown with.

import { expect, test } from 'vitest';
import { findLabel } from '../../../server/src/core/session/search/hitSymbol.ts';
import type { SymbolInfo } from '../../../server/src/core/model.ts';

function symbol(path: string, startLine: number, endLine: number): SymbolInfo {
  const range = { startLine, startColumn: 1, endLine, endColumn: 1 };
  return { name: path.split('.').at(-1)!, path, kind: 'function', range, nameRange: range, exported: true };
}

const SYMBOLS = [
  symbol('first', 1, 4),
  symbol('Store', 6, 60),
  symbol('Store.get', 7, 10),
  symbol('Store.readEntry', 11, 45),
  symbol('Store.size', 46, 48),
];
const at = (startLine: number, endLine: number) => ({ startLine, endLine });

test.each([
  {
    what: 'the innermost one that covers most lines',
    lines: at(1, 40),
    query: 'how it is kept',
    label: 'Store.readEntry',
  },
  { what: 'the one around the lines, if it is the only one', lines: at(50, 58), query: 'x', label: 'Store' },
  { what: 'the one with the largest part', lines: at(1, 9), query: 'x', label: 'first' },
  { what: 'the one that the question names', lines: at(6, 48), query: 'the size of a store', label: 'Store.size' },
  { what: 'all words of the name have to be in it', lines: at(6, 48), query: 'read a file', label: 'Store.readEntry' },
  { what: 'the name with the most words', lines: at(6, 48), query: 'get: read entry', label: 'Store.readEntry' },
  { what: 'no symbol', lines: at(80, 90), query: 'size', label: null },
])('$what', ({ lines, query, label }) => {
  expect(findLabel(lines, SYMBOLS, query)).toBe(label);
});
