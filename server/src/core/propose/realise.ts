// Lets the recipe of an opportunity change the current text of its file, and checks what comes out.

import { posix } from 'node:path';
import type { FileEdit, Opportunity } from '../model.ts';
import type { SourceTree } from '../indexPorts.ts';
import { recipes } from './recipes.ts';
import { detectStyle } from './style.ts';
import { parseSource, syntaxErrors } from './syntax/parse.ts';

export type Realised = { readonly edits: readonly FileEdit[]; readonly title: string; readonly rationale: string } | { readonly refused: string };

const BYTE_ORDER_MARK = '\uFEFF';

/**
 * Synchronous and without side effects; the same input gives the same edits. `before` is the exact text on disk.
 * Everything expected is a refusal: construct gone, unsafe, nothing to change. Throws only on a mistake in a recipe.
 */
export function realise(opportunity: Opportunity, tree: SourceTree): Realised {
  const recipe = recipes.find(({ id }) => id === opportunity.recipe);
  if (!recipe) return { refused: opportunity.recipe === null ? 'No recipe can realise this opportunity.' : `There is no recipe ${opportunity.recipe}.` };
  const absolutePath = posix.join(tree.rootDir.replaceAll('\\', '/'), opportunity.path);
  const before = tree.read(absolutePath);
  if (before === undefined) return { refused: 'The file is not there any more, or it is too large.' };
  if (before.includes('\uFFFD')) return { refused: 'The file is not clean UTF-8, so its bytes could not be kept.' };

  const mark = before.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
  const text = before.slice(mark.length);
  const sourceFile = parseSource(opportunity.path, text);
  if (!sourceFile) return { refused: 'Recipes work on TypeScript and JavaScript only.' };
  if (sourceFile.isDeclarationFile) return { refused: 'A declaration file describes code that is elsewhere.' };
  if (syntaxErrors(sourceFile).length > 0) return { refused: 'The file does not parse as it is.' };

  const outcome = recipe.realise({ opportunity, path: opportunity.path, absolutePath, text, sourceFile, style: detectStyle(text), tree });
  if ('refused' in outcome) return outcome;
  if (outcome.text === text) return { refused: 'There is nothing to change.' };
  const result = parseSource(opportunity.path, outcome.text);
  const errors = result ? syntaxErrors(result) : ['it could not be read'];
  if (errors.length > 0) return { refused: `The result would not parse: ${errors[0]}` };
  return { edits: [{ path: opportunity.path, before, after: mark + outcome.text }], title: outcome.title, rationale: outcome.rationale };
}
