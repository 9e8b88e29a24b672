// Defines the scope of a run: the folders and files that it may improve, those that no change may touch, and the kinds
// of work.

/**
 * The kinds of work of a run. `wishes`: tasks in a person's words. The other kinds are changes for findings of rules.
 */
export const WORK_KINDS = ['wishes', 'fixes', 'tests', 'types', 'dead-code', 'refactoring', 'style'] as const;
/** The name of a kind of work. */
export type WorkKind = (typeof WORK_KINDS)[number];

/** Each kind in words, for help and dialogs. */
export const WORK_KIND_TEXTS: Readonly<Record<WorkKind, string>> = {
  wishes: 'what you asked for in your own words',
  fixes: 'faults in code and tests, and failing tests',
  tests: 'missing tests',
  types: 'more exact types',
  'dead-code': 'code that nothing uses',
  refactoring: 'simpler or faster code',
  style: 'style, and findings of your linter',
};

/** The scope of a run. Paths are relative to the root, with `/`; an empty path is the root. */
export interface WorkScope {
  /** Files and folders in which something may be improved; absent for all. Tests for it may lie elsewhere. */
  readonly places?: readonly string[];
  /** Files and folders in which nothing is improved, and that no change may touch; absent for none. */
  readonly excluded?: readonly string[];
  /** The kinds of work; absent for all. */
  readonly kinds?: readonly WorkKind[];
}

/** True for the name of a kind of work. */
export function isWorkKind(value: unknown): value is WorkKind {
  return typeof value === 'string' && (WORK_KINDS as readonly string[]).includes(value);
}

/** The scope without fields that are null or absent, and without an empty `excluded`. */
export function pickScope({
  places,
  excluded,
  kinds,
}: {
  readonly [P in keyof WorkScope]?: WorkScope[P] | null | undefined;
}): WorkScope {
  return {
    ...(places ? { places } : {}),
    ...(excluded && excluded.length > 0 ? { excluded } : {}),
    ...(kinds ? { kinds } : {}),
  };
}
