// Turns the values in which two copies differ into parameters of a shared function: chooses their names from the
// surrounding code, and their types.

import { ts } from 'ts-morph';
import { joinInCamelCase, isReserved, isMeaningful } from '../extraction/nameWords.ts';
import { collectDescendants } from '../syntax/locate.ts';
import { isJavaScript } from '../syntax/parse.ts';
import { splitIntoWords } from '../syntax/prose.ts';
import { isPropertyName } from '../syntax/scopes.ts';
import type { Replacement } from '../textEdit.ts';
import type { DifferingValue } from './differences.ts';
import { findCommonWords } from './sharedName.ts';

/** A new parameter of the shared function for a value in which the copies differ. */
export interface AddedParameter {
  /** The declaration, such as `operator: string`; in JavaScript only the name. */
  readonly declaration: string;
  /** The argument of the call at the first place. */
  readonly argument: string;
  /** The argument of the call at the other place. */
  readonly otherArgument: string;
  /** Replaces the values of the first copy by the name of the parameter. */
  readonly replacements: readonly Replacement[];
}

/** Maximum number of new parameters, because a call with more is hard to read. */
const MAX_ADDED = 2;
/** Maximum number of characters of the type of a parameter. */
const MAX_TYPE_LENGTH = 60;
/** Maximum number of characters of an argument. */
const MAX_ARGUMENT_LENGTH = 60;

/** Generic words that are poor names of functions, but describe the value of a property with this name well enough. */
const GENERIC_NAMES: ReadonlySet<string> = new Set(['count', 'key', 'kind', 'name', 'size', 'state', 'type']);

/**
 * Plans the parameters, in the order of the text. Equal pairs of values become one parameter. The nodes belong to the
 * file of the type checker. Refuses if there are too many pairs, or if one has a long value, no meaningful name, or a
 * type that cannot be written.
 */
export function planParameters(
  checker: ts.TypeChecker,
  sourceFile: ts.SourceFile,
  differences: readonly DifferingValue[],
  usedNames: ReadonlySet<string>,
): readonly AddedParameter[] | { readonly refused: string } {
  const groups = new Map<string, DifferingValue[]>();
  for (const difference of differences) {
    const key = `${difference.first.getText()}\0${difference.second.getText()}`;
    groups.set(key, [...(groups.get(key) ?? []), difference]);
  }
  if (groups.size > MAX_ADDED) return { refused: `They differ in ${groups.size} values.` };
  const names = new Set(usedNames);
  const addedParameters: AddedParameter[] = [];
  for (const places of groups.values()) {
    const [{ first, second }] = places as [DifferingValue, ...DifferingValue[]];
    const [argument, otherArgument] = [first.getText(), second.getText()];
    if (Math.max(argument.length, otherArgument.length) > MAX_ARGUMENT_LENGTH || /\n/.test(argument + otherArgument))
      return { refused: 'They differ in a long value.' };
    const name = places.flatMap((index) => suggestNames(checker, index)).find((each) => !names.has(each));
    if (!name) return { refused: `No telling name for ${argument} stands in the code.` };
    names.add(name);
    const type = isJavaScript(sourceFile) ? '' : findType(checker, places[0]!);
    if (type === null) return { refused: `The type of ${argument} cannot be written.` };
    addedParameters.push({
      declaration: type === '' ? name : `${name}: ${type}`,
      argument,
      otherArgument,
      replacements: places.map(({ first: value }) => createNameReplacement(value, name, sourceFile)),
    });
  }
  return addedParameters;
}

/** Replaces a value by a name. `{ kind: 'open' }` becomes `{ kind }` in a file that uses shorthand properties. */
function createNameReplacement(value: ts.Expression, name: string, sourceFile: ts.SourceFile): Replacement {
  const { parent } = value;
  const isSameName = ts.isPropertyAssignment(parent) && ts.isIdentifier(parent.name) && parent.name.text === name;
  const isShort = isSameName && collectDescendants(sourceFile).some(ts.isShorthandPropertyAssignment);
  return {
    start: (isShort ? parent : value).getStart(sourceFile),
    end: value.end,
    text: ts.isJsxAttribute(parent) ? `{${name}}` : name,
  };
}

/** Suggests meaningful names for the value, best first. */
function suggestNames(checker: ts.TypeChecker, { first, second }: DifferingValue): string[] {
  return [findCommonName(first, second), ...listReceiverNames(checker, first)].filter(
    (name): name is string => name !== null && (isMeaningful(name) || GENERIC_NAMES.has(name)) && !isReserved(name),
  );
}

