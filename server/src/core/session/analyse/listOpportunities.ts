// Decides which findings a session shows, in which order, and why the others are hidden.

import { rules } from '../../analysis/rules.ts';
import type { Dismissal, Opportunity } from '../../model.ts';
import { explainPriority, type PriorityExplanation } from '../../prioritise/explainPriority.ts';
import { createForeignFileTest } from '../../prioritise/gitAttributes.ts';
import { createForeignFolderLookup, isLicencePath } from '../../prioritise/otherLicences.ts';
import { prioritise } from '../../prioritise/prioritise.ts';
import { createRuleViews, type RuleDefaults } from '../../prioritise/ruleViews.ts';
import { divideByVisibility, type RuleView, type ViewContext } from '../../prioritise/visibility.ts';
import type { HiddenOpportunity, ListedOpportunities } from './analysisTypes.ts';
import type { Settings } from '../../../settings/schema.ts';
import { fallBackIfDamaged, type SessionContext } from '../context.ts';
import { listKnownWrongExamples } from './examples/storedExamples.ts';
import { findFlaky } from './findFlaky.ts';
import { listKnownCounterexamples } from './storedCounterexamples.ts';
import { loadKnownUnguarded } from './unguarded/unguardedMistakes.ts';
import { matchWithBaseline } from './loadedBaseline.ts';
import { addHotPlaces } from './hotFunctions.ts';
import { readStoredLintFindings } from './linting.ts';
import { removeLintedPatterns, splitByListLimit, moveLintersFirst } from './lintOpportunities.ts';
import { findProjectFindings } from './projectFindings.ts';
import { removeRuffOfTeam } from './python/teamRuff.ts';
import { loadPriorityContext } from './ranking.ts';
import { readTextOrNull } from '../search/packing.ts';
import { findLearnedOpportunities } from '../recipes/learnedOpportunities.ts';
import { removeUnsupportedCauses } from '../recipes/supportedCauses.ts';
import type { FileAnalysis } from '../../ports/catalogue.ts';

const RULE_DEFAULTS: readonly RuleDefaults[] = rules.map(({ id, defaultOn, limit }) => ({
  id,
  defaultOn,
  measures: limit?.evidence,
}));

/** The reason why a finding of a linter is not shown if the list would become too long. */
const NO_ROOM = 'the list has room for some files of each rule of a linter';

/**
 * Lists the known opportunities, shown and hidden, of these files; without `paths`, of all files. Each list is sorted,
 * best first.
 */
export async function listOpportunities(
  context: SessionContext,
  paths?: readonly string[],
): Promise<ListedOpportunities> {
  const { shown, hidden } = await rankOpportunities(context, paths);
  return { shown, hidden };
}

/** Lists the known opportunities as `listOpportunities` does, and adds `explain`, which explains the ranks. */
export async function rankOpportunities(
  context: SessionContext,
  paths?: readonly string[],
): Promise<ListedOpportunities & { explain(opportunities: readonly Opportunity[]): readonly PriorityExplanation[] }> {
  const { state } = context;
  const analyses = paths ? paths.flatMap((path) => state.analyses.get(path) ?? []) : [...state.analyses.values()];
  const ofProject = await findProjectFindings(context, paths, listSwitchedOffRules(context.settings));
  const unsorted = [
    await listKnownCounterexamples(context, paths),
    await loadKnownUnguarded(context, paths),
    await findFlaky(context, paths),
    await listKnownWrongExamples(context, paths),
  ];
  const runFindings = {
    opportunities: unsorted.flatMap(({ opportunities }) => opportunities),
    suppressed: unsorted.flatMap(({ suppressed }) => suppressed),
  };
  const learned = await findLearnedOpportunities(context, paths);
  // In a file that is open, the extension of the linter shows them already.
  const linterFindings = paths === undefined ? await readStoredLintFindings(context) : [];
  const allOpportunities = [
    ...(await removeUnsupportedCauses(
      context,
      removeLintedPatterns(await removeRuffOfTeam(context, collectOpportunities(analyses)), linterFindings),
    )),
    ...ofProject.opportunities,
    ...runFindings.opportunities,
    ...learned.opportunities,
    ...linterFindings,
  ];
  const view = divideByVisibility(allOpportunities, await createViewContext(context, allOpportunities, paths));
  const limitedList = splitByListLimit(view.shown);
  const hiddenForRoom = limitedList.omittedFindings.map(
    (opportunity): HiddenOpportunity => ({ opportunity, by: 'limit', reason: NO_ROOM }),
  );
  const { shown, hidden } = await addHotPlaces(context, limitedList.shown, [...view.hidden, ...hiddenForRoom]);
  const ranking = await loadPriorityContext(context, paths === undefined);
  const hiddenByComment = [...analyses, ofProject, runFindings, learned].flatMap(({ suppressed }) =>
    suppressed.map(({ opportunity, reason }): HiddenOpportunity => ({ opportunity, by: 'comment', reason })),
  );
  return {
    shown: moveLintersFirst(prioritise(shown, ranking), state.analyses.keys()),
    hidden: sortByRank([...hidden, ...hiddenByComment], (all) => prioritise(all, ranking)),
    explain: (opportunities) => opportunities.map((opportunity) => explainPriority(opportunity, ranking)),
  };
}

