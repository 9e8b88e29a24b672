// Finds new code that may hide a fault from the tests: answers that are written down for the inputs of new tests, and
// `catch` clauses and defaults that hide errors which callers received before.

import { SCRIPT_PATTERN } from '../../paths/scriptFiles.ts';
import { ts } from 'ts-morph';
import type { FileEdit } from '../../model.ts';
import type { TreeChange } from '../../model/judgement.ts';
import { isBenchmarkCode } from '../../paths/tests.ts';
import { isTestEdit } from '../../paths/testEdits.ts';
import { collectNodesBelow } from '../../syntax/nodesBelow.ts';
import { ONE_FILE_OPTIONS } from '../../syntax/nameOrigins.ts';
import { createOneFileHost } from '../../syntax/oneFileHost.ts';
import { readLiteral } from '../claims/literalPlaces.ts';
import { findTouchedLines } from '../guard/touchedLines.ts';

/** Matches files that are benchmarks by their names. */
const BENCHMARK_PATTERN = /(^|\/)bench(?:mark)?s?\.\w+$/;
const NULLISH_OPERATORS = new Set([ts.SyntaxKind.QuestionQuestionToken, ts.SyntaxKind.QuestionQuestionEqualsToken]);
const OR_OPERATORS = new Set([ts.SyntaxKind.BarBarToken, ts.SyntaxKind.BarBarEqualsToken]);
/** Matches the values that `||` replaces by an equal value, if the type allows only such values. */
const EMPTY_PATTERN = /^(?:''|""|``|0|false|\[\]|\{\})$/;
/** Matches types that exclude `undefined` and `null`. */
const PLAIN_TYPE_PATTERN = /^(?:(?:string|number|boolean)(?:\[\])?|readonly string\[\]|Date|RegExp)$/;
/** Matches functions that are called with the rows of a table. */
const TABLE_CALL_PATTERN = /\b(?:each|for|forEach|map|cases|runTests)$/i;
/** Minimum number of entries of a table that contains only answers. */
const MIN_ENTRIES = 2;
/** Maximum number of sentences of each kind. */
const MAX_SENTENCES = 3;
/** Maximum number of literals in an assertion or row. Anything with more literals is data. */
const MAX_LITERALS = 500;

/** A script with its new lines. */
interface Script {
  /** Contains the old text even if the file was renamed. */
  readonly edit: FileEdit;
  readonly source: ts.SourceFile;
  readonly nodes: readonly ts.Node[];
  /** Nodes of the old text; empty for a new file. */
  readonly oldNodes: readonly ts.Node[];
  isNew(node: ts.Node): boolean;
}

/** Maps each literal in a new line of a test to the groups of literals that are in the same assertion or row. */
type GroupsByLiteral = ReadonlyMap<string, ReadonlySet<ReadonlySet<string>>>;

/** Sentences for a person about code that may hide a fault; empty if there is none. */
export function findHiddenFaults(edits: readonly FileEdit[], renamed: TreeChange['renamed'] = []): string[] {
  const editsByPath = new Map(edits.map((edit) => [edit.path, edit]));
  const oldPaths = new Map(renamed.map(({ from, to }) => [to, from]));
  const scripts = edits.flatMap((edit) => readScript(edit, editsByPath.get(oldPaths.get(edit.path) ?? edit.path)));
  const tests = scripts.filter(({ edit }) => isTestEdit(edit));
  const code = scripts.filter(({ edit }) => !isTestEdit(edit) && !isBenchmark(edit.path));
  const valuesKnownBefore = new Set(
    code.flatMap(({ oldNodes }) => oldNodes.flatMap((node) => readLiteral(node) ?? [])),
  );
  const groups = groupLiterals(tests);
  return [
    ...code.flatMap((script) => findWrittenAnswers(script, groups, valuesKnownBefore)).slice(0, MAX_SENTENCES),
    ...code.flatMap(findHidingCatches).slice(0, MAX_SENTENCES),
    ...code.flatMap(findHidingDefaults).slice(0, MAX_SENTENCES),
  ];
}

