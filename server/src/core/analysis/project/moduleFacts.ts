// Reads the imports and exports of one TypeScript or JavaScript file, for the rules about several files.

import { ts } from 'ts-morph';
import { rangeOf, type LineStarts } from '../lines.ts';
import { isReference } from '../script/bindings.ts';
import { isDeclarationFile } from '../script/parseScript.ts';
import { exportsOf } from './exportFacts.ts';
import { callFacts, importTypeFact, modulePathIn } from './looseImports.ts';
import type { ImportTime, ImportFact, ExportFact, ModuleFacts } from './facts.ts';

/**
 * Maximum number of strings in one file that count as paths, in addition to strings in calls. A longer list is data.
 */
const MAX_PATHS = 60;

/** A name that the file imports, with the uses that were found so far. */
interface Imported {
  readonly fact: { readonly from: string; readonly line: number };
  readonly name: string;
  /** Imported with the keyword `type`. */
  readonly typed: boolean;
  /** For a namespace: the members that are read; `*` if the namespace is passed on as a whole. */
  readonly members: Set<string> | null;
  /** True if the name is used as a value, and not only as a type. */
  value: boolean;
  /** True if the name is used at all. */
  read: boolean;
  /** True if the name is used while the module loads. */
  early: boolean;
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
  const lineOf = (node: ts.Node) => rangeOf(lines, node.getStart(sourceFile), node.end).startLine;
  const isJavaScript = /\.[cm]?jsx?$/.test(sourceFile.fileName);
  const imported = new Map<string, Imported>();
  const imports: ImportFact[] = [];
  const paths = new Set<string>();
  const exported = exportsOf(sourceFile, lines);
  let isOpaque = sourceFile.statements.some(
    (statement) => ts.isExportAssignment(statement) && statement.isExportEquals === true,
  );
  for (const statement of sourceFile.statements) readImport(statement);

  /** Names that are declared and exported here, with the ranges of their declarations. */
  const declared = new Map<string, { readonly spans: (readonly [number, number])[]; read: ExportFact['usedHere'] }>();
  for (const { local, span } of exported) {
    const earlierDeclaration = declared.get(local);
    if (earlierDeclaration) earlierDeclaration.spans.push(span);
    else declared.set(local, { spans: [span], read: undefined });
  }

