// Formats learned recipes for a terminal: the pattern and its replacement, the edits from which it was learned, and the
// places that it would change.

import type { Colors } from '../../adapters/system/terminal.ts';
import { AUTHOR_LABELS } from '../../core/model/authors.ts';
import type { LearnedRecipe } from '../../core/model/learnedRecipes.ts';
import type { RecipeView } from '../../core/session/recipes/recipeTypes.ts';
import { formatCount } from '../../util/counted.ts';
import { escapeInvisibleLine } from '../../util/visible.ts';

/** Maximum number of places that are printed for each recipe; `--json` has all of them. */
const MAX_PLACES = 5;
/** Maximum number of examples that are printed for each recipe. */
const MAX_EXAMPLES = 3;
/** Maximum number of characters of a line of code. */
const MAX_CODE_CHARACTERS = 100;

/** A block of lines for each recipe, each followed by an empty line. */
export function formatRecipes(views: readonly RecipeView[], colors: Colors): readonly string[] {
  return views.map((view) => `${formatRecipe(view.recipe, colors)}\n${formatPlaces(view, colors)}\n`);
}

/** The pattern, its replacement and the examples. */
export function formatRecipe(recipe: LearnedRecipe, colors: Colors): string {
  const { id, pattern, replacement, examples, edits, commits, files, author } = recipe;
  const sourceText =
    commits > 0 ? `${formatCount(commits, 'commit')} and ${formatCount(files, 'file')}` : formatCount(files, 'file');
  return [
    `${colors.cyan(id)}  ${escapeInvisibleLine(pattern)}  →  ${escapeInvisibleLine(replacement)}`,
    `    ${formatCount(edits, 'edit')}${author === undefined ? '' : ` by ${AUTHOR_LABELS[author]}`} in ${sourceText}:`,
    ...examples.slice(0, MAX_EXAMPLES).map(({ commit, subject, path, line, before, after }) => {
      const commitText = commit === null ? `, ${subject}` : `, ${commit.slice(0, 8)} ${subject}`;
      // If a model has written the examples, their subject is the question of the person, who knows it.
      const place = `${path}:${line}${author === undefined ? commitText : ''}`;
      return `      ${toOneLine(before)} → ${toOneLine(after)}  ${colors.dim(escapeInvisibleLine(place))}`;
    }),
  ].join('\n');
}

/** The places that the recipe would change, and the reasons why others are left alone. */
function formatPlaces(view: RecipeView, colors: Colors): string {
  const { recipe, places, leftAlone, accepted, kept, turnedDown, seldom } = view;
  const leftAloneLines = Object.entries(leftAlone).map(([reason, count]) => `      ${count} left alone: ${reason}`);
  const outcomesText = kept + turnedDown > 0 ? `; ${kept} changes kept, ${turnedDown} turned down` : '';
  const acceptedText = accepted ? ` (accepted as learned/${recipe.id})` : '';
  const omittedCount = places.length - MAX_PLACES;
  return [
    `    ${formatCount(places.length, 'place')} left${outcomesText}${acceptedText}${places.length > 0 ? ':' : '.'}`,
    ...places
      .slice(0, MAX_PLACES)
      .map(
        ({ path, range, code }) =>
          `      ${colors.cyan(escapeInvisibleLine(`${path}:${range.startLine}`))} ${toOneLine(code)}`,
      ),
    ...(omittedCount > 0 ? [`      and ${omittedCount} more`] : []),
    ...(seldom ? ['      Few such places were ever changed: it may be right for some of them only.'] : []),
    ...leftAloneLines.map(escapeInvisibleLine),
  ].join('\n');
}

/** The code as one line, shortened. */
function toOneLine(code: string): string {
  const line = escapeInvisibleLine(code.replace(/\s+/g, ' '));
  return line.length > MAX_CODE_CHARACTERS ? `${line.slice(0, MAX_CODE_CHARACTERS - 1)}…` : line;
}
