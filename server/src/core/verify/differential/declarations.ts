// Reads the top-level declarations that a module has at run time, and which of them use each other.

import { ts } from 'ts-morph';
import { hasExportKeyword, hasModifier } from '../../syntax/declarations/modifiers.ts';
import { listBoundNames } from '../../syntax/names.ts';

/** A top-level declaration. */
export interface Declaration {
  /** The name: `slug`, `Store`, `api.get`, `exports.get`, `default`. */
  readonly name: string;
  /** Expression for the declaration inside the module; `default` for a default export without a name. */
  readonly access: string;
  readonly kind: 'function' | 'class' | 'value' | 'import';
  readonly node: ts.Node;
  /** The signature and body of a function; null for other declarations. */
  readonly callable: ts.SignatureDeclaration | null;
  /** Name by which other modules import it; null if it is not exported. */
  readonly exportedAs: string | null;
  /** Code of the declaration, without comments, layout and positions. */
  readonly printedCode: string;
  /** Names that the declaration mentions. */
  readonly references: ReadonlySet<string>;
}

/** The declarations of a module, and its code that runs when it is loaded. */
export interface ModuleOutline {
  readonly declarations: ReadonlyMap<string, Declaration>;
  /** Statements that run when the module is loaded and declare nothing, as printed code. */
  readonly looseStatements: readonly string[];
}

const printer = ts.createPrinter({ removeComments: true });

/**
 * Parses only the top-level statements. Types and signatures without a body are omitted. `statements`: those of the
 * module if a function wraps them; a `return` statement among them states what the module exports.
 */
export function parseModuleOutline(
  sourceFile: ts.SourceFile,
  statements: readonly ts.Statement[] = sourceFile.statements,
): ModuleOutline {
  const declarations = new Map<string, Declaration>();
  const loose: string[] = [];
  const exportedNames = readExportLists(sourceFile);
  for (const statement of statements) {
    const declared = findDeclarations(statement, sourceFile);
    if (declared === null) continue;
    if (declared.length === 0) loose.push(printNode(statement, sourceFile));
    for (const declaration of declared)
      declarations.set(declaration.name, {
        ...declaration,
        exportedAs: declaration.exportedAs ?? exportedNames.get(declaration.name) ?? null,
      });
  }
  return { declarations, looseStatements: loose };
}

/**
 * The declarations of a statement; empty if it declares nothing. Null for statements that do not exist at run time:
 * types, export lists, signatures, `declare`, and empty statements.
 */
function findDeclarations(statement: ts.Statement, sourceFile: ts.SourceFile): readonly Declaration[] | null {
  if (
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement) ||
    (ts.isExportDeclaration(statement) && !statement.moduleSpecifier) ||
    ts.isEmptyStatement(statement)
  )
    return null;
  if (hasModifier(statement, ts.SyntaxKind.DeclareKeyword)) return null;
  const createDeclaration = (
    name: string,
    kind: Declaration['kind'],
    node: ts.Node,
    details: Partial<Declaration> = {},
  ): Declaration => ({
    name,
    access: name,
    kind,
    node,
    callable: null,
    exportedAs: null,
    printedCode: printNode(node, sourceFile),
    references: findReferencedNames(node),
    ...details,
  });
  if (ts.isImportDeclaration(statement))
    return collectImports(statement).map(({ name, text }) =>
      createDeclaration(name, 'import', statement, { printedCode: text, references: new Set() }),
    );
  if (ts.isExportDeclaration(statement)) {
    const reexports = findReexports(statement);
    if (reexports?.length === 0) return null;
    return (reexports ?? []).map(({ name, text }) =>
      createDeclaration(name, 'import', statement, { printedCode: text, references: new Set(), exportedAs: name }),
    );
  }
  const isExported = hasExportKeyword(statement);
  const byDefault = hasModifier(statement, ts.SyntaxKind.DefaultKeyword);
  if (ts.isFunctionDeclaration(statement)) {
    // The signature of an overload has no code.
    if (!statement.body) return null;
    const name = statement.name?.text ?? 'default';
    return [
      createDeclaration(name, 'function', statement, {
        callable: statement,
        exportedAs: byDefault ? 'default' : isExported ? name : null,
      }),
    ];
  }
  if (ts.isClassDeclaration(statement)) {
    const name = statement.name?.text ?? 'default';
    return [
      createDeclaration(name, 'class', statement, { exportedAs: byDefault ? 'default' : isExported ? name : null }),
    ];
  }
  if (ts.isEnumDeclaration(statement))
    return [
      createDeclaration(statement.name.text, 'value', statement, {
        exportedAs: isExported ? statement.name.text : null,
      }),
    ];
  if (ts.isExportAssignment(statement))
    return declareFromValue('default', 'default', statement.expression, statement, 'default', createDeclaration);
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.flatMap((declaration) => {
      if (!ts.isIdentifier(declaration.name))
        return listBoundNames(declaration.name).map((name) =>
          createDeclaration(name, 'value', declaration, { exportedAs: isExported ? name : null }),
        );
      const name = declaration.name.text;
      return declareFromValue(
        name,
        name,
        declaration.initializer,
        declaration,
        isExported ? name : null,
        createDeclaration,
      );
    });
  }
  if (ts.isReturnStatement(statement))
    return declareFromValue(
      'module.exports',
      'module.exports',
      statement.expression,
      statement,
      'default',
      createDeclaration,
    );
  if (ts.isExpressionStatement(statement)) {
    const assigned = readAssignment(statement.expression);
    if (assigned)
      return declareFromValue(
        assigned.place,
        assigned.place,
        assigned.value,
        statement,
        assigned.name,
        createDeclaration,
      );
  }
  return [];
}