/** Reads a script. `oldEdit`: the edit with the old text, which is a different one if the file was renamed. */
function readScript({ path, after }: FileEdit, oldEdit: FileEdit | undefined): readonly Script[] {
  if (after === null || !SCRIPT_PATTERN.test(path)) return [];
  const before = oldEdit?.before ?? null;
  const source = parse(path, after);
  const touched = findTouchedLines(before ?? '', after);
  return [
    {
      edit: { path, before, after },
      source,
      nodes: collectNodesBelow(source),
      oldNodes: oldEdit && before !== null ? collectNodesBelow(parse(oldEdit.path, before)) : [],
      isNew: (node) => touched.has(getLineNumber(source, node)),
    },
  ];
}

function parse(path: string, text: string): ts.SourceFile {
  return ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
}

function isBenchmark(path: string): boolean {
  return isBenchmarkCode(path) || BENCHMARK_PATTERN.test(path);
}

function getLineNumber(source: ts.SourceFile, node: ts.Node): number {
  return source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
}

/** Groups the literals in new lines of tests by the assertion or row that contains them. */
function groupLiterals(tests: readonly Script[]): GroupsByLiteral {
  const groups = new Map<string, Set<ReadonlySet<string>>>();
  const groupsByUnit = new Map<ts.Node, ReadonlySet<string> | null>();
  for (const { nodes, isNew } of tests)
    for (const node of nodes) {
      const literal = readLiteral(node);
      if (literal === null || !isNew(node)) continue;
      const unit = findUnit(node);
      let group = groupsByUnit.get(unit);
      if (group === undefined) groupsByUnit.set(unit, (group = collectGroup(unit)));
      if (group) groups.set(literal, (groups.get(literal) ?? new Set()).add(group));
    }
  return groups;
}

/** The values of all literals in an assertion or row; null if there are too many. */
function collectGroup(unit: ts.Node): ReadonlySet<string> | null {
  const values = [unit, ...collectNodesBelow(unit)].flatMap((node) => readValue(node) ?? []);
  return values.length > MAX_LITERALS ? null : new Set(values);
}

/** The row of a table or the entry of an object that contains the node; otherwise, the statement around it. */
function findUnit(node: ts.Node): ts.Node {
  let child = node;
  for (let { parent } = node; parent; child = parent, parent = parent.parent) {
    if (ts.isStatement(child) || ts.isFunctionLike(parent) || ts.isSourceFile(parent)) return child;
    const isRow = ts.isArrayLiteralExpression(child) || ts.isObjectLiteralExpression(child);
    if (isRow && ts.isArrayLiteralExpression(parent) && !isInput(parent)) return child;
  }
  return child;
}

/** True for an array that is passed to the tested code rather than to a function that creates a case for each row. */
function isInput(list: ts.ArrayLiteralExpression): boolean {
  const { parent: call } = list;
  return ts.isCallExpression(call) && call.expression !== list && !TABLE_CALL_PATTERN.test(call.expression.getText());
}

/** The value of a literal as a string, including common values; null for other nodes. */
function readValue(node: ts.Node): string | null {
  if (node.kind === ts.SyntaxKind.TrueKeyword) return 'true';
  if (node.kind === ts.SyntaxKind.FalseKeyword) return 'false';
  if (node.kind === ts.SyntaxKind.NullKeyword) return 'null';
  if (ts.isStringLiteralLike(node)) return node.text;
  return ts.isNumericLiteral(node) ? String(Number(node.text)) : null;
}

/** New conditions and tables that contain the inputs of new assertions with the answers that these expect. */
function findWrittenAnswers(
  { edit, source, nodes, isNew }: Script,
  groups: GroupsByLiteral,
  valuesKnownBefore: ReadonlySet<string>,
): readonly string[] {
  const sentence = (node: ts.Node, statement: string) =>
    `${edit.path}:${getLineNumber(source, node)} ${statement}, as a new test wants it: is that the rule, or made for the test?`;
  return nodes.filter(isNew).flatMap((node) => {
    if (isTableOfAnswers(node, groups)) return [sentence(node, 'is a table of nothing but inputs and answers')];
    const literal = readLiteral(node);
    const answer = literal === null || valuesKnownBefore.has(literal) ? null : findAnswerForLiteral(node);
    if (literal === null || !answer || !isExpectedAnswer(literal, collectValues(answer), groups)) return [];
    const [nodeText, answerText] = [node, answer].map((part) => joinLines(part.getText(source)));
    return [sentence(node, `asks for ${nodeText} and answers ${answerText}`)];
  });
}

