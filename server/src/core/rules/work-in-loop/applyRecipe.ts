// hoist-from-loop: moves work out of a loop that repeats it with inputs that do not change: compiling a pattern,
// parsing or writing JSON, creating a sorted copy.

import { ts } from 'ts-morph';
import { refuse, type RecipeContext, type RecipeOutcome } from '../../propose/recipe.ts';
import { findCommentsAbove } from '../../propose/syntax/comments.ts';
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
import { joinNameWords, findFreeName } from '../../propose/syntax/naming.ts';
import { reindent } from '../../propose/syntax/reindent.ts';
import { removeStatement } from '../../propose/syntax/removeStatement.ts';
import { runsInEveryIteration } from '../../syntax/everyIteration.ts';
import { findSourceOfSortedCopy } from '../../syntax/listCopies.ts';
import { applyReplacements, indentAt, lineEnd, lineStart, type Replacement } from '../../propose/textEdit.ts';
import { skipParentheses } from '../../syntax/controlFlow.ts';

/** A call that may be work. */
type Call = ts.CallExpression | ts.NewExpression;

/** Work that a loop repeats. */
interface Work {
  readonly kind: 'pattern' | 'parsed' | 'json' | 'sorted';
  /** The work of one iteration, as the predicate of the rationale. */
  readonly predicate: string;
  readonly inputs: readonly ts.Expression[];
  /** True if the result also depends on the contents of the inputs, which may change while the values stay the same. */
  readonly dependsOnContents: boolean;
}

/** Methods of strings that take a pattern and do not change it. */
const PATTERN_METHODS = new Set(['match', 'replace', 'search', 'split']);
/** Operators whose result is a primitive value, whatever their operands are. */
const PRIMITIVE_OPERATORS: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.EqualsEqualsToken,
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
  ts.SyntaxKind.LessThanToken,
  ts.SyntaxKind.LessThanEqualsToken,
  ts.SyntaxKind.GreaterThanToken,
  ts.SyntaxKind.GreaterThanEqualsToken,
  ts.SyntaxKind.PlusToken,
  ts.SyntaxKind.MinusToken,
  ts.SyntaxKind.AsteriskToken,
  ts.SyntaxKind.SlashToken,
  ts.SyntaxKind.PercentToken,
]);
/** Methods of lists that neither change the list nor return it. */
const LIST_READING_METHODS = new Set(
  'at every filter find findIndex flatMap forEach includes indexOf join map reduce slice some entries'.split(' '),
);

/**
 * Rewrites `for (…) { new RegExp(x).test(y) }` as `const pattern = new RegExp(x); for (…) { pattern.test(y) }`, and
 * moves other kinds of work in the same way. Refuses if the inputs may change, if some iterations do not do the work,
 * or if the result is changed or passed on.
 */