/** Opportunities that are hidden only because their rules are off by default, best first. */
export function listHiddenByDefault({ hidden }: ListedOpportunities): readonly Opportunity[] {
  return hidden.flatMap(({ opportunity, by }) => (by === 'quiet' ? [opportunity] : []));
}

/** Removes the findings of linters that something hides, and those for which the list has no room. */
export async function filterFindings(
  context: SessionContext,
  findings: readonly Opportunity[],
): Promise<readonly Opportunity[]> {
  return splitByListLimit(divideByVisibility(findings, await createViewContext(context, findings, undefined)).shown)
    .shown;
}

/**
 * Findings with a recipe by rules about the whole project that are off by default, and so have not run yet; best first.
 * Takes as long as a type check if the tree has changed since the last call.
 */
export async function findSlowOpportunities(context: SessionContext): Promise<readonly Opportunity[]> {
  const views = collectViews(context.settings);
  const slowRules = rules.filter(
    ({ id, needs, recipe }) => needs === 'project' && recipe !== null && views.get(id)?.hiddenBy === 'quiet',
  );
  if (slowRules.length === 0) return [];
  const ids = new Set<string>(slowRules.map(({ id }) => id));
  const { opportunities } = await findProjectFindings(
    context,
    undefined,
    rules.flatMap(({ id }) => (ids.has(id) ? [] : [id])),
  );
  const view = await createViewContext(context, opportunities, undefined);
  const wantedOpportunities = divideByVisibility(opportunities, { ...view, rules: new Map() }).shown;
  return prioritise(
    wantedOpportunities.filter(({ rule }) => ids.has(rule)),
    await loadPriorityContext(context, true),
  );
}

/** The opportunities that nothing hides, best first. */
export async function listShown(context: SessionContext, paths?: readonly string[]): Promise<readonly Opportunity[]> {
  return (await listOpportunities(context, paths)).shown;
}

/** Removes the opportunities in an editor's text that something hides. */
export async function listShownOfText(
  context: SessionContext,
  path: string,
  opportunities: FileAnalysis['opportunities'],
): Promise<readonly Opportunity[]> {
  const ownOpportunities = await removeRuffOfTeam(context, opportunities);
  return divideByVisibility(ownOpportunities, await createViewContext(context, ownOpportunities, [path])).shown;
}

/** Rules that the settings switch off, or that are off by default and that nobody has switched on. */
export function listSwitchedOffRules(settings: Settings): readonly string[] {
  return [...collectViews(settings)].flatMap(([id, { hiddenBy }]) => (hiddenBy ? [id] : []));
}

/** Explains the rank of each opportunity, with the figures that also decide the order. */
export async function explainRanks(
  context: SessionContext,
  opportunities: readonly Opportunity[],
): Promise<readonly PriorityExplanation[]> {
  const ranking = await loadPriorityContext(context, true);
  return opportunities.map((opportunity) => explainPriority(opportunity, ranking));
}

