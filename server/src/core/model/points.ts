// Points as plain data: what a tree has on a ruler, what each input earns, where the rest went.

export const CATEGORIES = ['codeQuality', 'testCoverage', 'safety', 'performance', 'maintainability'] as const;
export type Category = (typeof CATEGORIES)[number];

/** Score of a tree on a ruler. What was not measured earns nothing; in a comparison it counts for neither side. */
export interface Points {
  readonly ruler: { readonly version: string; readonly hash: string };
  /** Sum of what the measured inputs earn. */
  readonly total: number;
  /** Of the whole ruler, always the same. */
  readonly max: number;
  readonly categories: Readonly<Record<Category, CategoryPoints>>;
  /** Why an input is unknown, by its name. */
  readonly why?: Readonly<Record<string, string>>;
  /** What the inputs cost, dearest first. Of a whole repository alone. */
  readonly costs?: readonly PointCost[];
  /** Where most of it is lost, by category, dearest first. Of a whole repository alone. */
  readonly places?: readonly PointPlace[];
}

export interface CategoryPoints {
  /** Null: none of its inputs was measured. */
  readonly points: number | null;
  readonly max: number;
  /** Inputs that were not measured. */
  readonly unknown: readonly string[];
  /** In the order of the ruler. Missing from scores that older versions wrote down. */
  readonly inputs?: readonly InputPoints[];
}

/** What one input of the ruler earns; null if it was not measured. */
export interface InputPoints {
  readonly name: string;
  readonly points: number | null;
  readonly max: number;
}

/** A file that costs points, and where in it to look first. */
export interface PointPlace {
  readonly category: Category;
  readonly input: string;
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  /** The function that weighs most, where functions are what is counted. */
  readonly symbol: string | null;
  readonly points: number;
  /** As in `PointCost`. */
  readonly counted: Readonly<Record<string, number>>;
}

/** What one input of the ruler takes of the points of its category. */
export interface PointCost {
  readonly category: Category;
  readonly input: string;
  readonly points: number;
  /** What was counted for it, by the names of the measures, what weighs most first. */
  readonly counted: Readonly<Record<string, number>>;
}
