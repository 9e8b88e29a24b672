// The types of recipes that were learned from edits of one shape, of the events that accept and forget them, and the
// functions for their names.

/**
 * The kind of code in a hole of a pattern: any expression, or one kind of expression that all examples share. A
 * function may also be given by its name.
 */
export type HoleKind = 'any' | 'string' | 'number' | 'function' | 'object' | 'array';

/** An edit from which a recipe was learned. */
export interface RecipeExample {
  /** The commit of the edit; null for an edit in the working tree, and for an edit of a kept change. */
  readonly commit: string | null;
  /** The subject of the commit, or the title of the kept change. */
  readonly subject: string;
  readonly path: string;
  /** The 1-based line in the file after the edit. */
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
  /** By name: the origin of each free name in the pattern and the replacement, such as the module that exports it. */
  readonly names: Readonly<Record<string, string>>;
}

/** The author of the edits of a recipe, if they were not made by people. */
export type TeachingAuthor = 'model' | 'agent';

/** A recipe that was learned from edits of one shape. */
export interface LearnedRecipe extends LearnedShape {
  /** Hash of the shape. */
  readonly id: string;
  /** The newest examples, newest first; at most `MAX_EXAMPLES`. */
  readonly examples: readonly RecipeExample[];
  /** Number of edits with this shape. */
  readonly edits: number;
  /** Number of commits with such an edit. */
  readonly commits: number;
  /** Number of files with such an edit. */
  readonly files: number;
  /** Absent if people made the edits, or if the author is unknown. */
  readonly author?: TeachingAuthor;
  /** Set if a person has requested this change, so that the recipe may be applied in all its places. */
  readonly isRequested?: true;
}

/** The events in which a person accepts a recipe or undoes that. */
export type RecipeEvent =
  | { readonly type: 'recipeAccepted'; readonly data: { readonly recipe: LearnedRecipe } }
  | { readonly type: 'recipeForgotten'; readonly data: { readonly id: string } };

/** Maximum number of examples that are stored with a recipe. */
export const MAX_EXAMPLES = 5;
/** The prefix of the names of learned recipes in proposals. */
const RECIPE_PREFIX = 'learned:';
/** The prefix of the rules of their opportunities. */
const RULE_PREFIX = 'learned/';

/**
 * The text with which a person asked a model for the recipe; null if people made its examples, or if there are none.
 */
export function findRequestText({ author, examples }: Pick<LearnedRecipe, 'author' | 'examples'>): string | null {
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
