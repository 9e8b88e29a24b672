// Collects the metrics of a TypeScript or JavaScript function during the walk through it, and computes the result at
// its end.

import { ts } from 'ts-morph';
import { TOP_LEVEL, type FunctionKind, type FunctionUnit } from '../functionUnit.ts';
import { computeHalstead, computeMaintainability, type TokenCounts } from './halstead.ts';
import { findFunctionName } from './scriptNames.ts';
import type { Construct } from '../../syntax/complexityPoints.ts';

/** The metrics of a function so far. */
export interface Frame {
  readonly node: ts.Node;
  readonly kind: FunctionKind;
  cyclomatic: number;
  cognitive: number;
  /** The value of `cognitive` including functions that are called immediately, so that wrapping code hides nothing. */
  effectiveCognitive: number;
  /** The number of constructs whose points grow with nesting. */
  structuralCount: number;
  /** Number of control structures around the current node inside this function, as cognitive complexity counts them. */
  nested: number;
  /**
   * Number of control structures around the current node inside this function, as `max-depth` counts them: with `try`,
   * without `else if`.
   */
  depth: number;
  /** The largest value of `depth` so far. */
  deepestDepth: number;
  /** Offset of the first node at `deepestDepth`; null while that is 0. */
  deepestOffset: number | null;
  statements: number;
  tokens: TokenCounts;
  /** The points of complexity so far; null unless the caller requested an explanation. */
  readonly points: Point[] | null;
}

/** One construct that adds to complexity. */
export interface Point {
  /** The node to show to a person. */
  readonly node: ts.Node;
  readonly construct: Construct;
  readonly cyclomatic: number;
  readonly cognitive: number;
  /** Number of control structures around the point. */
  readonly nesting: number;
  /** True if `cognitive` grows with nesting. */
  readonly growsWithNesting: boolean;
}

/** The metrics of a function at the start of its walk. `isTraced`: true to record the points of complexity, too. */
export function createFrame(node: ts.Node, kind: FunctionKind, isTraced: boolean): Frame {
  const tokens = { operators: new Map<string, number>(), operands: new Map<string, number>() };
  return {
    node,
    kind,
    cyclomatic: 1,
    cognitive: 0,
    effectiveCognitive: 0,
    structuralCount: 0,
    nested: 0,
    depth: 0,
    deepestDepth: 0,
    deepestOffset: null,
    statements: 0,
    tokens,
    points: isTraced ? [] : null,
  };
}

/** The function with its metrics, after all its nodes have been visited. */
export function createFunctionUnit(frame: Frame, sourceFile: ts.SourceFile): FunctionUnit {
  const { node } = frame;
  const name =
    frame.kind === 'topLevel'
      ? { name: TOP_LEVEL, start: 0, end: 0 }
      : findFunctionName(frame.kind === 'fieldInitialiser' ? node.parent : node, sourceFile);
  const parameters = (node as ts.FunctionLikeDeclaration).parameters ?? [];
  const start = frame.kind === 'topLevel' ? 0 : node.getStart(sourceFile);
  const halstead = computeHalstead(frame.tokens);
  const lines =
    sourceFile.getLineAndCharacterOfPosition(node.end).line - sourceFile.getLineAndCharacterOfPosition(start).line + 1;
  return {
    kind: frame.kind,
    name: name.name,
    start,
    end: node.end,
    nameStart: name.start,
    nameEnd: name.end,
    hasBlock: (node as ts.FunctionLikeDeclaration).body?.kind === ts.SyntaxKind.Block,
    hasInjectedParameters:
      parameters.length > 0 && parameters.every((parameter) => (parameter.modifiers?.length ?? 0) > 0),
    cyclomatic: frame.cyclomatic,
    cognitive: frame.cognitive,
    nesting: frame.deepestDepth,
    deepestOffset: frame.deepestOffset,
    statements: frame.statements,
    parameters: parameters.filter((parameter) => !(ts.isIdentifier(parameter.name) && parameter.name.text === 'this'))
      .length,
    halstead,
    maintainability: computeMaintainability({ volume: halstead.volume, cyclomatic: frame.cyclomatic, lines }),
  };
}
