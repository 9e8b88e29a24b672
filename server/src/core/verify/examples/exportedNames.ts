// Lists what a file exports by the names that its documentation uses.

import { ts } from 'ts-morph';
import { hasExportKeyword, hasModifier } from '../../syntax/declarations/modifiers.ts';

/**
 * The exports of a file by name: the name to read from the module, or `default`. What a file exports as a whole counts
 * under its own name (`export default slug`, `module.exports = slug`).
 */
export function readExportedNames(source: ts.SourceFile): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const statement of source.statements) {
    if (ts.isExportDeclaration(statement) && statement.exportClause && ts.isNamedExports(statement.exportClause))
      for (const { name, propertyName } of statement.exportClause.elements)
        names.set(name.text === 'default' ? (propertyName ?? name).text : name.text, name.text);
    else if (ts.isExportAssignment(statement) && ts.isIdentifier(statement.expression))
      names.set(statement.expression.text, 'default');
    else if (ts.isExpressionStatement(statement)) readAssignment(statement.expression, source, names);
    else
      for (const [name, isDefault] of listExportedDeclarations(statement))
        names.set(name, isDefault ? 'default' : name);
  }
  return names;
}

/** The names that an exported declaration declares, and whether it is the default export. */
function listExportedDeclarations(statement: ts.Statement): readonly (readonly [string, boolean])[] {
  if (!hasExportKeyword(statement)) return [];
  const isDefault = hasModifier(statement, ts.SyntaxKind.DefaultKeyword);
  if (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement))
    return statement.name ? [[statement.name.text, isDefault]] : [];
  if (!ts.isVariableStatement(statement)) return [];
  return statement.declarationList.declarations.flatMap(({ name }) =>
    ts.isIdentifier(name) ? [[name.text, false] as const] : [],
  );
}

/** Adds the names of `module.exports = slug`, `module.exports = { slug }` and `exports.slug = …`. */
function readAssignment(expression: ts.Expression, source: ts.SourceFile, names: Map<string, string>): void {
  if (!ts.isBinaryExpression(expression) || expression.operatorToken.kind !== ts.SyntaxKind.EqualsToken) return;
  const target = expression.left.getText(source);
  const member = /^(?:module\.)?exports\.([\w$]+)$/.exec(target)?.[1];
  if (member !== undefined) names.set(member, member);
  if (target !== 'module.exports' && target !== 'exports') return;
  const { right } = expression;
  if (ts.isIdentifier(right)) names.set(right.text, 'default');
  else if ((ts.isFunctionExpression(right) || ts.isClassExpression(right)) && right.name)
    names.set(right.name.text, 'default');
  else if (ts.isObjectLiteralExpression(right))
    for (const { name } of right.properties) if (name && ts.isIdentifier(name)) names.set(name.text, name.text);
}
