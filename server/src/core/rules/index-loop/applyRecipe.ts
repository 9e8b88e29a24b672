// for-of: rewrites a loop that counts through a list as a loop over its elements.

import { ts } from 'ts-morph';
import { parseIndexLoop, type IndexLoop } from '../../syntax/indexLoops.ts';
import { explainPreferredCounting } from '../../propose/preferredForm.ts';
import { openTypes } from '../../propose/extraction/checkerTypes.ts';
import { refuse, type RecipeContext, type RecipeOutcome } from '../../propose/recipe.ts';
import { findCommentsBetween } from '../../propose/syntax/comments.ts';
import { findElementName } from '../../propose/syntax/elementName.ts';
import { allowsSyntax } from '../../propose/syntax/dialect.ts';
import { collectDescendants } from '../../propose/syntax/locate.ts';
import { findOpportunityNode } from '../../propose/syntax/opportunityNode.ts';
import { removeStatement } from '../../propose/syntax/removeStatement.ts';
import { applyReplacements, isFirstOnLine, type Replacement } from '../../propose/textEdit.ts';

/**
 * Rewrites `for (let i = 0; i < items.length; i++) f(items[i]);` as `for (const item of items) f(item);`. Refuses if
 * the list may not be an array, if reading it runs code, or if there is no good name for an element.
 */
export function applyRecipe(context: RecipeContext): RecipeOutcome {
  const { sourceFile, text } = context;
  const node = findOpportunityNode(context, (candidate): candidate is ts.ForStatement => ts.isForStatement(candidate));
  const loop = node && parseIndexLoop(node);
  if (!node || !loop)
    return refuse('The loop does more with its index, or with its list, than to read it element by element.');
  const { list } = loop;
  if (
    findCommentsBetween(text, node.getStart(sourceFile), node.statement.getStart(sourceFile)).length > 0 ||
    /\/[/*]/.test(text.slice(node.getStart(sourceFile), node.statement.getStart(sourceFile)))
  )
    return refuse('A comment stands in the head of the loop.');
  if (!allowsSyntax(sourceFile, 'const'))
    return refuse('Nothing in the file shows that it may use syntax as new as that.');
  const keptCountingReason = context.isRequested ? null : explainPreferredCounting(sourceFile, node);
  if (keptCountingReason) return refuse(keptCountingReason);
  const element = loop.itemDeclaration
    ? createElementOfVariable(sourceFile, loop.itemDeclaration)
    : createElementNamedAfterList(sourceFile, node, loop);
  if ('refused' in element) return element;
  const types = openTypes(context.tree, context.absolutePath, text);
  try {
    if (!types.isArray(list))
      return refuse(`${list.getText(sourceFile)} may be something else than an array, as far as the types tell.`);
    for (let part = list; ts.isPropertyAccessExpression(part); part = part.expression)
      if (types.isAccessor(part))
        return refuse(`Reading ${part.getText(sourceFile)} runs code, which would run once instead of every turn.`);
  } finally {
    types.dispose();
  }
  const openParenthesis = node.getChildren(sourceFile).find(({ kind }) => kind === ts.SyntaxKind.OpenParenToken);
  const closeParenthesis = node.getChildren(sourceFile).find(({ kind }) => kind === ts.SyntaxKind.CloseParenToken);
  if (!openParenthesis || !closeParenthesis) return refuse('The loop has no head.');
  const head: Replacement = {
    start: openParenthesis.end,
    end: closeParenthesis.getStart(sourceFile),
    text: `${element.keyword} ${element.name} of ${list.getText(sourceFile)}`,
  };
  return {
    text: applyReplacements(text, [head, ...element.replacements]),
    title: `use for … of over ${list.getText(sourceFile)}`,
    rationale:
      `${loop.index} is only used to read the list from start to end, and nothing that could change the list ` +
      `runs before an element is read.`,
  };
}

/**
 * The declaration of the element in the new loop, and the changes of the body; or the reason why there is no name for
 * the element.
 */
type ElementPlan =
  | { readonly keyword: string; readonly name: string; readonly replacements: readonly Replacement[] }
  | { readonly refused: string };

/** The element under the name that the body already gives it. */
function createElementOfVariable(sourceFile: ts.SourceFile, statement: ts.VariableStatement): ElementPlan {
  const [declaration] = statement.declarationList.declarations;
  if (!declaration) return refuse('The body does not name the element.');
  const name = declaration.name.getText(sourceFile);
  if (name.includes('\n')) return refuse('The pattern that takes the element apart has several lines.');
  if (
    /\/[/*]/.test(sourceFile.text.slice(statement.getFullStart(), statement.end)) ||
    /^[ \t]*\/[/*]/.test(sourceFile.text.slice(statement.end))
  )
    return refuse('A comment stands beside the name of the element.');
  if (!isFirstOnLine(sourceFile.text, statement.getStart(sourceFile)))
    return refuse('The name of the element shares its line with other code.');
  return {
    keyword: ts.NodeFlags.Const & statement.declarationList.flags ? 'const' : 'let',
    name,
    replacements: [removeStatement(sourceFile, statement)],
  };
}

/**
 * The element under a name that is derived from that of the list. Refuses if the code around already uses such a name.
 */
function createElementNamedAfterList(
  sourceFile: ts.SourceFile,
  node: ts.ForStatement,
  { list, reads }: IndexLoop,
): ElementPlan {
  const path = list.getText(sourceFile);
  const name = findElementName(path.slice(path.lastIndexOf('.') + 1));
  if (!name) return refuse(`There is no good name for an element of ${path}.`);
  let owner: ts.Node = node;
  while (!ts.isSourceFile(owner) && !ts.isFunctionLike(owner)) owner = owner.parent;
  if (collectDescendants(owner).some((other) => ts.isIdentifier(other) && other.text === name))
    return refuse(`The name ${name} is taken.`);
  const replacements = reads.map((read) => {
    const replacedNode = ts.isNonNullExpression(read.parent) ? read.parent : read;
    const isShorthand = ts.isPropertyAssignment(read.parent) && read.parent.name.getText(sourceFile) === name;
    return isShorthand
      ? { start: read.parent.getStart(sourceFile), end: read.end, text: name }
      : { start: read.getStart(sourceFile), end: replacedNode.end, text: name };
  });
  return { keyword: 'const', name, replacements };
}
