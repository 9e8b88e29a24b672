// Finds the expression by which a test file can call a function of another file: by a name that it imports already, or
// by a further name from a module that it imports.

import { ts } from 'ts-morph';
import { detectStyle, wrapInBraces } from '../fileStyle.ts';
import type { SourceTree } from '../../ports/sources.ts';
import { resolvesTo } from './modulePaths.ts';
import { isReexportedBy } from './commonJsReexports.ts';
import { findRequireCalls } from './requireCalls.ts';
import { bindsName } from '../../syntax/names.ts';

/** How a test file calls a function. */
export interface Access {
  /** The expression for the function: `clamp`, `math.clamp`. */
  readonly expression: string;
  /** The text to insert, and its offset; null if the function is imported already. */
  readonly insertion: Insertion | null;
}

/** An import to insert. */
interface Insertion {
  readonly text: string;
  readonly offset: number;
  /** The import as a complete statement, for people who copy the test. */
  readonly statement: string;
}

/** The function that the test file has to reach. */
export interface WantedFunction {
  readonly path: string;
  readonly name: string;
  /** `default` for a default export, and for the value of `module.exports`. */
  readonly exportedAs: string;
}

/** The test file within a program of the TypeScript compiler. */
export interface TestFileProgram {
  sourceFile(): ts.SourceFile;
  checker(): ts.TypeChecker;
  readonly service: Pick<ts.LanguageService, 'getProgram'>;
}

/**
 * Finds the access of the test file to the function through one of its imports or `require` calls. Null if no module
 * that it loads provides the function, or if the file uses the name for something else. `testPath`: the path of the
 * test file.
 */
export function findAccess(
  wantedFunction: WantedFunction,
  testPath: string,
  testProgram: TestFileProgram,
  tree: SourceTree,
): Access | null {
  const root = tree.rootDir.replaceAll('\\', '/');
  const file = testProgram.sourceFile();
  const target = findSymbol(wantedFunction, testProgram, root);
  let access: Access | null = null;
  for (const statement of file.statements) {
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) continue;
    const exportName = findExportName(statement.moduleSpecifier, target, testProgram.checker());
    const member = findMemberOfDefault(statement, wantedFunction, target, testProgram.checker());
    if (member !== null) return { expression: member, insertion: null };
    const name =
      exportName ??
      (resolvesTo(statement.moduleSpecifier.text, testPath, wantedFunction.path, tree)
        ? wantedFunction.exportedAs
        : null);
    if (name === null) continue;
    const expression = formatImportExpression(statement, name);
    if (expression !== null) return { expression, insertion: null };
    // A name that the file uses for something else cannot be imported.
    if (statement.importClause?.isTypeOnly || declaresName(file, wantedFunction.name)) continue;
    const clause =
      name === 'default'
        ? wantedFunction.name
        : wrapInBraces(formatImportedName(name, wantedFunction.name), detectStyle(file.text));
    const quotedSpecifier = statement.moduleSpecifier.getText(file);
    const semicolon = statement.getText(file).endsWith(';') ? ';' : '';
    const importText = `import ${clause} from ${quotedSpecifier}${semicolon}`;
    const insertionInBraces =
      name === 'default'
        ? null
        : createInsertionInBraces(statement, formatImportedName(name, wantedFunction.name), file);
    if (insertionInBraces)
      return { expression: wantedFunction.name, insertion: { ...insertionInBraces, statement: importText } };
    access ??= {
      expression: wantedFunction.name,
      insertion: { text: `${detectLineEnd(file)}${importText}`, offset: statement.end, statement: importText },
    };
  }
  return access ?? findAccessByRequire(wantedFunction, testPath, file, tree);
}

/**
 * Finds the access of the test file to the function through `require`. Null if no such call loads the file of the
 * function, or if the test file uses the name for something else.
 */
