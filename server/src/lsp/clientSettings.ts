// Combines the settings for a folder: those of the editor, and those of the repository, which may only be stricter.

import { storeEditorSettings } from '../app/editorSettings.ts';
import type { Settings } from '../settings/schema.ts';
import { toAbsolutePath, flattenSettings } from './fromProtocol.ts';
import type { ServerContext } from './serverContext.ts';

/**
 * The settings for a folder, and the problems in them as sentences. Asks the client if it supports
 * `workspace/configuration`; otherwise uses the settings that it has pushed. The answered and the pushed settings take
 * precedence over those in the `initialize` request. Also stores the client's settings, so that an MCP server for
 * agents can read them.
 */
export async function readClientSettings(
  context: Pick<ServerContext, 'abilities' | 'connection' | 'log' | 'pushedSettings'>,
  scopeUri: string,
): Promise<{ readonly settings: Settings; readonly problems: readonly string[] }> {
  // Imported here, because the schema of the settings loads zod, which would delay the answer to `initialize`.
  const { loadEffectiveSettings } = await import('../app/teamSettings.ts');
  const initialSettings = flattenSettings(context.abilities.settings);
  const currentSettings = context.abilities.answersConfiguration
    ? await askClient(context, scopeUri)
    : context.pushedSettings;
  const clientValues = { ...initialSettings, ...flattenSettings(currentSettings) };
  const rootDir = toAbsolutePath(scopeUri);
  if (rootDir !== null) await storeForAgents(context, rootDir, clientValues);
  return loadEffectiveSettings(rootDir, clientValues);
}

/**
 * Stores the settings for MCP servers that agents start. A failure is only logged, because this window does not need
 * them.
 */
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

/** The settings that the client answers; empty, with a warning in the log, if the request fails. */
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
