// Defines the paths of the files in a repository that contain settings. This file is separate from the schemas, so that
// importing a path does not load the schema library.

/** Path of the settings of a team. */
export const TEAM_SETTINGS_PATH = '.selfware/settings.json';
/** Path of the charter, which says what is allowed in the repository. */
export const CHARTER_PATH = '.selfware/charter.json';

/** True if an edit of this file can change the settings that apply in the repository. */
export function decidesSettings(path: string): boolean {
  return path === TEAM_SETTINGS_PATH || path === CHARTER_PATH;
}