export function applyRecipe(context: RecipeContext): RecipeOutcome {
  const { sourceFile, text, style } = context;
  const call = findOpportunityNode(
    context,
    (node): node is Call => (ts.isCallExpression(node) || ts.isNewExpression(node)) && findWork(node) !== null,
  );
  const work = call && findWork(call);
  if (!call || !work) return refuse('There is no longer any work here that a loop repeats.');
  const names = collectFileNames(sourceFile);
  const loop = findLoopsAround(call).findLast((candidate) =>
    work.inputs.every((input) => isLoopInvariant(input, candidate, names, work.dependsOnContents)),
  );
  if (!loop) return refuse('It does not stand in a loop with a place before it, or what it is made of changes there.');
  if (work.dependsOnContents && mayYield(loop.node))
    return refuse('While the loop waits, others may change what it is made of.');
  if (!runsInEveryIteration(call, loop.node))
    return refuse('Not every turn comes there, or what is thrown there is caught.');

  const declaration = findDeclaration(call, loop);
  const uses = declaration ? findUses(declaration.name as ts.Identifier, names) : [call];
  if (!uses.every((use) => onlyReads(use, work)))
    return refuse('The result is changed or passed on, so every iteration needs its own.');
  const insertPosition = findOffsetBefore(sourceFile, loop.statement);
  const indent = indentAt(text, loop.statement.getStart(sourceFile));
  if (lineStart(text, insertPosition) + indent.length !== insertPosition)
    return refuse('The loop shares its line with other code.');

  if (declaration) {
    const { name } = declaration;
    const statement = declaration.parent.parent as ts.VariableStatement;
    if (hasOtherMeaning(name as ts.Identifier, loop, names))
      return refuse(`${name.getText(sourceFile)} means something else around the loop.`);
    return createOutcome(
      text,
      [
        {
          start: insertPosition,
          end: insertPosition,
          text: createMovedText(sourceFile, statement, indent, style.newline) + indent,
        },
        removeStatement(sourceFile, statement),
      ],
      work,
      name.getText(sourceFile),
      loop,
    );
  }
  if (call.getText(sourceFile).includes('\n'))
    return refuse('It takes several lines, which would have to be formatted again.');
  const name = findName(call, work, names);
  if (!name) return refuse('Nothing tells how to name it.');
  const equalCalls = collectDescendants(loop.node).filter(
    (node): node is Call => node.kind === call.kind && node.getText(sourceFile) === call.getText(sourceFile),
  );
  const replacedCalls = equalCalls.filter(
    (node) =>
      node === call ||
      (findLoopsAround(node).some((candidate) => candidate.node === loop.node) &&
        onlyReads(node, work) &&
        work.inputs.every((input, index) => haveSameNames(input, findWork(node)?.inputs[index], names))),
  );
  const semicolon = style.semicolons ? ';' : '';
  return createOutcome(
    text,
    [
      {
        start: insertPosition,
        end: insertPosition,
        text: `const ${name} = ${call.getText(sourceFile)}${semicolon}${style.newline}${indent}`,
      },
      ...replacedCalls.map((node) => ({ start: node.getStart(sourceFile), end: node.end, text: name })),
    ],
    work,
    name,
    loop,
  );
}

/** The outcome of a replacement that moves the work to the constant `name` before the loop. */
function createOutcome(
  text: string,
  replacements: readonly Replacement[],
  work: Work,
  name: string,
  loop: EnclosingLoop,
): RecipeOutcome {
  const placeText = ts.isCallExpression(loop.node) ? 'the callback' : 'the loop';
  return {
    text: applyReplacements(text, replacements),
    title: `create ${name} once before ${placeText}`,
    rationale:
      `Every iteration ${work.predicate}, although nothing that it depends on changes. Once before ${placeText} is ` +
      `enough; it then happens even if there is no iteration.`,
  };
}

/** The work of a call or `new`; null if it is none of the kinds that this recipe can move. */
function findWork(node: Call): Work | null {
  const values = [...(node.arguments ?? [])];
  const callee = skipParentheses(node.expression);
  if (ts.isIdentifier(callee)) {
    const flags = values[1];
    const isStateless = flags === undefined || (ts.isStringLiteralLike(flags) && !/[gy]/.test(flags.text));
    return callee.text === 'RegExp' && values.length > 0 && isStateless
      ? { kind: 'pattern', predicate: 'compiles the same pattern', inputs: values, dependsOnContents: false }
      : null;
  }
  const [firstArgument] = values;
  if (ts.isNewExpression(node) || !ts.isPropertyAccessExpression(callee)) return null;
  const method = callee.name.text;
  if (ts.isIdentifier(callee.expression) && callee.expression.text === 'JSON' && firstArgument) {
    if (method === 'parse' && values.length === 1)
      return { kind: 'parsed', predicate: 'parses the same JSON', inputs: values, dependsOnContents: false };
    return method === 'stringify' &&
      values.slice(1).every((value) => ts.isLiteralExpression(value) || value.kind === ts.SyntaxKind.NullKeyword)
      ? { kind: 'json', predicate: 'writes the same value as JSON', inputs: [firstArgument], dependsOnContents: true }
      : null;
  }
  const sortedList = findSourceOfSortedCopy(callee, method);
  const [comparator] = values;
  // The function that determines the order may read values that change.
  const orderInputs =
    comparator === undefined
      ? []
      : ts.isArrowFunction(comparator) && comparator.parameters.length === 2 && usesOnlyParameters(comparator)
        ? []
        : [comparator];
  return sortedList && values.length <= 1
    ? {
        kind: 'sorted',
        predicate: 'sorts the same list',
        inputs: [sortedList, ...orderInputs],
        dependsOnContents: true,
      }
    : null;
}

