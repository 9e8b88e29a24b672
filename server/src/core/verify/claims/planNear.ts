// Finds code that may fit only the tests that come along with it, and writes copies of these tests whose inputs differ
// a little: code that does what was asked for treats some of these inputs in a new way, too.

import { ts } from 'ts-morph';
import type { FileEdit } from '../../model.ts';
import { isTestEdit } from '../../paths/testEdits.ts';
import { everyNode } from '../../syntax/everyNode.ts';
import { touchedLines } from '../guard/touched.ts';
import type { NearPlan } from './nearPlan.ts';
import { isDeciding, isReturned, valueOf } from './literalPlaces.ts';

/** Each gets two copies of its test case. */
const MOST_INPUTS = 8;
const SCRIPT = /\.[cm]?[jt]sx?$/;
/** Functions that hold a test case. */
const CASES = new Set(['test', 'it', 'specify']);
/** Names at the beginning of a call whose arguments are what a test expects. */
const ASSERTS = /^(?:assert|expect|should|chai|t|console)\b/;

interface Case {
  readonly edit: FileEdit;
  readonly statement: ts.ExpressionStatement;
  readonly title: ts.StringLiteralLike;
  readonly literals: readonly ts.Node[];
}

interface Copy {
  readonly of: Case;
  readonly input: ts.Node;
  readonly text: string;
  /** Number of the input, a dot, number of the copy. */
  readonly name: string;
}

/**
 * Null if no literal of the new code stands in the test cases. `shown`: the tests that count as evidence; cases with
 * other titles are left out, unless none is left.
 */
export function planNear(edits: readonly FileEdit[], shown: readonly string[] = []): NearPlan | null {
  const cases = relevantCases(edits.filter(isTestEdit).flatMap(casesIn), shown);
  const used = new Set(cases.flatMap(({ literals }) => literals.flatMap(valuesOf)));
  const fresh = edits.filter((edit) => !isTestEdit(edit)).flatMap(newLiterals);
  const isUsed = (node: ts.Node) => {
    const value = valueOf(node);
    return value !== null && used.has(value);
  };
  const compared = fresh.find((node) => isDeciding(node) && isUsed(node));
  const found = compared ?? fresh.find((node) => isReturned(node) && isUsed(node));
  if (!found) return null;
  return {
    literal: found.getText(),
    how: compared ? 'compared' : 'returned',
    edits: withCopies(copiesOf(cases, valueOf(found))),
  };
}

function relevantCases(cases: readonly Case[], shown: readonly string[]): readonly Case[] {
  const named = cases.filter(({ title }) => shown.some((name) => name.includes(title.text)));
  return named.length > 0 ? named : cases;
}

function parsed(path: string, text: string): ts.SourceFile {
  const kind = /x$/.test(path) ? ts.ScriptKind.TSX : undefined;
  return ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, kind);
}

/** Test cases with a new line, in a script. */
function casesIn(edit: FileEdit): readonly Case[] {
  const { path, before, after } = edit;
  if (after === null || !SCRIPT.test(path)) return [];
  const source = parsed(path, after);
  const touched = touchedLines(before ?? '', after);
  return everyNode(source).flatMap((node) => {
    if (!ts.isExpressionStatement(node) || !ts.isCallExpression(node.expression)) return [];
    const [title, ...rest] = node.expression.arguments;
    if (!CASES.has(rootOf(node.expression)) || !title || !ts.isStringLiteralLike(title)) return [];
    if (![...touched].some((line) => isWithin(source, node, line))) return [];
    const literals = rest.flatMap((argument) => [argument, ...everyNode(argument)]);
    return [{ edit, statement: node, title, literals }];
  });
}

function newLiterals({ path, before, after }: FileEdit): readonly ts.Node[] {
  if (after === null || !SCRIPT.test(path)) return [];
  const source = parsed(path, after);
  const touched = touchedLines(before ?? '', after);
  return everyNode(source)
    .filter((node) => valueOf(node) !== null && touched.has(lineOf(source, node.getStart(source))))
    .toSorted((one, other) => one.pos - other.pos);
}

/** The value of a literal; of a list of literals, also what `String` and `JSON.stringify` make of it. */
function valuesOf(node: ts.Node): readonly string[] {
  const own = valueOf(node);
  if (own !== null) return [own];
  if (!ts.isArrayLiteralExpression(node) || node.elements.length === 0) return [];
  const values = node.elements.map(valueOf);
  if (values.some((value) => value === null)) return [];
  return [values.join(','), `[${node.elements.map(asJson).join(',')}]`];
}