function findAccessByRequire(
  wantedFunction: WantedFunction,
  testPath: string,
  file: ts.SourceFile,
  tree: SourceTree,
): Access | null {
  const imports = findRequireCalls(file).filter(
    ({ from }) =>
      resolvesTo(from, testPath, wantedFunction.path, tree) || isReexportedBy(from, testPath, wantedFunction, tree),
  );
  for (const { names } of imports) {
    const existingImport = names.find(
      ({ imported }) => imported === wantedFunction.exportedAs || imported === `.${wantedFunction.exportedAs}`,
    );
    if (existingImport) return { expression: existingImport.name, insertion: null };
    const wholeModule = names.find(({ imported }) => imported === 'default');
    if (wholeModule && /^[A-Za-z_$][\w$]*$/.test(wantedFunction.exportedAs))
      return { expression: `${wholeModule.name}.${wantedFunction.exportedAs}`, insertion: null };
  }
  const [firstRequire] = imports;
  if (!firstRequire || declaresName(file, wantedFunction.name) || wantedFunction.exportedAs === 'default') return null;
  const text = firstRequire.statement.getText(file);
  const specifier = /require\(([^)]*)\)/.exec(text)?.[1] ?? '';
  const semicolon = text.endsWith(';') ? ';' : '';
  const binding =
    wantedFunction.exportedAs === wantedFunction.name
      ? wantedFunction.name
      : `${wantedFunction.exportedAs}: ${wantedFunction.name}`;
  const statement = `const ${wrapInBraces(binding, detectStyle(file.text))} = require(${specifier})${semicolon}`;
  return {
    expression: wantedFunction.name,
    insertion: { text: `${detectLineEnd(file)}${statement}`, offset: firstRequire.statement.end, statement },
  };
}

/**
 * Inserts a name into the braces of an import, at its place in the order of the names. Null if the import has no
 * braces, if they are empty or contain a comment, or if another line would have to change.
 */