/** True if an assertion about this input contains all of these values, or one of them that is not common. */
function isExpectedAnswer(input: string, values: readonly string[], groups: GroupsByLiteral): boolean {
  // Reading `'false'` as false is a rule rather than an answer for one input.
  const otherValues = values.filter((value) => value !== input);
  if (otherValues.length === 0) return false;
  return [...(groups.get(input) ?? [])].some(
    (group) =>
      otherValues.every((value) => group.has(value)) ||
      otherValues.some((value) => !isCommon(value) && group.has(value)),
  );
}

/** True if the table has at least two entries, and new assertions expect the answer of each. */
function isTableOfAnswers(node: ts.Node, groups: GroupsByLiteral): boolean {
  const entries = readEntries(node);
  return (
    entries !== null &&
    entries.length >= MIN_ENTRIES &&
    entries.every(({ key, value }) => isExpectedAnswer(key, collectValues(value), groups))
  );
}

/** The keys and values of an object, or of an array of pairs; null for other nodes. */
function readEntries(node: ts.Node): readonly { readonly key: string; readonly value: ts.Expression }[] | null {
  if (ts.isObjectLiteralExpression(node)) {
    const entries = node.properties.flatMap((property) =>
      ts.isPropertyAssignment(property) && (ts.isStringLiteralLike(property.name) || ts.isIdentifier(property.name))
        ? [{ key: property.name.text, value: property.initializer }]
        : [],
    );
    return entries.length === node.properties.length ? entries : null;
  }
  if (!ts.isArrayLiteralExpression(node)) return null;
  const pairs = node.elements.flatMap((row) => {
    const [key, value, ...otherElements] = ts.isArrayLiteralExpression(row) ? row.elements : [];
    const text = key && readValue(key);
    return text && value && otherElements.length === 0 ? [{ key: text, value }] : [];
  });
  return pairs.length === node.elements.length ? pairs : null;
}

/** The values of all literals in an answer. */
function collectValues(answer: ts.Expression): readonly string[] {
  return [answer, ...collectNodesBelow(answer)].flatMap((node) => readValue(node) ?? []);
}

function isCommon(value: string): boolean {
  return value.length < 2 || /^(?:true|false|null|-1)$/.test(value);
}

/**
 * The literal answer of the branch that is taken if something equals this literal; null if there is none. Outside of
 * functions, nothing is an input: a constant there may depend on the platform.
 */
function findAnswerForLiteral(literal: ts.Node): ts.Expression | null {
  if (!ts.findAncestor(literal, ts.isFunctionLike)) return null;
  const { parent } = literal;
  if (ts.isCaseClause(parent) && parent.expression === literal) return findWrittenAnswer(parent.statements[0]);
  if (!ts.isBinaryExpression(parent) || !isEquality(parent)) return null;
  let condition: ts.Node = parent;
  while (
    ts.isParenthesizedExpression(condition.parent) ||
    (ts.isBinaryExpression(condition.parent) && isLogical(condition.parent))
  )
    condition = condition.parent;
  const { parent: branch } = condition;
  if (ts.isIfStatement(branch) && branch.expression === condition) return findWrittenAnswer(branch.thenStatement);
  if (ts.isConditionalExpression(branch) && branch.condition === condition) return findPlainAnswer(branch.whenTrue);
  return null;
}

function isEquality({ operatorToken: { kind } }: ts.BinaryExpression): boolean {
  return kind === ts.SyntaxKind.EqualsEqualsEqualsToken || kind === ts.SyntaxKind.EqualsEqualsToken;
}

function isLogical({ operatorToken: { kind } }: ts.BinaryExpression): boolean {
  return kind === ts.SyntaxKind.AmpersandAmpersandToken || kind === ts.SyntaxKind.BarBarToken;
}

/** The literal answer that the statement returns; null if there is none. */
function findWrittenAnswer(statement: ts.Statement | undefined): ts.Expression | null {
  if (statement && ts.isBlock(statement))
    return statement.statements.length === 1 ? findWrittenAnswer(statement.statements[0]) : null;
  return statement && ts.isReturnStatement(statement) && statement.expression
    ? findPlainAnswer(statement.expression)
    : null;
}

