// Reads a folder into memory as the index does: walks it, parses the files, divides them into chunks, and reads the
// history.

import { createHash } from 'node:crypto';
import { createWorkingTree } from '../../../server/src/adapters/files/workingTree.ts';
import { createHistory } from '../../../server/src/adapters/git/history.ts';
import { createGrammarsFromNodeModules } from '../../../server/src/adapters/grammars/grammars.ts';
import { createFileRecord, type LoadedFile } from '../../../server/src/core/index/inspect.ts';
import { createParser } from '../../../server/src/core/index/parse/parser.ts';
import type { Chunk } from '../../../server/src/core/model.ts';
import { defaultSettings } from '../../../server/src/settings/schema.ts';
import type { Corpus } from '../peers/system.ts';
import type { FileRecord } from '../../../server/src/core/ports/catalogue.ts';

/** Maximum number of commits that are read. */
const COMMITS = 10_000;

/** Reads the folder `root`. */
export async function readCorpus(name: string, root: string, signal: AbortSignal): Promise<Corpus> {
  const tree = await createWorkingTree(root);
  const { files } = await tree.walk(
    { maxBytes: defaultSettings['index.maxFileKilobytes'] * 1024, exclude: [] },
    signal,
  );
  const readFiles = async function* (): AsyncGenerator<LoadedFile> {
    for (const { path, stat } of files) {
      const bytes = await tree.read(path);
      if (bytes)
        yield {
          path,
          bytes,
          size: stat.size,
          mtimeMs: stat.mtimeMs,
          hash: createHash('sha256').update(bytes).digest('hex'),
        };
    }
  };
  return {
    name,
    root,
    commits: await createHistory(root).commits(COMMITS, signal),
    ...(await inspectAll(readFiles(), signal)),
  };
}

/** Makes a corpus of files that are not on a disk, without history. */
export async function createCorpus(name: string, files: Corpus['files'], signal: AbortSignal): Promise<Corpus> {
  const yieldFiles = async function* (): AsyncGenerator<LoadedFile> {
    for (const { path, text } of files) {
      const bytes = new TextEncoder().encode(text);
      yield { path, bytes, size: bytes.byteLength, mtimeMs: 0, hash: createHash('sha256').update(bytes).digest('hex') };
    }
  };
  return { name, root: null, commits: [], ...(await inspectAll(yieldFiles(), signal)) };
}

/** Inspects files as the index does. Files that are not text are skipped. */
async function inspectAll(
  loadedFiles: AsyncIterable<LoadedFile>,
  signal: AbortSignal,
): Promise<Pick<Corpus, 'files' | 'records' | 'chunks'>> {
  const parser = createParser(createGrammarsFromNodeModules());
  const files: { path: string; text: string }[] = [];
  const records: FileRecord[] = [];
  const chunks = new Map<string, readonly Chunk[]>();
  for await (const file of loadedFiles) {
    signal.throwIfAborted();
    const indexedFile = await createFileRecord(parser, file);
    const { path, trouble } = indexedFile.record;
    if (trouble === 'binary' || trouble === 'not utf-8') continue;
    files.push({ path, text: new TextDecoder().decode(file.bytes) });
    records.push(indexedFile.record);
    chunks.set(path, indexedFile.chunks);
  }
  parser.close();
  return { files, records, chunks };
}
