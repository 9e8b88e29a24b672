// Chooses the chunk store: the shared one if it is configured and answers, otherwise LanceDB in the state folder,
// otherwise the lexical store.

import { join } from 'node:path';
import type { Notice } from '../../core/model.ts';
import { describeError, SelfwareError } from '../../util/typedError.ts';
import { createLexicalStore } from '../lexical/lexicalStore.ts';
import { createLancedbStore } from './lancedbStore.ts';
import { LIBRARY_VARIABLE, findNativeLibrary } from './nativeLibrary.ts';
import { resolveRepositoryUri } from './storePlace.ts';
import { isKnownUsable, probeLancedb } from './probe.ts';
import { readRevision } from './revision.ts';
import { createTableName } from './tables.ts';
import type { Log } from '../../core/ports/system.ts';
import type { ChunkStore } from '../../core/ports/search.ts';

/** A place for the chunks that many machines share. */
export interface SharedStore {
  /** `s3://bucket/prefix` or `db://name`. */
  readonly uri: string;
  /** The key of this repository, which is the same on every machine (adapters/git/repositoryKey.ts). */
  readonly repository: string;
  /** The environment variables with credentials and endpoints: the standard AWS_… variables, and LANCEDB_API_KEY. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

type ChosenStore = { readonly store: ChunkStore; readonly notice: Notice | null };

/**
 * Chooses and opens the store. `notice` is set if it is not the configured one. Rejects with the errors of the local
 * store (`readOnly`, `diskFull`, `writeFailed`) and of the lexical store, and with unexpected errors.
 */
export async function createChunkStore(
  stateDir: string,
  log: Log,
  shared: SharedStore | null = null,
): Promise<ChosenStore> {
  const library = findNativeLibrary(process.env[LIBRARY_VARIABLE]);
  const probe = await probeLancedb(join(stateDir, 'lancedb-probe.json'), library);
  if (!probe.usable) return openLexicalStore(stateDir, log, probe.reason);
  // The bundled loader finds the binary only by this variable.
  process.env[LIBRARY_VARIABLE] ??= library!;
  if (!shared) return openLocalStore(stateDir, log);
  try {
    const store = await createLancedbStore(resolveRepositoryUri(shared.uri, shared.repository), {
      log,
      env: shared.env,
      repository: shared.repository,
    });
    return { store, notice: null };
  } catch (error) {
    if (!(error instanceof SelfwareError)) throw error;
    log.write('warn', `The shared index cannot be used: ${error.message}`, error.cause);
    const { store, notice } = await openLocalStore(stateDir, log);
    return {
      store,
      notice: notice ?? {
        severity: 'warning',
        message: `The shared index of index.store cannot be used: ${describeError(error)} The local index is used instead.`,
        action: 'Check index.store, the network and the credentials in the environment; then restart.',
      },
    };
  }
}

/**
 * The revision of the table in the state folder; null if another store may be used, or if the table has none. Does not
 * load the binary.
 */
export async function readLocalRevision(
  stateDir: string,
  hasSharedStore: boolean,
  profile: string,
  dimensions: number,
): Promise<{ readonly kind: 'lancedb'; readonly revision: string } | null> {
  if (
    hasSharedStore ||
    !(await isKnownUsable(join(stateDir, 'lancedb-probe.json'), findNativeLibrary(process.env[LIBRARY_VARIABLE])))
  )
    return null;
  const path = join(stateDir, 'lancedb');
  const revision = await readRevision(path, createTableName({ place: path, repository: '' }, profile, dimensions));
  return revision === null ? null : { kind: 'lancedb', revision };
}

async function openLocalStore(stateDir: string, log: Log): Promise<ChosenStore> {
  try {
    return { store: await createLancedbStore(join(stateDir, 'lancedb'), { log }), notice: null };
  } catch (error) {
    if (error instanceof SelfwareError && error.reason === 'unavailable')
      return openLexicalStore(stateDir, log, describeError(error), error);
    throw error;
  }
}

async function openLexicalStore(stateDir: string, log: Log, reason: string, cause?: unknown): Promise<ChosenStore> {
  log.write('warn', `LanceDB is not usable: ${reason}`, cause);
  return {
    store: await createLexicalStore(join(stateDir, 'chunks.db')),
    notice: {
      severity: 'warning',
      message: `LanceDB is not usable on this machine: ${reason.replace(/\.$/, '')}. The built-in store is used instead.`,
      action: 'Search works, more slowly on large repositories.',
    },
  };
}