/** True if all names in the callback are its parameters, or names of properties and methods after a dot. */
function usesOnlyParameters(comparator: ts.ArrowFunction): boolean {
  const parameterNames = new Set(
    comparator.parameters.flatMap(({ name }) => (ts.isIdentifier(name) ? [name.text] : [])),
  );
  return collectDescendants(comparator.body)
    .concat(comparator.body)
    .every(
      (node) =>
        !ts.isIdentifier(node) ||
        parameterNames.has(node.text) ||
        (ts.isPropertyAccessExpression(node.parent) && node.parent.name === node),
    );
}

/** The declaration in `const name = <call>;` as a statement inside the loop; null if the call is anywhere else. */
function findDeclaration(call: Call, loop: EnclosingLoop): ts.VariableDeclaration | null {
  let value: ts.Node = call;
  while (ts.isAsExpression(value.parent) || ts.isParenthesizedExpression(value.parent)) value = value.parent;
  const { parent } = value;
  if (!ts.isVariableDeclaration(parent) || parent.initializer !== value || !ts.isIdentifier(parent.name)) return null;
  const declarationList = parent.parent;
  const isOnlyDeclaration =
    ts.isVariableDeclarationList(declarationList) &&
    declarationList.declarations.length === 1 &&
    (declarationList.flags & ts.NodeFlags.Const) !== 0 &&
    ts.isVariableStatement(declarationList.parent);
  return isOnlyDeclaration && declarationList.parent.pos >= loop.node.pos && ts.isBlock(declarationList.parent.parent)
    ? parent
    : null;
}

/** All mentions of the name except `name` itself. */
function findUses(name: ts.Identifier, names: Names): readonly ts.Node[] {
  const symbol = names.symbolOf(name);
  return symbol ? names.referencesOf(symbol).filter((reference) => reference !== name) : [];
}

/** True if this use of the result only reads it, and neither changes it nor passes it to code that could. */
function onlyReads(use: ts.Node, { kind }: Work): boolean {
  if (kind === 'json') return true;
  const { parent } = use;
  if (ts.isParenthesizedExpression(parent) || ts.isAsExpression(parent) || ts.isNonNullExpression(parent))
    return onlyReads(parent, { kind } as Work);
  if (ts.isVariableDeclaration(parent) && parent.initializer === use && ts.isIdentifier(parent.name)) return false;
  if (kind === 'pattern') {
    if (ts.isPropertyAccessExpression(parent))
      return /^(test|exec|source|flags)$/.test(parent.name.text) && !isWriteTarget(parent);
    return (
      ts.isCallExpression(parent) &&
      parent.arguments[0] === use &&
      ts.isPropertyAccessExpression(parent.expression) &&
      PATTERN_METHODS.has(parent.expression.name.text)
    );
  }
  if (kind === 'sorted') {
    if ((ts.isForOfStatement(parent) && parent.expression === use) || ts.isSpreadElement(parent)) return true;
    if (ts.isElementAccessExpression(parent)) return parent.expression === use && !isWriteTarget(parent);
    if (!ts.isPropertyAccessExpression(parent) || parent.expression !== use) return false;
    return parent.name.text === 'length' ? !isWriteTarget(parent) : LIST_READING_METHODS.has(parent.name.text);
  }
  // A property of parsed JSON may be compared or used in a calculation. Any other operator passes the value itself on.
  if (!ts.isPropertyAccessExpression(parent) || parent.expression !== use || isWriteTarget(parent)) return false;
  return ts.isBinaryExpression(parent.parent)
    ? PRIMITIVE_OPERATORS.has(parent.parent.operatorToken.kind)
    : ts.isIfStatement(parent.parent) || ts.isTemplateSpan(parent.parent);
}

