// What the metrics say about one function, in offsets: the common ground of the TypeScript walk and the tree-sitter
// walk.

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
  /** What a file does outside of functions. */
  | 'topLevel';

export interface FunctionUnit {
  readonly kind: FunctionKind;
  /** `(anonymous)` where there is none. */
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly nameStart: number;
  readonly nameEnd: number;
  /** False for arrows with an expression body and for field initialisers. */
  readonly hasBlock: boolean;
  /** True when every parameter also declares a field or is injected by a decorator. */
  readonly injected: boolean;
  readonly cyclomatic: number;
  readonly cognitive: number;
  readonly nesting: number;
  /** Offset of the first statement at the deepest level, or null where nesting is 0. */
  readonly deepest: number | null;
  readonly statements: number;
  readonly parameters: number;
  readonly halstead: { readonly volume: number; readonly difficulty: number; readonly effort: number } | null;
  readonly maintainability: number | null;
}

export const ANONYMOUS = '(anonymous)';
export const TOP_LEVEL = '(top level)';

/** Sums over a whole file that the ruler needs. All integers. */
export interface FlowSums {
  /**
   * Size that densities refer to: statements that do work of their own. Left out: imports, function declarations,
   * control structures, jumps, plain calls of a named function, literals alone, dead code. So neither splitting a
   * function nor wrapping code adds to it.
   */
  statements: number;
  /**
   * Sum, over functions, of what their cognitive complexity exceeds the limit by. Functions called on the spot belong
   * to the one around them.
   */
  excess: number;
  /** Breaks of linear flow, each with its nesting, where nesting reaches through nested functions. */
  cognitive: number;
  /**
   * Sum, over statements (plain calls and `return` with a value among them), of the number of control structures around
   * each.
   */
  depth: number;
}

/** Cognitive complexity that is easy to hold in mind (SonarSource's published default). */
export const COGNITIVE_LIMIT = 15;

/** Those that say how complex a file is; who asks for some rules alone wants no others. */
export function complexUnits(units: readonly FunctionUnit[]): readonly FunctionUnit[] {
  return units.filter(({ cognitive }) => cognitive > 0);
}
