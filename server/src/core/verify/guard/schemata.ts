// Mutant schemata: one text with all mutants of a file, each behind a switch that is evaluated when the code runs.

import { SCRIPT_PATTERN } from '../../paths/scriptFiles.ts';
import { ts } from 'ts-morph';
import { countSyntaxErrors } from '../../syntax/countSyntaxErrors.ts';
import { listChildren } from '../../syntax/nodesBelow.ts';
import type { Operator } from './mutators.ts';
import { writeSwitch } from './switches.ts';
import { isAssignment } from '../../syntax/values.ts';

/** A mutant: replaces the text between `start` and `end`. */
export interface SwitchedText {
  readonly path: string;
  readonly operator: Operator;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A file with all its switchable mutants. Its line numbers differ from those in the candidate. */
export interface SwitchedFile {
  readonly path: string;
  readonly text: string;
}

/** The files of a plan with their mutants compiled in. */
export interface Schemata {
  readonly files: readonly SwitchedFile[];
  /** By index of the mutant in the plan: false if the mutant has no switch and so needs a separate run. */
  readonly switched: readonly boolean[];
}

/**
 * Maximum number of times that a file is parsed to find the mutants that break its syntax. This suffices for 200 such
 * mutants, and for a few among any number of others. Mutants that were not examined by then need a separate run.
 */
const MAX_PARSES = 400;

/**
 * Compiles the mutants into their files. `textOf`: returns the text in the candidate to which the offsets of mutants
 * refer.
 */
export function compileSchemata(mutants: readonly SwitchedText[], textOf: (path: string) => string): Schemata {
  const switched = mutants.map(() => false);
  const files: SwitchedFile[] = [];
  for (const path of new Set(mutants.map((mutant) => mutant.path))) {
    if (!SCRIPT_PATTERN.test(path)) continue;
    const indexedMutants = mutants.flatMap((mutant, index) => (mutant.path === path ? [{ ...mutant, index }] : []));
    const file = createSwitchedFile(path, textOf(path), indexedMutants);
    if (!file) continue;
    files.push({ path, text: file.text });
    file.covered.forEach((index) => (switched[index] = true));
  }
  return { files, switched };
}

/** A mutant with its index in the plan. */
interface IndexedMutant extends SwitchedText {
  readonly index: number;
}

/** The text of a file with mutants, and the indexes of these mutants. */
interface SwitchedResult {
  readonly text: string;
  readonly covered: readonly number[];
}

/** The file with the mutants that keep its syntax intact; null if there are none. */
function createSwitchedFile(path: string, text: string, mutants: readonly IndexedMutant[]): SwitchedResult | null {
  const sourceFile = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const errorsBefore = countSyntaxErrors(path, text);
  let parseCount = 0;
  const isIntact = (chosenMutants: readonly IndexedMutant[]): boolean => {
    parseCount += 1;
    return countSyntaxErrors(path, insertSwitches(sourceFile, chosenMutants).text) <= errorsBefore;
  };
  /** The accepted mutants and those of `added` that fit. Bisects `added` if not all of them fit together. */
  const addFittingMutants = (
    acceptedMutants: readonly IndexedMutant[],
    added: readonly IndexedMutant[],
  ): readonly IndexedMutant[] => {
    if (added.length === 0 || parseCount >= MAX_PARSES) return acceptedMutants;
    if (isIntact([...acceptedMutants, ...added])) return [...acceptedMutants, ...added];
    const middle = Math.floor(added.length / 2);
    return middle === 0
      ? acceptedMutants
      : addFittingMutants(addFittingMutants(acceptedMutants, added.slice(0, middle)), added.slice(middle));
  };
  const fittingMutants = addFittingMutants(
    [],
    mutants.filter((mutant) => findReplaceableNode(sourceFile, mutant) !== null),
  );
  return fittingMutants.length === 0 ? null : insertSwitches(sourceFile, fittingMutants);
}

/** The text of the file with these mutants, each behind its switch. Omits mutants without a replaceable node. */
function insertSwitches(sourceFile: ts.SourceFile, mutants: readonly IndexedMutant[]): SwitchedResult {
  const { text } = sourceFile;
  const mutantsByNode = new Map<ts.Node, IndexedMutant[]>();
  for (const mutant of mutants) {
    const replaceableNode = findReplaceableNode(sourceFile, mutant);
    if (replaceableNode) mutantsByNode.set(replaceableNode, [...(mutantsByNode.get(replaceableNode) ?? []), mutant]);
  }
  const emitNode = (node: ts.Node): string => {
    const mutantsOfNode = mutantsByNode.get(node) ?? [];
    const [start, end] = [node.getStart(sourceFile), node.getEnd()];
    let emittedText = '';
    let copiedUntil = start;
    for (const child of listChildren(node)) {
      const begin = child.getStart(sourceFile);
      if (begin < copiedUntil) continue;
      emittedText += text.slice(copiedUntil, begin) + emitNode(child);
      copiedUntil = child.getEnd();
    }
    emittedText += text.slice(copiedUntil, end);
    for (const { index, start: begin, end: stop, text: replacement, operator } of mutantsOfNode) {
      const isOn = writeSwitch(index);
      const mutatedText = text.slice(start, begin) + replacement + text.slice(stop, end);
      if (operator === 'block' && ts.isBlock(node)) emittedText = emptyBlock(node, emittedText, isOn, sourceFile);
      else if (ts.isStatement(node)) emittedText = `{ if (${isOn}) { ${mutatedText}\n } else { ${emittedText}\n } }`;
      else emittedText = `(${isOn} ? (${mutatedText}) : (${emittedText}))`;
    }
    return emittedText;
  };
  const start = sourceFile.getStart(sourceFile);
  const body = text.slice(0, start) + emitNode(sourceFile);
  return {
    text: disableTypeCheck(sourceFile, body),
    covered: [...mutantsByNode.values()].flat().map(({ index }) => index),
  };
}

/** The text without type checks, because a type checker that runs with the tests would reject mutants. */
function disableTypeCheck(sourceFile: ts.SourceFile, text: string): string {
  if (!/\.[cm]?tsx?$/.test(sourceFile.fileName)) return text;
  return text.startsWith('#!') ? text : `// @ts-nocheck\n${text}`;
}

/**
 * Empties a block while the mutant is on. A function returns immediately. Any other block is moved as a whole into an
 * `else`, so that its declarations stay visible to each other.
 */
function emptyBlock(block: ts.Block, emittedText: string, isOn: string, sourceFile: ts.SourceFile): string {
  const directives = block.statements.findLast(
    (statement, index) => ts.isExpressionStatement(statement) && ts.isStringLiteral(statement.expression) && index < 3,
  );
  const offset = directives && ts.isFunctionLike(block.parent) ? directives.getEnd() - block.getStart(sourceFile) : 1;
  return ts.isFunctionLike(block.parent)
    ? `${emittedText.slice(0, offset)} if (${isOn}) return; ${emittedText.slice(offset)}`
    : `{ if (${isOn}) {} else ${emittedText} }`;
}

/** The smallest node around a mutant that can be replaced by a choice between two texts; null if there is none. */
function findReplaceableNode(sourceFile: ts.SourceFile, { start, end, operator }: IndexedMutant): ts.Node | null {
  let node: ts.Node = sourceFile;
  for (;;) {
    const inner = listChildren(node).find((child) => child.getStart(sourceFile) <= start && end <= child.getEnd());
    if (!inner) break;
    node = inner;
  }
  if (ts.findAncestor(node, ts.isEnumDeclaration)) return null;
  if (operator === 'block') return ts.isBlock(node) ? node : null;
  for (; node !== sourceFile; node = node.parent) {
    if (ts.isStatement(node)) return isPlainStatement(node) && !ts.isLabeledStatement(node.parent) ? node : null;
    if (operator !== 'statement' && ts.isExpression(node) && isReplaceable(node)) return node;
  }
  return null;
}

/** True for a statement that declares nothing for its siblings and is not the body of a function. */
function isPlainStatement(node: ts.Statement): boolean {
  return (
    ts.isExpressionStatement(node) ||
    ts.isReturnStatement(node) ||
    ts.isIfStatement(node) ||
    ts.isThrowStatement(node) ||
    ts.isWhileStatement(node) ||
    ts.isDoStatement(node) ||
    ts.isForStatement(node) ||
    ts.isForOfStatement(node) ||
    ts.isForInStatement(node) ||
    ts.isSwitchStatement(node)
  );
}

/**
 * False for an expression that cannot be replaced separately: one that is assigned to, called or deleted, a name, or a
 * link of an optional chain.
 */
function isReplaceable(node: ts.Expression): boolean {
  const { parent } = node;
  if (ts.isFunctionExpression(node) || ts.isArrowFunction(node) || ts.isClassExpression(node)) return false;
  if (ts.isSpreadElement(node) || ts.isOmittedExpression(node) || node.kind === ts.SyntaxKind.SuperKeyword)
    return false;
  if (ts.isIdentifier(node) && !ts.isExpressionStatement(parent) && isName(node, parent)) return false;
  if (isCallee(node, parent)) return false;
  if (ts.isDeleteExpression(parent) || ts.isTypeOfExpression(parent) || ts.isTaggedTemplateExpression(parent))
    return false;
  if (ts.isExpressionWithTypeArguments(node) || ts.isJsxAttribute(parent) || isJsxName(node, parent)) return false;
  return !isAssignmentTarget(node, parent);
}

function isName(node: ts.Identifier, parent: ts.Node): boolean {
  return (
    ('name' in parent && parent.name === node) ||
    ('propertyName' in parent && parent.propertyName === node) ||
    ts.isShorthandPropertyAssignment(parent) ||
    ts.isBreakOrContinueStatement(parent) ||
    ts.isLabeledStatement(parent)
  );
}

/**
 * True for a callee, which needs its `this`, and for a link of an optional chain, which determines whether the
 * remaining chain runs.
 */
function isCallee(node: ts.Expression, parent: ts.Node): boolean {
  if (!('expression' in parent) || parent.expression !== node) return false;
  if (ts.isCallExpression(parent) || ts.isNewExpression(parent)) return true;
  const continuesChain =
    ts.isPropertyAccessExpression(parent) || ts.isElementAccessExpression(parent) || ts.isNonNullExpression(parent);
  return continuesChain && (node.flags & ts.NodeFlags.OptionalChain) !== 0;
}

function isAssignmentTarget(node: ts.Expression, parent: ts.Node): boolean {
  if (ts.isPrefixUnaryExpression(parent) || ts.isPostfixUnaryExpression(parent))
    return parent.operator === ts.SyntaxKind.PlusPlusToken || parent.operator === ts.SyntaxKind.MinusMinusToken;
  if (ts.isForOfStatement(parent) || ts.isForInStatement(parent)) return parent.initializer === node;
  return isAssignment(parent) && parent.left === node;
}

function isJsxName(node: ts.Expression, parent: ts.Node): boolean {
  return 'tagName' in parent && parent.tagName === node;
}
