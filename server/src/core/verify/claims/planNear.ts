// Finds code that may fit only the tests that come along with it, and writes copies of these tests whose inputs differ
// a little: code that does what was asked for treats some of these inputs in a new way, too.

import { ts } from 'ts-morph';
import type { FileEdit } from '../../model.ts';
import { isTestEdit } from '../../paths/testEdits.ts';
import { everyNode } from '../../syntax/everyNode.ts';
import { touchedLines } from '../guard/touched.ts';
import type { NearPlan } from './nearPlan.ts';
import { caseValues, type CaseValues } from './caseValues.ts';
import { isAnsweredAtOnce, isDeciding, isKept, isReturned, plainValue, valueOf } from './literalPlaces.ts';
import { seedOf } from '../differential/seed.ts';

/** Each gets two copies of its test case, and two more if it is a number with a fraction. */
const MOST_INPUTS = 8;
/** Inputs of copies are numbers, digits or letters that are 3 to 9 away. */
const NEAREST = 3;
const DISTANCES = 7;
/** Numbers with a fraction are often about rounding, which changes no others than those next to them. */
const FRACTIONS_AWAY = [0.2, -0.2];
/** No value of a literal. */
const NOTHING = '\0';
const SCRIPT = /\.[cm]?[jt]sx?$/;
/** Functions that hold a test case. */
const CASES = new Set(['test', 'it', 'specify']);
/** Names at the beginning of a call whose arguments are what a test expects. */
const ASSERTS = /^(?:assert|expect|should|chai|t|console)\b/;

interface Case {
  readonly edit: FileEdit;
  readonly statement: ts.ExpressionStatement;
  readonly title: ts.Expression;
  /** All nodes of the case. */
  readonly nodes: readonly ts.Node[];
  readonly values: CaseValues;
}

/** A place in a case that reaches the tested code, and the literal that stands there, or for which a name stands. */
interface Input {
  readonly node: ts.Node;
  readonly literal: ts.Node;
}

interface Copy {
  readonly of: Case;
  readonly input: ts.Node;
  /** What stands there in the copy. */
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
  const given = cases.flatMap(({ nodes, values }) => [...nodes, ...values.sources.flatMap(withParts)]);
  const used = new Set(given.flatMap(valuesOf));
  const answers = new Set(given.flatMap((node) => plainValue(node) ?? []));
  const asked = new Set(cases.flatMap(inputsOf).map(({ literal }) => plainValue(literal)));
  const fresh = edits.filter((edit) => !isTestEdit(edit)).flatMap(newLiterals);
  const isUsed = (node: ts.Node) => used.has(valueOf(node) ?? NOTHING);
  const isCommonCase = (node: ts.Node) => asked.has(plainValue(node)) && isAnsweredAtOnce(node, answers);
  const compared =
    fresh.find((node) => isDeciding(node) && isUsed(node)) ??
    fresh.find((node) => valueOf(node) === null && isCommonCase(node));
  const found = compared ?? fresh.find((node) => (isReturned(node) || isKept(node)) && isUsed(node));
  if (!found) return null;
  return {
    literal: found.getText(),
    how: compared ? 'compared' : 'returned',
    edits: withCopies(copiesOf(cases, plainValue(found), seedOf({ edits }) >>> 0)),
  };
}

function relevantCases(cases: readonly Case[], shown: readonly string[]): readonly Case[] {
  const isFixed = ({ title }: Case) => ts.isStringLiteralLike(title) && !/[%$]/.test(title.text);
  const named = cases.filter(
    (one) => !isFixed(one) || shown.some((name) => ts.isStringLiteralLike(one.title) && name.includes(one.title.text)),
  );
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
  const all = everyNode(source);
  return all.flatMap((node) => {
    if (!ts.isExpressionStatement(node) || !ts.isCallExpression(node.expression)) return [];
    const [title, ...rest] = node.expression.arguments;
    if (!CASES.has(rootOf(node.expression)) || !title) return [];
    const values = caseValues(node, all);
    const isTouched = (one: ts.Node) => [...touched].some((line) => isWithin(source, one, line));
    if (![node, ...values.sources].some(isTouched)) return [];
    return [{ edit, statement: node, title, nodes: rest.flatMap(withParts), values }];
  });
}

function withParts(node: ts.Node): readonly ts.Node[] {
  return [node, ...everyNode(node)];
}