/**
 * Creates the declarations for the value of a name: a function, a class, an object of functions, or any other value.
 */
function declareFromValue(
  name: string,
  access: string,
  expression: ts.Expression | undefined,
  node: ts.Node,
  exportedAs: string | null,
  createDeclaration: (
    name: string,
    kind: Declaration['kind'],
    node: ts.Node,
    details?: Partial<Declaration>,
  ) => Declaration,
): Declaration[] {
  const value = expression && skipWrappers(expression);
  if (value && (ts.isArrowFunction(value) || ts.isFunctionExpression(value)))
    return [createDeclaration(name, 'function', node, { access, callable: value, exportedAs })];
  if (value && ts.isClassExpression(value)) return [createDeclaration(name, 'class', node, { access, exportedAs })];
  const declaration = createDeclaration(name, 'value', node, { access, exportedAs });
  if (!value || !ts.isObjectLiteralExpression(value) || name === 'default') return [declaration];
  const members = value.properties.flatMap((property) => {
    if (!property.name || !ts.isIdentifier(property.name)) return [];
    const callable = ts.isMethodDeclaration(property)
      ? property
      : ts.isPropertyAssignment(property) &&
          (ts.isArrowFunction(property.initializer) || ts.isFunctionExpression(property.initializer))
        ? property.initializer
        : null;
    return callable
      ? [
          createDeclaration(`${name}.${property.name.text}`, 'function', property, {
            access: `${access}.${property.name.text}`,
            callable,
          }),
        ]
      : [];
  });
  return [declaration, ...members];
}

function skipWrappers(expression: ts.Expression): ts.Expression {
  const isWrapper =
    ts.isParenthesizedExpression(expression) ||
    ts.isAsExpression(expression) ||
    ts.isSatisfiesExpression(expression) ||
    ts.isNonNullExpression(expression);
  return isWrapper ? skipWrappers(expression.expression) : expression;
}

/**
 * Reads assignments such as `exports.a = …`, `module.exports = …`, `app.use = function …` and `List.prototype.add =
 * function …`; null for any other expression.
 */
function readAssignment(
  expression: ts.Expression,
): { readonly place: string; readonly name: string | null; readonly value: ts.Expression } | null {
  if (!ts.isBinaryExpression(expression) || expression.operatorToken.kind !== ts.SyntaxKind.EqualsToken) return null;
  const place = expression.left.getText();
  const value =
    ts.isBinaryExpression(expression.right) && expression.right.operatorToken.kind === ts.SyntaxKind.EqualsToken
      ? expression.right.right
      : expression.right;
  const exported = /^(?:module\.)?exports(?:\.([A-Za-z_$][\w$]*))?$/.exec(place);
  if (exported) return { place, name: exported[1] ?? 'default', value };
  const isMember = /^[A-Za-z_$][\w$]*(\.[A-Za-z_$][\w$]*)+$/.test(place);
  return isMember && (ts.isFunctionExpression(value) || ts.isArrowFunction(value))
    ? { place, name: null, value }
    : null;
}

