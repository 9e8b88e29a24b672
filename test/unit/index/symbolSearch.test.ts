// Definitions found by name.

import { expect, test } from 'vitest';
import { findSymbols } from '../../../server/src/core/index/symbolSearch.ts';
import type { SymbolInfo } from '../../../server/src/core/model.ts';
import type { FileRecord } from '../../../server/src/core/ports/catalogue.ts';

function record(path: string, names: readonly string[], generated = false): FileRecord {
  const symbols = names.map((name, at): SymbolInfo => {
    const range = { startLine: at + 1, startColumn: 1, endLine: at + 1, endColumn: 2 };
    return {
      name: name.split('.').at(-1)!,
      path: name,
      kind: 'function',
      range,
      nameRange: range,
      exported: !name.includes('private'),
    };
  });
  return {
    path,
    size: 1,
    mtimeMs: 1,
    hash: path,
    language: 'typescript',
    tokens: 1,
    symbols,
    chunks: [],
    imports: [],
    generated,
    trouble: null,
  };
}

const records = [
  record('a.ts', ['getUserById', 'getUser', 'Store.get', 'Cache.get', 'user_by_id', 'forget']),
  record('b.ts', ['getUser', 'widget']),
  record('c.ts', ['getUser'], true),
];
const names = (query: string, limit = 10, inDegree = new Map<string, number>()) =>
  findSymbols(records, query, limit, inDegree).map(({ path, symbol }) => `${path}#${symbol.path}`);

test('whole names come first, then beginnings, humps, inside and letters in order', () => {
  expect(names('get')).toHaveLength(8);
  expect(names('get').slice(0, 2).sort()).toEqual(['a.ts#Cache.get', 'a.ts#Store.get']);
  expect(names('get').slice(-2).sort()).toEqual(['a.ts#forget', 'b.ts#widget']);
  expect(names('gubi')).toEqual(['a.ts#getUserById']);
  expect(names('ubi')).toEqual(['a.ts#user_by_id', 'a.ts#getUserById']);
  expect(names('gtusr')).toEqual(['a.ts#getUser', 'b.ts#getUser', 'c.ts#getUser', 'a.ts#getUserById']);
});

test('what more files lean on comes before, what is generated after', () => {
  expect(names('getUser', 3, new Map([['b.ts', 9]]))).toEqual(['b.ts#getUser', 'a.ts#getUser', 'c.ts#getUser']);
});

test('a path of scopes narrows, and nothing finds nothing', () => {
  expect(names('Store.get')).toEqual(['a.ts#Store.get']);
  expect(names('store::get')).toEqual(['a.ts#Store.get']);
  expect([names(''), names('   '), names('.'), names('zz'), names('get', 0)]).toEqual([[], [], [], [], []]);
});