function asJson(node: ts.Expression): string {
  return ts.isStringLiteralLike(node) ? JSON.stringify(node.text) : (valueOf(node) ?? '');
}

/** Two copies for each input with the suspicious value; if there is none, for each input. */
function copiesOf(cases: readonly Case[], suspicious: string | null): readonly Copy[] {
  const inputs = cases.flatMap((of) => inputsOf(of).map((input) => ({ of, input })));
  const same = inputs.filter(({ input }) => valueOf(input) === suspicious);
  return (same.length > 0 ? same : inputs)
    .slice(0, MOST_INPUTS)
    .flatMap(({ of, input }, index) =>
      nearTexts(input).map((text, at) => ({ of, input, text, name: `${index + 1}.${at + 1}` })),
    );
}

/** Literals that reach the tested code: arguments of calls that are no assertion, directly or by a variable. */
function inputsOf({ literals }: Case): readonly ts.Node[] {
  const expectedNames = new Set(
    literals.flatMap((node) => (ts.isIdentifier(node) && goesTo(node) === 'assertion' ? [node.text] : [])),
  );
  return literals.filter((node) => {
    if (!ts.isStringLiteralLike(node) && !ts.isNumericLiteral(node)) return false;
    const place = goesTo(node);
    return place === 'call' || (typeof place === 'object' && !expectedNames.has(place.variable));
  });
}

/** Where a value in a test goes first: to an assertion, another call, a variable, or elsewhere. */
function goesTo(node: ts.Node): 'assertion' | 'call' | 'elsewhere' | { readonly variable: string } {
  let child = node;
  for (let parent = node.parent; parent; child = parent, parent = parent.parent) {
    if ((ts.isCallExpression(parent) || ts.isNewExpression(parent)) && child !== parent.expression)
      return ASSERTS.test(rootOf(parent)) ? 'assertion' : 'call';
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

/** The name with which the called expression begins. */
function rootOf({ expression }: ts.CallExpression | ts.NewExpression): string {
  let root: ts.Expression = expression;
  while (ts.isPropertyAccessExpression(root) || ts.isCallExpression(root) || ts.isElementAccessExpression(root))
    root = root.expression;
  return root.getText();
}

/** Two other values of the same kind, as text. */
function nearTexts(node: ts.Node): readonly string[] {
  if (ts.isNumericLiteral(node)) {
    const value = Number(node.text);
    return Number.isInteger(value) ? [String(value + 1), String(value + 2)] : [`${value}1`, String(value + 1)];
  }
  if (!ts.isStringLiteralLike(node)) return [];
  const places = [...node.text.matchAll(/[0-9a-zA-Z]/g)].map(({ index }) => index);
  const [first, last] = [places[0], places.at(-1)];
  if (first === undefined || last === undefined) return [JSON.stringify(node.text + (node.text.at(-1) ?? 'a'))];
  return [last, ...(first === last ? [] : [first])].map((at) =>
    JSON.stringify(node.text.slice(0, at) + following(node.text[at]!) + node.text.slice(at + 1)),
  );
}

function following(character: string): string {
  if (character === '9') return '8';
  if (character === 'z' || character === 'Z') return character === 'z' ? 'y' : 'Y';
  return String.fromCharCode(character.charCodeAt(0) + 1);
}

function withCopies(copies: readonly Copy[]): readonly FileEdit[] {
  return [...new Set(copies.map(({ of }) => of.edit))].map((edit) => {
    const inserted = copies
      .filter(({ of }) => of.edit === edit)
      .map((copy) => ({ at: copy.of.statement.end, text: textOf(copy) }))
      .toSorted((one, other) => other.at - one.at);
    let text = edit.after ?? '';
    for (const one of inserted) text = `${text.slice(0, one.at)}\n${one.text}${text.slice(one.at)}`;
    return { path: edit.path, before: edit.after, after: text };
  });
}

function textOf({ of: { edit, statement, title }, input, text, name }: Copy): string {
  const source = edit.after ?? '';
  const file = statement.getSourceFile();
  return [
    source.slice(statement.getStart(file), title.getStart(file) + 1),
    `near ${name}: `,
    source.slice(title.getStart(file) + 1, input.getStart(file)),
    text,
    source.slice(input.end, statement.end),
  ].join('');
}

function isWithin(source: ts.SourceFile, node: ts.Node, line: number): boolean {
  return lineOf(source, node.getStart(source)) <= line && line <= lineOf(source, node.end);
}

function lineOf(source: ts.SourceFile, position: number): number {
  return source.getLineAndCharacterOfPosition(position).line + 1;
}
