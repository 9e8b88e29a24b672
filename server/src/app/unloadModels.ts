// Unloads the models of Ollama on this machine that Selfware has loaded for the given repositories. Three kinds of
// models stay loaded: those that were in memory before Selfware asked them, because another program has loaded them;
// those on other machines; and, at the end of a run, those that another run uses. Ollama does not say who uses a model,
// so one that Selfware has loaded is unloaded even if another program also uses it.

import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { resolveStateFolder } from '../adapters/files/stateFolder.ts';
import { unloadOllamaModels } from '../adapters/models/ollama.ts';
import { parseDestination, parseProposerName } from '../adapters/models/proposerNames.ts';
import { readAskedProposers, type AskedProposer } from '../adapters/sqlite/askedProposers.ts';
import { resolveNightFolders } from './nights/nightFolders.ts';

/** Milliseconds for which Ollama keeps a model in memory after its last question. */
const KEPT_MS = 5 * 60_000;
/**
 * Milliseconds before now from which questions are read. A run may have loaded a model at its beginning, and may last
 * this long.
 */
const LONGEST_RUN_MS = 14 * 24 * 3_600_000;

/** The run whose models are unloaded, by its id or by the time at which its night began. */
export type AskingRun = Pick<AskedProposer, 'run'> | { readonly night: number };

/**
 * Unloads the models and returns their names. `ended`: the run that has ended; null for all runs. Never rejects,
 * because it must not keep `stop` or a run from ending. `onProblem` is called with a sentence about each ledger that
 * cannot be read.
 */
export async function unloadAskedModels(
  rootDirs: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  onProblem: (message: string) => void,
  ended: AskingRun | null = null,
): Promise<readonly string[]> {
  const now = Date.now();
  const questions: AskedProposer[] = [];
  for (const rootDir of rootDirs)
    try {
      for (const file of await findLedgers(rootDir, env))
        questions.push(...(await readAskedProposers(file, now - LONGEST_RUN_MS)));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      onProblem(`Which models were asked for ${rootDir} cannot be read, so Ollama keeps them loaded: ${reason}`);
    }
  const modelsByUrl = new Map<string, Set<string>>();
  for (const name of findLoaded(questions, now, ended)) {
    const parsed = parseProposerName(name);
    if (parsed.kind !== 'ollama' || parseDestination(parsed.url) !== null) continue;
    const models = modelsByUrl.get(parsed.url) ?? new Set();
    modelsByUrl.set(parsed.url, models.add(parsed.model));
  }
  const unloadedNames = await Promise.all(
    [...modelsByUrl].map(([url, models]) => unloadOllamaModels(url, [...models])),
  );
  return [...new Set(unloadedNames.flat())].toSorted();
}

/**
 * The ledger of a repository, and those of its unattended runs, which contain questions that are copied only at the end
 * of a turn.
 */
async function findLedgers(
  rootDir: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<readonly string[]> {
  const home = resolveNightFolders(rootDir, env).env['SELFWARE_HOME']!;
  const states = existsSync(home) ? (await readdir(home)).map((name) => join(home, name)) : [];
  return [resolveStateFolder(rootDir, env), ...states].map((state) => join(state, 'ledger.db'));
}

/**
 * The names of the Ollama models that a question of Selfware has loaded, and that have not been without a question for
 * longer than `KEPT_MS` since. After the end of a run: those of the run that no other run has asked recently.
 */
function findLoaded(questions: readonly AskedProposer[], now: number, ended: AskingRun | null): readonly string[] {
  const states = new Map<string, { readonly isOurs: boolean; readonly endsAt: number }>();
  const [ofRun, ofOthers] = [new Set<string>(), new Set<string>()];
  for (const question of questions.toSorted((a, b) => a.at - b.at)) {
    const { at, endsAt, hasBegun, proposer, loads } = question;
    // A question that ended before an answer began may not have loaded its model.
    if (!proposer.startsWith('ollama:') || !hasBegun) continue;
    const before = states.get(proposer);
    // After a longer pause, Ollama has unloaded the model, so another program must have loaded it since.
    const wasOurs = before !== undefined && before.isOurs && at - before.endsAt <= KEPT_MS;
    states.set(proposer, { isOurs: loads === true || wasOurs, endsAt: Math.max(endsAt, before?.endsAt ?? 0) });
    if (ended === null || isOfRun(question, ended)) ofRun.add(proposer);
    else if (endsAt >= now - KEPT_MS) ofOthers.add(proposer);
  }
  return [...states].flatMap(([name, { isOurs, endsAt }]) =>
    isOurs && endsAt >= now - KEPT_MS && ofRun.has(name) && !ofOthers.has(name) ? [name] : [],
  );
}

/** True for a question of the run that has ended. */
function isOfRun(question: AskedProposer, ended: AskingRun): boolean {
  return 'night' in ended ? question.night === ended.night : question.run === ended.run;
}
