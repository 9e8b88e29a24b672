// Authors of proposals, with their labels for people.

import { quoteAgent, quoteModel, quotePerson } from '../../util/visible.ts';

/** The kinds of authors, the most trusted first. */
export const AUTHORS = ['recipe', 'person', 'model', 'agent', 'client'] as const;

/**
 * `recipe`: a deterministic transformation, from Selfware or a linter. `agent`: a coding agent in the editor or in a
 * terminal, and any unknown author. `client`: a client of the MCP server.
 */
export type Author = (typeof AUTHORS)[number];

/** The value of the field `recipe` in proposals that no recipe made. */
export const EXTERNAL_RECIPE = 'brought';

/** Labels for people; each follows the word "by". */
export const AUTHOR_LABELS: Readonly<Record<Author, string>> = {
  recipe: 'a recipe',
  person: 'a person',
  model: 'a language model',
  agent: 'an agent',
  client: 'an MCP client',
};

/**
 * Quotes a text of an author in a form that shows that these are the author's words. `characters`: the maximum length
 * of the text.
 */
export function quoteAuthor(author: Author, text: string, characters: number): string {
  const quote = author === 'model' ? quoteModel : author === 'person' ? quotePerson : quoteAgent;
  return quote(text, characters);
}

/**
 * The author of a proposal. Older records do not name the author. Their proposals then count as by an agent if no
 * recipe made them, and otherwise as by a recipe.
 */
export function authorOf({ author, recipe }: { readonly author?: Author; readonly recipe: string }): Author {
  return author ?? (recipe === EXTERNAL_RECIPE ? 'agent' : 'recipe');
}

/** True for the name of a kind of author. */
export function isAuthor(name: string): name is Author {
  return Object.hasOwn(AUTHOR_LABELS, name);
}
