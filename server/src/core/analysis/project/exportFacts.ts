// Reads the exports of one TypeScript or JavaScript file: names, kinds and positions, each name once.

import { ts } from 'ts-morph';
import { toRange, type LineStarts } from '../lines.ts';
import { isNamedGraphqlDocument } from '../script/graphqlDocument.ts';
import type { ExportFact, ExportKind, ExportPosition } from './facts.ts';
import { hasExportKeyword, hasModifier } from '../../syntax/declarations/modifiers.ts';
import { collectBoundIdentifiers } from '../../syntax/names.ts';

/** An export whose readers are still unknown. */
export interface FoundExport extends Omit<ExportFact, 'usedHere' | 'local'> {
  /** The name of the export inside the file. */
  readonly local: string;
  /** Offsets of the declaration. Reads inside it do not count as uses. */
  readonly span: readonly [start: number, end: number];
}

/** The exports in text order. Overloads and merged declarations are one export, at the first position. */
export function findExports(sourceFile: ts.SourceFile, lines: LineStarts): FoundExport[] {
  const wrappedName = findWrappedDefault(sourceFile);
  const declarations = collectDeclarations(sourceFile);
  const exportsByName = new Map<string, FoundExport>();
  for (const moduleExport of sourceFile.statements.flatMap((statement) =>
    listExportsOfStatement(statement, sourceFile, declarations),
  )) {
    const { name, local, kind, nameNode, node, reExport } = moduleExport;
    const key = name === '*' ? `* ${reExport?.from}` : name;
    if (exportsByName.has(key)) continue;
    const start = node.getStart(sourceFile);
    const isForOthers =
      isPublic(node, sourceFile) ||
      isTypeOfValue(node) ||
      doesNothing(node) ||
      (name !== 'default' && wrappedName === local);
    exportsByName.set(key, {
      name,
      local,
      kind,
      ...reExport,
      at: createExportPosition(lines, nameNode.getStart(sourceFile), start, node.end),
      span: [start, node.end],
      ...(isForOthers ? { offered: true as const } : {}),
    });
  }
  return [...exportsByName.values()];
}

/**
 * True for a function that does nothing, such as `export function unused() {}`. It exists only for its name, for
 * example so that a file of types contains code.
 */
function doesNothing(node: ts.Node): boolean {
  return ts.isFunctionDeclaration(node) && node.parameters.length === 0 && node.body?.statements.length === 0;
}

function createExportPosition(lines: LineStarts, name: number, start: number, end: number): ExportPosition {
  const { startLine, startColumn } = toRange(lines, name, name);
  const range = toRange(lines, start, end);
  return [startLine, startColumn, range.startLine, range.endLine];
}

/** A name that a statement exports. */
interface NamedExport extends Declaration {
  readonly local: string;
  /** For a re-export: the original name and the file that it comes from. */
  readonly reExport?: Pick<FoundExport, 'from' | 'source' | 'types'>;
}

/** The declarations of a file, by local name. */
type Declarations = ReadonlyMap<string, Declaration>;

/** The names that a statement exports; empty for `export =` and for statements that export nothing. */
function listExportsOfStatement(
  statement: ts.Statement,
  sourceFile: ts.SourceFile,
  declarations: Declarations,
): readonly NamedExport[] {
  if (ts.isExportDeclaration(statement)) return listExportsOfClause(statement, declarations);
  if (ts.isExportAssignment(statement))
    return statement.isExportEquals ? [] : [findDefaultExport(statement, sourceFile, declarations)];
  if (!hasExportKeyword(statement)) return [];
  const isDefault = hasModifier(statement, ts.SyntaxKind.DefaultKeyword);
  return listDeclarationsOfStatement(statement).map((declared) => ({
    ...declared,
    name: isDefault ? 'default' : declared.name,
    local: declared.name,
  }));
}

/** The exports of `export { a, b as c }`, `export * from './d'` or `export * as e from './f'`. */
function listExportsOfClause(statement: ts.ExportDeclaration, declarations: Declarations): readonly NamedExport[] {
  const { exportClause: clause, moduleSpecifier, isTypeOnly } = statement;
  const from = moduleSpecifier && ts.isStringLiteral(moduleSpecifier) ? moduleSpecifier.text : undefined;
  const types = isTypeOnly ? { types: true as const } : {};
  if (clause && ts.isNamedExports(clause))
    return clause.elements.map((element) => createExportOfSpecifier(element, from, types, declarations));
  if (from === undefined) return [];
  const name = clause ? clause.name.text : '*';
  const nameNode = clause ? clause.name : statement;
  const reExport = { from, source: '*', ...types };
  return [{ name, local: name, kind: 'namespace', nameNode, node: statement, reExport }];
}

/**
 * The export of one name in `export { … }`. `from`: the specifier of a re-export; undefined if the file declares or
 * imports the name itself. `typesOfClause`: has `types` if the statement is `export type`.
 */
function createExportOfSpecifier(
  element: ts.ExportSpecifier,
  from: string | undefined,
  typesOfClause: { readonly types?: true },
  declarations: Declarations,
): NamedExport {
  const name = element.name.text;
  const local = (element.propertyName ?? element.name).text;
  const declaration = from === undefined ? declarations.get(local) : undefined;
  if (declaration) return { ...declaration, name, local };
  const types = element.isTypeOnly ? { types: true as const } : typesOfClause;
  const reExport = from === undefined ? types : { from, source: local, ...types };
  return { name, local, kind: 'variable', nameNode: element.name, node: element, reExport };
}

