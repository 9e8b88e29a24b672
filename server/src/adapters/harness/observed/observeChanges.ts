// Wraps the expressions that only one side has in calls that note their values.

import type { ts } from 'ts-morph';
import type { CompiledSides } from '../compile.ts';
import { listChildren } from '../../../core/syntax/nodesBelow.ts';
import { findChangedExpressions, type FoundExpression, type SideTexts } from './changedExpressions.ts';
import { OBSERVER, type ObservedCode, type ObservedExpression } from './observedCode.ts';

/** The files of a side in which expressions are observed, and these expressions, by their numbers. */
interface ObservedSide {
  readonly codes: Readonly<Record<string, ObservedCode>>;
  readonly expressions: readonly ObservedExpression[];
}

/** Maximum number of characters of an expression in a sentence. */
const MAX_TEXT_LENGTH = 80;

/** The observed expressions of both sides, by their numbers. */
export interface ObservedExpressions {
  readonly oldExpressions: readonly ObservedExpression[];
  readonly newExpressions: readonly ObservedExpression[];
}

/**
 * Writes the code of both sides in which the expressions that only one side has note their values. `created`: paths of
 * files that the old side does not have.
 */
export function instrumentSides(
  { oldCode, newCode }: CompiledSides,
  created: readonly string[],
): { readonly oldSide: ObservedSide; readonly newSide: ObservedSide } {
  const selectTexts = (codes: CompiledSides['oldCode'], paths: readonly string[]): SideTexts =>
    new Map(paths.flatMap((path) => (codes[path] ? [[path, codes[path].code] as const] : [])));
  const editedPaths = Object.keys(oldCode);
  const oldTexts = selectTexts(oldCode, editedPaths);
  const newTexts = selectTexts(newCode, [...editedPaths, ...created]);
  return { oldSide: instrumentChanges(oldTexts, newTexts), newSide: instrumentChanges(newTexts, oldTexts) };
}

/** Writes the code of one side in which the expressions that the other side does not have note their values. */
function instrumentChanges(side: SideTexts, otherSide: SideTexts): ObservedSide {
  const codes: Record<string, ObservedCode> = {};
  const expressions: ObservedExpression[] = [];
  for (const [path, { sourceFile, expressions: foundExpressions }] of findChangedExpressions(side, otherSide)) {
    if (foundExpressions.length === 0) continue;
    codes[path] = instrumentCode(sourceFile, foundExpressions, expressions.length);
    expressions.push(
      ...foundExpressions.map(({ kind, node, operands }) => ({
        path,
        kind,
        text: shortenText(node, sourceFile),
        operands: operands.map((operand) => shortenText(operand, sourceFile)),
      })),
    );
  }
  return { codes, expressions };
}

function shortenText(node: ts.Node, sourceFile: ts.SourceFile): string {
  const text = node.getText(sourceFile).replaceAll(/\s+/g, ' ');
  return text.length <= MAX_TEXT_LENGTH ? text : `${text.slice(0, MAX_TEXT_LENGTH - 1)}…`;
}

/**
 * The code of a file in which these expressions note their values. `firstId`: the number of the first expression; the
 * others follow.
 */
function instrumentCode(
  sourceFile: ts.SourceFile,
  foundExpressions: readonly FoundExpression[],
  firstId: number,
): ObservedCode {
  const wrappers = new Map<ts.Node, (readonly [before: string, after: string])[]>();
  /**
   * Writes a call around the node, which becomes the last argument before `otherArguments`. Later wrappers are inside
   * of earlier ones. The space separates the call from a keyword before the node; the parentheses keep an expression
   * with commas a single argument.
   */
  const addWrapper = (node: ts.Node, call: string, otherArguments = '') => {
    const pair = [` ${OBSERVER}.${call}, (`, `)${otherArguments})`] as const;
    const knownPairs = wrappers.get(node);
    if (knownPairs) knownPairs.push(pair);
    else wrappers.set(node, [pair]);
  };
  const isEffect = ({ kind }: FoundExpression) => kind === 'effect';
  const numberedExpressions = foundExpressions.map((expression, index) => ({ expression, id: firstId + index }));
  // The wrapper of a node as an operand has to be outside of the wrapper of the node itself, so it comes first.
  for (const { expression, id } of numberedExpressions.filter(({ expression }) => isEffect(expression)))
    for (const [index, operand] of expression.operands.entries()) {
      const isFirst = expression.mayPause && index === 0;
      addWrapper(operand, isFirst ? `first(${id}` : `operand(${id}, ${index}`);
    }
  for (const { expression, id } of numberedExpressions) {
    const { node, kind, method, neutralValue, mayPause } = expression;
    if (kind === 'hidden' || kind === 'default') continue;
    if (kind === 'effect')
      addWrapper(node, `end(${id}, ${mayPause ? 'null' : `${OBSERVER}.begin(${id})`}`, `, ${JSON.stringify(method)}`);
    else addWrapper(node, `${kind}(${id}`, kind === 'neutral' ? `, ${neutralValue}` : '');
  }
  const { text } = sourceFile;
  const parts: [number, number, number][] = [];
  let code = '';
  let offset = 0;
  const copyTo = (end: number) => {
    if (end <= offset) return;
    parts.push([code.length, offset, end - offset]);
    code += text.slice(offset, end);
    offset = end;
  };
  const writeNode = (node: ts.Node): void => {
    const pairs = wrappers.get(node) ?? [];
    if (pairs.length > 0) copyTo(node.getStart(sourceFile));
    code += pairs.map(([before]) => before).join('');
    for (const child of listChildren(node)) writeNode(child);
    if (pairs.length > 0) copyTo(node.end);
    code += pairs
      .map(([, after]) => after)
      .toReversed()
      .join('');
  };
  writeNode(sourceFile);
  copyTo(text.length);
  return { code, parts };
}
