// Decides which expressions inside a function could become its arguments.

import { ts } from 'ts-morph';
import { collectDescendants } from '../syntax/locate.ts';
import { isWrite, type Names } from '../syntax/names.ts';
import { isImport } from '../../syntax/names.ts';

/** A function in its file. */
export interface CopyInFile {
  readonly node: ts.FunctionLikeDeclaration;
  readonly names: Names;
}

/** Matches functions whose arguments tools read from the source text: for translation, or for loading modules. */
const TOOL_READ_CALLS =
  /^(t|tr|__|_|\$t|i18n|gettext|ngettext|translate|formatMessage|require|resolve|import|lazy|URL)$/;

/**
 * True for an expression that is only read and has the same value wherever it is evaluated: a literal, an import, a
 * constant, function, class or enum of the file, or a property of one of them that is not called. Also true for a
 * property of `this` to which only the constructor assigns.
 */
export function canBeArgument(node: ts.Node, copy: CopyInFile): boolean {
  return isConstant(node, copy) && isOnlyRead(node);
}

/** True if no declaration of the symbol is inside the function `within`. */
export function isDeclaredOutside(symbol: ts.Symbol, within: ts.Node): boolean {
  return (symbol.declarations ?? []).every(({ pos, end }) => pos < within.pos || end > within.end);
}

/**
 * True for a literal, a constant name, and a property of a constant or of `this` that is not called and does not
 * change.
 */
function isConstant(node: ts.Node, copy: CopyInFile): boolean {
  if (
    ts.isStringLiteral(node) ||
    ts.isNoSubstitutionTemplateLiteral(node) ||
    ts.isNumericLiteral(node) ||
    ts.isBigIntLiteral(node) ||
    node.kind === ts.SyntaxKind.TrueKeyword ||
    node.kind === ts.SyntaxKind.FalseKeyword ||
    node.kind === ts.SyntaxKind.NullKeyword
  )
    return true;
  if (ts.isPrefixUnaryExpression(node))
    return node.operator === ts.SyntaxKind.MinusToken && ts.isNumericLiteral(node.operand);
  if (ts.isIdentifier(node)) return isConstantName(node, copy);
  if (ts.isPropertyAccessExpression(node) && node.expression.kind === ts.SyntaxKind.ThisKeyword)
    return ts.isMethodDeclaration(copy.node) && !isCalled(node) && isSetOnce(node, copy.node);
  return (
    ts.isPropertyAccessExpression(node) &&
    !node.questionDotToken &&
    !isCalled(node) &&
    ts.isIdentifier(node.expression) &&
    isConstantName(node.expression, copy) &&
    isUnchanging(node, node.expression, copy)
  );
}

/**
 * False for a property that code of the file assigns, deletes or computes. Also false if a loop reads the property of
 * an object that other files may change.
 */
function isUnchanging(
  { name }: ts.PropertyAccessExpression,
  owner: ts.Identifier,
  { node, names }: CopyInFile,
): boolean {
  if (collectChangedProperties(node.getSourceFile()).has(name.text)) return false;
  const [declaration] = names.symbolOf(owner)?.declarations ?? [];
  // Other files may change exported objects and instances of exported classes, or compute their properties.
  const belongsToFile =
    declaration !== undefined &&
    (ts.isVariableDeclaration(declaration) ? isLiteralObject(declaration.initializer) : !isImport(declaration));
  return belongsToFile || !isRepeated(owner, node);
}

/** True for an object literal, also with `as const`, `satisfies` or `Object.freeze`. */
function isLiteralObject(node: ts.Expression | undefined): boolean {
  if (!node) return false;
  if (ts.isAsExpression(node) || ts.isSatisfiesExpression(node) || ts.isParenthesizedExpression(node))
    return isLiteralObject(node.expression);
  if (ts.isCallExpression(node) && node.expression.getText() === 'Object.freeze')
    return isLiteralObject(node.arguments[0]);
  return ts.isObjectLiteralExpression(node);
}

/** The changed properties of each file, because every copy in the file needs them. */
const changedNamesByFile = new WeakMap<ts.SourceFile, ReadonlySet<string>>();

/** Collects the names of properties that code of the file assigns, deletes or computes, for any object. */
function collectChangedProperties(sourceFile: ts.SourceFile): ReadonlySet<string> {
  const cached = changedNamesByFile.get(sourceFile);
  if (cached) return cached;
  const names = new Set<string>();
  for (const node of collectDescendants(sourceFile)) {
    if (ts.isGetAccessorDeclaration(node)) names.add(node.name.getText(sourceFile));
    const isChanged =
      (ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node)) &&
      (isWrite(node) || ts.isDeleteExpression(node.parent));
    if (!isChanged) continue;
    if (ts.isPropertyAccessExpression(node)) names.add(node.name.text);
    else if (ts.isStringLiteralLike(node.argumentExpression)) names.add(node.argumentExpression.text);
  }
  changedNamesByFile.set(sourceFile, names);
  return names;
}

