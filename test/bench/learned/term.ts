// Code as plain trees of tokens, which can be compared, generalised and matched without a compiler's nodes behind them.

import { ts } from 'ts-morph';
import { parseSource } from '../../../server/src/core/propose/syntax/parse.ts';

export interface Term {
  /** Kind of the node; of a token with its text. */
  readonly label: string;
  readonly children: readonly Term[];
  /** Offsets in the text that it was read from. */
  readonly start: number;
  readonly end: number;
  /** The same for the same tokens, however they are laid out. */
  readonly key: string;
  readonly tokens: number;
}

/** A pattern is a term in which some parts stand for anything. */
export interface Hole {
  readonly hole: number;
}
export type Pattern = Hole | { readonly label: string; readonly children: readonly Pattern[] };

export function isHole(pattern: Pattern): pattern is Hole {
  return 'hole' in pattern;
}

export function termOf(node: ts.Node, sourceFile: ts.SourceFile): Term {
  const children = node
    .getChildren(sourceFile)
    .filter(({ kind }) => kind < ts.SyntaxKind.FirstJSDocNode || kind > ts.SyntaxKind.LastJSDocNode);
  const [start, end] = [node.getStart(sourceFile), node.end];
  if (children.length === 0) {
    const text = node.kind === ts.SyntaxKind.SyntaxList ? '' : sourceFile.text.slice(start, end);
    const label = `${node.kind}:${text}`;
    return { label, children: [], start, end, key: label, tokens: text === '' ? 0 : 1 };
  }
  const terms = children.map((child) => termOf(child, sourceFile));
  const label = String(node.kind);
  return {
    label,
    children: terms,
    start,
    end,
    key: `${label}(${terms.map(({ key }) => key).join(' ')})`,
    tokens: terms.reduce((sum, { tokens }) => sum + tokens, 0),
  };
}

/** Of one expression or statement that stands alone in a text. */
export function parseTerm(text: string, isExpression: boolean): Term | null {
  const sourceFile = parseSource('a.tsx', isExpression ? `(${text});` : text);
  const [only, more] = sourceFile?.statements ?? [];
  if (!sourceFile || !only || more) return null;
  if (!isExpression) return termOf(only, sourceFile);
  const inner =
    ts.isExpressionStatement(only) && ts.isParenthesizedExpression(only.expression) ? only.expression.expression : null;
  return inner && inner.end === sourceFile.text.length - 2 ? termOf(inner, sourceFile) : null;
}

/** What each hole stands for, or null: the term is none of those that the pattern means. */
export function match(pattern: Pattern, term: Term, bound: Map<number, Term> = new Map()): Map<number, Term> | null {
  if (isHole(pattern)) {
    const before = bound.get(pattern.hole);
    if (before && before.key !== term.key) return null;
    bound.set(pattern.hole, term);
    return bound;
  }
  if (pattern.label !== term.label || pattern.children.length !== term.children.length) return null;
  return pattern.children.every((child, index) => match(child, term.children[index]!, bound)) ? bound : null;
}
