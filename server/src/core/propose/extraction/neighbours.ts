// Reads the functions in the same file and, if necessary, in the same folder. The name of an extracted function gets
// its verb from those functions that return the same kind of value.

import { SCRIPT_PATTERN } from '../../paths/scriptFiles.ts';
import { posix } from 'node:path';
import { ts } from 'ts-morph';
import type { SourceTree } from '../../ports/sources.ts';
import { collectDescendants } from '../syntax/locate.ts';
import { parseSource } from '../syntax/parse.ts';
import { splitIntoWords } from '../syntax/prose.ts';
import { findEnclosingFunction } from '../../syntax/controlFlow.ts';

/**
 * The kind of value that a function returns. `list`: an array or a set. `table`: a map. `text`: a string. `answer`: a
 * boolean. `nothing`: no value. `value`: anything else.
 */
export type ValueKind = 'list' | 'table' | 'object' | 'text' | 'number' | 'answer' | 'value' | 'nothing';

/** The functions in the same file and folder, from which a new name takes its verb. */
export interface Neighbours {
  /**
   * The verb among `verbs` with which most functions of this kind begin; null if none of them begins with one. If
   * `kind` is null, functions of every kind count.
   */
  findVerbFor(kind: ValueKind | null, verbs: readonly string[]): string | null;
}

/** A function with a body. */
type FunctionWithBody = ts.FunctionLikeDeclaration & { readonly body: ts.ConciseBody };

/** A neighbouring function: its verb, and the kind of value that it returns. */
interface VerbOfFunction {
  readonly verb: string;
  readonly kind: ValueKind;
}

/** The kinds of collections, by the names of their types. */
const KIND_BY_CLASS: ReadonlyMap<string, ValueKind> = new Map([
  ['Array', 'list'],
  ['Set', 'list'],
  ['Map', 'table'],
  ['WeakMap', 'table'],
]);
/** Minimum number of functions in other files with the same verb, because one function does not show a habit. */
const MIN_IN_FOLDER = 2;
/** Maximum number of other files. A folder shows its habits long before all its files are read. */
const MAX_FILES = 30;
/** Maximum number of characters of another file; longer ones are skipped. */
const MAX_FILE_LENGTH = 100_000;

/**
 * Creates the neighbours of a file. The other files of the folder are read only if the file itself has no fitting verb.
 */
export function findNeighbours(sourceFile: ts.SourceFile, tree: SourceTree, absolutePath: string): Neighbours {
  const functionsInFile = collectVerbs(sourceFile);
  let functionsInFolder: readonly VerbOfFunction[] | null = null;
  return {
    findVerbFor(kind, verbs) {
      const inFile = findCommonestVerb(functionsInFile, kind, verbs, 1);
      if (inFile) return inFile;
      functionsInFolder ??= parseOtherScripts(tree, absolutePath).flatMap(collectVerbs);
      return findCommonestVerb(functionsInFolder, kind, verbs, MIN_IN_FOLDER);
    },
  };
}

/** Determines the kind of an expression by its form; `value` if the form does not show it. */
export function classifyExpression(value: ts.Expression | undefined): ValueKind {
  if (!value) return 'value';
  if (ts.isParenthesizedExpression(value) || ts.isAwaitExpression(value) || ts.isAsExpression(value))
    return classifyExpression(value.expression);
  if (ts.isArrayLiteralExpression(value)) return 'list';
  if (ts.isNewExpression(value) && KIND_BY_CLASS.has(value.expression.getText()))
    return KIND_BY_CLASS.get(value.expression.getText())!;
  if (ts.isObjectLiteralExpression(value) || ts.isNewExpression(value)) return 'object';
  if (ts.isStringLiteralLike(value) || ts.isTemplateExpression(value)) return 'text';
  if (ts.isNumericLiteral(value)) return 'number';
  const { kind } = value;
  return kind === ts.SyntaxKind.TrueKeyword || kind === ts.SyntaxKind.FalseKeyword ? 'answer' : 'value';
}

/**
 * The name of a function, or of the variable or property to which it is assigned, without a leading `#` or `_`; null if
 * it has none.
 */
