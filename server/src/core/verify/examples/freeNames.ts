// Finds the names that a code block uses without declaring or importing them.

import { ts } from 'ts-morph';

/** A name that a block does not declare. */
export interface FreeName {
  readonly name: string;
  /** The properties that are read from it; null if the name is also used otherwise, for example called. */
  readonly members: readonly string[] | null;
}

/**
 * The names that the block neither declares nor finds in the runtime of JavaScript. `used`: the names that it reads.
 * `assigned`: the names that it only assigns. `exportedNames`: the exports of the documented file, which may have the
 * name of a global, such as `escape`.
 */
export function findFreeNames(
  source: ts.SourceFile,
  exportedNames: ReadonlySet<string>,
): {
  readonly used: readonly FreeName[];
  readonly assigned: readonly string[];
} {
  const declared = new Set<string>(['undefined', 'arguments', 'require', 'module', 'exports']);
  const uses = new Map<string, (string | null)[]>();
  const assigned = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return;
    if (ts.isIdentifier(node)) {
      if (isDeclaredName(node)) declared.add(node.text);
      else if (isAssignedStatement(node)) assigned.add(node.text);
      else if (isReference(node)) uses.set(node.text, [...(uses.get(node.text) ?? []), findMember(node)]);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  const isFree = (name: string) => !declared.has(name) && (exportedNames.has(name) || !(name in globalThis));
  return {
    used: [...uses].flatMap(([name, members]) =>
      isFree(name) && !assigned.has(name)
        ? [{ name, members: members.includes(null) ? null : [...new Set(members as string[])] }]
        : [],
    ),
    assigned: [...assigned].filter(isFree),
  };
}

/** True for the name of a declaration, of a parameter, or of an import. */
function isDeclaredName(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isImportClause(parent) || ts.isNamespaceImport(parent)) return true;
  if (ts.isImportSpecifier(parent)) return parent.name === node;
  return (
    (ts.isVariableDeclaration(parent) ||
      ts.isParameter(parent) ||
      ts.isBindingElement(parent) ||
      ts.isFunctionDeclaration(parent) ||
      ts.isFunctionExpression(parent) ||
      ts.isClassDeclaration(parent) ||
      ts.isClassExpression(parent) ||
      ts.isEnumDeclaration(parent)) &&
    parent.name === node
  );
}

/** True for the variable that a statement sets, as in `result = sum(1, 2)`. */
function isAssignedStatement(node: ts.Identifier): boolean {
  const { parent } = node;
  return (
    ts.isBinaryExpression(parent) &&
    parent.left === node &&
    parent.operatorToken.kind === ts.SyntaxKind.EqualsToken &&
    ts.isExpressionStatement(parent.parent)
  );
}

/** False for names of properties, labels and specifiers. */
function isReference(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.name !== node;
  if (ts.isBindingElement(parent)) return parent.propertyName !== node;
  if (ts.isImportSpecifier(parent) || ts.isExportSpecifier(parent) || ts.isQualifiedName(parent)) return false;
  if (ts.isLabeledStatement(parent) || ts.isBreakOrContinueStatement(parent)) return false;
  const isMember =
    ts.isPropertyAssignment(parent) ||
    ts.isMethodDeclaration(parent) ||
    ts.isPropertyDeclaration(parent) ||
    ts.isGetAccessorDeclaration(parent) ||
    ts.isSetAccessorDeclaration(parent) ||
    ts.isEnumMember(parent);
  return !(isMember && parent.name === node);
}

/** The property that is read from a name; null if the name is used otherwise. */
function findMember({ parent }: ts.Identifier): string | null {
  return ts.isPropertyAccessExpression(parent) ? parent.name.text : null;
}
