// Finds the exports of a module in the compiler's tree, and whether their purpose is documented.

import { SCRIPT_PATTERN } from '../../paths/scriptFiles.ts';
import { ts } from 'ts-morph';
import type { FileEdit } from '../../model.ts';
import { listExportSpecifiers } from '../../syntax/exportLists.ts';
import { isInformative } from './docWords.ts';
import {
  selectExported,
  type TopLevelDeclaration,
  type ExportWithComment,
  type ModuleExports,
} from './exportedDeclaration.ts';
import { readDocComment } from './leadingComments.ts';
import { hasExportKeyword } from '../../syntax/declarations/modifiers.ts';

/**
 * The exported functions, classes, types, and constants with functions, and the positions of declarations, imports and
 * exports.
 */
export function collectModuleExports(sourceFile: ts.SourceFile): ModuleExports {
  const { text, statements } = sourceFile;
  const declarations = statements.flatMap((statement) => findDeclaration(statement, sourceFile) ?? []);
  return {
    text,
    exported: selectExported(text, declarations, collectNamesInExportLists(sourceFile)),
    declarationPositions: statements.flatMap((statement, index) =>
      index > 0 && (ts.isDeclarationStatement(statement) || ts.isVariableStatement(statement)) ? [statement.pos] : [],
    ),
  };
}

/**
 * The number of names that a module exports, and how many of them are documented. Functions that are members of an
 * exported object count like exports. If several names repeat the same sentence, it documents only one of them.
 */
export function countExportedApi(
  sourceFile: ts.SourceFile,
  exported: readonly ExportWithComment[],
): { readonly exported: number; readonly documented: number } {
  const documentation = collectDocumentation(sourceFile, exported);
  const docs = [...documentation.values()].filter((doc) => doc !== null).map((doc) => doc.replace(/[\s*/]+/g, ' '));
  return { exported: documentation.size, documented: new Set(docs).size };
}

/** Number of names that the edited scripts export on both sides, and that only the old side documents. */
export function countLostDocumentation(edits: readonly FileEdit[]): number {
  const [before, after] = (['before', 'after'] as const).map((side) => {
    const isDocumentedByName = new Map<string, boolean>();
    for (const { path, [side]: text } of edits) {
      if (text === null || !SCRIPT_PATTERN.test(path)) continue;
      const sourceFile = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
      for (const [name, doc] of collectDocumentation(sourceFile, collectModuleExports(sourceFile).exported))
        isDocumentedByName.set(name, isDocumentedByName.get(name) === true || doc !== null);
    }
    return isDocumentedByName;
  });
  return [...before!].filter(([name, isDocumented]) => isDocumented && after!.get(name) === false).length;
}

/** The informative doc comment of each exported name; null if it has none. */
function collectDocumentation(
  sourceFile: ts.SourceFile,
  exported: readonly ExportWithComment[],
): ReadonlyMap<string, string | null> {
  const documentation = new Map<string, string | null>();
  for (const { name, comment, doc } of exported) documentation.set(name, doc === 'documented' ? comment : null);
  for (const [name, doc] of collectFunctionsOfObjects(sourceFile))
    if (!documentation.has(name)) documentation.set(name, doc !== null && isInformative(doc, name) ? doc : null);
  return documentation;
}

/** A name with its doc comment. */
type NameWithDoc = readonly [name: string, doc: string | null];

/** Functions among the members of exported object literals, with their doc comments. */
function collectFunctionsOfObjects({ statements, text }: ts.SourceFile): readonly NameWithDoc[] {
  const functionsByName = new Map(
    statements.flatMap((statement) =>
      ts.isFunctionDeclaration(statement) && statement.name ? [[statement.name.text, statement] as const] : [],
    ),
  );
  return statements
    .filter(ts.isVariableStatement)
    .filter((statement) => hasExportKeyword(statement))
    .flatMap(({ declarationList }) => declarationList.declarations)
    .flatMap(({ initializer }) =>
      initializer && ts.isObjectLiteralExpression(initializer) ? initializer.properties : [],
    )
    .flatMap((member) => findFunctionOfMember(member, functionsByName, text) ?? []);
}

/**
 * The name and doc comment of a member that is written as a function or that names a function of the file; null for
 * other members.
 */
