// The types of recipes that were learned from edits of one shape, of the events that accept and forget them, and the
// functions for their names.

/**
 * The kinds of code in a hole: any expression, or one kind of expression that all examples share. A function may also
 * be given by its name.
 */
export type HoleKind = 'any' | 'string' | 'number' | 'function' | 'object' | 'array';

/** An edit from which a recipe was learned. */
export interface RecipeExample {
  /** The commit of the edit; null for an edit in the working tree, and for an edit of a kept change. */
  readonly commit: string | null;
  /** The subject of the commit, or the title of the kept change. */
  readonly subject: string;
  readonly path: string;
  /** 1-based, in the file after the edit. */
  readonly line: number;
  readonly before: string;
  readonly after: string;
}

/** A rewrite rule: `$name` in `pattern` and `replacement` stands for an expression. */
export interface LearnedShape {
  readonly pattern: string;
  readonly replacement: string;
  /** The kind of each hole, by its name with `$`. */
  readonly holes: Readonly<Record<string, HoleKind>>;
  /** The origins of the free names in pattern and replacement (`core/syntax/nameOrigins.ts`), by name. */
  readonly names: Readonly<Record<string, string>>;
}

/** The author of the edits of a recipe, if they were not made by people. */
export type TeachingAuthor = 'model' | 'agent';

/** A recipe that was learned from edits of one shape. */
export interface LearnedRecipe extends LearnedShape {
  /** Hash of the shape. */
  readonly id: string;
  /** Newest first; at most `MAX_EXAMPLES`. */
  readonly examples: readonly RecipeExample[];
  /** Number of edits with this shape, of their commits, and of their files. */
  readonly edits: number;
  readonly commits: number;
  readonly files: number;
  /** Absent if people made the edits, or if the author is unknown. */
  readonly author?: TeachingAuthor;
  /** Set if a person asked for this change, so the recipe applies to all its places. */
  readonly isRequested?: true;
}

/** The events in which a person accepts a recipe or undoes that. */
export type RecipeEvent =
  | { readonly type: 'recipeAccepted'; readonly data: { readonly recipe: LearnedRecipe } }
  | { readonly type: 'recipeForgotten'; readonly data: { readonly id: string } };

/** Maximum number of examples that are stored with a recipe. */
export const MAX_EXAMPLES = 5;
/** The prefix of learned recipes in proposals; their opportunities have the rule `learned/ID`. */
const RECIPE_PREFIX = 'learned:';
const RULE_PREFIX = 'learned/';

/** The text with which a person asked a model for the recipe; null if people made its examples. */
export function requestTextOf({ author, examples }: Pick<LearnedRecipe, 'author' | 'examples'>): string | null {
  return author === undefined ? null : (examples[0]?.subject ?? null);
}

/** The name of a learned recipe in proposals. */
export function createLearnedRecipeName(id: string): string {
  return RECIPE_PREFIX + id;
}

/** The name of the rule for the opportunities of a learned recipe. */
export function createLearnedRuleName(id: string): `learned/${string}` {
  return `${RULE_PREFIX}${id}`;
}

/** True for the rule of a learned recipe. */
export function isLearnedRule(rule: string): boolean {
  return rule.startsWith(RULE_PREFIX);
}

/** The id of the learned recipe with this name; null for any other recipe. */
export function parseLearnedId(recipe: string | null): string | null {
  return recipe?.startsWith(RECIPE_PREFIX) ? recipe.slice(RECIPE_PREFIX.length) : null;
}
