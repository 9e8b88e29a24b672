// Decides whether a test imports a function from another file than the examined one, and by which name the examined file
// exports it. Calls of a function of another file are not examples for the examined file.

import { ts } from 'ts-morph';
import { findDeclaringPlace } from '../../sequences/exportReach.ts';
import { findImport, findRequireSpecifier, type LoadFile } from '../imports.ts';
import { findRequiredFile } from './requiredFile.ts';

/** Maximum number of files that re-export a value on the way to its declaration. */
const MAX_REEXPORTS = 10;

/** The origins of what tests import, as seen from one file. */
export interface ExampleOrigins {
  /**
   * True if the default export of this module, or the member of that export, is certainly declared in another file or
   * package. For CommonJS, the default export is `module.exports`.
   */
  isElsewhere(test: ts.SourceFile, specifier: string, member?: string): boolean;
  /**
   * The name by which the examined file exports what this module exports as `importedName`: `default` for
   * `export { default as clamp } from './clamp.js'`. Null if that is not certain, or if another file declares it.
   */
  findDeclaredName(test: ts.SourceFile, specifier: string, importedName: string): string | null;
}

/** The origins as seen from the file with this path. `load`: opens files of the repository. */
export function createExampleOrigins(path: string, load: LoadFile): ExampleOrigins {
  const origins = new Map<string, string | null>();
  const findOrigin = (entry: ts.SourceFile, member: string | undefined) => {
    const key = `${entry.fileName}\0${member ?? ''}`;
    if (!origins.has(key))
      origins.set(
        key,
        member === undefined ? findExportOrigin(entry, 'default', load, 0) : findMemberOrigin(entry, member, load, 0),
      );
    return origins.get(key) ?? null;
  };
  return {
    isElsewhere(test, specifier, member) {
      const entry = findRequiredFile(test, specifier, load);
      if (entry === 'package') return true;
      if (entry === null || entry.fileName === path) return false;
      const origin = findOrigin(entry, member);
      return origin !== null && origin !== path;
    },
    findDeclaredName(test, specifier, importedName) {
      const entry = findRequiredFile(test, specifier, load);
      if (entry === null || entry === 'package' || entry.fileName === path) return null;
      const place = findDeclaringPlace({ path: entry.fileName, exportedAs: importedName }, load);
      return place?.path === path ? place.exportedAs : null;
    },
  };
}

/**
 * The path of the file that declares the export with this name; null if that is not certain. `depth`: number of files
 * passed so far.
 */
function findExportOrigin(file: ts.SourceFile, name: string, load: LoadFile, depth: number): string | null {
  if (depth > MAX_REEXPORTS) return null;
  if (name !== 'default') return findMemberOrigin(file, name, load, depth);
  const [wholeExport, ...furtherExports] = listWholeExports(file);
  if (furtherExports.length > 0) return null;
  if (wholeExport) return findExpressionOrigin(file, wholeExport, load, depth);
  return findDeclaringPlace({ path: file.fileName, exportedAs: 'default' }, load)?.path ?? null;
}

/**
 * The path of the file that declares a member of what `file` exports: a property of its default export, or an export of
 * that name. Null if that is not certain.
 */
function findMemberOrigin(file: ts.SourceFile, name: string, load: LoadFile, depth: number): string | null {
  const [wholeExport, ...furtherExports] = listWholeExports(file);
  if (furtherExports.length > 0) return null;
  const owners = new Set([
    'exports',
    'module.exports',
    ...(wholeExport && ts.isIdentifier(wholeExport) ? [wholeExport.text] : []),
  ]);
  const assignments = listAssignments(file).filter(
    ({ left }) =>
      ts.isPropertyAccessExpression(left) && left.name.text === name && owners.has(left.expression.getText(file)),
  );
  if (assignments.length > 1) return null;
  if (assignments[0]) return findExpressionOrigin(file, assignments[0].right, load, depth);
  const members = wholeExport && ts.isObjectLiteralExpression(wholeExport) ? wholeExport.properties : [];
  const property = members.find((candidate) => candidate.name && candidate.name.getText(file) === name);
  if (property && ts.isShorthandPropertyAssignment(property))
    return findExpressionOrigin(file, property.name, load, depth);
  if (property && ts.isPropertyAssignment(property))
    return findExpressionOrigin(file, property.initializer, load, depth);
  if (property && ts.isMethodDeclaration(property)) return file.fileName;
  return wholeExport ? null : (findDeclaringPlace({ path: file.fileName, exportedAs: name }, load)?.path ?? null);
}