function findFunctionOfMember(
  member: ts.ObjectLiteralElementLike,
  functionsByName: ReadonlyMap<string, ts.FunctionDeclaration>,
  text: string,
): readonly [NameWithDoc] | null {
  if (!member.name || !ts.isIdentifier(member.name)) return null;
  const value = findValue(member);
  const target = value && ts.isIdentifier(value) ? functionsByName.get(value.text) : undefined;
  const doc = readDocComment(text, member.pos);
  if (target) return [[target.name?.text ?? member.name.text, doc ?? readDocComment(text, target.pos)]];
  const isWritten = value
    ? ts.isArrowFunction(value) || ts.isFunctionExpression(value)
    : !ts.isSpreadAssignment(member);
  return isWritten ? [[member.name.text, doc]] : null;
}

/**
 * The value of a property: its initial value, or its name in the short form. Null for methods, accessors and spreads.
 */
function findValue(member: ts.ObjectLiteralElementLike): ts.Expression | null {
  if (ts.isShorthandPropertyAssignment(member)) return member.name;
  return ts.isPropertyAssignment(member) ? member.initializer : null;
}

/**
 * The function, class or type that a statement declares, or the first of its variables with a function, if that
 * variable has a plain name. Null for all other statements.
 */
function findDeclaration(statement: ts.Statement, sourceFile: ts.SourceFile): TopLevelDeclaration | null {
  if (ts.isFunctionDeclaration(statement))
    return createNamedDeclaration(statement, 'function', statement.body?.statements.length ?? 0, sourceFile);
  if (ts.isClassDeclaration(statement)) return createNamedDeclaration(statement, 'class', 0, sourceFile);
  if (ts.isInterfaceDeclaration(statement)) return createNamedDeclaration(statement, 'interface', 0, sourceFile);
  if (ts.isTypeAliasDeclaration(statement)) return createNamedDeclaration(statement, 'type', 0, sourceFile);
  if (ts.isEnumDeclaration(statement)) return createNamedDeclaration(statement, 'enum', 0, sourceFile);
  if (!ts.isVariableStatement(statement)) return null;
  for (const { name, initializer } of statement.declarationList.declarations) {
    if (!initializer || !(ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer))) continue;
    return ts.isIdentifier(name)
      ? {
          ...findOffsets(statement, name, sourceFile),
          name: name.text,
          kind: 'constant function',
          size: ts.isBlock(initializer.body) ? initializer.body.statements.length : 1,
        }
      : null;
  }
  return null;
}

/** The declaration of a statement. Without a name, it is named `default` and located at this keyword. */
function createNamedDeclaration(
  statement:
    | ts.FunctionDeclaration
    | ts.ClassDeclaration
    | ts.InterfaceDeclaration
    | ts.TypeAliasDeclaration
    | ts.EnumDeclaration,
  kind: TopLevelDeclaration['kind'],
  size: number,
  sourceFile: ts.SourceFile,
): TopLevelDeclaration {
  const nameNode =
    statement.name ?? statement.modifiers?.find((modifier) => modifier.kind === ts.SyntaxKind.DefaultKeyword);
  return { ...findOffsets(statement, nameNode, sourceFile), name: statement.name?.text ?? 'default', kind, size };
}

/**
 * The offsets of a declaration and its name. In broken code without a name, the first six characters are used instead.
 */
function findOffsets(
  statement: ts.Statement,
  nameNode: ts.Node | undefined,
  sourceFile: ts.SourceFile,
): Pick<TopLevelDeclaration, 'pos' | 'start' | 'end' | 'nameStart' | 'nameEnd' | 'exported'> {
  const start = statement.getStart(sourceFile);
  const name = nameNode
    ? { nameStart: nameNode.getStart(sourceFile), nameEnd: nameNode.end }
    : { nameStart: start, nameEnd: start + 'export'.length };
  return {
    pos: statement.pos,
    start,
    end: statement.end,
    ...name,
    exported: hasExportKeyword(statement),
  };
}

/** The names inside the file that `export { … }` and `export default name` export. */
function collectNamesInExportLists(sourceFile: ts.SourceFile): ReadonlySet<string> {
  const names = new Set<string>();
  for (const statement of sourceFile.statements) {
    if (ts.isExportAssignment(statement) && ts.isIdentifier(statement.expression)) names.add(statement.expression.text);
    for (const element of listExportSpecifiers(statement) ?? []) names.add((element.propertyName ?? element.name).text);
  }
  return names;
}