/** The expression if it contains no call; otherwise null. */
function findPlainAnswer(expression: ts.Expression): ts.Expression | null {
  const isCall = (node: ts.Node) => ts.isCallExpression(node) || ts.isNewExpression(node) || ts.isFunctionLike(node);
  return [expression, ...collectNodesBelow(expression)].some(isCall) ? null : expression;
}

/**
 * New `catch` clauses around a call that was outside of any `try` before, if they neither throw nor use the error. They
 * do not count if as many such calls are still outside of a `try`.
 */
function findHidingCatches({ edit, source, nodes, oldNodes, isNew }: Script): readonly string[] {
  const untriedCallsBefore = findUntriedCalls(oldNodes);
  const untriedCallsAfter = findUntriedCalls(nodes);
  const isNowTried = (text: string) => (untriedCallsBefore.get(text) ?? 0) > (untriedCallsAfter.get(text) ?? 0);
  return nodes.flatMap((node) => {
    if (!ts.isTryStatement(node) || !node.catchClause || !isNew(node.catchClause)) return [];
    const hiddenCall = collectNodesBelow(node.tryBlock).find(
      (inner) => ts.isCallExpression(inner) && isNowTried(joinLines(inner.getText(source))),
    );
    if (!hiddenCall || handlesError(node.catchClause)) return [];
    const place = `${edit.path}:${getLineNumber(source, node.catchClause)}`;
    return [`${place} has a new \`catch\` that hides every error of \`${joinLines(hiddenCall.getText(source))}\`.`];
  });
}

/** The number of calls outside of any `try`, by their code. */
function findUntriedCalls(nodes: readonly ts.Node[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const node of nodes)
    if (ts.isCallExpression(node) && !isTried(node)) {
      const text = joinLines(node.getText());
      counts.set(text, (counts.get(text) ?? 0) + 1);
    }
  return counts;
}

/**
 * New defaults for a parameter whose type excludes null and undefined. No generated input of that type shows their
 * effect: a wrong call gets an answer instead of an error.
 */
function findHidingDefaults({ edit, source, nodes, isNew }: Script): readonly string[] {
  let checker: ts.TypeChecker | null = null;
  return nodes.flatMap((node) => {
    const value = findDefaultedValue(node);
    if (!value || !isNew(node) || !ts.isIdentifier(value)) return [];
    checker ??= ts.createProgram([source.fileName], ONE_FILE_OPTIONS, createOneFileHost(source)).getTypeChecker();
    const parameter = checker.getSymbolAtLocation(value)?.valueDeclaration;
    // A new parameter may be missing in old calls.
    if (!parameter || !ts.isParameter(parameter) || isNew(parameter) || !needsNoDefault(parameter)) return [];
    return [
      `${edit.path}:${getLineNumber(source, node)} has a new default for \`${value.text}\`, which its type does not need: ` +
        'a wrong call may get an answer instead of an error.',
    ];
  });
}

/** The expression that gets a default for values that its type excludes; null for other nodes. */
function findDefaultedValue(node: ts.Node): ts.Expression | null {
  if (!ts.isBinaryExpression(node)) return null;
  const { left, right, operatorToken } = node;
  if (NULLISH_OPERATORS.has(operatorToken.kind)) return left;
  return OR_OPERATORS.has(operatorToken.kind) && EMPTY_PATTERN.test(right.getText()) ? left : null;
}

function needsNoDefault({ type, questionToken, initializer }: ts.ParameterDeclaration): boolean {
  return type !== undefined && !questionToken && !initializer && PLAIN_TYPE_PATTERN.test(type.getText());
}

function isTried(node: ts.Node): boolean {
  return ts.findAncestor(node, (outer) => ts.isTryStatement(outer)) !== undefined;
}

/** True if the clause throws, or uses the error. */
function handlesError({ block, variableDeclaration }: ts.CatchClause): boolean {
  const name = variableDeclaration?.name.getText();
  return collectNodesBelow(block).some(
    (node) => ts.isThrowStatement(node) || (name !== undefined && ts.isIdentifier(node) && node.text === name),
  );
}

function joinLines(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
}
