// parallel-awaits: replaces a loop that collects awaited results one after the other by `Promise.all` over the list,
// which keeps their order.

import { ts } from 'ts-morph';
import { isArray } from '../../propose/copies/copyRemoval.ts';
import { withTypes } from '../../propose/extraction/typedFile.ts';
import { refuse, type RecipeContext, type RecipeOutcome } from '../../propose/recipe.ts';
import { collectDescendants } from '../../propose/syntax/locate.ts';
import { findOpportunityNode } from '../../propose/syntax/opportunityNode.ts';
import { collectFileNames, isWrite, type Names } from '../../propose/syntax/names.ts';
import { reindent } from '../../propose/syntax/reindent.ts';
import { applyReplacements, indentAt, isFirstOnLine, lineEnd, lineStart } from '../../propose/textEdit.ts';
import { isAssignment } from '../../syntax/values.ts';

/** Maximum number of characters of a line. A longer one is broken into several. */
const MAX_WIDTH = 100;
/**
 * Names of functions that only read, in any module, so that their calls do not depend on each other. All other
 * functions may share a connection, a page or a state.
 */
const READING_FUNCTIONS = new Set(
  (
    'fetch readFile readdir stat lstat access realpath readlink exists pathExists readJson readJSON readText ' +
    'text json arrayBuffer blob digest lookup'
  ).split(' '),
);

/** A loop that pushes one value per iteration to a list. */
interface CollectingLoop {
  readonly loop: ts.ForOfStatement;
  readonly body: ts.Block;
  /** The declaration of the loop variable. */
  readonly item: ts.VariableDeclaration;
  /** The name of the list to which the loop adds the values. */
  readonly results: ts.Identifier;
  /** The last statement of the body, which adds the value. */
  readonly push: ts.ExpressionStatement;
  /** The added value. */
  readonly value: ts.Expression;
}

/**
 * Rewrites `for (const x of list) { const y = await f(x); results.push(y); }` as `results = await
 * Promise.all(list.map(…))`. Refuses if an iteration may depend on earlier ones, if the list may not be an array, or if
 * the compiler reports a new problem.
 */
