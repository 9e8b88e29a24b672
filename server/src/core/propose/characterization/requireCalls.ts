// Reads the `require` calls at the top level of a file.

import { ts } from 'ts-morph';

/** A `require` call with its specifier (`from`) and the names that its declaration binds. */
export interface RequireCall {
  readonly statement: ts.Statement;
  readonly from: string;
  /** `imported`: the name of the member, `default` for the whole module, `.strict` for `require('assert').strict`. */
  readonly names: readonly { readonly name: string; readonly imported: string }[];
}

/**
 * Finds the `require` calls in the variable declarations at the top level of the file. Names in nested patterns are
 * omitted.
 */
export function findRequireCalls(file: ts.SourceFile): readonly RequireCall[] {
  return file.statements.flatMap(findRequireCallsOfStatement);
}

/** Finds the `require` calls in the variable declarations of one statement. */
export function findRequireCallsOfStatement(statement: ts.Statement): readonly RequireCall[] {
  if (!ts.isVariableStatement(statement)) return [];
  return statement.declarationList.declarations.flatMap((declaration) => {
    const call = declaration.initializer && findRequire(declaration.initializer);
    return call ? [{ statement, from: call.from, names: listBoundNames(declaration.name, call.member) }] : [];
  });
}

/** Reads `require('…')` and `require('…').member`: the specifier and the member; null for another expression. */
function findRequire(node: ts.Expression): { readonly from: string; readonly member: string | null } | null {
  if (ts.isPropertyAccessExpression(node)) {
    const inner = findRequire(node.expression);
    return inner?.member === null ? { from: inner.from, member: node.name.text } : null;
  }
  if (!ts.isCallExpression(node) || !ts.isIdentifier(node.expression) || node.expression.text !== 'require')
    return null;
  const [specifier] = node.arguments;
  return specifier && ts.isStringLiteral(specifier) ? { from: specifier.text, member: null } : null;
}

/** The names that a declaration binds to the module, or to this member of it. */
function listBoundNames(name: ts.BindingName, member: string | null): RequireCall['names'] {
  if (ts.isIdentifier(name)) return [{ name: name.text, imported: member === null ? 'default' : `.${member}` }];
  if (!ts.isObjectBindingPattern(name) || member !== null) return [];
  return name.elements.flatMap((element) =>
    ts.isIdentifier(element.name)
      ? [{ name: element.name.text, imported: (element.propertyName ?? element.name).getText() }]
      : [],
  );
}
