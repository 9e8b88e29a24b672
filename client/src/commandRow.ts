// Defines the type of a row in the tables of VS Code commands, and the `when` conditions that several rows share.

/** A command of the extension without its handler, in the terms of the contributions in package.json. */
export interface CommandRow {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /** True if the command is in the command palette (and in the documentation). */
  readonly palette: boolean;
  /** The condition for the command palette, so that only possible commands are offered. If omitted: always. */
  readonly when?: string;
  readonly icon?: string;
  readonly enablement?: string;
}

/** Condition for `when`: a folder is open. */
export const folderOpenCondition = 'workspaceFolderCount > 0';
/** Condition for `when`: changes are possible, because a trusted folder of a git repository is open. */
export const changesPossibleCondition = `isWorkspaceTrusted && ${folderOpenCondition} && !selfware.noGit`;
