// Implements the transform `wrapInCache`: caches the results of a pure function of primitive values.

import { ts } from 'ts-morph';
import { refuse, type RecipeOutcome } from '../recipe.ts';
import type { OpenedFile } from '../applyRecipe.ts';
import { findCommentsAbove } from '../syntax/comments.ts';
import { collectDescendants } from '../syntax/locate.ts';
import { collectFileNames, isWrite, type Names } from '../syntax/names.ts';
import { findFunction } from './declarations.ts';
import type { TransformRequest } from './request.ts';
import { isAsync } from '../../syntax/declarations/modifiers.ts';
import { findEnclosingFunction } from '../../syntax/controlFlow.ts';

/** Maximum number of parameters that form a key of the cache. */
const MAX_PARAMETERS = 3;
/** Global names that a pure function may use. */
const PURE_GLOBALS = new Set([
  'Number',
  'String',
  'Boolean',
  'parseInt',
  'parseFloat',
  'isNaN',
  'isFinite',
  'BigInt',
  'Math',
  'undefined',
  'NaN',
  'Infinity',
  'Error',
  'TypeError',
  'RangeError',
  'Array',
]);
/** Methods of strings, numbers and local lists whose results depend only on their object and their arguments. */
const PURE_METHODS = new Set(
  (
    'at charAt charCodeAt codePointAt concat endsWith every fill filter find findIndex flatMap forEach ' +
    'from includes indexOf isArray join lastIndexOf map match normalize padEnd padStart push reduce repeat ' +
    'replace replaceAll reverse search slice some sort split startsWith substring toFixed toLowerCase ' +
    'toString toUpperCase trim trimEnd trimStart unshift abs ceil cbrt cos exp floor hypot log log10 log2 ' +
    'max min pow round sign sin sqrt tan trunc isInteger isSafeInteger isFinite isNaN parseFloat parseInt fromCharCode'
  ).split(' '),
);

/**
 * Caches the results of the function `symbol`. Refuses if it is not a pure, synchronous function declaration with one
 * to `MAX_PARAMETERS` primitive parameters and a declared primitive result, if it is called while the file is loaded,
 * or if a name that the cache needs is already used.
 */
