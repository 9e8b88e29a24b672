// Which linter looks at which files: a package with one of its own is looked at by that one, all else by that of the root.

import { detectLint, type Linter } from '../detect/lintCommand.ts';
import { packagesAround, readProject, type Project } from '../detect/project.ts';
import type { Worktree } from '../../ports.ts';

export interface LintArea {
  readonly linter: Linter;
  readonly project: Project;
  /** Where it runs, relative to the worktree; empty for the root. */
  readonly folder: string;
  /** Of the asked paths those that it looks at, as it is told them. */
  told(paths: readonly string[]): readonly string[];
}

/** `setting`: the user's own command, which is one for all. */
export async function lintAreas(worktree: Worktree, root: Project, paths: readonly string[], setting: string): Promise<readonly LintArea[]> {
  const folders = setting.trim() === '' ? await packagesAround(worktree, [...new Set(paths.map(besides))]) : [];
  const own: LintArea[] = [];
  for (const folder of folders) {
    const project = await readProject(worktree, folder, root);
    const linter = detectLint(project, '');
    if (linter) own.push({ linter, project, folder, told: (asked) => asked.filter((path) => path.startsWith(`${folder}/`)).map((path) => path.slice(folder.length + 1)) });
  }
  const linter = detectLint(root, setting);
  if (!linter) return own;
  return [...own, { linter, project: root, folder: '', told: (asked) => asked.filter((path) => !own.some(({ folder }) => path.startsWith(`${folder}/`))) }];
}

/** One path for each folder. */
function besides(path: string): string {
  return path.replace(/[^/]+$/, 'x');
}
