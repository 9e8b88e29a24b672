// Points as plain data: the score of a tree on a ruler, the points of each input, and the places that cost points.

/** The names of the categories of points. */
export const CATEGORIES = ['codeQuality', 'testCoverage', 'safety', 'performance', 'maintainability'] as const;
/** The name of a category of points. */
export type Category = (typeof CATEGORIES)[number];

/**
 * The score of a tree on a ruler. An input that was not measured adds no points, and a comparison ignores it on both
 * sides.
 */
export interface Points {
  readonly ruler: { readonly version: string; readonly hash: string };
  /** Sum of the points of the measured inputs. */
  readonly total: number;
  /** The maximum of all points, whatever was measured. */
  readonly max: number;
  readonly categories: Readonly<Record<Category, CategoryPoints>>;
  /** The reasons why inputs are unknown, by the name of the input. */
  readonly why?: Readonly<Record<string, string>>;
  /** The cost of each input, most expensive first. Only for a whole repository. */
  readonly costs?: readonly PointCost[];
  /** The most expensive places, by category, most expensive first. Only for a whole repository. */
  readonly places?: readonly PointPlace[];
}

/** The points of one category. */
export interface CategoryPoints {
  /** The points; null if none of the inputs was measured. */
  readonly points: number | null;
  readonly max: number;
  /** Inputs that were not measured. */
  readonly unknown: readonly string[];
  /** The inputs in the order of the ruler. Absent in scores that older versions recorded. */
  readonly inputs?: readonly InputPoints[];
}

/** The points of one input of the ruler. `points`: null if it was not measured. */
export interface InputPoints {
  readonly name: string;
  readonly points: number | null;
  readonly max: number;
}

/** A file that costs points, with the place in it that should be examined first. */
export interface PointPlace {
  readonly category: Category;
  readonly input: string;
  readonly path: string;
  /** The 1-based line. */
  readonly line: number;
  /**
   * The function that costs most, if the input counts functions; otherwise the symbol of the finding at this place, or
   * null.
   */
  readonly symbol: string | null;
  readonly points: number;
  /** The counts behind the points, by measure, in descending order of the product of weight and count. */
  readonly counted: Readonly<Record<string, number>>;
  /**
   * Set for dead code in a file without any opportunity about it: the ruler counts code that a comment
   * (`@ts-nocheck`), a name (`_unused`) or the kind of file keeps out of the list.
   */
  readonly unlisted?: true;
}

/** The points that one input of the ruler costs in its category. */
export interface PointCost {
  readonly category: Category;
  readonly input: string;
  readonly points: number;
  /** The counts behind the cost, by measure, in descending order of the product of weight and count. */
  readonly counted: Readonly<Record<string, number>>;
}
