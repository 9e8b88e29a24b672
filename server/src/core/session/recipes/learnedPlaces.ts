// Finds the places of learned recipes in the current tree, and turns places of accepted recipes into opportunities.

import { SCRIPT_WITH_CODE_PATTERN } from '../../paths/scriptFiles.ts';
import { toProjectOpportunity } from '../../analysis/project/projectFinding.ts';
import { AUTHOR_LABELS } from '../../model/authors.ts';
import { createLearnedRecipeName, createLearnedRuleName, type LearnedRecipe } from '../../model/learnedRecipes.ts';
import type { Opportunity } from '../../model.ts';
import type { Operation } from '../../operation.ts';
import type { FoundPlaces, PatternSearchFile } from '../../propose/patterns/jobs.ts';
import { formatCount } from '../../../util/counted.ts';
import { SelfwareError, throwIfCancelled } from '../../../util/typedError.ts';
import { shorten, escapeInvisibleLine } from '../../../util/visible.ts';
import { getRefreshLimits, type SessionContext } from '../context.ts';
import { isJudge } from '../verify/judgeFiles.ts';

/** Number of files that are searched between two progress reports. */
const FILES_AT_ONCE = 100;
/**
 * The impact of a place. It is lower than that of all rules that gain points, because the benefit of a learned change
 * is not measured.
 */
const IMPACT = 5;
/** The expected share of places that people want changed. */
const CONFIDENCE = 0.6;
/** Maximum number of characters of code in a message. */
const MAX_CHARACTERS = 80;

/**
 * True for a file that recipes are learned from and applied to: a script that is neither a test nor another judge file.
 */
export function isLearningSource(path: string): boolean {
  return SCRIPT_WITH_CODE_PATTERN.test(path) && !isJudge(path);
}

/**
 * The places that the recipes currently match, by default in all files, sorted by path and line. Needs no analysis, but
 * uses an existing one to skip generated files.
 */
export async function findCurrentPlaces(
  context: SessionContext,
  recipes: readonly LearnedRecipe[],
  operation: Operation,
  paths?: readonly string[],
): Promise<FoundPlaces> {
  const { ports, state } = context;
  const { signal, report } = operation;
  const foundPlaces: { places: FoundPlaces['places'][number][]; refused: FoundPlaces['refused'][number][] } = {
    places: [],
    refused: [],
  };
  if (recipes.length === 0) return foundPlaces;
  const searchedPaths = (paths ?? (await listPaths(context, operation))).filter(
    (path) => isLearningSource(path) && state.analyses.get(path)?.generated !== true,
  );
  for (let offset = 0; offset < searchedPaths.length; offset += FILES_AT_ONCE) {
    report?.({
      stage: 'analysing',
      done: offset,
      total: searchedPaths.length,
      message: 'Looks for places of learned recipes',
    });
    const files = searchedPaths.slice(offset, offset + FILES_AT_ONCE).map((path) => ({ path }));
    const foundInBatch = await searchFiles(ports, files, recipes, signal);
    foundPlaces.places.push(...foundInBatch.places);
    foundPlaces.refused.push(...foundInBatch.refused);
  }
  return foundPlaces;
}

/** The paths of all files of the tree, sorted. */
async function listPaths(context: SessionContext, { signal, report }: Operation): Promise<readonly string[]> {
  report?.({ stage: 'walking', done: 0, total: null, message: 'Looking for files' });
  const { files } = await context.ports.files.walk(getRefreshLimits(context), signal);
  return files.map(({ path }) => path).sort();
}

/** Searches some files. If a file breaks the matcher, only that file is skipped. */
async function searchFiles(
  ports: SessionContext['ports'],
  files: readonly PatternSearchFile[],
  recipes: readonly LearnedRecipe[],
  signal: AbortSignal,
): Promise<FoundPlaces> {
  try {
    return await ports.jobs.run('findShapes', { rootDir: ports.files.rootDir, files, shapes: recipes }, signal);
  } catch (error) {
    throwIfCancelled(signal);
    if (!(error instanceof SelfwareError) || error.reason === 'unavailable') throw error;
    const [first] = files;
    if (files.length > 1) {
      const middle = Math.ceil(files.length / 2);
      const firstHalf = await searchFiles(ports, files.slice(0, middle), recipes, signal);
      const secondHalf = await searchFiles(ports, files.slice(middle), recipes, signal);
      return {
        places: [...firstHalf.places, ...secondHalf.places],
        refused: [...firstHalf.refused, ...secondHalf.refused],
      };
    }
    ports.log.write('warn', `${first?.path ?? 'A file'} could not be searched for learned recipes.`, error);
    return { places: [], refused: [] };
  }
}

/** Converts places to opportunities. Equal code in one file gets different ids by a number. */
export function createLearnedOpportunities(
  recipes: readonly LearnedRecipe[],
  places: FoundPlaces['places'],
): readonly Opportunity[] {
  const ordinals = new Map<string, number>();
  return places.map(({ shape: recipeIndex, path, range, code, becomes: replacement }) => {
    const recipe = recipes[recipeIndex]!;
    const key = `${recipeIndex} ${path} ${code}`;
    const ordinal = ordinals.get(key) ?? 0;
    ordinals.set(key, ordinal + 1);
    return toProjectOpportunity({
      rule: createLearnedRuleName(recipe.id),
      path,
      range,
      nameRange: range,
      symbol: null,
      about: `${code} ${ordinal}`,
      impact: IMPACT,
      confidence: CONFIDENCE,
      message: `\`${shortenCode(code)}\` can be \`${shortenCode(replacement)}\`, as ${describeSource(recipe)}.`,
      evidence: { pattern: recipe.pattern, replacement: recipe.replacement, edits: recipe.edits },
      recipe: createLearnedRecipeName(recipe.id),
    });
  });
}

/** The code on one line and shortened, for a message. */
function shortenCode(code: string): string {
  return shorten(escapeInvisibleLine(code).replaceAll('`', "'"), MAX_CHARACTERS);
}

/** The source from which the recipe was learned, as the end of a sentence: `3 edits in 2 commits did`. */
export function describeSource({
  edits,
  commits,
  author,
}: Pick<LearnedRecipe, 'edits' | 'commits' | 'author'>): string {
  const originText =
    author === undefined ? formatCount(edits, 'edit') : `${formatCount(edits, 'edit')} by ${AUTHOR_LABELS[author]}`;
  return commits > 0 ? `${originText} in ${formatCount(commits, 'commit')} did` : `${originText} did`;
}
