// Who made a proposal, as far as the code can tell.

/** Most trusted first. */
export const AUTHORS = ['recipe', 'person', 'model', 'agent', 'client'] as const;

/**
 * `recipe`: a deterministic transformation, of ours or of a linter. `agent`: a coding agent in the editor or in a
 * terminal, and whoever is not known. `client`: a client of the MCP server.
 */
export type Author = (typeof AUTHORS)[number];

/** Recipe of what was brought: nobody's recipe. */
export const BROUGHT = 'brought';

/** What a person reads; each goes with "by". */
export const AUTHOR_LABELS: Readonly<Record<Author, string>> = {
  recipe: 'a recipe',
  person: 'a person',
  model: 'a language model',
  agent: 'an agent',
  client: 'an MCP client',
};

/** Of older records, which do not name their author, too: what was brought then is an unknown author's. */
export function authorOf({ author, recipe }: { readonly author?: Author; readonly recipe: string }): Author {
  return author ?? (recipe === BROUGHT ? 'agent' : 'recipe');
}
