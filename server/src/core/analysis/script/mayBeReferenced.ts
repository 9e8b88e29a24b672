// Decides whether a name in a text may refer to a given local, by its position, without the type checker.

import { isIdentifierCharacter } from '../../../util/nameCharacters.ts';
import { ts } from 'ts-morph';
import { isReference, resolveLocal } from './bindings.ts';

const SyntaxKind = ts.SyntaxKind;

/**
 * Maximum number of occurrences of one name that are examined, each from the top of the tree. For more, the type
 * checker is faster.
 */
const MAX_PLACES = 100;

/**
 * True if the name occurs outside of the names of these declarations, at a position where it may refer to one of them.
 * In doubt, true.
 */
export function mayBeReferenced(
  sourceFile: ts.SourceFile,
  name: string,
  declarations: readonly ts.Declaration[],
): boolean {
  const { text } = sourceFile;
  const declaredNameStarts = new Set(
    declarations.map((declaration) => (declaration as ts.NamedDeclaration).name!.end - name.length),
  );
  const symbols = new Set(declarations.map((declaration) => (declaration as { readonly symbol?: ts.Symbol }).symbol));
  let occurrences = 0;
  for (let offset = text.indexOf(name); offset >= 0; offset = text.indexOf(name, offset + name.length)) {
    if (
      declaredNameStarts.delete(offset) ||
      isIdentifierCharacter(text.charCodeAt(offset - 1)) ||
      isIdentifierCharacter(text.charCodeAt(offset + name.length))
    )
      continue;
    if (++occurrences > MAX_PLACES || mayReferToAny(sourceFile, offset, symbols)) return true;
  }
  return declaredNameStarts.size > 0;
}

/** True if the text at an offset may refer to one of the symbols, as a name or in a comment that a tool reads. */
function mayReferToAny(
  sourceFile: ts.SourceFile,
  offset: number,
  symbols: ReadonlySet<ts.Symbol | undefined>,
): boolean {
  const node = findLeafAt(sourceFile, offset);
  if (offset < node.getStart(sourceFile)) return isInReadComment(sourceFile, offset);
  switch (node.kind) {
    case SyntaxKind.Identifier:
      return !cannotReferToLocal(node as ts.Identifier) && !refersToOtherVariable(node as ts.Identifier, symbols);
    case SyntaxKind.StringLiteral:
    case SyntaxKind.NoSubstitutionTemplateLiteral:
    case SyntaxKind.TemplateHead:
    case SyntaxKind.TemplateMiddle:
    case SyntaxKind.TemplateTail:
    case SyntaxKind.RegularExpressionLiteral:
    case SyntaxKind.JsxText:
    case SyntaxKind.PrivateIdentifier:
      return false;
    default:
      // Between the parts of a node there are only comments and punctuation.
      return isInReadComment(sourceFile, offset);
  }
}

/** The innermost node that contains an offset, with the comments before it. */
function findLeafAt(sourceFile: ts.SourceFile, index: number): ts.Node {
  let node: ts.Node = sourceFile;
  for (;;) {
    const inner: ts.Node | undefined = ts.forEachChild(node, (child) =>
      child.pos <= index && index < child.end ? child : undefined,
    );
    if (!inner) return node;
    node = inner;
  }
}

/** True if an offset between tokens is in a comment that TypeScript reads: for links, and in JavaScript for types. */
function isInReadComment({ text, fileName }: ts.SourceFile, index: number): boolean {
  const openingIndex = text.lastIndexOf('/**', index);
  if (openingIndex < 0) return false;
  const closingIndex = text.indexOf('*/', openingIndex + 3);
  if (closingIndex >= 0 && closingIndex < index) return false;
  return (
    !/\.[cm]?tsx?$/.test(fileName) ||
    text.slice(openingIndex, closingIndex < 0 ? undefined : closingIndex).includes('{@link')
  );
}

/**
 * True for an identifier that cannot refer to a local: the name of a property, of a label, of another declaration, or
 * of something in another module.
 */
function cannotReferToLocal(node: ts.Identifier): boolean {
  const { parent } = node;
  switch (parent.kind) {
    case SyntaxKind.PropertyAccessExpression:
    case SyntaxKind.PropertyAssignment:
    case SyntaxKind.PropertyDeclaration:
    case SyntaxKind.PropertySignature:
    case SyntaxKind.MethodDeclaration:
    case SyntaxKind.MethodSignature:
    case SyntaxKind.GetAccessor:
    case SyntaxKind.SetAccessor:
    case SyntaxKind.EnumMember:
    case SyntaxKind.JsxAttribute:
    case SyntaxKind.VariableDeclaration:
    case SyntaxKind.Parameter:
    case SyntaxKind.FunctionDeclaration:
    case SyntaxKind.FunctionExpression:
    case SyntaxKind.TypeParameter:
      return (parent as ts.NamedDeclaration).name === node;
    case SyntaxKind.BindingElement:
    case SyntaxKind.ImportSpecifier:
      return (parent as ts.BindingElement).name === node || (parent as ts.BindingElement).propertyName === node;
    case SyntaxKind.QualifiedName:
      return (parent as ts.QualifiedName).right === node;
    case SyntaxKind.LabeledStatement:
    case SyntaxKind.BreakStatement:
    case SyntaxKind.ContinueStatement:
      return (parent as ts.BreakStatement).label === node;
    default:
      return false;
  }
}

/**
 * True for a read of another variable of this name, in an inner scope. False in parameters, types, decorators, classes
 * and exports, because there a name may belong to another scope than its position in the text suggests.
 */
function refersToOtherVariable(node: ts.Identifier, symbols: ReadonlySet<ts.Symbol | undefined>): boolean {
  if (!isReference(node)) return false;
  const symbol = resolveLocal(node)?.symbol;
  if (!symbol || symbols.has(symbol) || (symbol.flags & ts.SymbolFlags.Variable) === 0) return false;
  for (let outer: ts.Node = node.parent; outer; outer = outer.parent) {
    if (
      ts.isParameter(outer) ||
      ts.isTypeNode(outer) ||
      ts.isDecorator(outer) ||
      ts.isClassLike(outer) ||
      outer.kind === SyntaxKind.ExportSpecifier ||
      outer.kind === SyntaxKind.ExportAssignment
    )
      return false;
    if (ts.isStatement(outer)) return true;
  }
  return false;
}
