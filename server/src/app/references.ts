// Searches other repositories on this machine, each of which has its own index. None of their code runs.

import { findReferenceRepositories } from '../adapters/files/referenceFolders.ts';
import type { Operation } from '../core/operation.ts';
import type { Log } from '../core/ports/system.ts';
import type { ReferenceHit, ReferenceRepositories } from '../core/ports/references.ts';
import type { Session } from '../core/session.ts';
import { throwIfCancelled } from '../util/typedError.ts';

/** Maximum number of milliseconds for one repository, which has to be indexed before it is searched. */
const MAX_MS = 120_000;
/** Maximum number of repositories that one search reads. */
const MAX_SEARCHED = 8;
/** Maximum number of lines of one result. */
const MAX_LINES = 60;

/** The other repositories, and the way to open them. */
export interface ReferenceOptions {
  readonly rootDir: string;
  /** Folders that the person named. */
  readonly roots: readonly string[];
  readonly log: Log;
  /** Maximum time for one repository, in milliseconds. */
  readonly limitMs?: number;
  /** Creates an untrusted session of another repository. */
  open(folder: string): Promise<Session>;
}

/** Creates the port with which the repository at `rootDir` searches the other repositories. */
export function createReferences({
  rootDir,
  roots,
  log,
  open,
  limitMs = MAX_MS,
}: ReferenceOptions): ReferenceRepositories {
  const listReferences = () => findReferenceRepositories(rootDir, roots);
  return {
    list: listReferences,
    async search(query, limit, operation) {
      const hitsByRepository: (readonly ReferenceHit[])[] = [];
      for (const { folder } of (await listReferences()).slice(0, MAX_SEARCHED)) {
        try {
          const signal = AbortSignal.any([operation.signal, AbortSignal.timeout(limitMs)]);
          hitsByRepository.push(await searchOne(open, folder, query, limit, { ...operation, signal }));
        } catch (error) {
          // A problem with one repository does not prevent the search in the others.
          throwIfCancelled(operation.signal);
          log.write('warn', `${folder} was not searched.`, error);
        }
      }
      return interleave(hitsByRepository).slice(0, limit);
    },
  };
}

/** Opens, indexes and searches one repository. */
async function searchOne(
  open: ReferenceOptions['open'],
  folder: string,
  query: string,
  limit: number,
  operation: Operation,
): Promise<readonly ReferenceHit[]> {
  const session = await open(folder);
  try {
    await session.open(operation);
    await session.memory.index(operation);
    const hits: ReferenceHit[] = [];
    for (const { path, startLine, endLine } of await session.memory.search(query, limit, operation.signal)) {
      const lastLine = Math.min(endLine, startLine + MAX_LINES - 1);
      const lines = (await session.memory.text(path))?.split('\n').slice(startLine - 1, lastLine);
      if (lines) hits.push({ repository: folder, path, startLine, endLine: lastLine, text: lines.join('\n') });
    }
    return hits;
  } finally {
    await session.close();
  }
}

/**
 * Interleaves the lists: the first element of each, then the second of each. They are not sorted by score, because
 * scores of different indexes cannot be compared.
 */
function interleave<T>(lists: readonly (readonly T[])[]): readonly T[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, offset) => lists.flatMap((hits) => hits.slice(offset, offset + 1))).flat();
}
