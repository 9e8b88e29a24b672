// Holds the repositories of the window's workspace folders, and the URI of the folder that the person has chosen.

import { SelfwareError } from '../util/typedError.ts';
import { isCancelled } from './guardHandlers.ts';
import { createRepository } from './repository.ts';
import type { ServerContext, Repository, Repositories } from './serverContext.ts';

/**
 * Creates an empty list. `context` is a function, because the context is complete only later; it is called when a
 * folder is added.
 */
export function createRepositories(
  context: () => ServerContext,
  initial: { readonly trusted: boolean; readonly folder: string | null },
): Repositories {
  const byUri = new Map<string, Repository>();
  let { trusted, folder: selectedUri } = initial;

  const repositories: Repositories = {
    get trusted() {
      return trusted;
    },
    all: () => [...byUri.values()],
    locate(uri) {
      const candidates = [...byUri.values()].flatMap((repository) => {
        const path = repository.pathOf(uri);
        return path === null ? [] : [{ repository, path }];
      });
      return candidates.toSorted((a, b) => a.path.length - b.path.length)[0] ?? null;
    },
    chosen() {
      const repository = byUri.get(selectedUri ?? '') ?? [...byUri.values()][0];
      if (!repository)
        throw new SelfwareError('unavailable', 'No folder is open.', { action: 'Open the folder of a repository.' });
      return repository;
    },
    choose(uri) {
      selectedUri = uri;
    },
    async owner(knows) {
      if (byUri.size > 1) {
        const first = repositories.chosen();
        for (const repository of [first, ...[...byUri.values()].filter((candidate) => candidate !== first)]) {
          try {
            if (await knows(await repository.session())) return repository;
          } catch (error) {
            // A folder that could not be opened is passed over, so that the others can still be found.
            if (!(error instanceof SelfwareError) || isCancelled(error)) throw error;
          }
        }
      }
      return repositories.chosen();
    },
    async add(folder) {
      if (byUri.has(folder.uri)) return;
      const repository = createRepository(context(), folder);
      byUri.set(folder.uri, repository);
      await repository.open(trusted);
    },
    async remove(uri) {
      const repository = byUri.get(uri);
      byUri.delete(uri);
      await repository?.close();
    },
    async setTrusted(next) {
      if (next === trusted) return;
      trusted = next;
      await Promise.all([...byUri.values()].map((repository) => repository.open(trusted)));
    },
    async close() {
      const closing = [...byUri.values()];
      byUri.clear();
      await Promise.all(closing.map((repository) => repository.close()));
    },
  };
  return repositories;
}
