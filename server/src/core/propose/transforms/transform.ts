// Makes the change of any named request, with the same outcome as a recipe.

import type { RecipeOutcome } from '../recipe.ts';
import { createCheckedEdits, openFile, type OpenedFile, type AppliedRecipe } from '../applyRecipe.ts';
import { addFunction } from './addFunction.ts';
import { addParameter } from './addParameter.ts';
import { editBySearch } from './editBySearch.ts';
import { extractByName } from './extractByName.ts';
import { extractToModule } from './extractToModule.ts';
import { inlineConstant } from './inlineConstant.ts';
import { isPlainRelativePath } from './isInRepository.ts';
import { modifyFunction } from './modifyFunction.ts';
import { patternReplace } from './patternReplace.ts';
import type { TransformRequest } from './request.ts';
import { wrapInCache } from './wrapInCache.ts';
import type { SourceTree } from '../../ports/sources.ts';

/**
 * Makes the requested change. It is synchronous and has no side effects. Expected failures, such as a wrong path, are
 * refusals.
 */
export function transform(request: TransformRequest, tree: SourceTree): AppliedRecipe {
  if (request.kind === 'edit') return editBySearch(request, tree);
  const outsidePath = [request.path, ...(request.kind === 'extractToModule' ? [request.to] : [])].find(
    (path) => !isPlainRelativePath(path),
  );
  if (outsidePath !== undefined) return { refused: `${outsidePath} is not a path within the repository.` };
  const openedFile = openFile(request.path, tree);
  return 'refused' in openedFile
    ? openedFile
    : createCheckedEdits(openedFile, createOutcome(request, openedFile), tree);
}

/** Runs the function for the kind of the request. */
function createOutcome(request: Exclude<TransformRequest, { kind: 'edit' }>, openedFile: OpenedFile): RecipeOutcome {
  switch (request.kind) {
    case 'addFunction':
      return addFunction(request, openedFile);
    case 'modifyFunction':
      return modifyFunction(request, openedFile);
    case 'extractFunction':
      return extractByName(request, openedFile);
    case 'patternReplace':
      return patternReplace(request, openedFile);
    case 'addParameter':
      return addParameter(request, openedFile);
    case 'wrapInCache':
      return wrapInCache(request, openedFile);
    case 'extractToModule':
      return extractToModule(request, openedFile);
    case 'inlineConstant':
      return inlineConstant(request, openedFile);
  }
}
