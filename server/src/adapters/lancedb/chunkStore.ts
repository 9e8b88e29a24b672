// Chooses the chunk store: LanceDB where its binary works, the lexical store elsewhere.

import { join } from 'node:path';
import type { Notice } from '../../core/model.ts';
import type { ChunkStore } from '../../core/indexPorts.ts';
import type { Log } from '../../core/ports.ts';
import { describeError, SelfwareError } from '../../util/typedError.ts';
import { createLexicalStore } from '../lexical/lexicalStore.ts';
import { createLancedbStore } from './lancedbStore.ts';
import { LIBRARY_VARIABLE, nativeLibrary } from './nativeLibrary.ts';
import { probeLancedb } from './probe.ts';

/** The store in `stateDir`, with a notice when search has to do without LanceDB. */
export async function createChunkStore(stateDir: string, log: Log): Promise<{ readonly store: ChunkStore; readonly notice: Notice | null }> {
  const library = nativeLibrary(process.env[LIBRARY_VARIABLE]);
  const probe = await probeLancedb(join(stateDir, 'lancedb-probe.json'), library);
  if (!probe.usable) return lexical(stateDir, log, probe.reason);
  // The bundled loader finds the binary by this variable alone.
  process.env[LIBRARY_VARIABLE] ??= library!;
  try {
    return { store: await createLancedbStore(join(stateDir, 'lancedb'), { log }), notice: null };
  } catch (error) {
    if (error instanceof SelfwareError && error.reason === 'unavailable') return lexical(stateDir, log, describeError(error), error);
    throw error;
  }
}

async function lexical(stateDir: string, log: Log, reason: string, cause?: unknown): Promise<{ store: ChunkStore; notice: Notice }> {
  log.write('warn', `LanceDB is not usable: ${reason}`, cause);
  return {
    store: await createLexicalStore(join(stateDir, 'chunks.db')),
    notice: { severity: 'warning', message: `LanceDB is not usable on this machine: ${reason}. The built-in store serves instead.`, action: 'Search works, more slowly on large repositories.' },
  };
}
