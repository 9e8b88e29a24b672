// keyed-lookup: creates a Set or Map before a loop that searches a list from its start in every iteration.

import { ts } from 'ts-morph';
import { withTypes } from '../../propose/extraction/typedFile.ts';
import { joinInCamelCase, isMeaningful } from '../../propose/extraction/nameWords.ts';
import { refuse, type RecipeContext, type RecipeOutcome } from '../../propose/recipe.ts';
import { toSingular } from '../../propose/syntax/elementName.ts';
import { collectDescendants } from '../../propose/syntax/locate.ts';
import {
  isWriteTarget,
  findLoopsAround,
  mayYield,
  findOffsetBefore,
  type EnclosingLoop,
} from '../../propose/syntax/loops.ts';
import { isLoopInvariant } from '../../propose/syntax/loopInvariant.ts';
import { findOpportunityNode } from '../../propose/syntax/opportunityNode.ts';
import { collectFileNames, type Names } from '../../propose/syntax/names.ts';
import { findFreeName } from '../../propose/syntax/naming.ts';
import { isJavaScript } from '../../propose/syntax/parse.ts';
import { splitIntoWords } from '../../propose/syntax/prose.ts';
import { isPropertyPath } from '../../syntax/values.ts';
import { applyReplacements, indentAt, lineStart } from '../../propose/textEdit.ts';
import { skipParentheses } from '../../syntax/controlFlow.ts';

/** A search in a list: the code to replace, the value to look up, and the key of the list. */
interface Search {
  readonly call: ts.CallExpression;
  readonly list: ts.Identifier;
  /** The call, or the comparison around it, that is replaced. */
  readonly replacedExpression: ts.Expression;
  readonly isNegated: boolean;
  readonly soughtValue: ts.Expression;
  /** Property of the elements that is the key; null if the elements themselves are. */
  readonly key: ts.Identifier | null;
  /** The result of the search: `has` for whether there is an element, `get` for the element. */
  readonly answer: 'has' | 'get';
}

/**
 * Rewrites `for (…) { list.includes(x) }` as `const set = new Set(list); for (…) { set.has(x) }`, or with a Map for
 * `find`. Refuses if the list may change in the loop, or if the result may differ.
 */
export function applyRecipe(context: RecipeContext): RecipeOutcome {
  const { sourceFile, text, style } = context;
  const call = findOpportunityNode(
    context,
    (node): node is ts.CallExpression => ts.isCallExpression(node) && findSearch(node) !== null,
  );
  const search = call && findSearch(call);
  if (!search) return refuse('There is no longer a search of a list here.');
  const names = collectFileNames(sourceFile);
  const loop = findLoopsAround(search.call).findLast((outer) => isLoopInvariant(search.list, outer, names, true));
  if (!loop) return refuse('It does not stand in a loop with a place before it, or the list may change there.');
  if (mayYield(loop.node)) return refuse('While the loop waits, others may change the list.');
  if (search.key && isPropertyWritten(search.key.text, loop))
    return refuse(`The loop sets ${search.key.text} of something, which may be an element of the list.`);
  const insertPosition = findOffsetBefore(sourceFile, loop.statement);
  const indent = indentAt(text, loop.statement.getStart(sourceFile));
  if (lineStart(text, insertPosition) + indent.length !== insertPosition)
    return refuse('The loop shares its line with other code.');
  const name = findName(search, names);
  if (!name) return refuse('The list has no telling name.');

  const searches = collectSearches(loop, search, names);
  return withTypes(context, ({ checker, sourceFile: typedFile, findNewProblem }) => {
    const reason = searches
      .map((candidate) => explainRefusal(candidate, checker, typedFile))
      .find((reasonText) => reasonText !== null);
    if (reason) return refuse(reason);
    const semicolon = style.semicolons ? ';' : '';
    const commentText =
      search.answer === 'get' && search.key
        ? `// Reversed, so that of several with the same ${search.key.text} the first is found.${style.newline}${indent}`
        : '';
    const declaration = `${commentText}const ${name} = ${createCollectionText(search, sourceFile)}${semicolon}${style.newline}${indent}`;
    const newText = applyReplacements(text, [
      { start: insertPosition, end: insertPosition, text: declaration },
      ...searches.map((candidate) => ({
        start: candidate.replacedExpression.getStart(sourceFile),
        end: candidate.replacedExpression.end,
        text: `${candidate.isNegated ? '!' : ''}${name}.${candidate.answer}(${candidate.soughtValue.getText(sourceFile)})`,
      })),
    ]);
    const problem = findNewProblem(newText);
    if (problem) return refuse(`The compiler would object: ${problem}`);
    const listName = search.list.text;
    const kind = search.answer === 'get' ? 'Map' : 'Set';
    return {
      text: newText,
      title: `look up ${listName} by ${search.key ? search.key.text : 'value'} in a ${kind}`,
      rationale:
        `Every iteration searches ${listName} from its start, so the work grows with the product of both lengths. ` +
        `A ${kind} that is made once before the loop finds it at once.`,
    };
  });
}

