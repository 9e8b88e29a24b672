// Removes unused imports of Node's own modules. Loading such a module has no side effects, so code with and without the
// import is equivalent.

import { ts } from 'ts-morph';
import { collectNodesBelow } from '../../syntax/nodesBelow.ts';
import { UNPREFIXED_NODE_MODULES, SIDE_EFFECT_FREE_MODULES } from './sideEffectFreeModules.ts';
import { hasExportKeyword } from '../../syntax/declarations/modifiers.ts';

/**
 * Removes unused imports of Node's modules from JavaScript that `emitJavaScript` has returned. Removes only whole
 * statements: `import … from` and `const … = require(…)`. A name counts as used if it occurs anywhere else.
 */
export function removeUnusedNodeImports(text: string): string {
  if (!/\b(?:from|require)\b/.test(text)) return text;
  const sourceFile = ts.createSourceFile('emitted.js', text, ts.ScriptTarget.Latest, true, ts.ScriptKind.JSX);
  const counts = new Map<string, number>();
  for (const node of collectNodesBelow(sourceFile))
    if (ts.isIdentifier(node)) counts.set(node.text, (counts.get(node.text) ?? 0) + 1);
  const unusedStatements = sourceFile.statements.filter((statement) => {
    const boundNames = findBoundNames(statement);
    return boundNames?.every((name) => counts.get(name) === 1);
  });
  // `eval` may read any name. Without its only import, a file may be parsed as a script instead of a module.
  if (
    counts.has('eval') ||
    (unusedStatements.some(ts.isImportDeclaration) &&
      !sourceFile.statements.some((statement) => !unusedStatements.includes(statement) && isModuleSyntax(statement)))
  )
    return text;
  return unusedStatements.reduceRight(
    (remaining, statement) =>
      remaining.slice(0, statement.getStart(sourceFile)) + remaining.slice(statement.end).replace(/^[ \t]*\r?\n/, ''),
    text,
  );
}

/** True for a statement that makes a file a module. */
function isModuleSyntax(statement: ts.Statement): boolean {
  return (
    ts.isImportDeclaration(statement) ||
    ts.isExportDeclaration(statement) ||
    ts.isExportAssignment(statement) ||
    hasExportKeyword(statement)
  );
}

/**
 * The names that the statement binds to a module of Node, if it does nothing else; null for any other statement, and
 * for renamed imports.
 */
function findBoundNames(statement: ts.Statement): string[] | null {
  if (ts.isImportDeclaration(statement)) {
    const { importClause: clause, moduleSpecifier } = statement;
    if (!isSideEffectFreeModule(moduleSpecifier) || !clause) return null;
    const namedBindings = clause.namedBindings;
    const names =
      namedBindings && ts.isNamedImports(namedBindings)
        ? namedBindings.elements.map(({ name, propertyName }) => (propertyName ? null : name.text))
        : namedBindings
          ? [namedBindings.name.text]
          : [];
    return nullIfIncomplete([...(clause.name ? [clause.name.text] : []), ...names]);
  }
  const declaration =
    ts.isVariableStatement(statement) && statement.declarationList.declarations.length === 1
      ? statement.declarationList.declarations[0]!
      : null;
  if (!declaration?.initializer || (ts.isVariableStatement(statement) && statement.modifiers)) return null;
  const { initializer, name } = declaration;
  if (
    !ts.isCallExpression(initializer) ||
    !ts.isIdentifier(initializer.expression) ||
    initializer.expression.text !== 'require' ||
    initializer.arguments.length !== 1 ||
    !isSideEffectFreeModule(initializer.arguments[0]!)
  )
    return null;
  if (ts.isIdentifier(name)) return [name.text];
  return ts.isObjectBindingPattern(name)
    ? nullIfIncomplete(
        name.elements.map((part) =>
          ts.isIdentifier(part.name) && !part.propertyName && !part.initializer ? part.name.text : null,
        ),
      )
    : null;
}

function nullIfIncomplete(names: readonly (string | null)[]): string[] | null {
  return names.length > 0 && names.every((name) => name !== null) ? [...names] : null;
}

/** True for a module of Node whose loading changes nothing. */
function isSideEffectFreeModule(specifier: ts.Expression): boolean {
  if (!ts.isStringLiteral(specifier)) return false;
  const [, prefix, name = ''] = /^(node:)?(\w+)(?:\/(?:promises|posix|win32|strict|web))?$/.exec(specifier.text) ?? [];
  return (prefix ? SIDE_EFFECT_FREE_MODULES : UNPREFIXED_NODE_MODULES).has(name);
}