/** True if the name has another meaning at the place of the declaration, or where the declaration would be visible. */
function hasOtherMeaning(name: ts.Identifier, loop: EnclosingLoop, names: Names): boolean {
  const symbol = names.symbolOf(name);
  const scope = loop.statement.parent;
  return [
    ...(ts.isBlock(scope) && ts.isFunctionLike(scope.parent)
      ? collectDescendants(scope.parent)
      : collectDescendants(scope)),
  ].some((node) => {
    if (!ts.isIdentifier(node) || node.text !== name.text || names.symbolOf(node) === symbol) return false;
    const { parent } = node;
    return (
      !(ts.isPropertyAccessExpression(parent) && parent.name === node) &&
      !(ts.isPropertyAssignment(parent) && parent.name === node)
    );
  });
}

/** The text of the statement with its comments, at the indentation `indent` and with a line break at the end. */
function createMovedText(sourceFile: ts.SourceFile, statement: ts.Statement, indent: string, newline: string): string {
  const { text } = sourceFile;
  const start = findCommentsAbove(sourceFile, statement)[0]?.start ?? statement.getStart(sourceFile);
  const end = lineEnd(text, statement.end);
  const shift = -start;
  const replacements = reindent(sourceFile, { start, end }, indentAt(text, start), indent).map((replacement) => ({
    ...replacement,
    start: replacement.start + shift,
    end: replacement.end + shift,
  }));
  return applyReplacements(text.slice(start, end), replacements).trimEnd() + newline;
}

/**
 * An unused name for the result, such as `sortedUsers`, `parsedText`, `optionsJson` or `prefixPattern`; null if there
 * is none.
 */
function findName(call: Call, work: Work, names: Names): string | null {
  const [firstInput] = work.inputs;
  if (work.kind === 'sorted') return findFreeName([joinNameWords(['sorted'], firstInput, [])], names);
  if (work.kind === 'parsed') return findFreeName([joinNameWords(['parsed'], firstInput, [])], names);
  if (work.kind === 'json')
    return findFreeName(
      [
        joinNameWords([], firstInput, ['json']),
        firstInput && ts.isIdentifier(firstInput) && firstInput.text.length > 2 ? `${firstInput.text}Json` : null,
      ],
      names,
    );
  const namedNode =
    firstInput &&
    [firstInput, ...collectDescendants(firstInput)].find(
      (node): node is ts.Expression =>
        (ts.isIdentifier(node) || ts.isPropertyAccessExpression(node)) && joinNameWords([], node, []) !== null,
    );
  if (namedNode && /(pattern|regexp?|re)$/i.test(namedNode.getText()))
    return findFreeName(
      [joinNameWords([], namedNode, ['reg', 'exp']), joinNameWords(['compiled'], namedNode, [])],
      names,
    );
  return findFreeName(
    [joinNameWords([], namedNode, ['pattern']), joinNameWords([], findArgumentOfMethodCall(call), ['pattern'])],
    names,
  );
}

/**
 * The first argument of the method that is called on the result: `name` for `new RegExp('^a').test(name)`; undefined if
 * no method is called on it, or if the method has no argument.
 */
function findArgumentOfMethodCall({ parent }: Call): ts.Expression | undefined {
  const call = parent.parent;
  return ts.isPropertyAccessExpression(parent) && ts.isCallExpression(call) && call.expression === parent
    ? call.arguments[0]
    : undefined;
}

/**
 * True if both expressions contain the same names in the same order, with the same declarations. Other parts are not
 * compared.
 */
function haveSameNames(a: ts.Expression, b: ts.Expression | undefined, names: Names): boolean {
  if (!b) return false;
  const [left, right] = [a, b].map((node) => [node, ...collectDescendants(node)].filter(ts.isIdentifier));
  return (
    left!.length === right!.length &&
    left!.every((node, index) => names.symbolOf(node) === names.symbolOf(right![index]!))
  );
}