function collectImports(statement: ts.ImportDeclaration): { readonly name: string; readonly text: string }[] {
  const clause = statement.importClause;
  if (!clause || clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return [];
  const from = statement.moduleSpecifier.getText();
  const namedBindings = clause.namedBindings;
  return [
    ...(clause.name ? [{ name: clause.name.text, text: `default of ${from}` }] : []),
    ...(namedBindings && ts.isNamespaceImport(namedBindings)
      ? [{ name: namedBindings.name.text, text: `all of ${from}` }]
      : []),
    ...(namedBindings && ts.isNamedImports(namedBindings)
      ? namedBindings.elements
          .filter(({ isTypeOnly }) => !isTypeOnly)
          .map((element) => ({
            name: element.name.text,
            text: `${(element.propertyName ?? element.name).text} of ${from}`,
          }))
      : []),
  ];
}

/** The re-exported names of `export { one } from './other'`; null for `export *`, whose names are not visible here. */
function findReexports(statement: ts.ExportDeclaration): { readonly name: string; readonly text: string }[] | null {
  if (statement.isTypeOnly) return [];
  const from = statement.moduleSpecifier!.getText();
  const clause = statement.exportClause;
  if (!clause) return null;
  if (ts.isNamespaceExport(clause)) return [{ name: clause.name.text, text: `all of ${from}` }];
  return clause.elements
    .filter(({ isTypeOnly }) => !isTypeOnly)
    .map(({ name, propertyName }) => ({ name: name.text, text: `${(propertyName ?? name).text} of ${from}` }));
}

/** Maps local names to exported names, for `export { a as b }` and `export default a`. */
function readExportLists(sourceFile: ts.SourceFile): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const statement of sourceFile.statements) {
    if (ts.isExportAssignment(statement) && ts.isIdentifier(statement.expression))
      names.set(statement.expression.text, 'default');
    if (
      !ts.isExportDeclaration(statement) ||
      statement.moduleSpecifier ||
      !statement.exportClause ||
      !ts.isNamedExports(statement.exportClause)
    )
      continue;
    for (const { propertyName, name, isTypeOnly } of statement.exportClause.elements)
      if (!isTypeOnly && !statement.isTypeOnly) names.set((propertyName ?? name).text, name.text);
  }
  return names;
}

/** Names outside of types that may be variables. Omits names of members and properties. */
export function findReferencedNames(node: ts.Node): ReadonlySet<string> {
  return new Set(listVariableNames(node).map(({ text }) => text));
}

/** All identifiers outside of types that may be variables, in the order of the code. */
export function listVariableNames(node: ts.Node): readonly ts.Identifier[] {
  const identifiers: ts.Identifier[] = [];
  const visit = (child: ts.Node): void => {
    if (ts.isTypeNode(child) && !ts.isExpressionWithTypeArguments(child)) return;
    if (ts.isIdentifier(child) && !isNameOfMember(child)) identifiers.push(child);
    ts.forEachChild(child, visit);
  };
  visit(node);
  return identifiers;
}

/** True for `b` in `a.b`, `{ b: a }`, `{ b() {} }`, `class { b() {} }` and `const { b: a } = c`. */
function isNameOfMember(name: ts.Identifier): boolean {
  const { parent } = name;
  if (ts.isBindingElement(parent)) return parent.propertyName === name;
  const isMember =
    ts.isPropertyAccessExpression(parent) ||
    ts.isPropertyAssignment(parent) ||
    ts.isMethodDeclaration(parent) ||
    ts.isPropertyDeclaration(parent) ||
    ts.isAccessor(parent);
  return isMember && parent.name === name;
}

function printNode(node: ts.Node, sourceFile: ts.SourceFile): string {
  return printer.printNode(ts.EmitHint.Unspecified, node, sourceFile);
}
