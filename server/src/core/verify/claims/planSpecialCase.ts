// Finds a literal in new code that may be there only for the change's own tests, and writes copies of these tests with
// slightly different inputs. A real solution treats some of these inputs in a new way as well.

import { SCRIPT_PATTERN } from '../../paths/scriptFiles.ts';
import { ts } from 'ts-morph';
import type { FileEdit } from '../../model.ts';
import { isTestEdit } from '../../paths/testEdits.ts';
import { collectNodesBelow } from '../../syntax/nodesBelow.ts';
import { findTouchedLines } from '../guard/touchedLines.ts';
import type { SpecialCasePlan } from './specialCasePlan.ts';
import { collectCaseValues, type CaseValues } from './caseValues.ts';
import { isImmediateResult, isDeciding, isStored, isReturned, readPlainValue, readLiteral } from './literalPlaces.ts';
import { deriveSeed } from '../differential/seed.ts';
import { CASE_FUNCTIONS } from '../../syntax/assertionNames.ts';

/**
 * Maximum number of varied inputs. Each has at most two copies of its case, and two more if it is a number with a
 * fraction.
 */
const MAX_INPUTS = 8;
/** Minimum distance between a number, digit or letter in a copy and the original. */
const MIN_DISTANCE = 3;
/** Number of possible distances, so that the maximum distance is 9. */
const DISTANCE_COUNT = 7;
/** Further distances for a number with a fraction, because a change of rounding affects only numbers close by. */
const FRACTION_DISTANCES = [0.2, -0.2];
/** Stands for the value of a node without a value. No literal has this value. */
const NO_VALUE = '\0';
/** Matches the first names of calls whose arguments are expected values or are only printed, and so are not inputs. */
const ASSERTION_PATTERN = /^(?:assert|expect|should|chai|t|console)\b/;

/** A test case that the change adds or edits. */
interface Case {
  readonly edit: FileEdit;
  readonly statement: ts.ExpressionStatement;
  readonly title: ts.Expression;
  /** All nodes in the arguments of the case after its title. */
  readonly nodes: readonly ts.Node[];
  readonly values: CaseValues;
}

/**
 * An input of the tested code: the node that passes it, and its literal, which is the node itself or the value of the
 * name.
 */
interface Input {
  readonly node: ts.Node;
  readonly literal: ts.Node;
}

/** A copy of a case with one different input. */
interface Copy {
  readonly original: Case;
  readonly input: ts.Node;
  /** The code that replaces the input. */
  readonly text: string;
  /** Number of the input, a dot, number of the copy; both from 1. */
  readonly name: string;
}

/**
 * Finds the first suspicious literal of the new code, and creates edits that add the copies of test cases. A literal is
 * suspicious if it occurs in the test cases, and the code decides by it, returns it or stores it. Null if there is
 * none. `shownKeys`: the keys of the tests that count as evidence. Cases with other fixed titles are skipped, unless no
 * case would remain.
 */
export function planSimilarTests(
  edits: readonly FileEdit[],
  shownKeys: readonly string[] = [],
): SpecialCasePlan | null {
  const cases = selectRelevantCases(edits.filter(isTestEdit).flatMap(collectCases), shownKeys);
  const testNodes = cases.flatMap(({ nodes, values }) => [...nodes, ...values.sources.flatMap(listDescendants)]);
  const testValues = new Set(testNodes.flatMap(collectValues));
  const answers = new Set(testNodes.flatMap((node) => readPlainValue(node) ?? []));
  const inputValues = new Set(cases.flatMap(collectInputs).map(({ literal }) => readPlainValue(literal)));
  const newNodes = edits.filter((edit) => !isTestEdit(edit)).flatMap(listNewLiterals);
  const isUsed = (node: ts.Node) => testValues.has(readLiteral(node) ?? NO_VALUE);
  const isCommonCase = (node: ts.Node) => inputValues.has(readPlainValue(node)) && isImmediateResult(node, answers);
  const comparedLiteral =
    newNodes.find((node) => isDeciding(node) && isUsed(node)) ??
    newNodes.find((node) => readLiteral(node) === null && isCommonCase(node));
  const suspiciousLiteral =
    comparedLiteral ?? newNodes.find((node) => (isReturned(node) || isStored(node)) && isUsed(node));
  if (!suspiciousLiteral) return null;
  return {
    literal: suspiciousLiteral.getText(),
    how: comparedLiteral ? 'compared' : 'returned',
    edits: createEditsWithCopies(collectCopies(cases, readPlainValue(suspiciousLiteral), deriveSeed({ edits }) >>> 0)),
  };
}

/** The cases whose titles are in `shownKeys` or computed; all cases if there are none. */
function selectRelevantCases(cases: readonly Case[], shownKeys: readonly string[]): readonly Case[] {
  const isFixed = ({ title }: Case) => ts.isStringLiteralLike(title) && !/[%$]/.test(title.text);
  const shownCases = cases.filter(
    (testCase) =>
      !isFixed(testCase) ||
      shownKeys.some((name) => ts.isStringLiteralLike(testCase.title) && name.includes(testCase.title.text)),
  );
  return shownCases.length > 0 ? shownCases : cases;
}