export function applyRecipe(context: RecipeContext): RecipeOutcome {
  const { sourceFile, text, style } = context;
  const loop = findOpportunityNode(context, ts.isForOfStatement);
  const collectingLoop = loop && findCollectingLoop(loop);
  if (!collectingLoop) return refuse('There is no longer a loop here that only collects what it waits for.');
  const { body, item, results, push, value } = collectingLoop;
  const names = collectFileNames(sourceFile);
  const reason = explainDependence(collectingLoop, names);
  if (reason) return refuse(reason);
  const firstStatement = body.statements[0]!;
  if (
    !isFirstOnLine(text, loop.getStart(sourceFile)) ||
    !isFirstOnLine(text, firstStatement.getStart(sourceFile)) ||
    !isFirstOnLine(text, body.end - 1)
  )
    return refuse('The loop shares its lines with other code.');
  const loopHead = text.slice(loop.getStart(sourceFile), firstStatement.getStart(sourceFile));
  const loopTail = text.slice(lineEnd(text, push.end), body.end - 1);
  if (/\/[/*]/.test(loopHead + loopTail)) return refuse('A comment stands where the loop begins or ends.');

  const indent = indentAt(text, loop.getStart(sourceFile));
  const [indentUnit, newline, semicolon] = [style.indent, style.newline, style.semicolons ? ';' : ''];
  const listText = loop.expression.getText(sourceFile);
  const parameter = item.type
    ? `(${item.getText(sourceFile)})`
    : ts.isIdentifier(item.name)
      ? `(${item.name.text})`
      : `(${item.name.getText(sourceFile)})`;
  const emptyList = findEmptyListBefore(loop, results, names, sourceFile);
  const [open, close] = emptyList
    ? ['await Promise.all(', `)${semicolon}`]
    : [`${results.text}.push(...(await Promise.all(`, `)))${semicolon}`];
  const start = emptyList ? emptyList.getStart(sourceFile) : loop.getStart(sourceFile);

  const mappedExpression =
    body.statements.length === 1 && ts.isAwaitExpression(value) ? value.expression.getText(sourceFile) : null;
  let newText: string;
  if (mappedExpression !== null && !mappedExpression.includes('\n')) {
    const mapCall = `${listText}.map(${parameter} => ${mappedExpression})`;
    const line = `${open}${mapCall}${close}`;
    const width = start - lineStart(text, start) + line.length;
    newText =
      text.slice(0, start) +
      (width <= MAX_WIDTH ? line : `${open}${newline}${indent}${indentUnit}${mapCall},${newline}${indent}${close}`) +
      text.slice(loop.end);
  } else {
    const loopContent = { start: lineStart(text, firstStatement.getStart(sourceFile)), end: lineEnd(text, push.end) };
    const innerIndent = indentAt(text, firstStatement.getStart(sourceFile));
    const lines = applyReplacements(text, [
      {
        start,
        end: loopContent.start,
        text: `${open}${newline}${indent}${indentUnit}${listText}.map(async ${parameter} => {${newline}`,
      },
      ...reindent(sourceFile, loopContent, innerIndent, indent + indentUnit + indentUnit),
      { start: push.getStart(sourceFile), end: value.getStart(sourceFile), text: 'return ' },
      { start: value.end, end: push.end, text: semicolon },
      {
        start: lineStart(text, body.end - 1),
        end: loop.end,
        text: `${indent}${indentUnit}}),${newline}${indent}${close}`,
      },
    ]);
    newText = lines;
  }
  return withTypes(context, ({ checker, sourceFile: typedFile, findNewProblem }) => {
    const typedLoop = collectDescendants(typedFile).find(
      (node): node is ts.ForOfStatement =>
        ts.isForOfStatement(node) && node.getStart(typedFile) === loop.getStart(sourceFile),
    );
    if (!typedLoop || !isArray(typedLoop.expression, { sourceFile: typedFile, checker, style }))
      return refuse('The compiler does not know that the loop goes through an array.');
    const problem = findNewProblem(newText);
    if (problem) return refuse(`The compiler would object: ${problem}`);
    return {
      text: newText,
      title: `wait for all ${results.text} at once`,
      rationale:
        'No iteration needs the result of an earlier one, so all can be started at once; the results keep ' +
        'their order. If one fails, the others have already been started.',
    };
  });
}

/** The parts of a loop whose body declares constants, and then pushes one value; null for other loops. */
function findCollectingLoop(loop: ts.ForOfStatement): CollectingLoop | null {
  const body = loop.statement;
  if (
    loop.awaitModifier ||
    !ts.isBlock(body) ||
    !ts.isVariableDeclarationList(loop.initializer) ||
    (loop.initializer.flags & ts.NodeFlags.Const) === 0 ||
    ts.isLabeledStatement(loop.parent)
  )
    return null;
  const push = body.statements.at(-1);
  const [item] = loop.initializer.declarations;
  if (!push || !item || !ts.isExpressionStatement(push) || !ts.isCallExpression(push.expression)) return null;
  const { expression: callee, arguments: values } = push.expression;
  const [value] = values;
  if (
    !ts.isPropertyAccessExpression(callee) ||
    callee.name.text !== 'push' ||
    !ts.isIdentifier(callee.expression) ||
    values.length !== 1 ||
    !value ||
    ts.isSpreadElement(value)
  )
    return null;
  const areConstants = body.statements
    .slice(0, -1)
    .every(
      (statement) =>
        ts.isVariableStatement(statement) &&
        (statement.declarationList.flags & ts.NodeFlags.BlockScoped) === ts.NodeFlags.Const,
    );
  return areConstants ? { loop, body, item, results: callee.expression, push, value } : null;
}

/** The reason why an iteration may depend on earlier ones, as a sentence; null if it does not. */
function explainDependence({ body, results }: CollectingLoop, names: Names): string | null {
  const symbol = names.symbolOf(results);
  if (!symbol) return 'The array of the results is not declared in this file.';
  // Nodes of nested functions are included, because these functions may write, too.
  const nodesOfBody = collectDescendants(body);
  const awaits = nodesOfBody.filter(ts.isAwaitExpression);
  if (awaits.length === 0) return 'Nothing is waited for.';
  const otherAwait = awaits
    .map(({ expression }) => expression)
    .find((expression) => !onlyReads(expression, names, new Set()));
  if (otherAwait) return `${otherAwait.getText().slice(0, 60)} may do more than read.`;
  for (const node of nodesOfBody) {
    if (ts.isIdentifier(node) && names.symbolOf(node) === symbol && node !== results)
      return 'A turn looks at the results of earlier ones.';
    if (ts.isIdentifier(node) && isWrite(node)) return `A turn writes to ${node.text}.`;
    if (ts.isYieldExpression(node) || ts.isDeleteExpression(node)) return 'A turn does more than wait.';
    if (isAssignment(node)) return 'A turn writes to something.';
    if (
      ts.isPostfixUnaryExpression(node) ||
      (ts.isPrefixUnaryExpression(node) &&
        (node.operator === ts.SyntaxKind.PlusPlusToken || node.operator === ts.SyntaxKind.MinusMinusToken))
    )
      return 'A turn counts.';
  }
  return null;
}

/**
 * True for a call that only reads: of one of `READING_FUNCTIONS`, or of a function in the file that writes nothing
 * outside of itself and awaits only such calls.
 */
function onlyReads(expression: ts.Expression, names: Names, visited: Set<ts.Node>): boolean {
  if (!ts.isCallExpression(expression)) return false;
  const { expression: callee } = expression;
  if (ts.isPropertyAccessExpression(callee)) return READING_FUNCTIONS.has(callee.name.text);
  if (!ts.isIdentifier(callee)) return false;
  if (READING_FUNCTIONS.has(callee.text)) return true;
  const declaration = names.symbolOf(callee)?.valueDeclaration;
  const definition = declaration && ts.isVariableDeclaration(declaration) ? declaration.initializer : declaration;
  if (
    !definition ||
    !(ts.isFunctionDeclaration(definition) || ts.isArrowFunction(definition) || ts.isFunctionExpression(definition)) ||
    !definition.body ||
    visited.has(definition)
  )
    return false;
  visited.add(definition);
  const nodesOfDefinition = [definition.body, ...collectDescendants(definition.body)];
  return nodesOfDefinition.every((node) => {
    if (node.kind === ts.SyntaxKind.ThisKeyword || isWrite(node)) return false;
    if (ts.isAwaitExpression(node)) return onlyReads(node.expression, names, visited);
    // A call that is not awaited may do anything, and a call that is a whole statement is made for its effect.
    return (
      !ts.isExpressionStatement(node) &&
      !(
        ts.isCallExpression(node) &&
        ts.isIdentifier(node.expression) &&
        !READING_FUNCTIONS.has(node.expression.text) &&
        !ts.isAwaitExpression(node.parent)
      )
    );
  });
}

/** The `[]` in `const results = [];` directly before the loop; null if anything else precedes the loop. */
function findEmptyListBefore(
  loop: ts.ForOfStatement,
  results: ts.Identifier,
  names: Names,
  sourceFile: ts.SourceFile,
): ts.Expression | null {
  const container = loop.parent;
  const siblings: readonly ts.Statement[] =
    ts.isBlock(container) ||
    ts.isSourceFile(container) ||
    ts.isModuleBlock(container) ||
    ts.isCaseOrDefaultClause(container)
      ? container.statements
      : [];
  const previousStatement = siblings[siblings.indexOf(loop) - 1];
  if (
    !previousStatement ||
    !ts.isVariableStatement(previousStatement) ||
    previousStatement.declarationList.declarations.length !== 1 ||
    (previousStatement.declarationList.flags & ts.NodeFlags.Const) === 0
  )
    return null;
  const [declaration] = previousStatement.declarationList.declarations;
  const value = declaration?.initializer;
  if (
    !declaration ||
    !value ||
    !ts.isArrayLiteralExpression(value) ||
    value.elements.length > 0 ||
    !ts.isIdentifier(declaration.name) ||
    names.symbolOf(declaration.name) !== names.symbolOf(results)
  )
    return null;
  return /^;?\s*$/.test(sourceFile.text.slice(value.end, loop.getStart(sourceFile))) ? value : null;
}