  return {
    visit(node) {
      switch (node.kind) {
        case ts.SyntaxKind.Identifier:
          return readIdentifier(node as ts.Identifier);
        case ts.SyntaxKind.CallExpression: {
          const facts = callFacts(node as ts.CallExpression, sourceFile);
          if (facts.import) imports.push([...facts.import, lineOf(node)]);
          if (facts.path !== undefined) paths.add(facts.path);
          return;
        }
        case ts.SyntaxKind.ImportType: {
          const fact = importTypeFact(node as ts.ImportTypeNode);
          if (fact) imports.push([...fact, lineOf(node)]);
          return;
        }
        case ts.SyntaxKind.StringLiteral:
        case ts.SyntaxKind.NoSubstitutionTemplateLiteral: {
          const path = modulePathIn(node as ts.StringLiteralLike);
          if (path !== null && paths.size < MAX_PATHS) paths.add(path);
          return;
        }
        case ts.SyntaxKind.PropertyAccessExpression:
          if (isJavaScript && isCommonJsExport(node as ts.PropertyAccessExpression)) isOpaque = true;
      }
    },
    facts() {
      const passedOn = new Set<string>();
      const exports = exported.map(({ local, span: _span, ...fact }): ExportFact => {
        const from = fact.from === undefined ? imported.get(local) : undefined;
        const usedHere = declared.get(local)?.read;
        if (!from || fact.name === '*')
          return {
            ...fact,
            ...(usedHere ? { usedHere } : {}),
            ...(local !== fact.name && fact.from === undefined ? { local } : {}),
          };
        passedOn.add(local);
        return { ...fact, from: from.fact.from, source: from.name, ...(from.typed ? { types: true as const } : {}) };
      });
      return {
        imports: [
          ...importsAsWritten(passedOn),
          ...imports,
          ...(isJavaScript ? docCommentImports(sourceFile.text) : []),
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
      imported.set(statement.name.text, {
        fact,
        name: '*',
        typed: statement.isTypeOnly,
        members: new Set(),
        value: false,
        read: false,
        early: false,
      });
    }
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) return;
    const fact = { from: statement.moduleSpecifier.text, line: lineOf(statement) };
    const clause = statement.importClause;
    if (!clause) {
      imports.push([fact.from, '', 'load', fact.line]);
      return;
    }
    const typed = clause.isTypeOnly;
    const add = (local: string, name: string, alsoTyped: boolean) =>
      imported.set(local, {
        fact,
        name,
        typed: typed || alsoTyped,
        members: name === '*' ? new Set() : null,
        value: false,
        read: false,
        early: false,
      });
    if (clause.name) add(clause.name.text, 'default', false);
    const bindings = clause.namedBindings;
    if (bindings && ts.isNamespaceImport(bindings)) add(bindings.name.text, '*', false);
    else if (bindings) {
      for (const element of bindings.elements)
        add(element.name.text, (element.propertyName ?? element.name).text, element.isTypeOnly);
      if (bindings.elements.length === 0 && !clause.name)
        imports.push([fact.from, '', typed ? 'types' : 'load', fact.line]);
    }
  }

  function readIdentifier(node: ts.Identifier): void {
    const localDeclaration = declared.get(node.text);
    if (
      localDeclaration &&
      localDeclaration.read !== 'type' &&
      isReference(node) &&
      !isExported(node) &&
      !localDeclaration.spans.some(([start, end]) => node.pos >= start && node.end <= end)
    )
      localDeclaration.read = isInType(node) ? 'type' : 'value';
    const importedName = imported.get(node.text);
    if (!importedName || !isReference(node) || isExported(node)) return;
    importedName.read = true;
    if (!importedName.early && !isInType(node)) {
      importedName.value = true;
      importedName.early = !runsLater(node);
    }
    if (importedName.members && !importedName.members.has('*')) importedName.members.add(memberReadOf(node));
  }

  /** One fact for each specifier and time, so that a name that only types use does not count as loading the file. */
  function importsAsWritten(passedOn: ReadonlySet<string>): ImportFact[] {
    const factsByKey = new Map<string, { from: string; names: Set<string>; time: ImportTime; line: number }>();
    for (const [local, { fact, name, typed, members, value, read, early }] of imported) {
      // A name that no code reads may be a JSX factory or unused; JavaScript keeps all imports.
      const time =
        typed || (read && !value && !isJavaScript) || isDeclarationFile(sourceFile.fileName)
          ? 'types'
          : early
            ? 'ready'
            : 'load';
      const key = `${time} ${fact.from}`;
      let entry = factsByKey.get(key);
      if (!entry) factsByKey.set(key, (entry = { from: fact.from, names: new Set(), time, line: fact.line }));
      if (passedOn.has(local) && !read) continue;
      if (members === null) entry.names.add(name);
      else for (const member of members.size > 0 ? members : ['*']) entry.names.add(member);
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
function memberReadOf(node: ts.Identifier): string {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent) && parent.expression === node && ts.isIdentifier(parent.name))
    return parent.name.text;
  if (ts.isQualifiedName(parent) && parent.left === node) return parent.right.text;
  return '*';
}

function isCommonJsExport(node: ts.PropertyAccessExpression): boolean {
  const { expression, name } = node;
  if (!ts.isIdentifier(expression)) return false;
  return (
    (expression.text === 'module' && name.text === 'exports') ||
    (expression.text === 'exports' && node.parent.kind === ts.SyntaxKind.BinaryExpression)
  );
}

/** JavaScript names types in comments: `@param {import('./a').Options} options`. */
function docCommentImports(text: string): ImportFact[] {
  const imports: ImportFact[] = [];
  for (const [, from = '', name] of text.matchAll(/import\(\s*['"]([^'"\n]+)['"]\s*\)(?:\.([\w$]+))?/g))
    imports.push([from, name ?? '*', 'types', 0]);
  for (const [, names = '', from = ''] of text.matchAll(/@import\s*\{([^{}]*)\}\s*from\s*['"]([^'"\n]+)['"]/g))
    imports.push([
      from,
      names
        .split(',')
        .map((name) => name.trim().replace(/(?<!\s)\s+as\s+.*$/, ''))
        .join(' '),
      'types',
      0,
    ]);
  return imports;
}
