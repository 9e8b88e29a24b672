// Measures which recipes are learned from the history of real repositories: the numbers of edits, shapes and recipes,
// and the places where the recipes match now.

import { basename, join } from 'node:path';
import type { LearningReport } from '../../server/src/core/session/recipes/recipeTypes.ts';
import type { Bench, BenchOptions, Table } from './support/bench.ts';
import { runChild } from './support/childRun.ts';
import { cliEntry } from './support/ours.ts';

/** The result for one repository. */
interface Learned {
  readonly name: string;
  readonly report: LearningReport;
  readonly seconds: number;
}

/** Number of commits that are read. */
const COMMITS = { tiny: 20, default: 1000, large: 5000 } as const;

/** The bench: numbers for each repository, and a row for each learned recipe. */
export const recipesFromHistory: Bench = {
  name: 'recipes-from-history',
  describe:
    'Recipes learned from the commits of repositories (--at DIR[,DIR…]: git checkouts with their history; else this one): edits, shapes, recipes and the places that are left. Whether a recipe is right, a reader has to say.',
  async run(options, signal) {
    const learned: Learned[] = [];
    for (const dir of options.at.length > 0 ? options.at : [process.cwd()])
      learned.push(await learnRecipes(dir, options, signal));
    return [createCountsTable(learned, options), createRecipesTable(learned)];
  },
};

async function learnRecipes(dir: string, options: BenchOptions, signal: AbortSignal): Promise<Learned> {
  const name = basename(dir);
  options.note(`${name}: reading its history`);
  const env = { ...process.env, SELFWARE_HOME: join(options.scratch, `${name}-home`), NO_COLOR: '1' };
  const args = ['learn', 'recipes', '--commits', String(COMMITS[options.size]), '--repo', dir, '--json'];
  const start = performance.now();
  // The exit code 1 means that there are recipes to use.
  const { stdout } = await runChild(process.execPath, [cliEntry, ...args], env, dir, signal, [0, 1]);
  return { name, report: JSON.parse(stdout) as LearningReport, seconds: (performance.now() - start) / 1000 };
}

function createCountsTable(learned: readonly Learned[], { size }: BenchOptions): Table {
  return {
    title: `Recipes from history: the last ${COMMITS[size]} commits`,
    columns: [
      { name: 'repository' },
      { name: 'commits' },
      { name: 'files' },
      { name: 'edits' },
      { name: 'recipes' },
      { name: 'with places left' },
      { name: 'places' },
      { name: 'groups not learned' },
      { name: 'time', unit: 's', digits: 0 },
    ],
    rows: learned.map(({ name, report: { commits, files, edits, recipes: found, rejected }, seconds }) => [
      name,
      commits,
      files,
      edits,
      found.length,
      found.filter(({ places }) => places.length > 0).length,
      found.reduce((sum, { places }) => sum + places.length, 0),
      rejected.length,
      seconds,
    ]),
    notes: ['Commits that changed a script, without merges. Files: pairs of versions that were compared.'],
  };
}

function createRecipesTable(learned: readonly Learned[]): Table {
  return {
    title: 'Recipes from history: what was learned',
    columns: [
      { name: 'repository' },
      { name: 'pattern' },
      { name: 'replacement' },
      { name: 'edits' },
      { name: 'places' },
      { name: 'seldom' },
    ],
    rows: learned.flatMap(({ name, report }) =>
      report.recipes.map(({ recipe, places, seldom }) => [
        name,
        recipe.pattern,
        recipe.replacement,
        recipe.edits,
        places.length,
        seldom ? 'yes' : '',
      ]),
    ),
    notes: ['Seldom: far more places are left than were ever edited.'],
  };
}
