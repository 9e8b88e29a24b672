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
  initialState: { readonly trusted: boolean; readonly folder: string | null },
): Repositories {
  const repositoryByUri = new Map<string, Repository>();
  let { trusted, folder: selectedUri } = initialState;

  const repositories: Repositories = {
    get trusted() {
      return trusted;
    },
    all: () => [...repositoryByUri.values()],
    locate(uri) {
      const candidates = [...repositoryByUri.values()].flatMap((repository) => {
        const path = repository.pathOf(uri);
        return path === null ? [] : [{ repository, path }];
      });
      return candidates.toSorted((a, b) => a.path.length - b.path.length)[0] ?? null;
    },
    chosen() {
      const repository = repositoryByUri.get(selectedUri ?? '') ?? [...repositoryByUri.values()][0];
      if (!repository)
        throw new SelfwareError('unavailable', 'No folder is open.', { action: 'Open the folder of a repository.' });
      return repository;
    },
    choose(uri) {
      selectedUri = uri;
    },
    async owner(knows) {
      if (repositoryByUri.size > 1) {
        const chosenRepository = repositories.chosen();
        for (const repository of [
          chosenRepository,
          ...[...repositoryByUri.values()].filter((candidate) => candidate !== chosenRepository),
        ]) {
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
      if (repositoryByUri.has(folder.uri)) return;
      const repository = createRepository(context(), folder);
      repositoryByUri.set(folder.uri, repository);
      await repository.open(trusted);
    },
    async remove(uri) {
      const repository = repositoryByUri.get(uri);
      repositoryByUri.delete(uri);
      await repository?.close();
    },
    async setTrusted(isTrusted) {
      if (isTrusted === trusted) return;
      trusted = isTrusted;
      await Promise.all([...repositoryByUri.values()].map((repository) => repository.open(trusted)));
    },
    async close() {
      const repositoriesToClose = [...repositoryByUri.values()];
      repositoryByUri.clear();
      await Promise.all(repositoriesToClose.map((repository) => repository.close()));
    },
  };
  return repositories;
}
