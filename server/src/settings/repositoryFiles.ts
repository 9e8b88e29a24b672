// The paths of Selfware's files in a repository. Separate from the schemas, so that using a name loads nothing heavy.

export const TEAM_SETTINGS_PATH = '.selfware/settings.json';
export const CHARTER_PATH = '.selfware/charter.json';

/** True if a change of this file may change the settings that apply in this repository. */
export function decidesSettings(path: string): boolean {
  return path === TEAM_SETTINGS_PATH || path === CHARTER_PATH;
}
