// Provides the types of one file in its project, and tests whether a changed text adds compiler errors.

import type { ts } from 'ts-morph';
import type { RecipeContext } from '../recipe.ts';
import { openProject, type TypedProject } from './project.ts';

/** A file with its types. */
export interface TypedFile {
  /** The file in the type checker, so its nodes have types. Offsets refer to the text of the context. */
  readonly sourceFile: ts.SourceFile;
  readonly checker: ts.TypeChecker;
  /**
   * The first compiler error in `changed`, without its code, that the project's current text does not have; null if
   * there is none. `changed` then is the current text, so a second call compares with it and not with the original.
   */
  newProblem(changed: string): string | null;
}

/** Opens the project around the file, and returns the result of `use`. Takes about a second. */
export function withTypes<T>(
  { tree, absolutePath, text }: Pick<RecipeContext, 'tree' | 'absolutePath' | 'text'>,
  use: (typedFile: TypedFile) => T,
): T {
  const project = openProject(tree, absolutePath, text);
  try {
    // The type checker binds the file, which sets the parents of its nodes.
    const checker = project.checker();
    return use({
      sourceFile: project.sourceFile(),
      checker,
      newProblem: (changed) => findNewProblem(project, changed),
    });
  } finally {
    project.service.dispose();
  }
}

function findNewProblem(project: TypedProject, changed: string): string | null {
  const remainingProblems = [...project.problems()];
  project.setText(changed);
  for (const problem of project.problems()) {
    const index = remainingProblems.indexOf(problem);
    if (index < 0) return problem.replace(/^\d+ /, '');
    remainingProblems.splice(index, 1);
  }
  return null;
}