/**
 * The common words of both names: `states` for `openStates` and `closedStates`, `order` for `Order.Open` and
 * `Order.Closed`. Null if they have none.
 */
function findCommonName(first: ts.Expression, second: ts.Expression): string | null {
  const [firstName, secondName] = [findLastName(first), findLastName(second)];
  if (firstName === null || secondName === null || isLiteral(first)) return null;
  const words = findCommonWords(splitIntoWords(firstName), splitIntoWords(secondName));
  if (words.length > 0) return joinInCamelCase(words);
  if (!ts.isPropertyAccessExpression(first) || !ts.isPropertyAccessExpression(second)) return null;
  const ownerName = findLastName(first.expression);
  return ownerName !== null && ownerName === findLastName(second.expression)
    ? joinInCamelCase(toSingular(splitIntoWords(ownerName)))
    : null;
}

/**
 * Lists the names of the properties, variables and parameters that receive the value, innermost first. If the value
 * replaces a missing one, a name such as `defaultSize` is added at the end.
 */
function listReceiverNames(checker: ts.TypeChecker, node: ts.Expression): (string | null)[] {
  const names = [findReceiverName(checker, node)];
  let argument: ts.Node = node;
  while (ts.isPropertyAssignment(argument.parent) && ts.isObjectLiteralExpression(argument.parent.parent)) {
    argument = argument.parent.parent;
    names.push(findReceiverName(checker, argument as ts.Expression));
  }
  const lastName = names.at(-1) ?? null;
  return lastName !== null && replacesMissingValue(argument, lastName)
    ? [...names, joinInCamelCase(['default', ...splitIntoWords(lastName)])]
    : names;
}

/** True for a node in the first branch of `if (size === undefined)` or a similar test, if `name` is `size`. */
function replacesMissingValue(node: ts.Node, name: string): boolean {
  let nodeInIf = node;
  while (!ts.isIfStatement(nodeInIf.parent)) {
    if (ts.isSourceFile(nodeInIf.parent) || ts.isFunctionLike(nodeInIf.parent)) return false;
    nodeInIf = nodeInIf.parent;
  }
  const { expression, thenStatement } = nodeInIf.parent;
  const tests = [`${name} === undefined`, `${name} === null`, `${name} == null`, `!${name}`];
  return nodeInIf === thenStatement && tests.some((test) => expression.getText().startsWith(test));
}

/**
 * The name of the property, variable, parameter or operand that receives the value or is compared with it; null if
 * there is none.
 */
function findReceiverName(checker: ts.TypeChecker, node: ts.Expression): string | null {
  const { parent } = node;
  if (ts.isPropertyAssignment(parent) || ts.isVariableDeclaration(parent) || ts.isJsxAttribute(parent))
    return parent.initializer === node ? normaliseName(parent.name.getText()) : null;
  if (ts.isElementAccessExpression(parent)) return parent.argumentExpression === node ? 'key' : null;
  if (ts.isCaseClause(parent)) return findLastName(parent.parent.parent.expression);
  if (ts.isBinaryExpression(parent)) {
    const operand = parent.left === node ? parent.right : parent.left;
    switch (parent.operatorToken.kind) {
      case ts.SyntaxKind.EqualsToken:
      case ts.SyntaxKind.EqualsEqualsToken:
      case ts.SyntaxKind.EqualsEqualsEqualsToken:
      case ts.SyntaxKind.ExclamationEqualsToken:
      case ts.SyntaxKind.ExclamationEqualsEqualsToken:
        return findLastName(operand);
      case ts.SyntaxKind.BarBarToken:
      case ts.SyntaxKind.QuestionQuestionToken: {
        const comparedName = parent.right === node ? findLastName(operand) : null;
        return comparedName && isMeaningful(comparedName)
          ? joinInCamelCase(['default', ...splitIntoWords(comparedName)])
          : null;
      }
      default:
        return null;
    }
  }
  if (ts.isCallExpression(parent) || ts.isNewExpression(parent)) {
    const index = parent.arguments?.indexOf(node) ?? -1;
    const parameter = index < 0 ? undefined : checker.getResolvedSignature(parent)?.parameters[index];
    const declaration = parameter?.valueDeclaration;
    return declaration &&
      ts.isParameter(declaration) &&
      !declaration.dotDotDotToken &&
      ts.isIdentifier(declaration.name)
      ? declaration.name.text
      : null;
  }
  return null;
}

