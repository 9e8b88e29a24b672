// Realises a request by name: one function for all kinds of requests, with the outcome of a recipe.

import type { RecipeOutcome } from '../recipe.ts';
import { createCheckedEdits, openFile, type OpenedFile, type AppliedRecipe } from '../applyRecipe.ts';
import { addFunction } from './addFunction.ts';
import { addParameter } from './addParameter.ts';
import { editBySearch } from './editBySearch.ts';
import { extractByName } from './extractByName.ts';
import { extractToModule } from './extractToModule.ts';
import { inlineConstant } from './inlineConstant.ts';
import { isInRepository } from './isInRepository.ts';
import { modifyFunction } from './modifyFunction.ts';
import { patternReplace } from './patternReplace.ts';
import type { TransformRequest } from './request.ts';
import { wrapInCache } from './wrapInCache.ts';
import type { SourceTree } from '../../ports/sources.ts';

/** Realises a request. Synchronous and without side effects. Expected failures, such as a wrong path, are refusals. */
export function transform(request: TransformRequest, tree: SourceTree): AppliedRecipe {
  if (request.kind === 'edit') return editBySearch(request, tree);
  const outsidePath = [request.path, ...(request.kind === 'extractToModule' ? [request.to] : [])].find(
    (path) => !isInRepository(path),
  );
  if (outsidePath !== undefined) return { refused: `${outsidePath} is not a path within the repository.` };
  const opened = openFile(request.path, tree);
  return 'refused' in opened ? opened : createCheckedEdits(opened, createOutcome(request, opened), tree);
}

function createOutcome(request: Exclude<TransformRequest, { kind: 'edit' }>, opened: OpenedFile): RecipeOutcome {
  switch (request.kind) {
    case 'addFunction':
      return addFunction(request, opened);
    case 'modifyFunction':
      return modifyFunction(request, opened);
    case 'extractFunction':
      return extractByName(request, opened);
    case 'patternReplace':
      return patternReplace(request, opened);
    case 'addParameter':
      return addParameter(request, opened);
    case 'wrapInCache':
      return wrapInCache(request, opened);
    case 'extractToModule':
      return extractToModule(request, opened);
    case 'inlineConstant':
      return inlineConstant(request, opened);
  }
}