export function findAssignedFunctionName(node: ts.FunctionLikeDeclaration): string | null {
  if (node.name) return node.name.getText().replace(/^[#_]+/, '');
  const { parent } = node;
  const isNamed =
    ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent) || ts.isPropertyDeclaration(parent);
  return isNamed ? parent.name.getText().replace(/^[#_]+/, '') : null;
}

/**
 * The most frequent of `verbs` in the functions of this kind (null: any kind); null if fewer than `minCount` functions
 * have it.
 */
function findCommonestVerb(
  functions: readonly VerbOfFunction[],
  kind: ValueKind | null,
  verbs: readonly string[],
  minCount: number,
): string | null {
  const counts = new Map<string, number>();
  for (const namedFunction of functions)
    if ((kind === null || namedFunction.kind === kind) && verbs.includes(namedFunction.verb))
      counts.set(namedFunction.verb, (counts.get(namedFunction.verb) ?? 0) + 1);
  const [bestVerb] = [...counts].sort(([, a], [, b]) => b - a);
  return bestVerb && bestVerb[1] >= minCount ? bestVerb[0] : null;
}

/**
 * Parses the other scripts of the folder, at most `MAX_FILES`, in the order of their paths. Declaration files and long
 * files are skipped.
 */
function parseOtherScripts(tree: SourceTree, absolutePath: string): ts.SourceFile[] {
  const folder = posix.dirname(absolutePath);
  return tree
    .list(folder)
    .filter(({ name, kind }) => kind === 'file' && SCRIPT_PATTERN.test(name) && !name.endsWith('.d.ts'))
    .map(({ name }) => `${folder}/${name}`)
    .filter((path) => path !== absolutePath)
    .toSorted()
    .slice(0, MAX_FILES)
    .flatMap((path) => {
      const text = tree.read(path);
      const parsedFile = text !== undefined && text.length <= MAX_FILE_LENGTH ? parseSource(path, text) : null;
      return parsedFile ? [parsedFile] : [];
    });
}

/**
 * Collects the first words of the names of functions in a file, and the kinds of their results. Names of one word are
 * skipped.
 */
function collectVerbs(sourceFile: ts.SourceFile): VerbOfFunction[] {
  return collectDescendants(sourceFile).flatMap((node): VerbOfFunction[] => {
    if (!ts.isFunctionLike(node) || !('body' in node) || !node.body) return [];
    const [verb, ...otherWords] = splitIntoWords(findAssignedFunctionName(node) ?? '');
    return verb && otherWords.length > 0 ? [{ verb, kind: findReturnedKind(node as FunctionWithBody) }] : [];
  });
}

/**
 * Determines the kind of the returned value by the return type or, without one, by the form of all returned
 * expressions.
 */
function findReturnedKind(node: FunctionWithBody): ValueKind {
  const declaredKind = node.type && classifyType(node.type);
  if (declaredKind) return declaredKind;
  if (!ts.isBlock(node.body)) return classifyExpression(node.body);
  const kinds = new Set(
    collectDescendants(node.body).flatMap((inner) =>
      ts.isReturnStatement(inner) && inner.expression && findEnclosingFunction(inner) === node
        ? [classifyExpression(findInitialValue(inner.expression, node))]
        : [],
    ),
  );
  const [firstKind, ...otherKinds] = kinds;
  if (!firstKind) return 'nothing';
  return otherKinds.length === 0 ? firstKind : 'value';
}

/** The kind of value that a type describes; for a promise, that of its argument. Null if the type does not show it. */
function classifyType(type: ts.TypeNode): ValueKind | null {
  if (ts.isTypeOperatorNode(type) || ts.isParenthesizedTypeNode(type)) return classifyType(type.type);
  if (ts.isArrayTypeNode(type) || ts.isTupleTypeNode(type)) return 'list';
  if (ts.isTypePredicateNode(type)) return type.assertsModifier ? 'nothing' : 'answer';
  if (ts.isTypeReferenceNode(type)) {
    const [argument] = type.typeArguments ?? [];
    const name = type.typeName.getText();
    if (name === 'Promise' && argument) return classifyType(argument);
    return KIND_BY_CLASS.get(name.replace(/^Readonly/, '')) ?? null;
  }
  switch (type.kind) {
    case ts.SyntaxKind.StringKeyword:
      return 'text';
    case ts.SyntaxKind.NumberKeyword:
      return 'number';
    case ts.SyntaxKind.BooleanKeyword:
      return 'answer';
    case ts.SyntaxKind.VoidKeyword:
    case ts.SyntaxKind.NeverKeyword:
      return 'nothing';
    default:
      return null;
  }
}

/** The initial value of a returned variable, or undefined if it has none; other expressions themselves. */
function findInitialValue(value: ts.Expression, owner: FunctionWithBody): ts.Expression | undefined {
  if (!ts.isIdentifier(value)) return value;
  const declaration = collectDescendants(owner).find(
    (node): node is ts.VariableDeclaration => ts.isVariableDeclaration(node) && node.name.getText() === value.text,
  );
  return declaration?.initializer;
}
