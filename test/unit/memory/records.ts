// Records made by hand and records of real files, for the tests of this folder.

import fc from 'fast-check';
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createGrammarsFromNodeModules } from '../../../server/src/adapters/grammars/grammars.ts';
import { createFileRecord } from '../../../server/src/core/index/inspect.ts';
import { createParser } from '../../../server/src/core/index/parse/parser.ts';
import { packContext } from '../../../server/src/core/memory/pack.ts';
import type { SymbolInfo } from '../../../server/src/core/model.ts';
import type { FileRecord } from '../../../server/src/core/ports/catalogue.ts';
import type { PackContext, PackRequest } from '../../../server/src/core/memory/packRequest.ts';

export const never = new AbortController().signal;

export function symbol(path: string, startLine: number, endLine: number): SymbolInfo {
  const range = { startLine, startColumn: 1, endLine, endColumn: 2 };
  return { name: path.split('.').at(-1)!, path, kind: 'function', range, nameRange: range, exported: true };
}

/** `symbols`: definition, tokens of the whole, tokens of the signature. */
export function record(
  path: string,
  tokens: number,
  symbols: readonly (readonly [SymbolInfo, number, number])[] = [],
): FileRecord {
  return {
    path,
    size: tokens * 3,
    mtimeMs: 0,
    hash: `${path} ${tokens}`,
    language: 'typescript',
    tokens,
    symbols: symbols.map(([info]) => info),
    symbolTokens: symbols.map(([, body, signature]) => [body, signature]),
    chunks: [],
    imports: [],
    generated: false,
    trouble: null,
  };
}

export function pack(context: Partial<PackContext>, request: Partial<PackRequest>) {
  return packContext(
    { records: [], inDegree: new Map(), read: null, ...context },
    { task: '', taskType: 'SelfImprovement', budget: 1000, activeFiles: [], ...request },
    never,
  );
}

/** Records with nested definitions whose figures fit together or, as after an edit, do not. */
export const arbitraryRecords = fc
  .array(
    fc.record({
      tokens: fc.nat(20_000),
      generated: fc.boolean(),
      symbols: fc.array(fc.tuple(fc.nat(300), fc.nat(60), fc.nat(5000), fc.nat(200)), { maxLength: 12 }),
    }),
    { maxLength: 25 },
  )
  .map((files) =>
    files.map(({ tokens, generated, symbols }, index) => ({
      ...record(
        `src/folder${index % 4}/file${index}.ts`,
        tokens,
        symbols
          .sort((a, b) => a[0] - b[0])
          .map(
            ([start, length, body, signature], at) =>
              [symbol(`name${at}`, start + 1, start + 1 + length), body, signature] as const,
          ),
      ),
      generated,
    })),
  );

const parser = createParser(createGrammarsFromNodeModules());

/** The record of a text, as the index makes it. */
export async function recordOf(path: string, text: string): Promise<FileRecord> {
  const bytes = new TextEncoder().encode(text);
  const { record: made } = await createFileRecord(parser, {
    path,
    bytes,
    size: bytes.length,
    mtimeMs: 0,
    hash: createHash('sha256').update(bytes).digest('hex'),
  });
  return made;
}

/**
 * Records of the sources below a folder, by path, until there are `tokens` of them. The texts that they are of go into
 * `texts`.
 */
export async function recordsOf(
  rootDir: string,
  {
    tokens = Infinity,
    file = /\.(ts|js|mjs|cjs|md)$/,
    texts,
  }: { readonly tokens?: number; readonly file?: RegExp; readonly texts?: Map<string, string> } = {},
): Promise<FileRecord[]> {
  const records: FileRecord[] = [];
  let total = 0;
  for (const path of filesBelow(rootDir, '')) {
    if (total >= tokens) break;
    if (!file.test(path)) continue;
    const text = readFileSync(join(rootDir, path), 'utf8');
    const made = await recordOf(path, text);
    texts?.set(path, text);
    records.push(made);
    total += made.tokens;
  }
  return records;
}

const LARGEST_FILE = 300_000;

function* filesBelow(rootDir: string, folder: string): Generator<string> {
  for (const entry of readdirSync(join(rootDir, folder), { withFileTypes: true }).sort((a, b) =>
    a.name < b.name ? -1 : 1,
  )) {
    const path = folder ? `${folder}/${entry.name}` : entry.name;
    if (entry.isDirectory() && entry.name !== '.bin') yield* filesBelow(rootDir, path);
    else if (entry.isFile() && statSync(join(rootDir, path)).size < LARGEST_FILE) yield path;
  }
}