export function wrapInCache(
  { symbol }: Extract<TransformRequest, { kind: 'wrapInCache' }>,
  { text, sourceFile, style }: OpenedFile,
): RecipeOutcome {
  const target = findFunction(sourceFile, symbol);
  if ('refused' in target) return target;
  const { node, name } = target;
  if (!ts.isFunctionDeclaration(node) || !node.body) return refuse(`${symbol} is not a function declaration.`);
  const names = collectFileNames(sourceFile);
  const returnType = readPrimitiveType(node.type);
  const keyParts = node.parameters.map((parameter) => ({
    name: parameter.name.getText(sourceFile),
    type: readPrimitiveType(parameter.type),
  }));
  const reason =
    explainRefusal(node) ??
    (returnType ? null : 'It does not say that it returns a text, a number or a boolean.') ??
    (keyParts.length === 0 || keyParts.length > MAX_PARAMETERS
      ? `It takes ${keyParts.length} values; one to ${MAX_PARAMETERS} make a key.`
      : null) ??
    (keyParts.every(({ type }) => type) ? null : 'It does not say that it takes texts, numbers or booleans only.') ??
    explainImpurity(node, names, new Set([node]));
  if (reason) return refuse(reason);
  const isCalledAtLoad = names
    .referencesOf(names.symbolOf(node.name!)!)
    .some((reference) => reference.pos < node.pos && findEnclosingFunction(reference) === null);
  if (isCalledAtLoad) return refuse('It is called while the file is loaded, before its cache would be there.');
  const [cacheName, innerName] = [`${name}Cache`, `compute${name.slice(0, 1).toUpperCase()}${name.slice(1)}`];
  if (names.isTaken(cacheName) || names.isTaken(innerName))
    return refuse('The names for the cache or the inner function are taken.');

  const { newline, indent, semicolons, spaceBeforeParameters } = style;
  const semicolon = semicolons ? ';' : '';
  const hasOneKey = keyParts.length === 1;
  const key = hasOneKey
    ? keyParts[0]!.name
    : `\`${keyParts.map((key) => (key.type === 'string' ? `\${JSON.stringify(${key.name})}` : `\${${key.name}}`)).join(',')}\``;
  const lines = [
    ...(hasOneKey ? [] : [`const key = ${key}${semicolon}`]),
    `const known = ${cacheName}.get(${hasOneKey ? key : 'key'})${semicolon}`,
    `if (known !== undefined) return known${semicolon}`,
    `const answer = ${innerName}(${keyParts.map((key) => key.name).join(', ')})${semicolon}`,
    `${cacheName}.set(${hasOneKey ? key : 'key'}, answer)${semicolon}`,
    `return answer${semicolon}`,
  ];
  if (
    [...(hasOneKey ? [] : ['key']), 'known', 'answer'].some((localName) =>
      keyParts.some((key) => key.name === localName),
    )
  )
    return refuse('A parameter has a name that is needed.');
  const start = findCommentsAbove(sourceFile, node)[0]?.start ?? node.getStart(sourceFile);
  const signatureText = text.slice(node.getStart(sourceFile), node.body.getStart(sourceFile));
  const parameters = node.parameters
    .map((parameter) => `${parameter.name.getText(sourceFile)}: ${parameter.type!.getText(sourceFile)}`)
    .join(', ');
  const wrappedText = [
    `const ${cacheName} = new Map<${hasOneKey ? keyParts[0]!.type : 'string'}, ${returnType}>()${semicolon}`,
    `${text.slice(start, node.getStart(sourceFile))}${signatureText}{${newline}${lines.map((line) => indent + line).join(newline)}${newline}}`,
    `function ${innerName}${spaceBeforeParameters ? ' ' : ''}(${parameters}): ${node.type!.getText(sourceFile)} ${node.body.getText(sourceFile)}`,
  ].join(newline + newline);
  return {
    text: text.slice(0, start) + wrappedText + text.slice(node.end),
    title: `Remember the answers of ${symbol}`,
    rationale:
      `Requested: ${symbol} computes its result from plain values alone, so the result for the same values ` +
      `can be remembered. The cache keeps every answer until the program ends.`,
  };
}

/** The reason why the form of the function rules out a cache, as a sentence; null if it does not. */
function explainRefusal(node: ts.FunctionDeclaration): string | null {
  if (node.asteriskToken || isAsync(node)) return 'It does not give its answer at once.';
  if (node.typeParameters?.length) return 'It is generic.';
  const hasPlainParameters = node.parameters.every(
    (parameter) =>
      ts.isIdentifier(parameter.name) &&
      !parameter.dotDotDotToken &&
      !parameter.questionToken &&
      parameter.name.text !== 'this',
  );
  return hasPlainParameters ? null : 'Its parameters are not plain values with names.';
}

/** The name of a primitive type, also for a union of its literals; null for other types. */
function readPrimitiveType(type: ts.TypeNode | undefined): 'string' | 'number' | 'boolean' | null {
  if (!type) return null;
  if (ts.isParenthesizedTypeNode(type)) return readPrimitiveType(type.type);
  if (ts.isUnionTypeNode(type)) {
    const kinds = new Set(type.types.map(readPrimitiveType));
    const [onlyKind = null] = kinds;
    return kinds.size === 1 ? onlyKind : null;
  }
  if (ts.isLiteralTypeNode(type))
    return ts.isStringLiteral(type.literal) ? 'string' : ts.isNumericLiteral(type.literal) ? 'number' : null;
  return type.kind === ts.SyntaxKind.StringKeyword
    ? 'string'
    : type.kind === ts.SyntaxKind.NumberKeyword
      ? 'number'
      : type.kind === ts.SyntaxKind.BooleanKeyword
        ? 'boolean'
        : null;
}

/**
 * The reason why the function is not pure, as a sentence: its result depends on more than its parameters, or it has a
 * side effect. Null if it is pure.
 */
