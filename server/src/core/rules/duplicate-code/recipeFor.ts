// Chooses the recipe that may share duplicate code.

import type { ProjectFile } from '../../analysis/project/projectView.ts';
import type { Instance } from './instance.ts';

/**
 * The recipe that may share the code: `deduplicate` for a function that two files contain, `merge-copies` for two
 * places in functions of one file; none otherwise.
 */
export function chooseRecipe(
  places: readonly Instance[],
  fileByPath: ReadonlyMap<string, ProjectFile>,
): { readonly recipe?: string } {
  if (haveCommonFunction(places, fileByPath)) return { recipe: 'deduplicate' };
  const [first, ...others] = places as readonly [Instance, ...Instance[]];
  const isWithinOneFile =
    isInFunction(first, fileByPath) &&
    others.some((place) => place.path === first.path && isInFunction(place, fileByPath));
  return isWithinOneFile ? { recipe: 'merge-copies' } : {};
}

/**
 * True if the middle line of the place is in a function. Code outside of functions cannot move into a shared function.
 */
function isInFunction({ path, startLine, endLine }: Instance, fileByPath: ReadonlyMap<string, ProjectFile>): boolean {
  const file = fileByPath.get(path);
  const middle = (startLine + endLine) / 2;
  return (
    isScript(file) &&
    file!.functions.some(
      ({ line, endLine: lastLine, kind }) =>
        line <= middle && lastLine >= middle && kind !== 'topLevel' && kind !== 'fieldInitialiser',
    )
  );
}

function isScript(file: ProjectFile | undefined): boolean {
  return file?.language === 'typescript' || file?.language === 'tsx' || file?.language === 'javascript';
}

/** True if a top-level function in the first place has the same name as one in a place of another file. */
function haveCommonFunction(
  [first, ...others]: readonly Instance[],
  fileByPath: ReadonlyMap<string, ProjectFile>,
): boolean {
  const functionsIn = (place: Instance) => {
    const file = fileByPath.get(place.path);
    if (!isScript(file)) return [];
    return file!.symbols
      .filter(
        ({ kind, path, range }) =>
          (kind === 'function' || kind === 'variable') &&
          !path.includes('.') &&
          range.startLine <= place.endLine &&
          range.endLine >= place.startLine,
      )
      .map(({ path }) => path);
  };
  const names = new Set(functionsIn(first!));
  return others.some((place) => place.path !== first!.path && functionsIn(place).some((name) => names.has(name)));
}
