// Finds opportunities that involve several files. They are computed when somebody asks for the whole repository, and
// cached until a file changes.

import { posix } from 'node:path';
import { createInternalNameTest } from '../../analysis/project/internalNames.ts';
import { sortAndDeduplicate, findProjectOpportunities } from '../../analysis/project/projectOpportunities.ts';
import type { ProjectFile, ProjectPackage } from '../../analysis/project/projectView.ts';
import { rules } from '../../analysis/rules.ts';
import type { RuleId } from '../../rules/allRules.ts';
import { applySuppressions, findUnusedSuppressions, type SuppressedOpportunity } from '../../analysis/suppressions.ts';
import { isTestFile } from '../../paths/tests.ts';
import type { ProjectConfig } from '../../index/graph/config/projectConfig.ts';
import type { DependencyGraph } from '../../index/graph/dependencyGraph.ts';
import { readEntryPoints } from '../../index/graph/entryPoints.ts';
import { createImportResolver, type ImportResolver } from '../../index/graph/importResolver.ts';
import type { Opportunity } from '../../model.ts';
import type { SessionContext } from '../context.ts';
import { loadCurrentGraph } from '../index/graph.ts';
import { loadProjectConfig } from '../index/imports.ts';
import { confirmRecipes } from './recipeTrials.ts';
import { computeFindingsKey, storeFindings, readFindings, type FoundByRule } from './storedFindings.ts';
import { createTypeHoleSearch } from './typeHoles.ts';
import { createSimilarity } from '../search/similarity.ts';
import { readTextOrNull } from '../search/packing.ts';
import { computeTestReach } from '../verify/testReach.ts';
import { sha256 } from '../../../util/hash.ts';
import { SelfwareError } from '../../../util/typedError.ts';
import type { FileAnalysis } from '../../ports/catalogue.ts';

/** A tree to examine: the analysed one, or the analysed one with a change. */
export interface ProjectTree {
  readonly analyses: ReadonlyMap<string, FileAnalysis>;
  /** Text of a file as it was analysed; null if that text is no longer available. */
  read(path: string): Promise<string | null>;
  /** Called with a rule that could not examine all files, because something took too long or failed. */
  onMissed?(rule: RuleId): void;
}

/** Findings, without those that comments in the files suppress. */
export interface ProjectFindings {
  readonly opportunities: readonly Opportunity[];
  readonly suppressed: readonly SuppressedOpportunity[];
}

/** The findings that were computed so far for one tree. */
interface TreeFindings {
  readonly analyses: ReadonlyMap<string, FileAnalysis>;
  readonly treeHash: string | null;
  /** Resolves to the findings by rule. Each request waits for the previous one, and adds the rules that are missing. */
  pending: Promise<FoundByRule>;
  /** The findings so far, by rule. */
  byRule: FoundByRule;
  /** The findings so far, sorted and without duplicates. */
  inOrder: readonly Opportunity[];
  /** True as long as every file that was read had the analysed content. */
  isUnchanged: boolean;
  /** Rules whose findings are not stored, because the rule could not examine all files. */
  readonly incomplete: Set<string>;
}

/** Rules whose findings the ruler counts, regardless of the settings. */
export const MEASURED_RULES: readonly RuleId[] = ['duplicate-code', 'unused-export'];
const NO_PROJECT_FINDINGS: ProjectFindings = { opportunities: [], suppressed: [] };
const PROJECT_RULES = rules.filter(({ needs }) => needs === 'project').map(({ id }) => id);
const findingsOfTree = new WeakMap<SessionContext, TreeFindings>();
/** The last findings of each rule, on any tree. */
const lastFindings = new WeakMap<SessionContext, FoundByRule>();

/**
 * The findings of rules about several files. For the whole repository (`paths` undefined), they are computed again if a
 * file has changed. For some files, only known findings in files that have not changed since are returned, so that
 * opening a file never waits for the whole repository. `offRules`: rules that need not run.
 */
