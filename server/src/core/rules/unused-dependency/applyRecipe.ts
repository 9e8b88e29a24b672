// remove-dependency: removes a dependency from a package.json, and names the commands that update the lock files.

import { posix } from 'node:path';
import { findTablesWith, removeEntry } from '../../model/manifestEntry.ts';
import { findLockFiles, type LockFile } from '../../model/lockFiles.ts';
import { REMOVABLE_FROM } from '../../model/removedDependency.ts';
import { refuse, type RecipeContext, type RecipeOutcome } from '../../propose/recipe.ts';

/** Removes the entry whose name is at the opportunity's place. Refuses if two tables list the package. */
export function applyRecipe({ opportunity, text, path, tree }: RecipeContext): RecipeOutcome {
  const name = nameAt(text, opportunity.nameRange);
  const [table, other] = name === null ? [] : findTablesWith(text, name, REMOVABLE_FROM);
  if (name === null || table === undefined) return refuse('There is no such dependency any longer.');
  if (other !== undefined)
    return refuse(`\`${name}\` is declared in two tables, so removing one entry changes little.`);
  const changed = removeEntry(text, table, name);
  if (changed === null) return refuse('There is no such dependency any longer.');

  const folder = posix.dirname(path) === '.' ? '' : posix.dirname(path);
  const absolute = (relative: string) => posix.join(tree.rootDir.replaceAll('\\', '/'), relative);
  const locks = findLockFiles(
    folder,
    (relative) => tree.fileExists(absolute(relative)),
    (relative) => tree.read(absolute(relative)),
  );
  return {
    text: changed,
    title: `remove the unused dependency ${name}${folder === '' ? '' : ` of ${folder}`}`,
    namesPlace: true,
    rationale: `No import, script or configuration names \`${name}\`. ${lockSentence(locks)}`,
  };
}

/** The commands that a person has to run after the change is applied. */
function lockSentence(locks: readonly LockFile[]): string {
  if (locks.length === 0) return 'There is no lock file to update.';
  const commands = locks.map(
    ({ manager, folder, path }) => `\`${manager} install\` in ${folder === '' ? 'the root folder' : folder} (${path})`,
  );
  const them = locks.length === 1 ? 'the lock file' : 'the lock files';
  return `After it is applied, ${them} must be updated and committed with it: run ${commands.join(', and ')}.`;
}

/** The quoted name at the range; null if there is none. */
function nameAt(text: string, { startLine, startColumn, endColumn }: RecipeContext['opportunity']['nameRange']) {
  const line = text.split('\n')[startLine - 1] ?? '';
  return /^"([^"\\]+)"$/.exec(line.slice(startColumn - 1, endColumn - 1))?.[1] ?? null;
}
