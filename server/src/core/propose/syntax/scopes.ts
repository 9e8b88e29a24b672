// Finds which names statements declare and whether other code refers to them. Decides where a statement is allowed, and
// where it must be separated from the next line.

import { ts } from 'ts-morph';
import { collectDescendants } from './locate.ts';
import { collectBoundIdentifiers } from '../../syntax/names.ts';

/**
 * Collects the names that belong to the block of these statements: those of let, const, using, class, function, enum
 * and types. Those of `var`, imports and namespaces are not included.
 */
export function collectBlockScopedNames(statements: readonly ts.Statement[]): Set<string> {
  const names = new Set<string>();
  for (const statement of statements) {
    if (ts.isVariableStatement(statement)) {
      if ((statement.declarationList.flags & ts.NodeFlags.BlockScoped) === 0) continue;
      for (const declaration of statement.declarationList.declarations)
        for (const name of collectBoundIdentifiers(declaration.name)) names.add(name.text);
    } else {
      const name = readDeclaredName(statement);
      if (name !== null) names.add(name);
    }
  }
  return names;
}

/**
 * The name of a declared function, class, interface, type or enum; null for other nodes and for unnamed default
 * exports.
 */
function readDeclaredName(node: ts.Node): string | null {
  const isNamed =
    ts.isFunctionDeclaration(node) ||
    ts.isClassDeclaration(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isEnumDeclaration(node);
  return isNamed ? (node.name?.text ?? null) : null;
}

/**
 * Finds a name that `scope` contains outside `excludedNode`; null if there is none. Names of properties are ignored.
 * The parameters of a function belong to the scope that is its body, and the caught value to a catch block.
 */
export function findNameUsedOutside(names: ReadonlySet<string>, scope: ts.Node, excludedNode: ts.Node): string | null {
  if (names.size === 0) return null;
  const owner = scope.parent;
  const searchedNodes: ts.Node[] = [scope];
  if (owner && ts.isFunctionLike(owner)) searchedNodes.push(...owner.parameters);
  if (owner && ts.isCatchClause(owner) && owner.variableDeclaration) searchedNodes.push(owner.variableDeclaration);
  for (const part of searchedNodes) {
    for (const node of [part, ...collectDescendants(part)]) {
      if (!ts.isIdentifier(node) || !names.has(node.text)) continue;
      if (node.pos >= excludedNode.pos && node.end <= excludedNode.end) continue;
      if (!isPropertyName(node)) return node.text;
    }
  }
  return null;
}

/**
 * Finds the node whose statements share a block scope with `statement`; null if no statement can be inserted next to
 * it.
 */
export function findScopeAround(
  statement: ts.Statement,
): ts.Block | ts.SourceFile | ts.ModuleBlock | ts.CaseBlock | null {
  const { parent } = statement;
  if (ts.isBlock(parent) || ts.isSourceFile(parent) || ts.isModuleBlock(parent)) return parent;
  return ts.isCaseOrDefaultClause(parent) ? parent.parent : null;
}

/** True if the whole `else if` chain is in a list of statements, so no following `else` can attach to another `if`. */
export function isInStatementList(statement: ts.IfStatement): boolean {
  let outermostIf = statement;
  while (ts.isIfStatement(outermostIf.parent) && outermostIf.parent.elseStatement === outermostIf)
    outermostIf = outermostIf.parent;
  return findScopeAround(outermostIf) !== null;
}

/** True if the statement must be followed by a semicolon or an unambiguous line break. */
export function needsTerminator(sourceFile: ts.SourceFile, statement: ts.Statement): boolean {
  const endsWithSemicolon =
    ts.isExpressionStatement(statement) ||
    ts.isVariableStatement(statement) ||
    ts.isReturnStatement(statement) ||
    ts.isThrowStatement(statement);
  if (endsWithSemicolon) return sourceFile.text[statement.end - 1] !== ';';
  // The last statement of a branch without braces ends the whole statement.
  if (ts.isIfStatement(statement))
    return needsTerminator(sourceFile, statement.elseStatement ?? statement.thenStatement);
  if (ts.isIterationStatement(statement, false) && !ts.isDoStatement(statement))
    return needsTerminator(sourceFile, statement.statement);
  return ts.isLabeledStatement(statement) && needsTerminator(sourceFile, statement.statement);
}

/** True if text that begins like this would continue an unfinished statement on the previous line. */
export function continuesLine(text: string): boolean {
  return /^\s*([([`+\-*/,.?%&|^<>=]|in\b|instanceof\b|as\b|satisfies\b)/.test(
    text.replace(/^(\s|\/\/[^\n]*\n|\/\*[\s\S]*?\*\/)+/, ''),
  );
}

/** True if the identifier is the name of a property instead of a variable. */
export function isPropertyName(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.name === node;
  if (ts.isQualifiedName(parent)) return parent.right === node;
  if (
    ts.isPropertyAssignment(parent) ||
    ts.isPropertySignature(parent) ||
    ts.isPropertyDeclaration(parent) ||
    ts.isMethodDeclaration(parent) ||
    ts.isMethodSignature(parent) ||
    ts.isAccessor(parent) ||
    ts.isEnumMember(parent)
  )
    return parent.name === node;
  if (ts.isBindingElement(parent)) return parent.propertyName === node;
  return ts.isJsxAttribute(parent) && parent.name === node;
}

/**
 * Collects every name that a statement declares, including those in nested blocks. Inner functions and classes are
 * included with their own names, but not with the names inside them.
 */
export function collectDeclaredInside(statement: ts.Statement): Set<string> {
  const names = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node)) for (const { text } of collectBoundIdentifiers(node.name)) names.add(text);
    const name = readDeclaredName(node);
    if (name !== null) names.add(name);
    if (!ts.isFunctionLike(node) && !ts.isClassLike(node)) ts.forEachChild(node, visit);
  };
  visit(statement);
  return names;
}
