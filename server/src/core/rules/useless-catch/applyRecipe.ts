// remove-catch: removes a `catch` that only rethrows its error, and the `try` with it if nothing else needs it.

import { ts } from 'ts-morph';
import { isOnlyRethrow } from '../../syntax/needlessParts.ts';
import { refuse, type RecipeContext, type RecipeOutcome } from '../../propose/recipe.ts';
import { findNodeAt } from '../../propose/syntax/locate.ts';
import { findOpportunityNode } from '../../propose/syntax/opportunityNode.ts';
import { parseSource } from '../../propose/syntax/parse.ts';
import {
  collectBlockScopedNames,
  continuesLine,
  needsTerminator,
  findNameUsedOutside,
  findScopeAround,
} from '../../propose/syntax/scopes.ts';
import { unwrapBlock } from '../../propose/syntax/unwrapBlock.ts';
import { applyReplacements, indentAt, isFirstOnLine, isLastOnLine, lineStart } from '../../propose/textEdit.ts';

/** The changed text of the file; or the reason why there is none. */
type TextChange = { readonly text: string } | { readonly refused: string };

/**
 * Rewrites `try { … } catch (e) { throw e; }` as `…`. If there is a `finally`, only the `catch` is removed. Refuses if
 * a comment would be lost or names would conflict.
 */
export function applyRecipe(context: RecipeContext): RecipeOutcome {
  const { text } = context;
  const node = findOpportunityNode(
    context,
    (candidate): candidate is ts.TryStatement =>
      ts.isTryStatement(candidate) && candidate.catchClause !== undefined && isOnlyRethrow(candidate.catchClause),
  );
  const clause = node?.catchClause;
  if (!node || !clause) return refuse('There is no longer a catch here that only rethrows its error.');
  if (/\/[/*]/.test(text.slice(node.tryBlock.end, clause.end)))
    return refuse('A comment says something about the catch.');
  const change: TextChange = node.finallyBlock
    ? { text: applyReplacements(text, [{ start: node.tryBlock.end, end: clause.end, text: '' }]) }
    : removeTry(context, node, clause);
  if ('refused' in change) return change;
  return {
    text: change.text,
    title: 'remove a catch that only rethrows',
    rationale:
      `The catch throws the error again unchanged, ` +
      `so ${node.finallyBlock ? 'the catch changes nothing' : 'neither try nor catch changes anything'}.`,
  };
}

/**
 * Replaces the `try` by its statements. Refuses if names would conflict or become global, if a text would become a
 * directive, or if a missing semicolon would change the meaning.
 */
function removeTry(context: RecipeContext, node: ts.TryStatement, clause: ts.CatchClause): TextChange {
  const { sourceFile, text } = context;
  const scope = findScopeAround(node);
  if (!scope) return refuse('The try is itself a branch or a labelled statement.');
  const { statements } = node.tryBlock;
  const names = collectBlockScopedNames([...statements]);
  const conflictingName = findNameUsedOutside(names, scope, node.tryBlock);
  if (conflictingName) return refuse(`The try declares ${conflictingName}, a name that is also used around it.`);
  if (names.size > 0 && ts.isSourceFile(scope) && !ts.isExternalModule(scope))
    return refuse('The names of the try would become global.');
  const [firstStatement, lastStatement] = [statements[0], statements.at(-1)];
  if (!firstStatement || !lastStatement) return refuse('The try is empty.');
  if (ts.isExpressionStatement(firstStatement) && ts.isStringLiteral(firstStatement.expression))
    return refuse('A text alone at the start could become a directive.');
  const siblings = 'statements' in node.parent ? (node.parent.statements as ts.NodeArray<ts.Statement>) : undefined;
  const previousStatement = siblings?.[siblings.indexOf(node) - 1];
  if (
    previousStatement &&
    needsTerminator(sourceFile, previousStatement) &&
    continuesLine(text.slice(firstStatement.getStart(sourceFile)))
  )
    return refuse('Without a semicolon the code of the try would continue the line before it.');
  if (needsTerminator(sourceFile, lastStatement) && continuesLine(text.slice(clause.end)))
    return refuse('Without a semicolon the code behind would continue the last line of the try.');
  return unwrapTry(context, node, clause);
}

/** Removes `try` and the whole `catch` clause first, and then unwraps the remaining block. */
function unwrapTry(
  { path, sourceFile, text, style }: RecipeContext,
  node: ts.TryStatement,
  clause: ts.CatchClause,
): TextChange {
  const [start, blockStart] = [node.getStart(sourceFile), node.tryBlock.getStart(sourceFile)];
  if (/\/[/*]/.test(text.slice(start, blockStart))) return refuse('A comment stands before the block.');
  if (!isFirstOnLine(text, start)) return refuse('The try shares its line with other code.');
  if (!isLastOnLine(text, clause.end)) return refuse('Code or a comment stands behind the catch.');
  const fileWithoutTry = parseSource(
    path,
    text.slice(0, start) + text.slice(blockStart, node.tryBlock.end) + text.slice(clause.end),
  );
  const block = fileWithoutTry && findNodeAt(fileWithoutTry, { start, end: start }, ts.isBlock);
  if (!fileWithoutTry || block?.getStart(fileWithoutTry) !== start)
    return refuse('The block cannot be taken out on its own.');
  const lineStartOffset = lineStart(text, start);
  const replacements = unwrapBlock(fileWithoutTry, block, style, {
    keptEnd: lineStartOffset,
    keyword: null,
    insertedText: '',
    indent: indentAt(text, start),
  });
  if ('refused' in replacements) return replacements;
  const result = applyReplacements(fileWithoutTry.text, replacements);
  // Each line of the block begins with a line break, and the first one is already at the start of a line.
  return { text: result.slice(0, lineStartOffset) + result.slice(lineStartOffset).replace(/^\r?\n/, '') };
}
