// Combines the settings of a folder: settings of the client, and settings of the repository, which may only tighten
// them.

import { storeEditorSettings } from '../app/editorSettings.ts';
import type { Settings } from '../settings/schema.ts';
import { toFolder, flattenSettings } from './fromProtocol.ts';
import type { ServerContext } from './serverContext.ts';

/**
 * The settings of a folder. Asks the client if it answers workspace/configuration; otherwise uses the settings that it
 * pushed. Both take precedence over those in the `initialize` request. Stores the client's settings for a server for
 * agents.
 */
export async function readClientSettings(
  context: Pick<ServerContext, 'abilities' | 'connection' | 'log' | 'pushedSettings'>,
  scopeUri: string,
): Promise<{ readonly settings: Settings; readonly problems: readonly string[] }> {
  // The schema loads zod, which would delay `initialize`, so it is loaded here.
  const { loadEffectiveSettings } = await import('../app/teamSettings.ts');
  const initial = flattenSettings(context.abilities.settings);
  const current = context.abilities.configuration ? await askClient(context, scopeUri) : context.pushedSettings;
  const clientValues = { ...initial, ...flattenSettings(current) };
  const rootDir = toFolder(scopeUri);
  if (rootDir !== null) await storeForAgents(context, rootDir, clientValues);
  return loadEffectiveSettings(rootDir, clientValues);
}

async function storeForAgents(
  { log }: Pick<ServerContext, 'log'>,
  rootDir: string,
  clientValues: Readonly<Record<string, unknown>>,
): Promise<void> {
  try {
    await storeEditorSettings(rootDir, clientValues, process.env);
  } catch (error) {
    log.write('warn', 'The settings for a server for agents could not be kept, so its defaults hold.', error);
  }
}

async function askClient(
  { connection, log }: Pick<ServerContext, 'connection' | 'log'>,
  scopeUri: string,
): Promise<unknown> {
  try {
    return await connection.workspace.getConfiguration({ scopeUri, section: 'selfware' });
  } catch (error) {
    log.write(
      'warn',
      'The client announced workspace/configuration and did not answer it; the defaults are used.',
      error,
    );
    return {};
  }
}
