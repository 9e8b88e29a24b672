// What several recipes ask the compiler: the types of one file in its project, and whether a changed text adds errors.

import type { ts } from 'ts-morph';
import type { RecipeContext } from '../recipe.ts';
import { openProject, type Project } from './project.ts';

export interface Checked {
  /** The file as the checker knows it: its nodes have types. Offsets are those of the context's text. */
  readonly sourceFile: ts.SourceFile;
  readonly checker: ts.TypeChecker;
  /** The first message that the compiler has about the changed text of this file and had not before, or null. */
  newProblem(changed: string): string | null;
}

/** Opens the project around the file for as long as `use` runs. Takes about a second. */
export function withTypes<T>(
  { tree, absolutePath, text }: Pick<RecipeContext, 'tree' | 'absolutePath' | 'text'>,
  use: (checked: Checked) => T,
): T {
  const project = openProject(tree, absolutePath, text);
  try {
    // The checker binds the file, and only then its nodes know their parents.
    const checker = project.checker();
    return use({ sourceFile: project.sourceFile(), checker, newProblem: (changed) => newProblem(project, changed) });
  } finally {
    project.service.dispose();
  }
}

function newProblem(project: Project, changed: string): string | null {
  const left = [...project.problems()];
  project.setText(changed);
  for (const problem of project.problems()) {
    const at = left.indexOf(problem);
    if (at < 0) return problem.replace(/^\d+ /, '');
    left.splice(at, 1);
  }
  return null;
}