export async function findProjectFindings(
  context: SessionContext,
  paths: readonly string[] | undefined,
  offRules: readonly string[],
): Promise<ProjectFindings> {
  const { analyses } = context.state;
  const enabledRules = PROJECT_RULES.filter((id) => !offRules.includes(id));
  if (enabledRules.length === 0 || context.state.lastAnalysis === null) return NO_PROJECT_FINDINGS;
  if (paths === undefined)
    return removeSuppressed(await computeCurrentFindings(context, enabledRules), [...analyses.values()], enabledRules);
  const findingsBefore = findingsOfTree.get(context);
  const ranRules = enabledRules.filter((rule) => findingsBefore?.byRule[rule] !== undefined);
  if (!findingsBefore || ranRules.length === 0) return NO_PROJECT_FINDINGS;
  const unchanged = [...new Set(paths)].flatMap((path) =>
    findingsBefore.analyses.get(path)?.hash === analyses.get(path)?.hash ? (analyses.get(path) ?? []) : [],
  );
  return removeSuppressed(selectRules(findingsBefore.inOrder, ranRules), unchanged, ranRules);
}

/** The findings of these rules. */
function selectRules(findings: readonly Opportunity[], ruleIds: readonly string[]): readonly Opportunity[] {
  return findings.filter(({ rule }) => ruleIds.includes(rule));
}

/**
 * Findings of these rules in the whole analysed repository, hidden ones included. The measured rules are computed
 * together with them.
 */
export async function computeCurrentFindings(
  context: SessionContext,
  ruleIds: readonly string[],
): Promise<readonly Opportunity[]> {
  const { analyses, lastAnalysis } = context.state;
  const treeHash = lastAnalysis?.treeHash ?? null;
  const computedRules = [...new Set([...ruleIds, ...MEASURED_RULES])];
  const entryBefore = findingsOfTree.get(context);
  const entry: TreeFindings =
    entryBefore?.treeHash === treeHash
      ? entryBefore
      : {
          analyses,
          treeHash,
          pending: Promise.resolve({}),
          byRule: {},
          inOrder: [],
          isUnchanged: true,
          incomplete: new Set(),
        };
  findingsOfTree.set(context, entry);
  const pendingBefore = entry.pending;
  const findings = pendingBefore.then((byRule) => addFindingsOfRules(context, entry, byRule, computedRules));
  // A failed attempt must not affect the next one; its callers see the error.
  entry.pending = findings.catch(() => pendingBefore);
  // If a rule has not run on this tree yet, listeners still show its findings in the previous tree.
  findings.then(
    (currentFindings) => {
      const changedPaths = computedRules
        .filter((rule) => entry.byRule[rule] === undefined)
        .flatMap((rule) => findChangedFiles(lastFindings.get(context)?.[rule] ?? [], currentFindings[rule] ?? []));
      [entry.byRule, entry.inOrder] = [currentFindings, sortAndDeduplicate(Object.values(currentFindings).flat())];
      if (findingsOfTree.get(context) !== entry) return;
      lastFindings.set(context, { ...lastFindings.get(context), ...currentFindings });
      if (changedPaths.length > 0) context.emit({ type: 'opportunities', paths: [...new Set(changedPaths)].sort() });
    },
    () => undefined,
  );
  await findings;
  return selectRules(entry.inOrder, ruleIds);
}

/**
 * The `earlier` findings with the findings of the wanted rules. Missing findings are taken from the stored findings of
 * this tree, or computed. They are stored unless a file changed meanwhile or a rule could not examine all files.
 */
