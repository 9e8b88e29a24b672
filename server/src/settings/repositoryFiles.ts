// Defines the paths of the files in a repository that contain settings. They are separate from the schemas, so that
// importing a path does not load the schema library.

/** The settings of a team. */
export const TEAM_SETTINGS_PATH = '.selfware/settings.json';
/** The charter: what is allowed in the repository. */
export const CHARTER_PATH = '.selfware/charter.json';

/** True if an edit of this file can change the settings that apply in the repository. */
export function decidesSettings(path: string): boolean {
  return path === TEAM_SETTINGS_PATH || path === CHARTER_PATH;
}
