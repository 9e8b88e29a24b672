// Computes keys of expressions, which are equal if the expressions differ only in the names of variables.

import { ts } from 'ts-morph';
import { collectNodesBelow } from '../../../core/syntax/nodesBelow.ts';

/** Maximum number of characters of a literal that replaces its name. Longer ones are tables of data. */
const MAX_LITERAL_LENGTH = 2_000;

/**
 * Returns a function that computes the key of an expression in these files. Expressions that differ only in the names
 * of variables, layout and parentheses have equal keys. A variable that is initialised with a literal counts as the
 * literal. If `keepsChains` is false, expressions with and without `?.` have equal keys, too.
 */
export function createKeyFunction(files: readonly ts.SourceFile[], keepsChains = true): (node: ts.Node) => string {
  const literalByName = collectNamedLiterals(files);
  const declaredNames = new Set(files.flatMap(listDeclaredNames));
  const formatVariable = ({ text }: ts.Identifier) => literalByName.get(text) ?? (declaredNames.has(text) ? '_' : text);
  return (node) => formatKey(node, formatVariable, keepsChains);
}

/**
 * The kinds and tokens of the nodes as a text, without parentheses around expressions. `formatVariable`: returns the text for a
 * variable.
 */
function formatKey(node: ts.Node, formatVariable: (variable: ts.Identifier) => string, keepsChains = true): string {
  if (ts.isParenthesizedExpression(node)) return formatKey(node.expression, formatVariable, keepsChains);
  if (ts.isIdentifier(node)) return isMemberName(node) ? node.text : formatVariable(node);
  const children: string[] = [];
  ts.forEachChild(node, (child) => {
    if (keepsChains || !ts.isQuestionDotToken(child)) children.push(formatKey(child, formatVariable, keepsChains));
  });
  const operator = ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node) ? node.operator : '';
  return `(${node.kind} ${operator} ${children.length === 0 ? node.getText() : children.join(' ')})`;
}

/** True for an identifier that names a member, not a variable. */
function isMemberName(node: ts.Identifier): boolean {
  const { parent } = node;
  return (
    (ts.isPropertyAccessExpression(parent) && parent.name === node) ||
    (ts.isPropertyAssignment(parent) && parent.name === node) ||
    (ts.isMethodDeclaration(parent) && parent.name === node)
  );
}

/**
 * The texts of the literals with which variables and parameters are initialised, by name. Different literals of one
 * name are joined.
 */
function collectNamedLiterals(files: readonly ts.SourceFile[]): ReadonlyMap<string, string> {
  const literalByName = new Map<string, string>();
  for (const node of files.flatMap(collectNodesBelow)) {
    if (!(ts.isVariableDeclaration(node) || ts.isParameter(node) || ts.isBindingElement(node))) continue;
    const { name, initializer } = node;
    if (!ts.isIdentifier(name) || !initializer || !isLiteral(initializer)) continue;
    const text = formatKey(initializer, ({ text: variable }) => variable);
    const knownText = literalByName.get(name.text);
    literalByName.set(name.text, knownText === undefined || knownText === text ? text : `${knownText} | ${text}`);
  }
  return literalByName;
}

/** True for a value that is written with literals only. */
function isLiteral(node: ts.Expression): boolean {
  if (node.end - node.pos > MAX_LITERAL_LENGTH) return false;
  const visit = (child: ts.Node): boolean => {
    const isVariable = ts.isIdentifier(child) && !isMemberName(child) && !ts.isNewExpression(child.parent);
    const isCode = ts.isFunctionLike(child) || ts.isCallExpression(child) || child.kind === ts.SyntaxKind.ThisKeyword;
    return !isVariable && !isCode && !ts.forEachChild(child, (part) => !visit(part));
  };
  return visit(node);
}

/** Names of variables, parameters, functions and imports of the file. Other names stand for globals. */
function listDeclaredNames(file: ts.SourceFile): readonly string[] {
  return collectNodesBelow(file).flatMap((node) => {
    const isDeclaration =
      ts.isVariableDeclaration(node) ||
      ts.isParameter(node) ||
      ts.isBindingElement(node) ||
      ts.isImportSpecifier(node) ||
      ts.isImportClause(node) ||
      ts.isNamespaceImport(node);
    return isDeclaration && node.name && ts.isIdentifier(node.name) ? [node.name.text] : [];
  });
}
