// Unloads the models of Ollama servers that Selfware has asked for the given repositories. Models that other programs
// use stay loaded.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { resolveStateFolder } from '../adapters/files/stateFolder.ts';
import { unloadOllamaModels } from '../adapters/models/ollama.ts';
import { parseProposerName } from '../adapters/models/proposerNames.ts';
import { createLedgerStore } from '../adapters/sqlite/ledgerStore.ts';
import { SelfwareError } from '../util/typedError.ts';

/** Number of the last questions of a repository whose models are unloaded. */
const LAST_QUESTIONS = 100;

/** Unloads the models and returns their names. */
export async function unloadAskedModels(
  rootDirs: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<readonly string[]> {
  const modelsByUrl = new Map<string, Set<string>>();
  for (const rootDir of rootDirs)
    for (const name of await askedProposers(join(resolveStateFolder(rootDir, env), 'ledger.db'))) {
      if (!name.startsWith('ollama:')) continue;
      const parsed = parseProposerName(name);
      if (parsed.kind !== 'ollama') continue;
      const models = modelsByUrl.get(parsed.url) ?? new Set();
      modelsByUrl.set(parsed.url, models.add(parsed.model));
    }
  const unloaded = await Promise.all([...modelsByUrl].map(([url, models]) => unloadOllamaModels(url, [...models])));
  return [...new Set(unloaded.flat())].toSorted();
}

/** The names of the proposers of the last questions; none if the ledger cannot be read. */
async function askedProposers(file: string): Promise<readonly string[]> {
  if (!existsSync(file)) return [];
  const store = await createLedgerStore(file);
  try {
    const events = await store.read({ types: ['asked'], limit: LAST_QUESTIONS, newestFirst: true });
    return events.flatMap(({ data }) => {
      const { proposer } = data as { readonly proposer?: unknown };
      return typeof proposer === 'string' ? [proposer] : [];
    });
  } catch (error) {
    if (error instanceof SelfwareError) return [];
    throw error;
  } finally {
    await store.close();
  }
}
