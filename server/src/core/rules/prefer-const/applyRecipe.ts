// use-const: replaces `let` by `const` for variables that are never assigned again, for the whole function or module at
// once.

import { ts } from 'ts-morph';
import { findAssignedTargets, findConstantNames } from '../../syntax/writtenNames.ts';
import { refuse, type RecipeContext, type RecipeOutcome } from '../../propose/recipe.ts';
import { collectDescendants } from '../../propose/syntax/locate.ts';
import { findOpportunityNode } from '../../propose/syntax/opportunityNode.ts';
import { applyReplacements } from '../../propose/textEdit.ts';

/** Maximum number of declaration lists in one change. A larger change is hard to review. */
const MAX_LISTS = 20;

/**
 * Replaces `let a = 1;` by `const a = 1;`, for all such declarations of the function or module. Refuses if the file
 * calls `eval`, or if a variable of the list is assigned again, is exported, or has no initial value.
 */
export function applyRecipe(context: RecipeContext): RecipeOutcome {
  const { sourceFile, text } = context;
  const declarationList = findOpportunityNode(
    context,
    (node): node is ts.VariableDeclarationList =>
      ts.isVariableDeclarationList(node) && (node.flags & ts.NodeFlags.BlockScoped) === ts.NodeFlags.Let,
  );
  if (!declarationList) return refuse('There is no longer a let here.');
  if (
    collectDescendants(sourceFile).some(
      (node) => ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === 'eval',
    )
  )
    return refuse('The file calls eval, which may write to anything.');
  const reason = explainRefusal(sourceFile, declarationList);
  if (reason) return refuse(reason);
  const lists = collectDescendants(findOwner(declarationList)).filter(
    (node): node is ts.VariableDeclarationList =>
      ts.isVariableDeclarationList(node) &&
      (node.flags & ts.NodeFlags.BlockScoped) === ts.NodeFlags.Let &&
      findOwner(node) === findOwner(declarationList) &&
      explainRefusal(sourceFile, node) === null,
  );
  const chosenLists = lists.length > MAX_LISTS ? [declarationList] : lists;
  const names = chosenLists
    .flatMap((chosenList) => findUnassignedNames(sourceFile, chosenList) ?? [])
    .map(({ text: name }) => name);
  return {
    text: applyReplacements(
      text,
      chosenLists.map((chosenList) => ({
        start: chosenList.getStart(sourceFile),
        end: chosenList.getStart(sourceFile) + 'let'.length,
        text: 'const',
      })),
    ),
    title:
      names.length === 1
        ? 'use const'
        : `use const, and for ${names.length > 3 ? `${names.length - 1} more` : names.slice(1).join(', ')}`,
    rationale: `Nothing writes to ${names.length === 1 ? names[0] : 'these names'} after the declaration, not even in closures.`,
  };
}

/** The innermost function, static block or file around the declaration. */
function findOwner(node: ts.Node): ts.Node {
  let outer = node.parent;
  while (!ts.isSourceFile(outer) && !ts.isFunctionLike(outer) && !ts.isClassStaticBlockDeclaration(outer))
    outer = outer.parent;
  return outer;
}

/** The reason why the list cannot be `const`; null if it can. */
function explainRefusal(sourceFile: ts.SourceFile, declarationList: ts.VariableDeclarationList): string | null {
  const { parent } = declarationList;
  if (ts.isVariableStatement(parent) && parent.parent === sourceFile && !ts.isExternalModule(sourceFile))
    return 'In a script, other scripts may write to its names.';
  if (ts.isVariableStatement(parent) && parent.modifiers?.length) return 'It is exported or declared elsewhere.';
  if (!ts.isForOfStatement(parent) && declarationList.declarations.some(({ initializer }) => !initializer))
    return 'One of the names has no value from the start.';
  return findUnassignedNames(sourceFile, declarationList)
    ? null
    : 'One of the names is written to, or a name like it is.';
}

/**
 * The names of the list; null if one of them is assigned. Names are compared as texts: if an inner name with the same
 * text is assigned, the outer name counts as assigned, too.
 */
function findUnassignedNames(
  sourceFile: ts.SourceFile,
  declarationList: ts.VariableDeclarationList,
): ts.Identifier[] | null {
  return findConstantNames(declarationList, findAssignedTargets(findScope(sourceFile, declarationList)), () => true);
}

/** The code that can assign to the names: the enclosing block, loop, `switch` or file. */
function findScope(sourceFile: ts.SourceFile, { parent }: ts.VariableDeclarationList): ts.Node {
  if (!ts.isVariableStatement(parent)) return parent;
  return ts.isCaseOrDefaultClause(parent.parent) ? parent.parent.parent : (parent.parent ?? sourceFile);
}