function createInsertionInBraces(
  { importClause }: ts.ImportDeclaration,
  name: string,
  file: ts.SourceFile,
): Omit<Insertion, 'statement'> | null {
  const bindings = importClause?.namedBindings;
  if (!bindings || !ts.isNamedImports(bindings)) return null;
  const { elements } = bindings;
  // A comment belongs to the name next to it, and the new name would separate them.
  if (/\/[/*]/.test(bindings.getText(file))) return null;
  const [firstElement] = elements;
  const lastElement = elements.at(-1);
  if (!firstElement || !lastElement) return null;
  const lineOf = (position: number) => file.getLineAndCharacterOfPosition(position).line;
  const indent = /[ \t]*$/.exec(file.text.slice(0, firstElement.getStart(file)))?.[0] ?? '';
  const isMultiline = lineOf(lastElement.end) !== lineOf(bindings.end);
  const separator = isMultiline ? `,${detectLineEnd(file)}${indent}` : ', ';
  const nextElement = isSorted(elements) ? elements.find((element) => isBefore(name, element.name.text)) : undefined;
  if (nextElement) return { text: `${name}${separator}`, offset: nextElement.getStart(file) };
  // A comma behind the last name would change its line, and existing lines of tests must not change.
  if (isMultiline && !elements.hasTrailingComma) return null;
  return { text: `${separator}${name}`, offset: lastElement.end };
}

/** True if the imported names are in alphabetical order, ignoring case. */
function isSorted(elements: readonly ts.ImportSpecifier[]): boolean {
  return elements.every(
    (element, index) => index === 0 || !isBefore(element.name.text, elements[index - 1]!.name.text),
  );
}

/** True if the first name precedes the second one in alphabetical order, ignoring case. */
function isBefore(left: string, right: string): boolean {
  return left.toLowerCase() < right.toLowerCase();
}

/** The line end of the file: CRLF if it occurs, otherwise LF. */
export function detectLineEnd({ text }: ts.SourceFile): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

/** The name as an import statement writes it: `a`, `a as b`. */
export function formatImportedName(exportName: string, name: string): string {
  return exportName === name ? name : `${exportName} as ${name}`;
}

/**
 * Finds the symbol of the function; for JavaScript with a declaration file, the symbol in that file. Null if none
 * exports it.
 */
function findSymbol(
  { path, exportedAs }: WantedFunction,
  testProgram: TestFileProgram,
  root: string,
): ts.Symbol | null {
  const declarationPath = path.replace(/\.([cm]?)js$/, '.d.$1ts');
  const program = testProgram.service.getProgram();
  const checker = testProgram.checker();
  for (const name of new Set([declarationPath, path.replace(/\.[cm]?js$/, '.d.ts'), path])) {
    const file = program?.getSourceFile(`${root}/${name}`);
    const module = file && checker.getSymbolAtLocation(file);
    const exportedSymbol =
      module &&
      checker
        .getExportsOfModule(module)
        .find((candidate) => candidate.name === exportedAs || isWholeExport(candidate, exportedAs));
    if (exportedSymbol) return resolveAlias(exportedSymbol, checker);
  }
  return null;
}

/** True if the symbol is `module.exports` of a CommonJS module and the default export is wanted. */
function isWholeExport({ name }: ts.Symbol, exportedAs: string): boolean {
  return name === 'export=' && exportedAs === 'default';
}

/** The name under which the module exports the target; null if it does not. */
function findExportName(specifier: ts.Expression, target: ts.Symbol | null, checker: ts.TypeChecker): string | null {
  const module = target && checker.getSymbolAtLocation(specifier);
  if (!module) return null;
  const exportedSymbol = checker
    .getExportsOfModule(module)
    .find((candidate) => resolveAlias(candidate, checker) === target);
  return exportedSymbol ? (exportedSymbol.name === 'export=' ? 'default' : exportedSymbol.name) : null;
}

/** The symbol to which an import or a re-export refers. */
function resolveAlias(symbol: ts.Symbol, checker: ts.TypeChecker): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

/** The expression for this export after the import: a name, or `math.clamp`; null if the import does not bind it. */
function formatImportExpression({ importClause: clause }: ts.ImportDeclaration, exportName: string): string | null {
  if (!clause || clause.isTypeOnly) return null;
  if (clause.name && exportName === 'default') return clause.name.text;
  const bindings = clause.namedBindings;
  if (!bindings) return null;
  if (ts.isNamespaceImport(bindings)) return exportName === 'default' ? null : `${bindings.name.text}.${exportName}`;
  const element = bindings.elements.find(
    ({ name, propertyName, isTypeOnly }) => !isTypeOnly && (propertyName ?? name).text === exportName,
  );
  return element?.name.text ?? null;
}

/**
 * Finds the function as a member of the default import, such as `queryString.parse`. The default import is a namespace
 * or a plain object. Null if it has no such member, or if the member is another function.
 */
function findMemberOfDefault(
  { importClause: clause }: ts.ImportDeclaration,
  { exportedAs }: WantedFunction,
  target: ts.Symbol | null,
  checker: ts.TypeChecker,
): string | null {
  if (!clause?.name || clause.isTypeOnly || target === null || exportedAs === 'default') return null;
  const member = checker.getTypeAtLocation(clause.name).getProperty(exportedAs);
  const declaration = member?.valueDeclaration;
  const value =
    declaration && ts.isShorthandPropertyAssignment(declaration)
      ? checker.getShorthandAssignmentValueSymbol(declaration)
      : member;
  return value && resolveAlias(value, checker) === target ? `${clause.name.text}.${exportedAs}` : null;
}

/** True if an import or a top-level statement of the file binds the name. */
export function declaresName(file: ts.SourceFile, name: string): boolean {
  return file.statements.some((statement) => {
    if (ts.isImportDeclaration(statement)) return importsName(statement, name);
    if (ts.isVariableStatement(statement))
      return statement.declarationList.declarations.some(({ name: pattern }) => bindsName(pattern, name));
    return (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement)) && statement.name?.text === name;
  });
}

/** True if the import declares the name. */
function importsName({ importClause: clause }: ts.ImportDeclaration, name: string): boolean {
  const bindings = clause?.namedBindings;
  if (clause?.name?.text === name) return true;
  if (!bindings) return false;
  return ts.isNamespaceImport(bindings)
    ? bindings.name.text === name
    : bindings.elements.some((element) => element.name.text === name);
}