/** The search that a call makes; null if it makes none, or one that neither a Set nor a Map can replace. */
function findSearch(call: ts.CallExpression): Search | null {
  const { expression: callee } = call;
  const [argument] = call.arguments;
  if (
    !ts.isPropertyAccessExpression(callee) ||
    callee.questionDotToken ||
    !argument ||
    call.arguments.length !== 1 ||
    !ts.isIdentifier(callee.expression)
  )
    return null;
  const commonParts = { call, list: callee.expression };
  const method = callee.name.text;
  if (method === 'includes')
    return ts.isSpreadElement(argument)
      ? null
      : { ...commonParts, replacedExpression: call, isNegated: false, soughtValue: argument, key: null, answer: 'has' };
  if (method === 'indexOf') {
    const comparison = findComparedIndex(call);
    return comparison
      ? {
          ...commonParts,
          replacedExpression: comparison.comparison,
          isNegated: comparison.isNegated,
          soughtValue: argument,
          key: null,
          answer: 'has',
        }
      : null;
  }
  if (method !== 'find' && method !== 'some') return null;
  const test = skipParentheses(argument);
  const keyAndValue = ts.isArrowFunction(test) ? findKey(test) : null;
  return keyAndValue
    ? {
        ...commonParts,
        replacedExpression: call,
        isNegated: false,
        ...keyAndValue,
        answer: method === 'find' ? 'get' : 'has',
      }
    : null;
}

/**
 * The comparison around `list.indexOf(x)` that only tests whether there is an element: `!== -1`, `>= 0`, or negated
 * `=== -1`, `< 0`. Null if there is no such comparison.
 */
function findComparedIndex(
  call: ts.CallExpression,
): { readonly comparison: ts.Expression; readonly isNegated: boolean } | null {
  const { parent } = call;
  if (!ts.isBinaryExpression(parent) || parent.left !== call) return null;
  const comparisonText = `${parent.operatorToken.getText()} ${parent.right.getText()}`;
  if (['!== -1', '!= -1', '> -1', '>= 0'].includes(comparisonText)) return { comparison: parent, isNegated: false };
  return ['=== -1', '== -1', '< 0'].includes(comparisonText) ? { comparison: parent, isNegated: true } : null;
}

/**
 * The key and the sought value of a test: `id` and `wanted` for `(one) => one.id === wanted`, with the sides in either
 * order; null for other functions.
 */
function findKey(test: ts.ArrowFunction): { readonly key: ts.Identifier; readonly soughtValue: ts.Expression } | null {
  const [parameter] = test.parameters;
  if (test.parameters.length !== 1 || !parameter || !ts.isIdentifier(parameter.name) || test.modifiers?.length)
    return null;
  const statement = ts.isBlock(test.body) ? test.body.statements[0] : null;
  const condition = ts.isBlock(test.body)
    ? test.body.statements.length === 1 && statement && ts.isReturnStatement(statement)
      ? statement.expression
      : undefined
    : test.body;
  const body = condition && skipParentheses(condition);
  if (!body || !ts.isBinaryExpression(body) || body.operatorToken.kind !== ts.SyntaxKind.EqualsEqualsEqualsToken)
    return null;
  const name = parameter.name.text;
  for (const [property, soughtValue] of [
    [body.left, body.right],
    [body.right, body.left],
  ] as const) {
    const readsKey =
      ts.isPropertyAccessExpression(property) &&
      !property.questionDotToken &&
      ts.isIdentifier(property.name) &&
      ts.isIdentifier(property.expression) &&
      property.expression.text === name;
    if (
      readsKey &&
      isPropertyPath(soughtValue) &&
      ![soughtValue, ...collectDescendants(soughtValue)].some((node) => ts.isIdentifier(node) && node.text === name)
    )
      return { key: property.name as ts.Identifier, soughtValue: soughtValue };
  }
  return null;
}

/** True if the loop writes to a property with this name. */
function isPropertyWritten(key: string, loop: EnclosingLoop): boolean {
  return collectDescendants(loop.node).some(
    (node) => ts.isPropertyAccessExpression(node) && node.name.text === key && isWriteTarget(node),
  );
}

