// Decides which values of a function could be handed to it instead.

import { ts } from 'ts-morph';
import { nodesIn } from '../syntax/locate.ts';
import { isWrite, type Names } from '../syntax/names.ts';

/** A function in its file. */
export interface CopyInFile {
  readonly node: ts.FunctionLikeDeclaration;
  readonly names: Names;
}

/** Calls whose first argument tools read from the text: translations, modules. */
const READ_BY_TOOLS = /^(t|tr|__|_|\$t|i18n|gettext|ngettext|translate|formatMessage|require|resolve|import|lazy|URL)$/;

/**
 * True for an expression that has the same value wherever it is evaluated, and that is only read: a literal, a function,
 * class, enum or constant of the file or an import, or a property of one of them that is not called. Also for a property
 * of `this` to which only the constructor assigns.
 */
export function canBeArgument(node: ts.Node, copy: CopyInFile): boolean {
  return isConstant(node, copy) && isRead(node);
}

/** True for a symbol that is declared outside of the function. */
export function isFixed(symbol: ts.Symbol, within: ts.Node): boolean {
  return (symbol.declarations ?? []).every(({ pos, end }) => pos < within.pos || end > within.end);
}

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
    return ts.isMethodDeclaration(copy.node) && !isCalled(node) && isKept(node, copy.node);
  return (
    ts.isPropertyAccessExpression(node) &&
    !node.questionDotToken &&
    !isCalled(node) &&
    ts.isIdentifier(node.expression) &&
    isConstantName(node.expression, copy)
  );
}

/** True if `this` is that of the method, and only the constructor assigns to the property. */
function isKept(node: ts.PropertyAccessExpression, method: ts.MethodDeclaration): boolean {
  for (let at: ts.Node = node.parent; at !== method; at = at.parent)
    if ((ts.isFunctionLike(at) && !ts.isArrowFunction(at)) || ts.isClassLike(at)) return false;
  const text = node.getText();
  const members = (method.parent as ts.ClassLikeDeclaration).members ?? [];
  return !members.some((member) =>
    ts.isAccessor(member)
      ? member.name.getText() === node.name.text
      : !ts.isConstructorDeclaration(member) &&
        nodesIn(member).some((each) => ts.isPropertyAccessExpression(each) && each.getText() === text && isWrite(each)),
  );
}

function isConstantName(node: ts.Identifier, { node: within, names }: CopyInFile): boolean {
  const symbol = names.symbolOf(node);
  if (!symbol || !isFixed(symbol, within)) return false;
  const [declaration] = symbol.declarations ?? [];
  if (!declaration || declaration === within || declaration === within.parent) return false;
  if (ts.isVariableDeclaration(declaration))
    return (
      (ts.getCombinedNodeFlags(declaration) & ts.NodeFlags.Const) !== 0 &&
      ts.isSourceFile(declaration.parent.parent.parent)
    );
  if (ts.isImportClause(declaration) || ts.isImportSpecifier(declaration) || ts.isNamespaceImport(declaration))
    return true;
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

/** False for names of properties, targets of assignments, tags, types, and texts that a tool or the engine reads. */
function isRead(node: ts.Node): boolean {
  const { parent } = node;
  if (isWrite(node) || ts.isTypeNode(parent) || ts.isJsxOpeningLikeElement(parent) || ts.isJsxClosingElement(parent))
    return false;
  if (ts.isShorthandPropertyAssignment(parent) || ts.isExpressionWithTypeArguments(parent)) return false;
  if ('name' in parent && parent.name === node) return false;
  if (ts.isBindingElement(parent) && parent.propertyName === node) return false;
  if (ts.isExpressionStatement(parent) || ts.isDeleteExpression(parent) || ts.isTypeOfExpression(parent)) return false;
  if (ts.isBinaryExpression(parent) && parent.operatorToken.kind === ts.SyntaxKind.InstanceOfKeyword) return false;
  if (ts.isTaggedTemplateExpression(parent) || (ts.isNewExpression(parent) && parent.expression === node)) return false;
  if (ts.isCallExpression(parent)) {
    const called = parent.expression;
    const name = ts.isIdentifier(called)
      ? called.text
      : ts.isPropertyAccessExpression(called)
        ? called.name.text
        : 'import';
    return called === node || !READ_BY_TOOLS.test(name);
  }
  return true;
}
