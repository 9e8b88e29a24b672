// One file from bytes to record: decoded, parsed, outlined, cut into chunks.

import type { JobTable } from '../indexPorts.ts';
import { importsOf } from './imports.ts';
import { outline } from './outline.ts';
import { withParsed } from './parsedFile.ts';
import type { SourceParser } from './parser.ts';
import { definitionsByPattern } from './patterns/definitions.ts';
import { recordOf, recordOfUnreadable } from './record.ts';

export type ReadFile = JobTable['inspect']['input'][number];
export type Inspected = JobTable['inspect']['output'][number];

/** Throws what the parser throws; no text is expected to make it. */
export async function inspectFile(parser: SourceParser, file: ReadFile): Promise<Inspected> {
  const { path } = file;
  const inspected = await withParsed(parser, file, () => true, ({ text, language, generated, minified, tree }) => {
    const symbols = tree && language ? outline(tree, language, text) : generated || minified ? [] : definitionsByPattern(path, text);
    const imports = tree && language ? importsOf(tree, language) : [];
    return recordOf(file, { text, language, symbols, imports, generated, trouble: language && !tree && !generated ? 'parse failed' : null });
  });
  return 'reason' in inspected ? { record: recordOfUnreadable(file, inspected.reason), chunks: [] } : inspected;
}