/**
 * Finds the type of the parameter: `string` for strings if any string is allowed; otherwise a union, or the type of
 * both values. Null if the type is long or cannot be written.
 */
function findType(checker: ts.TypeChecker, { first, second }: DifferingValue): string | null {
  const contextualType = checker.getContextualType(first);
  if (ts.isStringLiteralLike(first) && ts.isStringLiteralLike(second)) {
    if (contextualType && (contextualType.flags & ts.TypeFlags.String) !== 0) return 'string';
    const namedType = contextualType ?? findComparedType(checker, first);
    const alias = namedType?.aliasSymbol;
    if (alias && !namedType.aliasTypeArguments && isVisibleAlias(checker, alias, first)) return alias.name;
    return nullIfUnreadable(`${first.getText()} | ${second.getText()}`);
  }
  const [firstType, secondType] = [first, second].map((node) => {
    const type = checker.getBaseTypeOfLiteralType(checker.getTypeAtLocation(node));
    return checker.typeToString(type, first, ts.TypeFormatFlags.NoTruncation);
  }) as [string, string];
  if (firstType === secondType && /=>/.test(firstType)) return nullIfUnreadable(`typeof ${first.getText()}`);
  return nullIfUnreadable(firstType === secondType ? firstType : `${firstType} | ${secondType}`);
}

/** Finds the type of the operand with which the value is compared; undefined if it is not compared. */
function findComparedType(checker: ts.TypeChecker, node: ts.Expression): ts.Type | undefined {
  const { parent } = node;
  if (!ts.isBinaryExpression(parent) || !/^[!=]==?$/.test(parent.operatorToken.getText())) return undefined;
  return checker.getTypeAtLocation(parent.left === node ? parent.right : parent.left);
}

/** True if the name of the type alias refers to the same type at the node. */
function isVisibleAlias(checker: ts.TypeChecker, alias: ts.Symbol, node: ts.Node): boolean {
  const type = checker.getDeclaredTypeOfSymbol(alias);
  return checker
    .getSymbolsInScope(node, ts.SymbolFlags.TypeAlias)
    .some((symbol) => symbol.name === alias.name && checker.getDeclaredTypeOfSymbol(symbol) === type);
}

/**
 * The type if it is short and contains neither `any`, `unknown`, an import, an object type nor a function type;
 * otherwise null.
 */
function nullIfUnreadable(type: string): string | null {
  return type.length > MAX_TYPE_LENGTH || /\bany\b|\bunknown\b|import\(|[{\n]|=>/.test(type) ? null : type;
}

function isLiteral(node: ts.Node): boolean {
  return !ts.isIdentifier(node) && !ts.isPropertyAccessExpression(node);
}

/** The last name in an expression: `state` for `order.state` and `order.state!`; null for a call or a literal. */
function findLastName(node: ts.Expression): string | null {
  if (ts.isParenthesizedExpression(node) || ts.isNonNullExpression(node) || ts.isAsExpression(node))
    return findLastName(node.expression);
  if (ts.isIdentifier(node)) return node.text;
  return ts.isPropertyAccessExpression(node) ? normaliseName(node.name.text) : null;
}

/** The name without quotation marks and without a leading `#` or `_`; null if it is not an identifier. */
function normaliseName(name: string): string | null {
  const bareName = name.replace(/^(['"])(.*)\1$/, '$2').replace(/^[#_]/, '');
  return /^[A-Za-z][\w$]*$/.test(bareName) ? bareName : null;
}

/** The words with the last one in the singular. */
function toSingular(words: readonly string[]): string[] {
  return words.map((word, index) =>
    index === words.length - 1 ? word.replace(/ies$/, 'y').replace(/(?<=[^s])s$/, '') : word,
  );
}

/** Collects the names in the nodes except those of properties. A new parameter must have none of these names. */
export function collectVariableNames(nodes: readonly ts.Node[]): Set<string> {
  return new Set(
    nodes.flatMap((node) =>
      collectDescendants(node).flatMap((each) => (ts.isIdentifier(each) && !isPropertyName(each) ? [each.text] : [])),
    ),
  );
}

/** Collects all names in the nodes, including those of properties. */
export function collectAllNames(nodes: readonly ts.Node[]): Set<string> {
  return new Set(
    nodes.flatMap((node) => collectDescendants(node).flatMap((each) => (ts.isIdentifier(each) ? [each.text] : []))),
  );
}