function parse(path: string, text: string): ts.SourceFile {
  const kind = /x$/.test(path) ? ts.ScriptKind.TSX : undefined;
  return ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, kind);
}

/** The test cases of a script that have a new line, in their code or in the constants and tables that they use. */
export function collectCases(edit: FileEdit): readonly Case[] {
  const { path, before, after } = edit;
  if (after === null || !SCRIPT_PATTERN.test(path)) return [];
  const source = parse(path, after);
  const touchedLines = findTouchedLines(before ?? '', after);
  const nodes = collectNodesBelow(source);
  return nodes.flatMap((node) => {
    if (!ts.isExpressionStatement(node) || !ts.isCallExpression(node.expression)) return [];
    const [title, ...otherArguments] = node.expression.arguments;
    if (!CASE_FUNCTIONS.has(findRootName(node.expression)) || !title) return [];
    const values = collectCaseValues(node, nodes);
    const isTouched = (node: ts.Node) => [...touchedLines].some((line) => coversLine(source, node, line));
    if (![node, ...values.sources].some(isTouched)) return [];
    return [{ edit, statement: node, title, nodes: otherArguments.flatMap(listDescendants), values }];
  });
}

function listDescendants(node: ts.Node): readonly ts.Node[] {
  return [node, ...collectNodesBelow(node)];
}

/** The literals in touched lines of a script, in the order of the text. */
function listNewLiterals({ path, before, after }: FileEdit): readonly ts.Node[] {
  if (after === null || !SCRIPT_PATTERN.test(path)) return [];
  const source = parse(path, after);
  const touchedLines = findTouchedLines(before ?? '', after);
  return collectNodesBelow(source)
    .filter((node) => readPlainValue(node) !== null && touchedLines.has(getLineNumber(source, node.getStart(source))))
    .toSorted((a, b) => a.pos - b.pos);
}

/** The value of a literal. For an array of literals: the results of `String` and of `JSON.stringify`. */
function collectValues(node: ts.Node): readonly string[] {
  const nodeValue = readLiteral(node);
  if (nodeValue !== null) return [nodeValue];
  if (!ts.isArrayLiteralExpression(node) || node.elements.length === 0) return [];
  const values = node.elements.map(readLiteral);
  if (values.some((value) => value === null)) return [];
  return [values.join(','), `[${node.elements.map(toJson).join(',')}]`];
}

function toJson(node: ts.Expression): string {
  return ts.isStringLiteralLike(node) ? JSON.stringify(node.text) : (readLiteral(node) ?? '');
}

/** Copies for each input with the suspicious value; if no input has that value, copies for each input. */
function collectCopies(cases: readonly Case[], suspicious: string | null, seed: number): readonly Copy[] {
  const inputs = cases.flatMap((original) => collectInputs(original).map((input) => ({ original, ...input })));
  const suspiciousInputs = inputs.filter(({ literal }) => readPlainValue(literal) === suspicious);
  return (suspiciousInputs.length > 0 ? suspiciousInputs : inputs)
    .slice(0, MAX_INPUTS)
    .flatMap(({ original, node, literal }, index) =>
      createNearTexts(literal, seed + index).map((text, textIndex) => ({
        original,
        input: node,
        text: node !== literal && ts.isPrefixUnaryExpression(literal.parent) ? `-${text}` : text,
        name: `${index + 1}.${textIndex + 1}`,
      })),
    );
}

/** The inputs of the tested code: arguments of calls other than assertions, passed directly or in a variable. */
function collectInputs({ nodes, values }: Case): readonly Input[] {
  const expectedNames = new Set(
    nodes.flatMap((node) => (ts.isIdentifier(node) && findReceiver(node) === 'assertion' ? [node.text] : [])),
  );
  return nodes.flatMap((node): readonly Input[] => {
    const receiver = findReceiver(node);
    if (receiver !== 'call' && (typeof receiver !== 'object' || expectedNames.has(receiver.variable))) return [];
    if (ts.isStringLiteralLike(node) || ts.isNumericLiteral(node)) return [{ node, literal: node }];
    if (!ts.isIdentifier(node)) return [];
    return (values.byName.get(node.text) ?? []).map((literal) => ({ node, literal }));
  });
}

/** What receives a value in a test first: an assertion, another call, a variable, or something else. */
function findReceiver(node: ts.Node): 'assertion' | 'call' | 'elsewhere' | { readonly variable: string } {
  let child = node;
  for (let parent = node.parent; parent; child = parent, parent = parent.parent) {
    if ((ts.isCallExpression(parent) || ts.isNewExpression(parent)) && child !== parent.expression)
      return ASSERTION_PATTERN.test(findRootName(parent)) ? 'assertion' : 'call';
    if (ts.isVariableDeclaration(parent) && ts.isIdentifier(parent.name)) return { variable: parent.name.text };
    const isPassedOn =
      ts.isArrayLiteralExpression(parent) ||
      ts.isObjectLiteralExpression(parent) ||
      ts.isPropertyAssignment(parent) ||
      ts.isSpreadElement(parent) ||
      ts.isParenthesizedExpression(parent) ||
      ts.isPrefixUnaryExpression(parent) ||
      ts.isAsExpression(parent);
    if (!isPassedOn || (ts.isPropertyAssignment(parent) && parent.name === child)) return 'elsewhere';
  }
  return 'elsewhere';
}