/** True if a loop inside `scopeFunction` evaluates the node in each iteration. */
function isRepeated(node: ts.Node, scopeFunction: ts.Node): boolean {
  for (let ancestor = node; ancestor !== scopeFunction && ancestor.parent; ancestor = ancestor.parent) {
    const { parent } = ancestor;
    if (!ts.isIterationStatement(parent, false)) continue;
    const isEvaluatedOnce = ts.isForStatement(parent)
      ? parent.initializer === ancestor
      : (ts.isForOfStatement(parent) || ts.isForInStatement(parent)) && parent.expression === ancestor;
    if (!isEvaluatedOnce) return true;
  }
  return false;
}

/**
 * True if `this` is the object of the method, the property is not an accessor, and only the constructor assigns to it.
 */
function isSetOnce(node: ts.PropertyAccessExpression, method: ts.MethodDeclaration): boolean {
  for (let ancestor: ts.Node = node.parent; ancestor !== method; ancestor = ancestor.parent)
    if ((ts.isFunctionLike(ancestor) && !ts.isArrowFunction(ancestor)) || ts.isClassLike(ancestor)) return false;
  const text = node.getText();
  const members = (method.parent as ts.ClassLikeDeclaration).members ?? [];
  return !members.some((member) =>
    ts.isAccessor(member)
      ? member.name.getText() === node.name.text
      : !ts.isConstructorDeclaration(member) &&
        collectDescendants(member).some(
          (each) => ts.isPropertyAccessExpression(each) && each.getText() === text && isWrite(each),
        ),
  );
}

/** True for an import, and for a top-level constant, function, class or enum that is not the copy itself. */
function isConstantName(node: ts.Identifier, { node: within, names }: CopyInFile): boolean {
  const symbol = names.symbolOf(node);
  if (!symbol || !isDeclaredOutside(symbol, within)) return false;
  const [declaration] = symbol.declarations ?? [];
  if (!declaration || declaration === within || declaration === within.parent) return false;
  if (ts.isVariableDeclaration(declaration))
    return (
      (ts.getCombinedNodeFlags(declaration) & ts.NodeFlags.Const) !== 0 &&
      ts.isSourceFile(declaration.parent.parent.parent)
    );
  if (isImport(declaration)) return true;
  return (
    (ts.isFunctionDeclaration(declaration) ||
      ts.isClassDeclaration(declaration) ||
      ts.isEnumDeclaration(declaration)) &&
    ts.isSourceFile(declaration.parent)
  );
}

function isCalled(node: ts.Node): boolean {
  const { parent } = node;
  return (
    ((ts.isCallExpression(parent) || ts.isNewExpression(parent)) && parent.expression === node) ||
    (ts.isTaggedTemplateExpression(parent) && parent.tag === node)
  );
}

/**
 * False if the node is not simply read: it is the name of a property, the target of an assignment, a JSX tag, a type,
 * an operand of `delete`, `typeof` or `instanceof`, a called function, or a text that a tool or the engine reads.
 */
function isOnlyRead(node: ts.Node): boolean {
  const { parent } = node;
  if (isWrite(node) || ts.isTypeNode(parent) || ts.isJsxOpeningLikeElement(parent) || ts.isJsxClosingElement(parent))
    return false;
  // In an attribute, `&amp;` is an escape and a backslash is not; in a string, the opposite is true.
  if (ts.isJsxAttribute(parent) && /[&\\\n]/.test(node.getText())) return false;
  if (ts.isShorthandPropertyAssignment(parent) || ts.isExpressionWithTypeArguments(parent)) return false;
  if ('name' in parent && parent.name === node) return false;
  if (ts.isBindingElement(parent) && parent.propertyName === node) return false;
  if (ts.isExpressionStatement(parent) || ts.isDeleteExpression(parent) || ts.isTypeOfExpression(parent)) return false;
  if (ts.isBinaryExpression(parent) && parent.operatorToken.kind === ts.SyntaxKind.InstanceOfKeyword) return false;
  if (ts.isTaggedTemplateExpression(parent) || (ts.isNewExpression(parent) && parent.expression === node)) return false;
  if (ts.isCallExpression(parent)) {
    const callee = parent.expression;
    const name = ts.isIdentifier(callee)
      ? callee.text
      : ts.isPropertyAccessExpression(callee)
        ? callee.name.text
        : 'import';
    return callee === node || !TOOL_READ_CALLS.test(name);
  }
  return true;
}
