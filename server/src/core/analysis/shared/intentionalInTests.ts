// Recognises locals of tests that are unread on purpose: rows of set-up lines, values that are created for their side
// effects, types that the compiler checks.

import { ts } from 'ts-morph';
import type { UnusedDeclaration } from '../script/unusedDeclarations.ts';

/** True if removing the name would make a test harder to read, or change its subject. */
export function isIntentionalInTest(unused: UnusedDeclaration, sourceFile: ts.SourceFile): boolean {
  const { declaration } = unused;
  if (isWithinSkipped(declaration)) return true;
  if (ts.isFunctionDeclaration(declaration))
    return isTypeTest(declaration, sourceFile) || isCompiledInTest(declaration);
  // `[value, setValue] = createSignal(0)`: the pattern shows the whole result.
  if (ts.isBindingElement(declaration))
    return ts.isArrayBindingPattern(declaration.parent) && declaration.parent.elements.length > 1;
  if (!ts.isVariableDeclaration(declaration) || !declaration.initializer) return false;
  if (ts.isArrowFunction(declaration.initializer)) return isCompiledInTest(declaration.initializer);
  return readsParameter(declaration.initializer) || isInRowOfSetUps(declaration);
}

/** True for a node within a skipped test or suite, which is kept until it can run. */
function isWithinSkipped(node: ts.Node): boolean {
  for (let outer: ts.Node | undefined = node.parent; outer; outer = outer.parent) {
    if (!ts.isCallExpression(outer)) continue;
    const callee = outer.expression;
    if (
      ts.isPropertyAccessExpression(callee)
        ? ['skip', 'todo', 'fixme'].includes(callee.name.text)
        : ts.isIdentifier(callee) && /^x(it|test|describe)$/.test(callee.text)
    )
      return true;
  }
  return false;
}

/** True for a function that is there to be type-checked, according to its name or its comments. */
function isTypeTest(declaration: ts.FunctionDeclaration, { text }: ts.SourceFile): boolean {
  const mentionsTypes = /type[-\s]?(level|tests?|checks?|assertions?)\b/i;
  return (
    mentionsTypes.test(declaration.name?.text ?? '') ||
    (ts
      .getLeadingCommentRanges(text, declaration.pos)
      ?.some(({ pos, end }) => mentionsTypes.test(text.slice(pos, end))) ??
      false)
  );
}

/** True for a function within a test whose parameters have types: the test shows that the compiler accepts its body. */
function isCompiledInTest({ parameters, parent }: ts.FunctionDeclaration | ts.ArrowFunction): boolean {
  if (!parameters.some(({ type }) => type !== undefined)) return false;
  for (let outer: ts.Node | undefined = parent; outer; outer = outer.parent)
    if (ts.isFunctionLike(outer))
      return ts.isCallExpression(outer.parent) && /^(?:it|test)\b/.test(outer.parent.expression.getText());
  return false;
}

/**
 * True for a property of a parameter, as in `const b = data.key` for the parameter `data`: the caller may observe the
 * read.
 */
function readsParameter(value: ts.Expression): boolean {
  let owner = value;
  while (ts.isPropertyAccessExpression(owner) || ts.isElementAccessExpression(owner)) owner = owner.expression;
  if (owner === value || !ts.isIdentifier(owner)) return false;
  for (let outer: ts.Node | undefined = value.parent; outer; outer = outer.parent) {
    if (
      ts.isFunctionLike(outer) &&
      outer.parameters.some(({ name }) => ts.isIdentifier(name) && name.text === (owner as ts.Identifier).text)
    )
      return true;
  }
  return false;
}

/**
 * True if the line before or after calls the same function: a test may use only some of the values `book1`, `book2` …
 * that it sets up.
 */
function isInRowOfSetUps(declaration: ts.VariableDeclaration): boolean {
  const callee = findCallee(declaration.initializer!);
  if (callee === null) return false;
  const declarationList = declaration.parent;
  if (!ts.isVariableDeclarationList(declarationList) || !ts.isVariableStatement(declarationList.parent)) return false;
  const { parent: block } = declarationList.parent;
  const siblings: readonly ts.Statement[] = ts.isBlock(block) || ts.isSourceFile(block) ? block.statements : [];
  const index = siblings.indexOf(declarationList.parent);
  const neighbouringLines = [declarationList.parent, siblings[index - 1], siblings[index + 1]].filter(
    (line) => line !== undefined && ts.isVariableStatement(line),
  );
  const otherDeclarations = neighbouringLines.flatMap((line) =>
    line.declarationList.declarations.filter((candidate) => candidate !== declaration),
  );
  return otherDeclarations.some((other) => other.initializer !== undefined && findCallee(other.initializer) === callee);
}

/** The text of the called function, without arguments; null if the value is not a call. */
function findCallee(value: ts.Expression): string | null {
  let unwrapped = value;
  while (
    ts.isAwaitExpression(unwrapped) ||
    ts.isParenthesizedExpression(unwrapped) ||
    ts.isAsExpression(unwrapped) ||
    ts.isNonNullExpression(unwrapped)
  )
    unwrapped = unwrapped.expression;
  return ts.isCallExpression(unwrapped) || ts.isNewExpression(unwrapped) ? unwrapped.expression.getText() : null;
}