async function addFindingsOfRules(
  context: SessionContext,
  entry: TreeFindings,
  earlier: FoundByRule,
  ruleIds: readonly string[],
): Promise<FoundByRule> {
  const isMissing = (foundByRule: FoundByRule) => (rule: string) => foundByRule[rule] === undefined;
  if (!ruleIds.some(isMissing(earlier))) return earlier;
  const { analyses, treeHash } = entry;
  const readText = async (path: string): Promise<string | null> => {
    const text = await readAnalysedText(context, path);
    if (text === null) entry.isUnchanged = false;
    return text;
  };
  const tree: ProjectTree = { analyses, read: readText };
  const ground = await computeGround(context, tree);
  const troubleByPath = [...analyses.values()].flatMap(({ path, trouble }) => (trouble ? [[path, trouble]] : []));
  const key = computeFindingsKey(context, [
    treeHash,
    troubleByPath,
    ground.config,
    ground.packages,
    context.settings['index.exclude'],
  ]);
  const knownFindings = { ...(treeHash === null ? {} : await readFindings(context, key)), ...earlier };
  const missingRules = ruleIds.filter(isMissing(knownFindings));
  if (missingRules.length === 0) return knownFindings;
  const { incomplete } = entry;
  const onMissed = (rule: string) => void incomplete.add(rule);
  const unconfirmed = await findInTree(context, ground, new Set(missingRules), { ...tree, onMissed });
  const { signal } = new AbortController();
  const computedFindings = await confirmRecipes(context, unconfirmed, onMissed, signal);
  const foundByRule = {
    ...knownFindings,
    ...Object.fromEntries(
      missingRules.map((rule) => [rule, computedFindings.filter((finding) => finding.rule === rule)]),
    ),
  };
  // If files changed meanwhile, the findings do not belong to this tree, so they are not stored.
  if (!entry.isUnchanged || treeHash === null) return foundByRule;
  const completeFindings = Object.fromEntries(Object.entries(foundByRule).filter(([rule]) => !incomplete.has(rule)));
  await storeFindings(context, key, completeFindings);
  return foundByRule;
}

/**
 * The findings of these rules in any tree, hidden ones included. Stores nothing. Test gaps are taken from the analysed
 * tree.
 */
export async function findInProject(
  context: SessionContext,
  ruleIds: ReadonlySet<string>,
  tree: ProjectTree,
): Promise<readonly Opportunity[]> {
  return findInTree(context, await computeGround(context, tree), ruleIds, tree);
}

/** Creates a test for names that only their own package can import. */
export async function createCurrentInternalNameTest(
  context: SessionContext,
): Promise<(path: string, name: string) => boolean> {
  const { analyses } = context.state;
  const { packages, resolve } = await computeGround(context, { analyses, read: async () => null });
  return createInternalNameTest({
    files: [...analyses.values()].map((row) => createProjectFile(row, null)),
    packages,
    resolve: (from, specifier) => resolve(from, specifier)[0] ?? null,
  });
}

/** True if the repository has a package that others install. */
export async function isPublished(context: SessionContext): Promise<boolean> {
  const { packages } = await computeGround(context, { analyses: context.state.analyses, read: async () => null });
  return packages.some(({ published }) => published);
}

/** The data that rules about several files need in addition to the analyses of the files. */
interface Ground {
  readonly config: ProjectConfig;
  readonly packages: readonly ProjectPackage[];
  readonly resolve: ImportResolver;
}

async function computeGround(context: SessionContext, { analyses }: ProjectTree): Promise<Ground> {
  const rows = [...analyses.values()];
  const config = await loadProjectConfig(context, rows);
  const resolve = createImportResolver(
    rows.map(({ path, language }) => ({ path, language, symbols: [] })),
    config,
  );
  return {
    config,
    resolve,
    packages: await readEntryPoints([...analyses.keys()], config, resolve, (path) => readTextOrNull(context, path)),
  };
}

