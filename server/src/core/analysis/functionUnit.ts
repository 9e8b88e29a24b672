// The metrics of one function, with offsets. The walk over TypeScript and the walk over tree-sitter's tree both
// produce them.

/** The kind of a function. */
export type FunctionKind =
  | 'function'
  | 'functionExpression'
  | 'arrow'
  | 'method'
  | 'getter'
  | 'setter'
  | 'constructor'
  | 'staticBlock'
  | 'fieldInitialiser'
  /** The code of a file outside of functions. */
  | 'topLevel';

/** A function with its metrics. Its positions are offsets; `end` and `nameEnd` are exclusive. */
export interface FunctionUnit {
  readonly kind: FunctionKind;
  /** The name of the function: `ANONYMOUS_NAME` if it has none, `TOP_LEVEL` for the code outside of functions. */
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly nameStart: number;
  readonly nameEnd: number;
  /** False for arrows with an expression body and for field initialisers. */
  readonly hasBlock: boolean;
  /** True if every parameter also declares a field, or is injected by a decorator. */
  readonly hasInjectedParameters: boolean;
  readonly cyclomatic: number;
  readonly cognitive: number;
  readonly nesting: number;
  /** Offset of the first statement at the deepest level; null if `nesting` is 0. */
  readonly deepestOffset: number | null;
  readonly statements: number;
  readonly parameters: number;
  readonly halstead: { readonly volume: number; readonly difficulty: number; readonly effort: number } | null;
  readonly maintainability: number | null;
}

/** The name that is shown for a function without a name. */
export const ANONYMOUS_NAME = '(anonymous)';
/** The name of the code of a file outside of functions. */
export const TOP_LEVEL = '(top level)';

/** Sums over a whole file that the ruler needs, all integers. */
export interface FlowCounts {
  /**
   * The size to which densities refer: the number of statements that do work. Not counted: imports, function
   * declarations, control structures, jumps, plain calls of a named function, single literals, dead code. So neither
   * splitting a function nor wrapping code changes the size.
   */
  statements: number;
  /**
   * The summed amounts by which the cognitive complexity of functions exceeds the limit. An immediately called function
   * belongs to the function around it.
   */
  excess: number;
  /** The number of breaks of linear flow, each weighted with its nesting, which counts across nested functions. */
  cognitive: number;
  /**
   * For each statement (including plain calls and `return` with a value) the number of control structures around it,
   * summed.
   */
  depth: number;
}

/** Cognitive complexity up to which a function is easy to understand (default that SonarSource published). */
export const COGNITIVE_LIMIT = 15;

/** The functions with any cognitive complexity. A request for single rules needs only these. */
export function selectComplexUnits(units: readonly FunctionUnit[]): readonly FunctionUnit[] {
  return units.filter(({ cognitive }) => cognitive > 0);
}
