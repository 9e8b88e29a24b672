// Decides which linter checks which files: a package's own linter checks its files, and the root's linter all others.
// Other languages have additional linters.

import { findLinterFolder, languageLinters } from '../detect/languageLinters.ts';
import { detectLint, findMissingLinterName, type Linter } from '../detect/lintCommand.ts';
import { findPackagesAround, readProject, type DetectedProject } from '../detect/project.ts';
import type { Worktree } from '../../ports/sandbox.ts';

/** A part of the repository that a linter checks. */
export interface LintArea {
  readonly linter: Linter;
  readonly project: DetectedProject;
  /** Folder in which the linter runs, relative to the work tree; empty for the root. */
  readonly folder: string;
  /** The given paths that the linter checks, relative to its folder. */
  pathsFor(paths: readonly string[]): readonly string[];
}

/** The linters of the touched files. `setting`: the user's own command, which then checks all files. */
export async function findLintAreas(
  worktree: Worktree,
  root: DetectedProject,
  paths: readonly string[],
  setting: string,
): Promise<readonly LintArea[]> {
  const scripts = await findScriptAreas(worktree, root, paths, setting);
  return setting.trim() === '' ? [...scripts, ...(await findLanguageAreas(worktree, root, paths))] : scripts;
}

/** The name of a linter that is configured for a touched file but not installed; null if there is none. */
export async function findMissingLinter(
  worktree: Worktree,
  root: DetectedProject,
  paths: readonly string[],
): Promise<string | null> {
  const folders = await findPackagesAround(worktree, [...new Set(paths.map(createPlaceholderPath))]);
  for (const folder of folders) {
    const project = await readProject(worktree, folder, root);
    const pathsInFolder = paths.filter((path) => path.startsWith(`${folder}/`));
    const missing = detectLint(project, '') ? null : findMissingLinterName(project, pathsInFolder);
    if (missing !== null) return missing;
  }
  return detectLint(root, '') ? null : findMissingLinterName(root, paths);
}

/** The areas of the linters for scripts: of the packages with their own linter, and of the root. */
async function findScriptAreas(
  worktree: Worktree,
  root: DetectedProject,
  paths: readonly string[],
  setting: string,
): Promise<readonly LintArea[]> {
  const folders =
    setting.trim() === '' ? await findPackagesAround(worktree, [...new Set(paths.map(createPlaceholderPath))]) : [];
  const areas: LintArea[] = [];
  for (const folder of folders) {
    const project = await readProject(worktree, folder, root);
    const linter = detectLint(project, '');
    if (linter)
      areas.push({ linter, project, folder, pathsFor: (requested) => selectPathsBelow(folder, requested, linter) });
  }
  const linter = detectLint(root, setting);
  if (!linter) return areas;
  return [
    ...areas,
    {
      linter,
      project: root,
      folder: '',
      pathsFor: (requested) =>
        requested.filter((path) => linter.looksAt(path) && !areas.some(({ folder }) => path.startsWith(`${folder}/`))),
    },
  ];
}

/** The areas of the linters for other languages. */
async function findLanguageAreas(
  worktree: Worktree,
  root: DetectedProject,
  paths: readonly string[],
): Promise<readonly LintArea[]> {
  const areas: LintArea[] = [];
  for (const language of languageLinters) {
    const folderByPlaceholder = new Map<string, string | null>();
    for (const path of paths.filter((path) => language.looksAt.test(path))) {
      const folder = createPlaceholderPath(path);
      if (!folderByPlaceholder.has(folder))
        folderByPlaceholder.set(folder, await findLinterFolder(language, folder, worktree));
    }
    for (const folder of [...new Set(folderByPlaceholder.values())].filter((home) => home !== null).sort()) {
      const project = folder === '' ? root : await readProject(worktree, folder, root);
      const linter = language.createLinter(project);
      areas.push({
        linter,
        project,
        folder,
        pathsFor: (requested) =>
          selectPathsBelow(
            folder,
            requested.filter((path) => folderByPlaceholder.get(createPlaceholderPath(path)) === folder),
            linter,
          ),
      });
    }
  }
  return areas;
}

/** The paths in the folder that the linter checks, relative to the folder. */
function selectPathsBelow(folder: string, paths: readonly string[], linter: Linter): readonly string[] {
  const innerPaths =
    folder === ''
      ? paths
      : paths.filter((path) => path.startsWith(`${folder}/`)).map((path) => path.slice(folder.length + 1));
  return innerPaths.filter((path) => linter.looksAt(path));
}

/**
 * A placeholder path in the folder of a file. It is the same for all files of the folder, so that each folder is
 * examined once.
 */
function createPlaceholderPath(path: string): string {
  return path.replace(/[^/]+$/, 'x');
}