/** The views of the rules under these settings. */
function collectViews(settings: Settings): ReadonlyMap<string, RuleView> {
  return createRuleViews(RULE_DEFAULTS, settings['analysis.rules'], settings['rules.disabled']);
}

function collectOpportunities(analyses: readonly Pick<FileAnalysis, 'opportunities'>[]): Opportunity[] {
  return analyses.flatMap(({ opportunities }) => opportunities);
}

async function createViewContext(
  context: SessionContext,
  opportunities: readonly Opportunity[],
  paths: readonly string[] | undefined,
): Promise<ViewContext> {
  const { settings, ledger } = context;
  const dismissals = await fallBackIfDamaged<readonly Dismissal[]>(context, [], () => ledger.dismissals());
  return {
    rules: collectViews(settings),
    dismissed: new Map(dismissals.map((dismissal) => [dismissal.opportunity, dismissal])),
    baseline: new Set((await matchWithBaseline(context, opportunities, paths)).entryByHiddenId.keys()),
    explainForeign: await createForeignCodeTest(context),
  };
}

/** The last answer for each session. `files`: the paths and hashes of the files from which it was read. */
const lastOwnership = new WeakMap<
  SessionContext,
  { readonly files: string; readonly answer: ViewContext['explainForeign'] }
>();
/**
 * The answers by the analyses that they are about, so that each analysis reads the ownership of its files only once.
 */
const ownershipByAnalyses = new WeakMap<ReadonlyMap<string, FileAnalysis>, Promise<ViewContext['explainForeign']>>();

/**
 * Returns a function that gives the reason why a file is not the repository's own code, according to `.gitattributes`
 * and licences, or null. Reads these files and package.json again only after one of them has changed.
 */
async function createForeignCodeTest(context: SessionContext): Promise<ViewContext['explainForeign']> {
  const { analyses } = context.state;
  const answer = ownershipByAnalyses.get(analyses) ?? readOwnership(context);
  ownershipByAnalyses.set(analyses, answer);
  return answer;
}

/** Reads which files are foreign, from the attributes and licences. The answer is kept until these files change. */
async function readOwnership(context: SessionContext): Promise<ViewContext['explainForeign']> {
  const isAttributes = (path: string) => path === '.gitattributes' || path.endsWith('/.gitattributes');
  const analyses = [...context.state.analyses.values()].filter(
    ({ path }) => isAttributes(path) || isLicencePath(path) || path === 'package.json',
  );
  const files = analyses.map(({ path, hash }) => `${path} ${hash}`).join('\n');
  const lastAnswer = lastOwnership.get(context);
  if (lastAnswer?.files === files) return lastAnswer.answer;
  const texts = await Promise.all(
    analyses.map(async ({ path }) => ({
      path,
      folder: path.slice(0, Math.max(0, path.lastIndexOf('/'))),
      text: (await readTextOrNull(context, path)) ?? '',
    })),
  );
  const isForeignByAttributes = createForeignFileTest(texts.filter(({ path }) => isAttributes(path)));
  const findLicenceFolder = createForeignFolderLookup(
    texts.filter(({ path }) => isLicencePath(path)),
    texts.find(({ path }) => path === 'package.json')?.text ?? null,
  );
  const answer = (path: string) => {
    if (isForeignByAttributes(path)) return '.gitattributes says so';
    const folder = findLicenceFolder(path);
    return folder === null ? null : `the licence of ${folder} names another owner`;
  };
  lastOwnership.set(context, { files, answer });
  return answer;
}

/** The hidden opportunities in the order that `sortOpportunities` gives to them. */
function sortByRank(
  hidden: readonly HiddenOpportunity[],
  sortOpportunities: (opportunities: readonly Opportunity[]) => readonly Opportunity[],
): HiddenOpportunity[] {
  const entries = new Map(hidden.map((entry) => [entry.opportunity, entry]));
  return sortOpportunities([...entries.keys()]).map((opportunity) => entries.get(opportunity)!);
}
