// Reads the imports and exports of one TypeScript or JavaScript file, for the rules about several files.

import { ts } from 'ts-morph';
import { toRange, type LineStarts } from '../lines.ts';
import { isReference } from '../script/bindings.ts';
import { isDeclarationFile } from '../script/parseScript.ts';
import { findExports } from './exportFacts.ts';
import { readImportOfCall, readDocCommentImports, readImportType, parseModulePath } from './looseImports.ts';
import type { ImportTime, ImportFact, ExportFact, ModuleFacts } from './facts.ts';

/**
 * Maximum number of collected paths. Paths of loading calls are always collected. Other strings are collected only
 * while there are fewer paths than this, because a file with more is a table of data.
 */
const MAX_PATHS = 60;

/** A name that the file imports, with the uses that were found so far. */
interface ImportedName {
  readonly fact: { readonly from: string; readonly line: number };
  readonly name: string;
  /** True if it is imported with the keyword `type`. */
  readonly isTypeOnly: boolean;
  /** For a namespace: the members that are read; `*` if the namespace is passed on as a whole. Null for other names. */
  readonly membersRead: Set<string> | null;
  /** True if the name is used as a value, and not only as a type. */
  isUsedAsValue: boolean;
  /** True if the name is used at all. */
  isUsed: boolean;
  /** True if the name is used while the module loads. */
  isUsedOnLoad: boolean;
}

/** Reads the facts of one file in the course of a walk. */
export interface ModuleFactReader {
  /** Processes a node. Call it once for each node of the file, in any order. */
  visit(node: ts.Node): void;
  /** The facts, after all nodes have been visited. */
  facts(): ModuleFacts;
}

/** Reads the top-level statements immediately, and the other nodes while the caller walks the tree. */
export function readModuleFacts(sourceFile: ts.SourceFile, lines: LineStarts): ModuleFactReader {
  const lineOf = (node: ts.Node) => toRange(lines, node.getStart(sourceFile), node.end).startLine;
  const isJavaScript = /\.[cm]?jsx?$/.test(sourceFile.fileName);
  const importedNames = new Map<string, ImportedName>();
  const imports: ImportFact[] = [];
  const paths = new Set<string>();
  const foundExports = findExports(sourceFile, lines);
  let isOpaque = sourceFile.statements.some(
    (statement) => ts.isExportAssignment(statement) && statement.isExportEquals === true,
  );
  for (const statement of sourceFile.statements) readImport(statement);

  /** Names that are declared and exported here, with the ranges of their declarations. */
  const declarationsByName = new Map<
    string,
    { readonly spans: (readonly [number, number])[]; usedAs: ExportFact['usedHere'] }
  >();
  for (const { local, span } of foundExports) {
    const earlierDeclaration = declarationsByName.get(local);
    if (earlierDeclaration) earlierDeclaration.spans.push(span);
    else declarationsByName.set(local, { spans: [span], usedAs: undefined });
  }

  return {
    visit(node) {
      switch (node.kind) {
        case ts.SyntaxKind.Identifier:
          return readIdentifier(node as ts.Identifier);
        case ts.SyntaxKind.CallExpression: {
          const facts = readImportOfCall(node as ts.CallExpression, sourceFile);
          if (facts.import) imports.push([...facts.import, lineOf(node)]);
          if (facts.path !== undefined) paths.add(facts.path);
          return;
        }
        case ts.SyntaxKind.ImportType: {
          const fact = readImportType(node as ts.ImportTypeNode);
          if (fact) imports.push([...fact, lineOf(node)]);
          return;
        }
        case ts.SyntaxKind.StringLiteral:
        case ts.SyntaxKind.NoSubstitutionTemplateLiteral: {
          const path = parseModulePath(node as ts.StringLiteralLike);
          if (path !== null && paths.size < MAX_PATHS) paths.add(path);
          return;
        }
        case ts.SyntaxKind.PropertyAccessExpression:
          if (isJavaScript && isCommonJsExport(node as ts.PropertyAccessExpression)) isOpaque = true;
      }
    },
    facts() {
      const reExportedNames = new Set<string>();
      const exports = foundExports.map(({ local, span: _span, ...fact }): ExportFact => {
        const from = fact.from === undefined ? importedNames.get(local) : undefined;
        const usedHere = declarationsByName.get(local)?.usedAs;
        if (!from || fact.name === '*')
          return {
            ...fact,
            ...(usedHere ? { usedHere } : {}),
            ...(local !== fact.name && fact.from === undefined ? { local } : {}),
          };
        reExportedNames.add(local);
        return {
          ...fact,
          from: from.fact.from,
          source: from.name,
          ...(from.isTypeOnly ? { types: true as const } : {}),
        };
      });
      return {
        imports: [
          ...listImports(reExportedNames),
          ...imports,
          ...(isJavaScript ? readDocCommentImports(sourceFile.text) : []),
        ],
        exports,
        paths: [...paths],
        opaque: isOpaque,
      };
    },
  };

  function readImport(statement: ts.Statement): void {
    if (
      ts.isImportEqualsDeclaration(statement) &&
      ts.isExternalModuleReference(statement.moduleReference) &&
      ts.isStringLiteral(statement.moduleReference.expression)
    ) {
      const fact = { from: statement.moduleReference.expression.text, line: lineOf(statement) };
      importedNames.set(statement.name.text, {
        fact,
        name: '*',
        isTypeOnly: statement.isTypeOnly,
        membersRead: new Set(),
        isUsedAsValue: false,
        isUsed: false,
        isUsedOnLoad: false,
      });
    }
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) return;
    const fact = { from: statement.moduleSpecifier.text, line: lineOf(statement) };
    const clause = statement.importClause;
    if (!clause) {
      imports.push([fact.from, '', 'load', fact.line]);
      return;
    }
    const isClauseTypeOnly = clause.isTypeOnly;
    const add = (local: string, name: string, isNameTypeOnly: boolean) =>
      importedNames.set(local, {
        fact,
        name,
        isTypeOnly: isClauseTypeOnly || isNameTypeOnly,
        membersRead: name === '*' ? new Set() : null,
        isUsedAsValue: false,
        isUsed: false,
        isUsedOnLoad: false,
      });
    if (clause.name) add(clause.name.text, 'default', false);
    const bindings = clause.namedBindings;
    if (bindings && ts.isNamespaceImport(bindings)) add(bindings.name.text, '*', false);
    else if (bindings) {
      for (const element of bindings.elements)
        add(element.name.text, (element.propertyName ?? element.name).text, element.isTypeOnly);
      if (bindings.elements.length === 0 && !clause.name)
        imports.push([fact.from, '', isClauseTypeOnly ? 'types' : 'load', fact.line]);
    }
  }

  function readIdentifier(node: ts.Identifier): void {
    const localDeclaration = declarationsByName.get(node.text);
    if (
      localDeclaration &&
      localDeclaration.usedAs !== 'type' &&
      isReference(node) &&
      !isExported(node) &&
      !localDeclaration.spans.some(([start, end]) => node.pos >= start && node.end <= end)
    )
      localDeclaration.usedAs = isInType(node) ? 'type' : 'value';
    const importedName = importedNames.get(node.text);
    if (!importedName || !isReference(node) || isExported(node)) return;
    importedName.isUsed = true;
    if (!importedName.isUsedOnLoad && !isInType(node)) {
      importedName.isUsedAsValue = true;
      importedName.isUsedOnLoad = !runsLater(node);
    }
    if (importedName.membersRead && !importedName.membersRead.has('*'))
      importedName.membersRead.add(findMemberRead(node));
  }

  /** One fact for each specifier and time, so that a name that only types use does not count as loading the file. */
  function listImports(reExported: ReadonlySet<string>): ImportFact[] {
    const factsByKey = new Map<string, { from: string; names: Set<string>; time: ImportTime; line: number }>();
    for (const [local, { fact, name, isTypeOnly, membersRead, isUsedAsValue, isUsed, isUsedOnLoad }] of importedNames) {
      // A name that no code reads may be a JSX factory or unused; JavaScript keeps all imports.
      const time =
        isTypeOnly || (isUsed && !isUsedAsValue && !isJavaScript) || isDeclarationFile(sourceFile.fileName)
          ? 'types'
          : isUsedOnLoad
            ? 'ready'
            : 'load';
      const key = `${time} ${fact.from}`;
      let entry = factsByKey.get(key);
      if (!entry) factsByKey.set(key, (entry = { from: fact.from, names: new Set(), time, line: fact.line }));
      if (reExported.has(local) && !isUsed) continue;
      if (membersRead === null) entry.names.add(name);
      else for (const member of membersRead.size > 0 ? membersRead : ['*']) entry.names.add(member);
    }
    return [...factsByKey.values()].map(
      ({ from, names, time, line }) => [from, [...names].join(' '), time, line] as const,
    );
  }
}