/** All searches in the loop that can use the same collection, including `search`. */
function collectSearches(loop: EnclosingLoop, search: Search, names: Names): Search[] {
  const listSymbol = names.symbolOf(search.list);
  return collectDescendants(loop.node).flatMap((node) => {
    const otherSearch = ts.isCallExpression(node) ? findSearch(node) : null;
    if (
      !otherSearch ||
      names.symbolOf(otherSearch.list) !== listSymbol ||
      otherSearch.key?.text !== search.key?.text ||
      otherSearch.answer !== search.answer
    )
      return [];
    return otherSearch.call === search.call ||
      findLoopsAround(otherSearch.call).some(({ node: enclosing }) => enclosing === loop.node)
      ? [otherSearch]
      : [];
  });
}

/** The reason why a Set or Map would give another result than the search; null if it would not. */
function explainRefusal(
  { call, key, soughtValue, list }: Search,
  checker: ts.TypeChecker,
  typedFile: ts.SourceFile,
): string | null {
  const findTypedNode = (node: ts.Node) =>
    collectDescendants(typedFile).find(
      (candidate): candidate is ts.Expression =>
        candidate.kind === node.kind && candidate.end === node.end && candidate.getStart(typedFile) === node.getStart(),
    );
  const [typedList, typedSought] = [findTypedNode(list), findTypedNode(soughtValue)];
  if (!typedList || !typedSought) return 'The compiler reads the place otherwise.';
  const type = checker.getTypeAtLocation(typedList);
  const elementType =
    checker.isArrayType(type) || checker.isTupleType(type)
      ? checker.getIndexTypeOfType(type, ts.IndexKind.Number)
      : undefined;
  if (!elementType) return 'The compiler does not know the list to be an array.';
  const isIncludes = ts.isPropertyAccessExpression(call.expression) && call.expression.name.text === 'includes';
  const property = key && checker.getPropertyOfType(elementType, key.text);
  const keyType = property ? checker.getTypeOfSymbol(property) : key ? undefined : elementType;
  if (property && (property.flags & ts.SymbolFlags.Accessor) !== 0) return `Reading ${key.text} runs code.`;
  // `includes` and Set compare in the same way. In all other comparisons, NaN does not equal NaN.
  if (!keyType || (!isIncludes && [keyType, checker.getTypeAtLocation(typedSought)].some(mayBeNaN)))
    return 'It may be a number that is not equal to itself, which a collection finds nonetheless.';
  return null;
}

/** True for `number` and for types that include it. */
function mayBeNaN(type: ts.Type): boolean {
  const parts = type.isUnion() ? type.types : [type];
  return parts.some(
    (part) =>
      (part.flags &
        (ts.TypeFlags.Number |
          ts.TypeFlags.Any |
          ts.TypeFlags.Unknown |
          ts.TypeFlags.TypeParameter |
          ts.TypeFlags.IndexedAccess |
          ts.TypeFlags.Conditional)) !==
      0,
  );
}

/**
 * The expression that creates the Map or Set. The search finds the first of several elements with the same key. A Map
 * keeps the last one, so it is filled in reverse.
 */
function createCollectionText({ list, key, answer, call }: Search, sourceFile: ts.SourceFile): string {
  if (!key) return `new Set(${list.text})`;
  const test = skipParentheses(call.arguments[0]!) as ts.ArrowFunction;
  const parameterName = test.parameters[0]!.name.getText(sourceFile);
  if (answer === 'has') return `new Set(${list.text}.map((${parameterName}) => ${parameterName}.${key.text}))`;
  return (
    `new Map(${list.text}.map((${parameterName}) => ` +
    `[${parameterName}.${key.text}, ${parameterName}]${isJavaScript(sourceFile) ? '' : ' as const'}).reverse())`
  );
}

/**
 * An unused name such as `usersById` or `tagSet`; null if the list has no meaningful name, or if all such names are
 * used.
 */
function findName({ list, key, answer }: Search, names: Names): string | null {
  const words = splitIntoWords(list.text);
  if (!isMeaningful(list.text.replace(/(?<!\d)\d+$/, ''))) return null;
  const singularWords = [...words.slice(0, -1), toSingular(words.at(-1) ?? '')];
  if (!key)
    return /^(set|sets|superset|subset)$/.test(words.at(-1) ?? '')
      ? null
      : findFreeName([joinInCamelCase([...singularWords, 'set']), joinInCamelCase([...words, 'set'])], names);
  const keyWords = splitIntoWords(key.text);
  return answer === 'get'
    ? findFreeName([joinInCamelCase([...words, 'by', ...keyWords])], names)
    : findFreeName([joinInCamelCase([...singularWords, ...keyWords, 'set'])], names);
}