function newLiterals({ path, before, after }: FileEdit): readonly ts.Node[] {
  if (after === null || !SCRIPT.test(path)) return [];
  const source = parsed(path, after);
  const touched = touchedLines(before ?? '', after);
  return everyNode(source)
    .filter((node) => plainValue(node) !== null && touched.has(lineOf(source, node.getStart(source))))
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

/** Copies for each input with the suspicious value; if there is none, for each input. */
function copiesOf(cases: readonly Case[], suspicious: string | null, seed: number): readonly Copy[] {
  const inputs = cases.flatMap((of) => inputsOf(of).map((input) => ({ of, ...input })));
  const same = inputs.filter(({ literal }) => plainValue(literal) === suspicious);
  return (same.length > 0 ? same : inputs).slice(0, MOST_INPUTS).flatMap(({ of, node, literal }, index) =>
    nearTexts(literal, seed + index).map((text, at) => ({
      of,
      input: node,
      text: node !== literal && ts.isPrefixUnaryExpression(literal.parent) ? `-${text}` : text,
      name: `${index + 1}.${at + 1}`,
    })),
  );
}

/** What reaches the tested code: arguments of calls that are no assertion, directly or by a variable. */
function inputsOf({ nodes, values }: Case): readonly Input[] {
  const expectedNames = new Set(
    nodes.flatMap((node) => (ts.isIdentifier(node) && goesTo(node) === 'assertion' ? [node.text] : [])),
  );
  return nodes.flatMap((node): readonly Input[] => {
    const place = goesTo(node);
    if (place !== 'call' && (typeof place !== 'object' || expectedNames.has(place.variable))) return [];
    if (ts.isStringLiteralLike(node) || ts.isNumericLiteral(node)) return [{ node, literal: node }];
    if (!ts.isIdentifier(node)) return [];
    return (values.byName.get(node.text) ?? []).map((literal) => ({ node, literal }));
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

/**
 * Other values of the same kind, as text. How far they are away depends on the seed, so that code cannot treat just
 * these values as well.
 */
function nearTexts(node: ts.Node, seed: number): readonly string[] {
  const distances = [NEAREST + (seed % DISTANCES), -NEAREST - ((seed >>> 8) % DISTANCES)];
  if (ts.isNumericLiteral(node)) {
    const value = Number(node.text);
    return [...(Number.isInteger(value) ? [] : FRACTIONS_AWAY), ...distances].map((away) =>
      asNumber(Number((value + away).toPrecision(12))),
    );
  }
  if (!ts.isStringLiteralLike(node)) return [];
  const places = [...node.text.matchAll(/[0-9a-zA-Z]/g)].map(({ index }) => index);
  const [first, last] = [places[0], places.at(-1)];
  if (first === undefined || last === undefined) return [JSON.stringify(node.text + (node.text.at(-1) ?? 'a'))];
  return [last, ...(first === last ? [] : [first])].map((at, index) =>
    JSON.stringify(node.text.slice(0, at) + shifted(node.text[at]!, distances[index]!) + node.text.slice(at + 1)),
  );
}

/** In parentheses if it is negative: a minus may stand before it. */
function asNumber(value: number): string {
  return value < 0 ? `(${value})` : String(value);
}

/** Another digit, or another letter of the same case. */
function shifted(character: string, distance: number): string {
  const [start, count] = /\d/.test(character) ? ['0', 10] : /[a-z]/.test(character) ? ['a', 26] : ['A', 26];
  const from = start.charCodeAt(0);
  return String.fromCharCode(from + ((character.charCodeAt(0) - from + distance + count) % count));
}

function withCopies(copies: readonly Copy[]): readonly FileEdit[] {
  return [...new Set(copies.map(({ of }) => of.edit))].map((edit) => {
    const own = copies.filter(({ of }) => of.edit === edit);
    const inserted = [
      ...bracesAround(new Set(own.map(({ of }) => of.statement))),
      ...own.map((copy) => ({ at: copy.of.statement.end, text: `\n${textOf(copy)}` })),
    ].toSorted((one, other) => other.at - one.at);
    let text = edit.after ?? '';
    for (const one of inserted) text = `${text.slice(0, one.at)}${one.text}${text.slice(one.at)}`;
    return { path: edit.path, before: edit.after, after: text };
  });
}

/** Braces for a case that is the whole body of a loop, so that its copies stand in the loop, too. */
function bracesAround(statements: ReadonlySet<ts.Statement>) {
  return [...statements].flatMap((statement) =>
    ts.isIterationStatement(statement.parent, false)
      ? [
          { at: statement.getStart(), text: '{ ' },
          { at: statement.end, text: '\n}' },
        ]
      : [],
  );
}

function textOf({ of: { edit, statement, title }, input, text, name }: Copy): string {
  const source = edit.after ?? '';
  const file = statement.getSourceFile();
  const start = title.getStart(file);
  const isText = ts.isStringLiteralLike(title) || ts.isTemplateExpression(title);
  const named = isText
    ? `${source[start]}near ${name}: ${source.slice(start + 1, title.end)}`
    : `'near ${name}: ' + (${source.slice(start, title.end)})`;
  return [
    source.slice(statement.getStart(file), start),
    named,
    source.slice(title.end, input.getStart(file)),
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
