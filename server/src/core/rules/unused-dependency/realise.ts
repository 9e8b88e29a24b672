// Removes a dependency from a package.json, and from the lock file if that is certain to be what the package manager
// would do.

import { posix } from 'node:path';
import { counted } from '../../../util/counted.ts';
import { nearestLock, pathBelow, type NearestLock } from '../../model/lockFiles.ts';
import { REMOVABLE_FROM, tableIn } from '../../model/removedDependency.ts';
import { tablesWith, withoutEntry } from '../../propose/dependencies/manifestEntry.ts';
import { withoutInNpmLock } from '../../propose/dependencies/npmLock.ts';
import { withoutInPnpmLock } from '../../propose/dependencies/pnpmLock.ts';
import { withoutInYarnLock } from '../../propose/dependencies/yarnLock.ts';
import { refuse, type RecipeContext, type RecipeOutcome } from '../../propose/recipe.ts';

/** Fields by which a manifest changes what Yarn installs for others. */
const CHANGES_OTHERS = ['workspaces', 'resolutions'] as const;

/** Removes the entry whose name stands at the opportunity's place. */
export function realise({ opportunity, sourceFile, text, path, tree }: RecipeContext): RecipeOutcome {
  const name = nameAt(sourceFile.text, opportunity.nameRange);
  const [table, other] = name === null ? [] : tablesWith(sourceFile, name, REMOVABLE_FROM);
  if (name === null || table === undefined) return refuse('There is no such dependency any longer.');
  if (other !== undefined)
    return refuse(`\`${name}\` is declared in two tables, so removing one entry changes little.`);
  const changed = withoutEntry(sourceFile, table, name);
  if (changed === null) return refuse(`\`${name}\` is declared twice in \`${table}\`.`);

  const dir = posix.dirname(path) === '.' ? '' : posix.dirname(path);
  const root = tree.rootDir.replaceAll('\\', '/');
  const lock = nearestLock(dir, (one) => tree.fileExists(posix.join(root, one)));
  const lockText = lock === null ? undefined : tree.read(posix.join(root, lock.path));
  const newLock =
    lock === null || lockText === undefined ? null : withoutIn(lock, lockText, { dir, table, name, text });
  return {
    text: changed,
    ...(lock === null || newLock === null ? {} : { others: [{ path: lock.path, text: newLock }] }),
    about: name,
    title: `remove it from ${table}`,
    rationale: [
      `No import, script or configuration names \`${name}\`.`,
      lockSentence(lock, lockText ?? null, newLock),
    ].join(' '),
  };
}

interface Removed {
  readonly dir: string;
  readonly table: string;
  readonly name: string;
  /** The manifest before the removal. */
  readonly text: string;
}

function withoutIn(lock: NearestLock, lockText: string, { dir, table, name, text }: Removed): string | null {
  const below = pathBelow(lock.folder, dir);
  if (lock.manager === 'npm') return withoutInNpmLock(lockText, below, table, name);
  if (lock.manager === 'pnpm') return withoutInPnpmLock(lockText, below, table, name);
  const manifest = tableIn(text);
  if (lock.manager !== 'yarn' || below !== '' || manifest === null) return null;
  if (CHANGES_OTHERS.some((field) => manifest[field] !== undefined)) return null;
  const declared = [...REMOVABLE_FROM, 'optionalDependencies'].flatMap((from) =>
    Object.entries((manifest[from] ?? {}) as Record<string, unknown>).map(([one, range]) => ({
      range: `${one}@${String(range)}`,
      isRemoved: from === table && one === name,
    })),
  );
  const removed = declared.find(({ isRemoved }) => isRemoved);
  const left = declared.flatMap(({ range, isRemoved }) => (isRemoved ? [] : [range]));
  return removed ? withoutInYarnLock(lockText, removed.range, left) : null;
}

/** What happens to the lock file, and what the person has to run. */
function lockSentence(lock: NearestLock | null, before: string | null, after: string | null): string {
  const install = `\`${lock?.manager ?? 'npm'} install\``;
  if (lock === null) return `After it is applied, ${install} removes it from node_modules.`;
  if (before === null || after === null)
    return `${lock.path} is left as it is, because only the package manager can tell how it changes: run ${install} after this is applied, and commit both.`;
  const lines = before.split('\n').length - after.split('\n').length;
  return `${lock.path} loses ${counted(lines, 'line')}: it, and what only it needs. After it is applied, ${install} removes them from node_modules.`;
}

/** The name that stands in quotes at the range. */
function nameAt(text: string, { startLine, startColumn, endColumn }: RecipeContext['opportunity']['nameRange']) {
  const line = text.split('\n')[startLine - 1] ?? '';
  return /^"([^"\\]+)"$/.exec(line.slice(startColumn - 1, endColumn - 1))?.[1] ?? null;
}