/** True in `export { name }`, whether or not the name is also read. */
function isExported(node: ts.Identifier): boolean {
  return node.parent.kind === ts.SyntaxKind.ExportSpecifier;
}

/** True if the identifier is in a type, which the compiler erases. */
function isInType(identifier: ts.Identifier): boolean {
  let node: ts.Node = identifier.parent;
  while (node.kind === ts.SyntaxKind.QualifiedName || node.kind === ts.SyntaxKind.PropertyAccessExpression)
    node = node.parent;
  if (node.kind === ts.SyntaxKind.TypeReference || node.kind === ts.SyntaxKind.TypeQuery) return true;
  if (node.kind !== ts.SyntaxKind.ExpressionWithTypeArguments || !ts.isHeritageClause(node.parent)) return false;
  return (
    node.parent.token === ts.SyntaxKind.ImplementsKeyword ||
    node.parent.parent.kind === ts.SyntaxKind.InterfaceDeclaration
  );
}

/**
 * True if the identifier is evaluated after the file is loaded: in a function, or in the value of a field, which is
 * computed for each object.
 */
function runsLater(identifier: ts.Identifier): boolean {
  for (let node: ts.Node = identifier.parent; node; node = node.parent) {
    if (ts.isFunctionLike(node)) return true;
    if (
      ts.isPropertyDeclaration(node) &&
      !node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.StaticKeyword || kind === ts.SyntaxKind.Decorator)
    )
      return true;
  }
  return false;
}

/** The name in `ns.member` or `ns.Type`; for any other use `*`, because all members may be read. */
function findMemberRead(node: ts.Identifier): string {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent) && parent.expression === node && ts.isIdentifier(parent.name))
    return parent.name.text;
  if (ts.isQualifiedName(parent) && parent.left === node) return parent.right.text;
  return '*';
}

/** True for `module.exports`, and for an operand `exports.name`, as in `exports.name = value`. */
function isCommonJsExport(node: ts.PropertyAccessExpression): boolean {
  const { expression, name } = node;
  if (!ts.isIdentifier(expression)) return false;
  return (
    (expression.text === 'module' && name.text === 'exports') ||
    (expression.text === 'exports' && node.parent.kind === ts.SyntaxKind.BinaryExpression)
  );
}
