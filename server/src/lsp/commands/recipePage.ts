// Renders the page about a learned recipe (a change that was learned from edits): its examples, the remaining places,
// and the matching places that it leaves alone.

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { fencedBlock, joinLines, link, md, type Markdown } from '#protocol/markdown';
import type { ReportPage } from '#protocol/reports';
import { costSentence } from '../../core/proposers/cost.ts';
import type { RecipeView } from '../../core/session/recipes/recipeTypes.ts';
import { formatCount } from '../../util/counted.ts';

/** Maximum number of places on a page. */
const MAX_PLACES = 100;

/** The page. `rootDir`: the absolute path of the repository, for links to its files. */
export function renderRecipePage(
  { recipe, places, leftAlone, seldom, cost: modelCost }: RecipeView,
  rootDir: string,
): ReportPage {
  const omittedCount = places.length - MAX_PLACES;
  const body: readonly (Markdown | string)[] = [
    md`# Repeat an edit`,
    '',
    fencedBlock(`- ${recipe.pattern}\n+ ${recipe.replacement}`, 'diff'),
    '',
    md`## Learned from ${formatCount(recipe.edits, 'edit')}`,
    '',
    ...(modelCost ? [md`${costSentence(modelCost)}`, ''] : []),
    ...recipe.examples.flatMap(({ commit, subject, path, line, before, after }) => [
      md`${renderLink(rootDir, path, line)}: ${commit === null ? subject : `${commit.slice(0, 8)} ${subject}`}`,
      '',
      fencedBlock(formatDiff(before, after), 'diff'),
      '',
    ]),
    md`## ${formatCount(places.length, 'place')} left`,
    '',
    ...(seldom ? [md`Few such places were ever changed: it may be right for some of them only.`, ''] : []),
    ...places
      .slice(0, MAX_PLACES)
      .flatMap(({ path, range, code, becomes }) => [
        md`${renderLink(rootDir, path, range.startLine)}`,
        '',
        fencedBlock(formatDiff(code, becomes), 'diff'),
        '',
      ]),
    ...(omittedCount > 0 ? [md`And ${formatCount(omittedCount, 'more place')}.`, ''] : []),
    ...Object.entries(leftAlone).map(([reason, count]) => md`- ${count} left alone: ${reason}`),
  ];
  return { title: 'Selfware: Repeat an Edit', markdown: `${joinLines(body).toString()}\n` };
}

function renderLink(rootDir: string, path: string, line: number): Markdown {
  return link(`${path}:${line}`, `${pathToFileURL(join(rootDir, path)).href}#L${line}`);
}

/** The lines of `before` with a minus sign, then the lines of `after` with a plus sign. */
function formatDiff(before: string, after: string): string {
  const prefixLines = (sign: string, text: string) => text.split('\n').map((line) => `${sign} ${line}`);
  return [...prefixLines('-', before), ...prefixLines('+', after)].join('\n');
}
