// Provides one file with its types, and tests whether a changed text adds compiler errors.

import type { ts } from 'ts-morph';
import type { RecipeContext } from '../recipe.ts';
import { openProject, type TypedProject } from './project.ts';

/** A file with its types. */
export interface TypedFile {
  /** The file of the type checker, so its nodes have types. Offsets refer to the original text. */
  readonly sourceFile: ts.SourceFile;
  readonly checker: ts.TypeChecker;
  /**
   * The first compiler error in `changed`, without its code, that the current text of the project does not have; null
   * if there is none. `changed` becomes the current text, so the next call compares with it and not with the original.
   */
  findNewProblem(changed: string): string | null;
}

/** Opens the project around the file, returns the result of `use`, and closes the project. Takes about a second. */
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
      findNewProblem: (changed) => findNewProblem(project, changed),
    });
  } finally {
    project.service.dispose();
  }
}

/** The first error of the changed text that the current text does not have as often; null if there is none. */
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