function explainImpurity(node: ts.FunctionDeclaration, names: Names, visitedFunctions: Set<ts.Node>): string | null {
  for (const part of [
    ...collectDescendants(node.body!),
    ...node.parameters.flatMap(({ initializer }) =>
      initializer ? [initializer, ...collectDescendants(initializer)] : [],
    ),
  ]) {
    if (
      part.kind === ts.SyntaxKind.ThisKeyword ||
      ts.isAwaitExpression(part) ||
      ts.isYieldExpression(part) ||
      ts.isDeleteExpression(part) ||
      ts.isTaggedTemplateExpression(part) ||
      ts.isMetaProperty(part)
    )
      return 'It reads more than its parameters.';
    if (
      (ts.isPropertyAccessExpression(part) || ts.isElementAccessExpression(part)) &&
      isWrite(part) &&
      !isDeclaredInFunction(findRootObject(part), names, node)
    )
      return 'It writes to something.';
    if (ts.isPropertyAccessExpression(part) && part.name.text === 'random') return 'It uses random numbers.';
    if (
      ts.isCallExpression(part) &&
      ts.isPropertyAccessExpression(part.expression) &&
      part.expression.name.text !== 'random' &&
      !PURE_METHODS.has(part.expression.name.text)
    )
      return `The effects of ${part.expression.name.text} are not known.`;
    if (ts.isNewExpression(part) && !(ts.isIdentifier(part.expression) && /Error$/.test(part.expression.text)))
      return 'It makes objects.';
    if (!ts.isIdentifier(part) || isNameOfProperty(part)) continue;
    const reason = explainImpureName(part, node, names, visitedFunctions);
    if (reason) return reason;
  }
  return null;
}

/**
 * The reason why the identifier makes the function impure, as a sentence; null if it does not. Called functions are
 * examined, too.
 */
function explainImpureName(
  identifier: ts.Identifier,
  node: ts.FunctionDeclaration,
  names: Names,
  visitedFunctions: Set<ts.Node>,
): string | null {
  const symbol = names.symbolOf(identifier);
  const declaration = symbol?.valueDeclaration;
  const isImport =
    symbol?.declarations?.some(
      (candidate) => ts.isImportSpecifier(candidate) || ts.isImportClause(candidate) || ts.isNamespaceImport(candidate),
    ) ?? false;
  if (!declaration)
    return ts.isTypeReferenceNode(identifier.parent) ||
      (!isImport && (symbol !== undefined || PURE_GLOBALS.has(identifier.text)))
      ? null
      : `It reads ${identifier.text}, which is not its own.`;
  if (isDeclaredInFunction(identifier, names, node)) return null;
  if (ts.isFunctionDeclaration(declaration) && declaration.body && ts.isSourceFile(declaration.parent)) {
    if (visitedFunctions.has(declaration)) return null;
    visitedFunctions.add(declaration);
    const reason = explainImpurity(declaration, names, visitedFunctions);
    return reason && `${identifier.text}: ${reason}`;
  }
  const value =
    ts.isVariableDeclaration(declaration) && (declaration.parent.flags & ts.NodeFlags.Const) !== 0
      ? declaration.initializer
      : undefined;
  return value && (ts.isStringLiteralLike(value) || ts.isNumericLiteral(value))
    ? null
    : `It reads ${identifier.text}, which is not its own.`;
}

/** True for a name that is declared in the function, such as a parameter or a variable. */
function isDeclaredInFunction(candidate: ts.Node, names: Names, node: ts.Node): boolean {
  const declaration = ts.isIdentifier(candidate) ? names.symbolOf(candidate)?.valueDeclaration : undefined;
  return declaration !== undefined && declaration.pos >= node.pos && declaration.end <= node.end;
}

/** The object whose property or element is accessed, however deeply: `a` in `a.b[0]`. */
function findRootObject(node: ts.Expression): ts.Node {
  return ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node)
    ? findRootObject(node.expression)
    : node;
}

function isNameOfProperty(node: ts.Identifier): boolean {
  const { parent } = node;
  return (
    (ts.isPropertyAccessExpression(parent) && parent.name === node) ||
    (ts.isPropertyAssignment(parent) && parent.name === node)
  );
}
