// The recipes that there are: each row of the table with the function that realises it.

import type { Recipe } from './recipe.ts';
import { recipeTable, type RecipeId } from './recipeTable.ts';
import { deduplicate } from './recipes/deduplicate.ts';
import { docComment } from './recipes/docComment.ts';
import { documentFromEvidence } from './recipes/documentFromEvidence.ts';
import { elseIf } from './recipes/elseIf.ts';
import { extractFunction } from './recipes/extractFunction.ts';
import { forOf } from './recipes/forOf.ts';
import { guardClauses } from './recipes/guardClauses.ts';
import { hoistFromLoop } from './recipes/hoistFromLoop.ts';
import { keyedLookup } from './recipes/keyedLookup.ts';
import { mergeIf } from './recipes/mergeIf.ts';
import { nullishCoalescing } from './recipes/nullishCoalescing.ts';
import { optionalChain } from './recipes/optionalChain.ts';
import { parallelAwaits } from './recipes/parallelAwaits.ts';
import { removeAwait } from './recipes/removeAwait.ts';
import { removeBranch } from './recipes/removeBranch.ts';
import { removeCatch } from './recipes/removeCatch.ts';
import { removeCopy } from './recipes/removeCopy.ts';
import { removeElse } from './recipes/removeElse.ts';
import { removeJump } from './recipes/removeJump.ts';
import { removeParameter } from './recipes/removeParameter.ts';
import { removeUnreachable } from './recipes/removeUnreachable.ts';
import { removeUnused } from './recipes/removeUnused.ts';
import { simplifyBoolean } from './recipes/simplifyBoolean.ts';
import { templateString } from './recipes/templateString.ts';
import { unexport } from './recipes/unexport.ts';
import { useConst } from './recipes/useConst.ts';

const functions: Readonly<Record<RecipeId, Recipe['realise']>> = {
  'remove-unused': removeUnused,
  'guard-clauses': guardClauses,
  'remove-else': removeElse,
  'doc-comment': docComment,
  'document-from-evidence': documentFromEvidence,
  'extract-function': extractFunction,
  'remove-copy': removeCopy,
  'hoist-from-loop': hoistFromLoop,
  unexport: unexport,
  'keyed-lookup': keyedLookup,
  'remove-parameter': removeParameter,
  'remove-unreachable': removeUnreachable,
  'remove-await': removeAwait,
  'merge-if': mergeIf,
  'simplify-boolean': simplifyBoolean,
  'use-const': useConst,
  'optional-chain': optionalChain,
  'nullish-coalescing': nullishCoalescing,
  'parallel-awaits': parallelAwaits,
  'for-of': forOf,
  'template-string': templateString,
  deduplicate: deduplicate,
  'else-if': elseIf,
  'remove-branch': removeBranch,
  'remove-catch': removeCatch,
  'remove-jump': removeJump,
};

export const recipes: readonly Recipe[] = recipeTable.map((facts) => ({ ...facts, realise: functions[facts.id] }));
