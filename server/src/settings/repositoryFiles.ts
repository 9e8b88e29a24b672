// Where a repository keeps what it says to everybody who works in it. Apart from the schemas, so that nothing heavy is
// loaded for a name.

export const TEAM_SETTINGS_PATH = '.selfware/settings.json';
export const CHARTER_PATH = '.selfware/charter.json';

/** Whether what holds in this repository is another after a change of this file. */
export function decidesSettings(path: string): boolean {
  return path === TEAM_SETTINGS_PATH || path === CHARTER_PATH;
}
