// Implements the recipe `remove-copy`: removes copies of values that no other code uses. Refuses if the compiler does
// not know that.

import type { ts } from 'ts-morph';
import { replaceFilterWithSome, replaceFilterWithFind } from '../../propose/copies/filterCalls.ts';
import {
  removeCopyBeforeRead,
  removeCopyIntoCollection,
  removeCopyOfNewList,
} from '../../propose/copies/redundantCopy.ts';
import { removeCopiesInLoop, removeCopiesInReduce } from '../../propose/copies/growingCopies.ts';
import {
  removeAssignOfLiteral,
  removeRoundTripOfLiteral,
  removeSpreadOfLiteral,
} from '../../propose/copies/literals.ts';
import type { CopyRemoval, TypedSource } from '../../propose/copies/copyRemoval.ts';
import { withTypes } from '../../propose/extraction/typedFile.ts';
import { refuse, type RecipeContext, type RecipeOutcome } from '../../propose/recipe.ts';
import { collectDescendants, findSpan, type Span } from '../../propose/syntax/locate.ts';
import { applyReplacements } from '../../propose/textEdit.ts';

/** Removes one kind of copy at a node; null if the node is not such a copy. */
type CopyRemover = (node: ts.Node, source: TypedSource) => CopyRemoval | { readonly refused: string } | null;

/** The kinds of copies, in the order in which they are tried. */
const COPY_REMOVERS: readonly CopyRemover[] = [
  removeCopiesInReduce,
  removeCopiesInLoop,
  removeCopyIntoCollection,
  removeCopyBeforeRead,
  replaceFilterWithFind,
  replaceFilterWithSome,
  removeSpreadOfLiteral,
  removeAssignOfLiteral,
  removeRoundTripOfLiteral,
  removeCopyOfNewList,
];

/** Removes the copy at the range of the opportunity. */
export function applyRecipe(context: RecipeContext): RecipeOutcome {
  const span = findSpan(context.sourceFile, context.opportunity.range);
  if (!span) return refuse('The file has become shorter.');
  return withTypes(context, ({ sourceFile, checker, findNewProblem }) => {
    const removal = findRemovalAt({ sourceFile, checker, style: context.style }, span);
    if (!removal) return refuse('There is no longer a needless copy here.');
    if ('refused' in removal) return removal;
    const text = applyReplacements(context.text, removal.replacements);
    const problem = findNewProblem(text);
    if (problem) return refuse(`The compiler would object: ${problem}`);
    return { text, title: removal.title, rationale: removal.rationale };
  });
}

/** Removes the copy to which the span refers: the one exactly there, otherwise the first inside it. */
function findRemovalAt(source: TypedSource, span: Span): CopyRemoval | { readonly refused: string } | null {
  const { sourceFile } = source;
  const nodesInside = collectDescendants(sourceFile).filter(
    (node) => node.getStart(sourceFile) >= span.start && node.end <= span.end,
  );
  const exactNodes = nodesInside.filter((node) => node.getStart(sourceFile) === span.start && node.end === span.end);
  let refusal: { readonly refused: string } | null = null;
  for (const node of [...exactNodes, ...nodesInside]) {
    for (const removeCopy of COPY_REMOVERS) {
      const removal = removeCopy(node, source);
      if (removal && !('refused' in removal)) return removal;
      refusal ??= removal;
    }
    if (refusal && exactNodes.includes(node)) return refusal;
  }
  return refusal;
}