/** The first name in the called expression. */
function findRootName({ expression }: ts.CallExpression | ts.NewExpression): string {
  let root: ts.Expression = expression;
  while (ts.isPropertyAccessExpression(root) || ts.isCallExpression(root) || ts.isElementAccessExpression(root))
    root = root.expression;
  return root.getText();
}

/**
 * Other values of the same kind, as code; empty for nodes other than numbers and strings. Their distances depend on the
 * seed, so that code cannot be written for exactly these values.
 */
function createNearTexts(node: ts.Node, seed: number): readonly string[] {
  const distances = [MIN_DISTANCE + (seed % DISTANCE_COUNT), -MIN_DISTANCE - ((seed >>> 8) % DISTANCE_COUNT)];
  if (ts.isNumericLiteral(node)) {
    const value = Number(node.text);
    return [...(Number.isInteger(value) ? [] : FRACTION_DISTANCES), ...distances].map((distance) =>
      formatNumber(Number((value + distance).toPrecision(12))),
    );
  }
  if (!ts.isStringLiteralLike(node)) return [];
  const characterOffsets = [...node.text.matchAll(/[0-9a-zA-Z]/g)].map(({ index }) => index);
  const [first, last] = [characterOffsets[0], characterOffsets.at(-1)];
  if (first === undefined || last === undefined) return [JSON.stringify(node.text + (node.text.at(-1) ?? 'a'))];
  return [last, ...(first === last ? [] : [first])].map((offset, index) =>
    JSON.stringify(
      node.text.slice(0, offset) + shiftCharacter(node.text[offset]!, distances[index]!) + node.text.slice(offset + 1),
    ),
  );
}

/** The number as code. A negative number is in parentheses, because it may follow a minus. */
function formatNumber(value: number): string {
  return value < 0 ? `(${value})` : String(value);
}

/** The digit, or the letter of the same case, that is this far away. */
function shiftCharacter(character: string, distance: number): string {
  const [start, count] = /\d/.test(character) ? ['0', 10] : /[a-z]/.test(character) ? ['a', 26] : ['A', 26];
  const firstCode = start.charCodeAt(0);
  return String.fromCharCode(firstCode + ((character.charCodeAt(0) - firstCode + distance + count) % count));
}

/** The edits that add each copy after its case. */
function createEditsWithCopies(copies: readonly Copy[]): readonly FileEdit[] {
  return [...new Set(copies.map(({ original }) => original.edit))].map((edit) => {
    const copiesOfEdit = copies.filter(({ original }) => original.edit === edit);
    const insertions = [
      ...createBraces(new Set(copiesOfEdit.map(({ original }) => original.statement))),
      ...copiesOfEdit.map((copy) => ({ at: copy.original.statement.end, text: `\n${writeCopy(copy)}` })),
    ].toSorted((a, b) => b.at - a.at);
    let text = edit.after ?? '';
    for (const insertion of insertions)
      text = `${text.slice(0, insertion.at)}${insertion.text}${text.slice(insertion.at)}`;
    return { path: edit.path, before: edit.after, after: text };
  });
}

/** The braces around each case that is the whole body of a loop, so that its copies are also in the loop. */
function createBraces(statements: ReadonlySet<ts.Statement>) {
  return [...statements].flatMap((statement) =>
    ts.isIterationStatement(statement.parent, false)
      ? [
          { at: statement.getStart(), text: '{ ' },
          { at: statement.end, text: '\n}' },
        ]
      : [],
  );
}

/** The code of a copy: the case with another title and one other input. */
function writeCopy({ original: { edit, statement, title }, input, text, name }: Copy): string {
  const source = edit.after ?? '';
  const file = statement.getSourceFile();
  const start = title.getStart(file);
  const isText = ts.isStringLiteralLike(title) || ts.isTemplateExpression(title);
  const quotedName = isText
    ? `${source[start]}near ${name}: ${source.slice(start + 1, title.end)}`
    : `'near ${name}: ' + (${source.slice(start, title.end)})`;
  return [
    source.slice(statement.getStart(file), start),
    quotedName,
    source.slice(title.end, input.getStart(file)),
    text,
    source.slice(input.end, statement.end),
  ].join('');
}

function coversLine(source: ts.SourceFile, node: ts.Node, line: number): boolean {
  return getLineNumber(source, node.getStart(source)) <= line && line <= getLineNumber(source, node.end);
}

function getLineNumber(source: ts.SourceFile, position: number): number {
  return source.getLineAndCharacterOfPosition(position).line + 1;
}
