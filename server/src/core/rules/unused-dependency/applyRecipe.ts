// remove-dependency: removes a dependency from a package.json, and names the commands that update the lock files.

import { posix } from 'node:path';
import { findTablesWithEntry, removeEntry } from '../../model/manifestEntry.ts';
import { findLockFiles, type LockFile } from '../../model/lockFiles.ts';
import { REMOVABLE_TABLES } from '../../model/removedDependency.ts';
import { refuse, type RecipeContext, type RecipeOutcome } from '../../propose/recipe.ts';

/** Removes the entry whose name is at the opportunity's place. Refuses if two tables list the package. */
export function applyRecipe({ opportunity, text, path, tree }: RecipeContext): RecipeOutcome {
  const name = findQuotedName(text, opportunity.nameRange);
  const [table, otherTable] = name === null ? [] : findTablesWithEntry(text, name, REMOVABLE_TABLES);
  if (name === null || table === undefined) return refuse('There is no such dependency any longer.');
  if (otherTable !== undefined)
    return refuse(`\`${name}\` is declared in two tables, so removing one entry changes little.`);
  const newText = removeEntry(text, table, name);
  if (newText === null) return refuse('There is no such dependency any longer.');

  const folder = posix.dirname(path) === '.' ? '' : posix.dirname(path);
  const toAbsolutePath = (relative: string) => posix.join(tree.rootDir.replaceAll('\\', '/'), relative);
  const lockFiles = findLockFiles(
    folder,
    (relative) => tree.fileExists(toAbsolutePath(relative)),
    (relative) => tree.read(toAbsolutePath(relative)),
  );
  return {
    text: newText,
    title: `remove the unused dependency ${name}${folder === '' ? '' : ` of ${folder}`}`,
    namesPlace: true,
    rationale: `No import, script or configuration names \`${name}\`. ${describeLockCommands(lockFiles)}`,
  };
}

/** The commands that a person has to run after the change is applied. */
function describeLockCommands(lockFiles: readonly LockFile[]): string {
  if (lockFiles.length === 0) return 'There is no lock file to update.';
  const commands = lockFiles.map(
    ({ manager, folder, path }) => `\`${manager} install\` in ${folder === '' ? 'the root folder' : folder} (${path})`,
  );
  const filesText = lockFiles.length === 1 ? 'the lock file' : 'the lock files';
  return `After it is applied, ${filesText} must be updated and committed with it: run ${commands.join(', and ')}.`;
}

/** The quoted name at the range; null if there is none. */
function findQuotedName(
  text: string,
  { startLine, startColumn, endColumn }: RecipeContext['opportunity']['nameRange'],
) {
  const line = text.split('\n')[startLine - 1] ?? '';
  return /^"([^"\\]+)"$/.exec(line.slice(startColumn - 1, endColumn - 1))?.[1] ?? null;
}