/** The path of the file that declares the value of this expression; null if that is not certain. */
function findExpressionOrigin(
  file: ts.SourceFile,
  expression: ts.Expression,
  load: LoadFile,
  depth: number,
): string | null {
  const findOriginIn = (specifier: string, name: string) => {
    const requiredFile = findRequiredFile(file, specifier, load);
    return requiredFile === null || requiredFile === 'package'
      ? null
      : findExportOrigin(requiredFile, name, load, depth + 1);
  };
  let value = expression;
  while (ts.isParenthesizedExpression(value) || ts.isAsExpression(value) || ts.isSatisfiesExpression(value))
    value = value.expression;
  const isDeclaredHere =
    ts.isFunctionExpression(value) ||
    ts.isArrowFunction(value) ||
    ts.isClassExpression(value) ||
    ts.isObjectLiteralExpression(value);
  if (isDeclaredHere) return file.fileName;
  const requiredSpecifier = findRequireSpecifier(value);
  if (requiredSpecifier !== null) return findOriginIn(requiredSpecifier, 'default');
  if (ts.isPropertyAccessExpression(value)) {
    const from = findRequireSpecifier(value.expression);
    return from === null ? null : findOriginIn(from, value.name.text);
  }
  if (!ts.isIdentifier(value)) return null;
  const isReassigned = listAssignments(file).some(({ left }) => left.getText(file) === value.getText(file));
  if (isReassigned || depth > MAX_REEXPORTS) return null;
  const source = findImport(file, value.text);
  if (source) return source.imported === '*' ? null : findOriginIn(source.from, source.imported);
  return findNameOrigin(file, value.text, load, depth);
}

/** The path of the file that declares the value of a name of this file; null if that is not certain. */
function findNameOrigin(file: ts.SourceFile, name: string, load: LoadFile, depth: number): string | null {
  for (const statement of file.statements) {
    const isDeclaration = ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement);
    if (isDeclaration && statement.name?.text === name) return file.fileName;
    if (!ts.isVariableStatement(statement)) continue;
    for (const { name: bound, initializer } of statement.declarationList.declarations)
      if (ts.isIdentifier(bound) && bound.text === name && initializer)
        return findExpressionOrigin(file, initializer, load, depth + 1);
  }
  return null;
}

/**
 * What the file exports as a whole: by `module.exports = …`, or by `export default …`. Several values if it does so
 * more than once, as under a condition.
 */
function listWholeExports(file: ts.SourceFile): readonly ts.Expression[] {
  const assignments = listAssignments(file).filter(({ left }) => left.getText(file) === 'module.exports');
  if (assignments.length > 0) return assignments.map(({ right }) => right);
  return file.statements.filter(ts.isExportAssignment).map(({ expression }) => expression);
}

interface Assignment {
  readonly left: ts.Expression;
  /** The assigned value: `value` for each target of `left = other = value`. */
  readonly right: ts.Expression;
}

/** The assignments in the statements of the file itself. */
function listAssignments(file: ts.SourceFile): readonly Assignment[] {
  return file.statements.flatMap((statement) => {
    const targets: ts.Expression[] = [];
    let value = ts.isExpressionStatement(statement) ? statement.expression : null;
    while (value && ts.isBinaryExpression(value) && value.operatorToken.kind === ts.SyntaxKind.EqualsToken) {
      targets.push(value.left);
      value = value.right;
    }
    return targets.map((left) => ({ left, right: value! }));
  });
}
