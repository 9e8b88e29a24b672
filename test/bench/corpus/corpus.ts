// Reads a folder into memory the way the index does: walked, parsed, cut into chunks.

import { createHash } from 'node:crypto';
import { createWorkingTree } from '../../../server/src/adapters/files/workingTree.ts';
import { grammarsFromNodeModules } from '../../../server/src/adapters/grammars/grammars.ts';
import type { FileRecord } from '../../../server/src/core/indexPorts.ts';
import { inspectFile, type Analyse } from '../../../server/src/core/index/inspect.ts';
import { createParser } from '../../../server/src/core/index/parser.ts';
import type { Chunk } from '../../../server/src/core/model.ts';
import { defaultSettings } from '../../../server/src/settings/schema.ts';
import type { Corpus } from '../peers/system.ts';

export async function readCorpus(name: string, root: string, signal: AbortSignal): Promise<Corpus> {
  const tree = await createWorkingTree(root);
  const { files: walked } = await tree.walk({ maxBytes: defaultSettings['index.maxFileKilobytes'] * 1024, exclude: [] }, signal);
  const parser = createParser(grammarsFromNodeModules());
  const files: { path: string; text: string }[] = [];
  const records: FileRecord[] = [];
  const chunks = new Map<string, readonly Chunk[]>();
  for (const { path, stat } of walked) {
    signal.throwIfAborted();
    const bytes = await tree.read(path);
    if (!bytes) continue;
    const inspected = await inspectFile(parser, noAnalysis, { path, bytes, size: stat.size, mtimeMs: stat.mtimeMs, hash: createHash('sha256').update(bytes).digest('hex') });
    const { trouble } = inspected.record;
    if (trouble === 'binary' || trouble === 'not utf-8') continue;
    files.push({ path, text: new TextDecoder().decode(bytes) });
    records.push(inspected.record);
    chunks.set(path, inspected.chunks);
  }
  parser.close();
  return { name, root, files, records, chunks };
}

/** Search needs none of it. */
export const noAnalysis: Analyse = () => ({ functions: [], opportunities: [], measures: {}, trouble: null });
