// Opens a session on the repository of a run, whose ledger contains what was learned. The run itself works in a copy.

import type { Session } from '../../../core/session.ts';
import { createApp } from '../../createApp.ts';
import { loadEffectiveSettings } from '../../teamSettings.ts';
import type { NightRequest } from '../night.ts';

/**
 * Runs `work` in the session. `since`: the time at which the run began; the session counts its budgets from then.
 * If undefined, from now.
 */
export async function runInRepository(
  request: NightRequest,
  since: number | undefined,
  work: (session: Session) => Promise<void>,
): Promise<void> {
  const { rootDir, personSettings, env, log, editorModels } = request;
  const { settings, problems } = loadEffectiveSettings(rootDir, personSettings);
  const { session } = await createApp({
    rootDir,
    settings,
    settingsProblems: problems,
    trusted: true,
    env,
    log,
    searches: false,
    ...(since === undefined ? {} : { runStartedAt: since }),
    ...(editorModels === undefined ? {} : { editorModels }),
  });
  try {
    await work(session);
  } finally {
    await session.close();
  }
}
