// Finds imports outside of import statements: import(), require(), import types, doc comments, globs of bundlers, and
// strings that name a module.

import { ts } from 'ts-morph';
import type { ImportFact, ImportTime } from './facts.ts';

/** An import fact without its line. */
type LooseImport = readonly [from: string, names: string, time: ImportTime];

/** Functions of test runners that name a module without using what it exports. */
const MOCKING_FUNCTIONS: ReadonlySet<string> = new Set([
  'mock',
  'unmock',
  'doMock',
  'doUnmock',
  'dontMock',
  'setMock',
  'importActual',
  'requireActual',
  'importMock',
  'requireMock',
  'unstable_mockModule',
]);

/**
 * The modules that a call loads: a single one (`import`), or all whose paths have the same beginning (`path`, which
 * then ends in `*`). Empty for other calls.
 */
export function readImportOfCall(
  call: ts.CallExpression,
  sourceFile: ts.SourceFile,
): { readonly import?: LooseImport; readonly path?: string } {
  const { expression } = call;
  const [firstArgument] = call.arguments;
  if (!firstArgument) return {};
  const isDynamic = expression.kind === ts.SyntaxKind.ImportKeyword;
  if (isDynamic || (ts.isIdentifier(expression) && expression.text === 'require')) {
    if (ts.isStringLiteralLike(firstArgument))
      return {
        import: [
          firstArgument.text,
          listNamesReadFrom(call, isDynamic).join(' '),
          isDynamic || isInFunction(call) ? 'later' : 'load',
        ],
      };
    // `import(`./pages/${name}.ts`)` may load any of them.
    const prefix = ts.isTemplateExpression(firstArgument)
      ? firstArgument.head.text
      : ts.isBinaryExpression(firstArgument) && ts.isStringLiteralLike(firstArgument.left)
        ? firstArgument.left.text
        : '';
    return prefix.includes('/') ? { path: `${prefix}*` } : {};
  }
  if (!ts.isPropertyAccessExpression(expression)) return {};
  const name = expression.name.text;
  if ((name === 'glob' || name === 'globEager') && ts.isMetaProperty(expression.expression)) {
    const [pattern] = ts.isStringLiteralLike(firstArgument)
      ? [firstArgument.text]
      : ts.isArrayLiteralExpression(firstArgument)
        ? firstArgument.elements.filter(ts.isStringLiteralLike).map(({ text }) => text)
        : [];
    return pattern === undefined ? {} : { path: pattern.replace(/[*{[(?].*$/s, '*') };
  }
  if (
    name === 'context' &&
    expression.expression.getText(sourceFile) === 'require' &&
    ts.isStringLiteralLike(firstArgument)
  )
    return { path: `${firstArgument.text.replace(/\/$/, '')}/*` };
  return {};
}

/** The import fact of `import('./a').Options` in a type; null if the module is not given by a string. */
export function readImportType(node: ts.ImportTypeNode): LooseImport | null {
  if (!ts.isLiteralTypeNode(node.argument) || !ts.isStringLiteral(node.argument.literal)) return null;
  let qualifier = node.qualifier;
  while (qualifier && ts.isQualifiedName(qualifier)) qualifier = qualifier.left;
  return [node.argument.literal.text, qualifier ? qualifier.text : '*', 'types'];
}

/**
 * A string that may name a module: it is relative, or has the extension of a source file. Null for specifiers of
 * imports, for mocks, and for texts of fewer than 4 or more than 200 characters.
 */
export function parseModulePath(literal: ts.StringLiteralLike): string | null {
  const { text, parent } = literal;
  if (
    text.length > 200 ||
    text.length < 4 ||
    !(isJoinedPath(literal) || /^\.{1,2}\/[\w@./-]+$/.test(text) || /^[\w@./-]+\.[cm]?[jt]sx?$/.test(text))
  )
    return null;
  if (
    ts.isImportDeclaration(parent) ||
    ts.isExportDeclaration(parent) ||
    ts.isExternalModuleReference(parent) ||
    ts.isLiteralTypeNode(parent) ||
    ts.isModuleDeclaration(parent)
  )
    return null;
  if (ts.isCallExpression(parent)) {
    const callee = parent.expression;
    if (callee.kind === ts.SyntaxKind.ImportKeyword || (ts.isIdentifier(callee) && callee.text === 'require'))
      return null;
    if (ts.isPropertyAccessExpression(callee) && MOCKING_FUNCTIONS.has(callee.name.text)) return null;
  }
  return text;
}

/** True for a path that is joined to a folder, which a build tool may load: `resolve(folder, 'runtime/paths')`. */
function isJoinedPath({ text, parent }: ts.StringLiteralLike): boolean {
  if (!ts.isCallExpression(parent) || parent.arguments.length < 2 || !/^[\w@-]+(\/[\w.@-]+)+$/.test(text)) return false;
  const { expression } = parent;
  return /^(resolve|join)/.test(
    ts.isIdentifier(expression)
      ? expression.text
      : ts.isPropertyAccessExpression(expression)
        ? expression.name.text
        : '',
  );
}

/**
 * The names that the code reads from a loaded module: `const { a } = await import(…)`, `require(…).a`,
 * `import(…).then(({ a }) => …)`. `*` if any name may be read; empty if the result is not used.
 */
function listNamesReadFrom(call: ts.CallExpression, isDynamic: boolean): string[] {
  let node: ts.Node = call;
  while (ts.isAwaitExpression(node.parent) || ts.isParenthesizedExpression(node.parent)) node = node.parent;
  const { parent } = node;
  if (ts.isVariableDeclaration(parent) && parent.initializer === node) return listNamesReadByPattern(parent.name);
  if (!ts.isPropertyAccessExpression(parent) || parent.expression !== node)
    return ts.isExpressionStatement(parent) ? [] : ['*'];
  const callback =
    parent.name.text === 'then' && isDynamic && ts.isCallExpression(parent.parent)
      ? parent.parent.arguments[0]
      : undefined;
  if (!callback) return [parent.name.text];
  if (!(ts.isArrowFunction(callback) || ts.isFunctionExpression(callback)) || callback.parameters.length === 0)
    return ['*'];
  const { name } = callback.parameters[0]!;
  if (!ts.isIdentifier(name)) return listNamesReadByPattern(name);
  // `.then((module) => module.a)`
  return ts.isPropertyAccessExpression(callback.body) &&
    ts.isIdentifier(callback.body.expression) &&
    callback.body.expression.text === name.text
    ? [callback.body.name.text]
    : ['*'];
}

/** The names that `const { a, b: c } = …` reads: `a` and `b`. `*` for other patterns. */
function listNamesReadByPattern(name: ts.BindingName): string[] {
  if (!ts.isObjectBindingPattern(name)) return ['*'];
  if (name.elements.some(({ dotDotDotToken }) => dotDotDotToken)) return ['*'];
  return name.elements.map(({ propertyName, name: local }) =>
    propertyName && ts.isIdentifier(propertyName)
      ? propertyName.text
      : !propertyName && ts.isIdentifier(local)
        ? local.text
        : '*',
  );
}

/** True for code inside of a function, which does not run when the file is loaded. */
function isInFunction(node: ts.Node): boolean {
  for (let current: ts.Node = node.parent; current; current = current.parent)
    if (ts.isFunctionLike(current)) return true;
  return false;
}

/** Imports in doc comments, by which JavaScript refers to types: `@param {import('./a').Options} options`. */
export function readDocCommentImports(text: string): ImportFact[] {
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
