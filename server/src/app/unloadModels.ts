// Unloads the models of Ollama on this machine that Selfware has asked within the last hour for the given repositories.
// Ollama does not say who uses a model, so one of these that another program uses, too, is also unloaded. Other models
// and other machines are left alone.

import { join } from 'node:path';
import { resolveStateFolder } from '../adapters/files/stateFolder.ts';
import { unloadOllamaModels } from '../adapters/models/ollama.ts';
import { parseDestination, parseProposerName } from '../adapters/models/proposerNames.ts';
import { readAskedProposers } from '../adapters/sqlite/askedProposers.ts';

/** Milliseconds after its last question for which a model is unloaded. */
const ASKED_WITHIN_MS = 3_600_000;

/**
 * Unloads the models and returns their names. Never rejects, because it must not keep `stop` from ending: `onProblem`
 * is called for what cannot be read.
 */
export async function unloadAskedModels(
  rootDirs: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  onProblem: (message: string) => void,
): Promise<readonly string[]> {
  const modelsByUrl = new Map<string, Set<string>>();
  for (const rootDir of rootDirs)
    try {
      const file = join(resolveStateFolder(rootDir, env), 'ledger.db');
      for (const name of await readAskedProposers(file, Date.now() - ASKED_WITHIN_MS)) {
        if (!name.startsWith('ollama:')) continue;
        const parsed = parseProposerName(name);
        if (parsed.kind !== 'ollama' || parseDestination(parsed.url) !== null) continue;
        const models = modelsByUrl.get(parsed.url) ?? new Set();
        modelsByUrl.set(parsed.url, models.add(parsed.model));
      }
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      onProblem(`Which models were asked for ${rootDir} cannot be read, so Ollama keeps them loaded: ${reason}`);
    }
  const unloaded = await Promise.all([...modelsByUrl].map(([url, models]) => unloadOllamaModels(url, [...models])));
  return [...new Set(unloaded.flat())].toSorted();
}
