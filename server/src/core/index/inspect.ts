// Turns the bytes of one file into its record: decodes, parses, outlines, and divides into chunks.

import { findImports } from './parse/imports.ts';
import { parseOutline } from './parse/outline.ts';
import { withParsed } from './parse/parsedFile.ts';
import type { SourceParser } from './parse/parser.ts';
import { findDefinitionsByPattern } from './patterns/definitions.ts';
import { createRecord, createUnreadableRecord } from './record.ts';
import { createTermPacker, type TermDictionary, type TermPacker } from './terms/termPacker.ts';
import type { IndexJobs } from './jobs.ts';

/** Inspects files as one batch, so that each term is transferred once. */
export async function inspectFiles(
  parser: SourceParser,
  files: readonly LoadedFile[],
  dictionary: TermDictionary,
): Promise<IndexedFileResult[]> {
  const packer = createTermPacker(dictionary);
  const inspected: IndexedFileResult[] = [];
  for (const file of files) inspected.push(await createFileRecord(parser, file, packer));
  packer.finish();
  return inspected;
}

/** A file with its bytes. */
export type LoadedFile = IndexJobs['inspect']['input'][number];
/** The record of the file, and its chunks. */
export type IndexedFileResult = IndexJobs['inspect']['output'][number];

/**
 * Parses one file and inspects the result. Rejects with the errors of the parser, which indicate a bug: no text should
 * cause one. Adds the terms of the chunks to `packer`; the caller has to call `packer.finish()`. Without a packer, the
 * chunks contain their terms as words.
 */
export async function createFileRecord(
  parser: SourceParser,
  file: LoadedFile,
  packer?: TermPacker,
): Promise<IndexedFileResult> {
  const { path } = file;
  const inspected = await withParsed(
    parser,
    file,
    // A tree is needed for every language.
    () => true,
    ({ text, language, generated, minified, tree }) => {
      const symbols =
        tree && language
          ? parseOutline(tree, language, text)
          : generated || minified
            ? []
            : findDefinitionsByPattern(path, text);
      const imports = tree && language ? findImports(tree, language) : [];
      return createRecord(
        file,
        {
          text,
          language,
          symbols,
          imports,
          generated,
          trouble: language && !tree && !generated ? 'parse failed' : null,
        },
        packer,
      );
    },
  );
  if ('reason' in inspected) return { record: createUnreadableRecord(file, inspected.reason), chunks: [] };
  return packer
    ? { ...inspected, packed: { batch: packer.batch, first: packer.count() - inspected.chunks.length } }
    : inspected;
}