async function findInTree(
  context: SessionContext,
  { packages, resolve }: Ground,
  ruleIds: ReadonlySet<string>,
  tree: ProjectTree,
): Promise<readonly Opportunity[]> {
  const { signal } = new AbortController();
  const rows = [...tree.analyses.values()];
  const graph =
    ruleIds.has('test-gap') && rows.some(({ path }) => isTestFile(path))
      ? await loadCurrentGraph(context, signal)
      : null;
  const files = rows.map((row) => createProjectFile(row, graph));
  const readText = (path: string) => tree.read(path);
  const reach = graph && (await computeTestReach(context, graph, tree.analyses));
  return findProjectOpportunities(
    {
      rules: ruleIds,
      files,
      packages,
      excludes: context.settings['index.exclude'],
      resolve: (from, specifier) => resolve(from, specifier)[0] ?? null,
      read: readText,
      installed: (folder, name) => readInstalledManifest(context, folder, name),
      reach,
      typeHoles: createTypeHoleSearch(context, readText, () => tree.onMissed?.('type-hole')),
      similarity: createSimilarity(context, readText, signal),
    },
    signal,
  );
}

/**
 * The manifest of a package in `node_modules` of the folder `dir`, otherwise of the root; null if no manifest can be
 * read.
 */
async function readInstalledManifest(context: SessionContext, dir: string, name: string): Promise<string | null> {
  for (const folder of new Set([dir, ''])) {
    try {
      const text = await readTextOrNull(context, posix.join(folder, 'node_modules', name, 'package.json'));
      if (text !== null) return text;
    } catch (error) {
      // A broken installation shows nothing about the package.
      if (!(error instanceof SelfwareError)) throw error;
    }
  }
  return null;
}

function createProjectFile(
  { path, language, generated, functions, facts }: FileAnalysis,
  graph: DependencyGraph | null,
): ProjectFile {
  return {
    path,
    language,
    test: isTestFile(path),
    generated,
    functions,
    facts,
    symbols: (graph?.records.get(path)?.symbols ?? []) as ProjectFile['symbols'],
  };
}

/**
 * The text of a file. Null if the file is gone or has changed since the analysis, because the lines of its findings
 * then differ.
 */
export async function readAnalysedText({ ports, state }: SessionContext, path: string): Promise<string | null> {
  const bytes = await ports.files.read(path);
  if (!bytes || sha256(bytes) !== state.analyses.get(path)?.hash) return null;
  return new TextDecoder('utf-8').decode(bytes);
}

/** The findings in these files that no comment suppresses, and findings about suppressions that hide nothing. */
function removeSuppressed(
  findings: readonly Opportunity[],
  files: readonly FileAnalysis[],
  ruleIds: readonly string[],
): ProjectFindings {
  const findingsByPath = new Map<string, Opportunity[]>();
  for (const opportunity of findings) {
    const findingsOfFile = findingsByPath.get(opportunity.path);
    if (findingsOfFile) findingsOfFile.push(opportunity);
    else findingsByPath.set(opportunity.path, [opportunity]);
  }
  const parts = files.map(({ path, language, suppressions }) => {
    const { opportunities, suppressed } = applySuppressions(findingsByPath.get(path) ?? [], suppressions);
    // Documentation shows how to write suppressions, so those in documents do not count.
    const unusedSuppressions =
      language === null ? [] : findUnusedSuppressions(path, suppressions, suppressed, (rule) => ruleIds.includes(rule));
    return { opportunities: [...opportunities, ...unusedSuppressions], suppressed };
  });
  return {
    opportunities: parts.flatMap(({ opportunities }) => opportunities),
    suppressed: parts.flatMap(({ suppressed }) => suppressed),
  };
}

/** Paths of the files in which a finding was added or removed, sorted. */
function findChangedFiles(before: readonly Opportunity[], current: readonly Opportunity[]): string[] {
  const keyOf = ({ id, range }: Opportunity) => `${id} ${range.startLine}`;
  const [earlierKeys, currentKeys] = [new Set(before.map(keyOf)), new Set(current.map(keyOf))];
  return [
    ...new Set(
      [
        ...before.filter((finding) => !currentKeys.has(keyOf(finding))),
        ...current.filter((finding) => !earlierKeys.has(keyOf(finding))),
      ].map(({ path }) => path),
    ),
  ].sort();
}
