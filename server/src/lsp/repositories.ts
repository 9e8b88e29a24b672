// The workspace folders of the window, and the selected one.

import { SelfwareError } from '../util/typedError.ts';
import { isCancelled } from './guard.ts';
import { createRepository } from './repository.ts';
import type { ServerContext, Repository, Repositories } from './serverContext.ts';

/** Creates the list of folders. `context` is called when a folder is added, not before. */
export function createRepositories(
  context: () => ServerContext,
  initially: { readonly trusted: boolean; readonly folder: string | null },
): Repositories {
  const known = new Map<string, Repository>();
  let { trusted, folder: selectedUri } = initially;

  const repositories: Repositories = {
    get trusted() {
      return trusted;
    },
    all: () => [...known.values()],
    locate(uri) {
      const candidates = [...known.values()].flatMap((repository) => {
        const path = repository.pathOf(uri);
        return path === null ? [] : [{ repository, path }];
      });
      return candidates.toSorted((one, other) => one.path.length - other.path.length)[0] ?? null;
    },
    chosen() {
      const repository = known.get(selectedUri ?? '') ?? [...known.values()][0];
      if (!repository)
        throw new SelfwareError('unavailable', 'No folder is open.', { action: 'Open the folder of a repository.' });
      return repository;
    },
    choose(uri) {
      selectedUri = uri;
    },
    async owner(knows) {
      if (known.size > 1) {
        const first = repositories.chosen();
        for (const repository of [first, ...[...known.values()].filter((other) => other !== first)]) {
          try {
            if (await knows(await repository.session())) return repository;
          } catch (error) {
            // A folder that could not be opened owns nothing, and must not hide the others.
            if (!(error instanceof SelfwareError) || isCancelled(error)) throw error;
          }
        }
      }
      return repositories.chosen();
    },
    async add(folder) {
      if (known.has(folder.uri)) return;
      const repository = createRepository(context(), folder);
      known.set(folder.uri, repository);
      await repository.open(trusted);
    },
    async remove(uri) {
      const repository = known.get(uri);
      known.delete(uri);
      await repository?.close();
    },
    async setTrusted(next) {
      if (next === trusted) return;
      trusted = next;
      await Promise.all([...known.values()].map((repository) => repository.open(trusted)));
    },
    async close() {
      const closing = [...known.values()];
      known.clear();
      await Promise.all(closing.map((repository) => repository.close()));
    },
  };
  return repositories;
}