/** The export of `export default value`. */
function findDefaultExport(
  statement: ts.ExportAssignment,
  sourceFile: ts.SourceFile,
  declarations: Declarations,
): NamedExport {
  const localName = ts.isIdentifier(statement.expression) ? statement.expression : undefined;
  return {
    name: 'default',
    local: localName?.text ?? 'default',
    kind: (localName && declarations.get(localName.text)?.kind) ?? 'variable',
    nameNode: localName ?? statement.getChildAt(0, sourceFile),
    node: statement,
  };
}

/** A name that a statement declares. `nameNode`: the node of the name; `node`: the whole declaration. */
interface Declaration {
  readonly name: string;
  readonly nameNode: ts.Node;
  readonly node: ts.Node;
  readonly kind: ExportKind;
}

/** The names that the file declares at its top level; of several declarations of a name, the first. */
function collectDeclarations(sourceFile: ts.SourceFile): ReadonlyMap<string, Declaration> {
  const declarations = new Map<string, Declaration>();
  for (const statement of sourceFile.statements)
    for (const declared of listDeclarationsOfStatement(statement))
      if (!declarations.has(declared.name)) declarations.set(declared.name, declared);
  return declarations;
}

/** By kind of declaration: the kind of the export. */
const KIND_BY_DECLARATION: ReadonlyMap<ts.SyntaxKind, ExportKind> = new Map([
  [ts.SyntaxKind.FunctionDeclaration, 'function'],
  [ts.SyntaxKind.ClassDeclaration, 'class'],
  [ts.SyntaxKind.InterfaceDeclaration, 'interface'],
  [ts.SyntaxKind.TypeAliasDeclaration, 'type'],
  [ts.SyntaxKind.EnumDeclaration, 'enum'],
  [ts.SyntaxKind.ModuleDeclaration, 'namespace'],
  [ts.SyntaxKind.ImportEqualsDeclaration, 'variable'],
]);

/**
 * The names that a statement declares; `default` for a function or class without a name; empty for statements that
 * declare nothing.
 */
function listDeclarationsOfStatement(statement: ts.Statement): Declaration[] {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.flatMap((declaration) => {
      const { initializer } = declaration;
      const kind =
        initializer && (ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer))
          ? 'function'
          : initializer && ts.isClassExpression(initializer)
            ? 'class'
            : 'variable';
      const node = statement.declarationList.declarations.length === 1 ? statement : declaration;
      return collectBoundIdentifiers(declaration.name).map(
        (nameNode) => ({ name: nameNode.text, nameNode, node, kind }) as const,
      );
    });
  }
  const kind = KIND_BY_DECLARATION.get(statement.kind);
  if (kind === undefined) return [];
  const { name } = statement as ts.DeclarationStatement;
  // `export default function () {}` has no name of its own.
  return name && !ts.isIdentifier(name)
    ? []
    : [{ name: name?.text ?? 'default', nameNode: name ?? statement.getChildAt(0), node: statement, kind }];
}

/**
 * True for a type that a value declares: `export type Order = z.infer<typeof OrderSchema>`. The type belongs to the
 * value, even if nobody uses it yet.
 */
function isTypeOfValue(node: ts.Node): boolean {
  if (!ts.isTypeAliasDeclaration(node)) return false;
  let { type } = node;
  // `(typeof UNITS)[number]`, `keyof typeof UNITS`
  while (ts.isIndexedAccessTypeNode(type) || ts.isParenthesizedTypeNode(type) || ts.isTypeOperatorNode(type))
    type = ts.isIndexedAccessTypeNode(type) ? type.objectType : type.type;
  return (
    ts.isTypeQueryNode(type) || (ts.isTypeReferenceNode(type) && type.typeArguments?.some(ts.isTypeQueryNode) === true)
  );
}

/**
 * True if a call registers the value, if it is a named GraphQL document, or if a comment has a tag for public API
 * (TSDoc; `@api` in older projects), the tag `@deprecated` (somebody still uses it), or a reason for the export.
 */
function isPublic(node: ts.Node, sourceFile: ts.SourceFile): boolean {
  if (
    ts.isVariableStatement(node) &&
    node.declarationList.declarations.some(
      ({ initializer }) =>
        initializer && (isRegistration(initializer) || isNamedGraphqlDocument(initializer, sourceFile)),
    )
  )
    return true;
  return (
    ts
      .getLeadingCommentRanges(sourceFile.text, node.pos)
      ?.some(({ pos, end }) =>
        /@(public|publicApi|api|deprecated)\b|\bexport(s|ed)? (only )?(for|so|to|because)\b/i.test(
          sourceFile.text.slice(pos, end),
        ),
      ) ?? false
  );
}

/**
 * The name of a wrapped default export: `Page` in `export default connect(…)(Page)`. It is also exported by name, so
 * that it can be tested without the wrapper.
 */
function findWrappedDefault(sourceFile: ts.SourceFile): string | null {
  const definition = sourceFile.statements.find(
    (statement): statement is ts.ExportAssignment =>
      ts.isExportAssignment(statement) && statement.isExportEquals !== true,
  )?.expression;
  for (let value = definition; value && ts.isCallExpression(value); ) {
    const lastArgument: ts.Expression | undefined = value.arguments.at(-1);
    if (lastArgument && ts.isIdentifier(lastArgument)) return lastArgument.text;
    value = lastArgument;
  }
  return null;
}

/**
 * True for a registration: `export const action = register({ … })`. The called function receives the value, whether or
 * not its name is imported.
 */
function isRegistration(value: ts.Expression): boolean {
  if (!ts.isCallExpression(value)) return false;
  const { expression } = value;
  const name = ts.isIdentifier(expression)
    ? expression.text
    : ts.isPropertyAccessExpression(expression)
      ? expression.name.text
      : '';
  return /^(register|enrol|install|subscribe|mount|attach)([A-Z]|$)/.test(name);
}
