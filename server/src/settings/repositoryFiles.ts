// Defines the paths of the files in a repository that contain settings. They are separate from the schemas, so that
// importing a path does not load the schema library.

export const TEAM_SETTINGS_PATH = '.selfware/settings.json';
export const CHARTER_PATH = '.selfware/charter.json';

/** True if a change of this file may change the settings that apply in this repository. */
export function decidesSettings(path: string): boolean {
  return path === TEAM_SETTINGS_PATH || path === CHARTER_PATH;
}
