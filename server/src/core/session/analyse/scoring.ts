// Computes the score (points) of the repository on the ruler, the fixed scale of 1,000 points, and compares the points
// before and after an edit.

import { SCRIPT_PATTERN } from '../../paths/scriptFiles.ts';
import { posix } from 'node:path';
import type { FileEdit, Inventory, Measures, Opportunity, PointPlace, Points } from '../../model.ts';
import { comparePoints, type MeasureComparison, type TreeMeasures } from '../../score/comparePoints.ts';
import { measureCoverage } from '../../score/coverage/measureCoverage.ts';
import { findNestingOfGrowth } from '../../score/nestingOfGrowth.ts';
import { countAddedLines, computePrice } from '../../score/price.ts';
import { computeCosts } from '../../score/costs.ts';
import { findCostliestPlaces, type PlaceFile } from '../../score/expensivePlaces.ts';
import { foldSums, sumMeasures } from '../../score/score.ts';
import { sha256 } from '../../../util/hash.ts';
import type { SessionContext } from '../context.ts';
import { readOwnCoverage } from './coverage/storedCoverage.ts';
import { measureProjectWithChange, measureProject, markDeadExports, type ProjectMeasures } from './projectMeasures.ts';
import { readAnalysedText } from './projectFindings.ts';
import type { FileAnalysis } from '../../ports/catalogue.ts';
import type { ScoredChange } from '../../verify/context.ts';

/** Extensions that an import may omit. */
const SCRIPT_ENDINGS = ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs'];

/** Measures of places without an exact type. A double assertion also counts as an assertion. */
const TYPE_HOLE_MEASURES = [
  'script.any',
  'script.untyped',
  'script.nonNull',
  'script.assertion',
  'script.doubleAssertion',
];

/**
 * The points of the analysed tree, the places where points are lost, and the measures of the coverage, which may come
 * from a report in the tree.
 */
export async function scoreRepository(
  context: SessionContext,
): Promise<{ readonly points: Points; readonly places: readonly PointPlace[]; readonly coverage: Measures }> {
  const { ports, state } = context;
  const coverage = await measureCoverage(ports.files, state.analyses, await readOwnCoverage(context));
  const project = await measureProject(context);
  const sums = sumMeasures([
    ...[...state.analyses.values()].map((analysis) => analysis.measures),
    project.measures,
    coverage.measures,
  ]);
  const opportunitiesByPath = new Map<string, Opportunity[]>();
  for (const opportunity of project.opportunities)
    opportunitiesByPath.set(opportunity.path, [...(opportunitiesByPath.get(opportunity.path) ?? []), opportunity]);
  const files = [...state.analyses.values()].map(
    ({ path, measures, functions, firstLines, opportunities, suppressed }): PlaceFile => {
      const findings = [
        ...opportunities,
        ...suppressed.map(({ opportunity }) => opportunity),
        ...(opportunitiesByPath.get(path) ?? []),
      ];
      return {
        path,
        functions,
        ...(firstLines ? { firstLines } : {}),
        measures: { ...measures, ...project.byFile.get(path), ...coverage.byFile.get(path) },
        findings: findings.map(({ rule, nameRange, symbol }) => ({ rule, line: nameRange.startLine, symbol })),
      };
    },
  );
  return {
    points: { ...foldSums(sums, coverage.reasons), costs: computeCosts(sums) },
    places: findCostliestPlaces(files, sums),
    coverage: coverage.measures,
  };
}

/** True if a coverage report has changed since the points were last counted. */
export async function hasCoverageChanged(context: SessionContext): Promise<boolean> {
  const { ports, state } = context;
  const { measures } = await measureCoverage(ports.files, state.analyses, await readOwnCoverage(context));
  return JSON.stringify(measures) !== JSON.stringify(state.coverage);
}

/** One tree of a comparison: before or after the edits. */
interface ComparedTree {
  readonly analyses: ReadonlyMap<string, FileAnalysis>;
  /** Texts of the edited files; null if the file does not exist on this side. */
  readonly texts: ReadonlyMap<string, string | null>;
  readonly inventories: readonly Inventory[];
}

/**
 * Compares the points of the tree before the edits and after them. `guarded`: number of lines that no test ran before
 * and in which the new tests notice mistakes.
 */
export async function scoreEdits(
  context: SessionContext,
  edits: readonly FileEdit[],
  signal: AbortSignal,
  guarded = 0,
): Promise<MeasureComparison & Pick<ScoredChange, 'price' | 'newLines' | 'typeHoles'>> {
  const { measures: coverage } = await measureCoverage(
    context.ports.files,
    context.state.analyses,
    await readOwnCoverage(context),
  );
  const treeBefore = await analyseTree(
    context,
    context.state.analyses,
    new Map(edits.map((edit) => [edit.path, edit.before])),
    signal,
  );
  const treeAfter = await analyseTree(
    context,
    treeBefore.analyses,
    new Map(edits.map((edit) => [edit.path, edit.after])),
    signal,
  );
  // These files are equal on both sides, so they do not affect the difference.
  const importInventories = await readImportInventories(context, treeAfter, signal);
  // The analysis describes the tree before the change, unless a file was changed meanwhile; then it is measured again.
  const isUnchangedSinceAnalysis = edits.every(
    ({ path }) => treeBefore.analyses.get(path)?.hash === context.state.analyses.get(path)?.hash,
  );
  const projectBefore = isUnchangedSinceAnalysis
    ? await measureProject(context)
    : await measureChangedProject(context, treeBefore);
  const measuresBefore = collectMeasures(treeBefore, importInventories, projectBefore, coverage);
  const measuresAfter = collectMeasures(treeAfter, importInventories, await measureChangedProject(context, treeAfter), {
    ...coverage,
    ...(guarded > 0 ? { 'coverage.guarded': guarded } : {}),
  });
  const measuredPaths = new Set(
    treeAfter.inventories.flatMap((inventory) => (inventory.measured ? [inventory.path] : [])),
  );
  const [sumsBefore, sumsAfter] = [
    sumMeasures(measuresBefore.files.values()),
    sumMeasures(measuresAfter.files.values()),
  ];
  const measuredEdits = edits.filter(({ path }) => measuredPaths.has(path));
  const newLines = countAddedLines(measuredEdits, (path) => treeAfter.analyses.get(path)?.language ?? null);
  const nesting = findNestingOfGrowth(
    measuredEdits.map(({ path }) => ({
      before: treeBefore.analyses.get(path)?.functions ?? [],
      after: treeAfter.analyses.get(path)?.functions ?? [],
    })),
  );
  const comparison = comparePoints(measuresBefore, measuresAfter);
  const lostDocumentation = await context.ports.jobs.run('lostDocumentation', { edits: measuredEdits }, signal);
  const lostMeasures = new Map([['api.documented', lostDocumentation]]);
  return {
    ...comparison,
    price: computePrice({ ...comparison, sums: sumsBefore, sumsAfter, lost: lostMeasures, newLines, nesting }),
    newLines,
    typeHoles: { before: countTypeHoles(sumsBefore), after: countTypeHoles(sumsAfter) },
  };
}

/** Sums the measures of places without types. */
function countTypeHoles(sums: ReadonlyMap<string, number>): number {
  return TYPE_HOLE_MEASURES.reduce((total, name) => total + (sums.get(name) ?? 0), 0);
}

/** The analyses of the tree, in which the analyses of `texts` replace the analyses of the same files. */
async function analyseTree(
  { ports }: SessionContext,
  analyses: ReadonlyMap<string, FileAnalysis>,
  texts: ReadonlyMap<string, string | null>,
  signal: AbortSignal,
): Promise<ComparedTree> {
  const updatedAnalyses = new Map(analyses);
  for (const path of texts.keys()) updatedAnalyses.delete(path);
  const existingFiles = [...texts].flatMap(([path, text]) =>
    text === null ? [] : [{ path, bytes: new TextEncoder().encode(text) }],
  );
  const rows = await ports.jobs.run(
    'analyse',
    existingFiles.map((file) => ({ ...file, size: file.bytes.byteLength, mtimeMs: 0, hash: sha256(file.bytes) })),
    signal,
  );
  for (const row of rows) updatedAnalyses.set(row.path, row);
  return { analyses: updatedAnalyses, texts, inventories: await ports.jobs.run('inventory', existingFiles, signal) };
}

/**
 * Inventories of unedited files that the edited ones import by a relative path, because an edited file is compared with
 * them to find copied code.
 */
async function readImportInventories(
  context: SessionContext,
  { analyses, texts }: ComparedTree,
  signal: AbortSignal,
): Promise<readonly Inventory[]> {
  const importedPaths = new Set(
    [...texts.keys()].flatMap((path) =>
      (analyses.get(path)?.imports ?? []).flatMap((specifier) =>
        specifier.startsWith('.') ? listCandidatePaths(posix.join(posix.dirname(path), specifier)) : [],
      ),
    ),
  );
  const files: { readonly path: string; readonly bytes: Uint8Array }[] = [];
  for (const path of importedPaths) {
    if (texts.has(path) || !analyses.has(path)) continue;
    const bytes = await context.ports.files.read(path);
    if (bytes) files.push({ path, bytes });
  }
  return context.ports.jobs.run('inventory', files, signal);
}

/** Paths to which a relative specifier may resolve: as written, with each script extension, or an `index` below it. */
function listCandidatePaths(path: string): string[] {
  const stem = path.replace(SCRIPT_PATTERN, '');
  return [path, ...SCRIPT_ENDINGS.flatMap((extension) => [stem + extension, `${stem}/index${extension}`])];
}

/** Measures the project with the changed texts. */
function measureChangedProject(context: SessionContext, { analyses, texts }: ComparedTree): Promise<ProjectMeasures> {
  return measureProjectWithChange(context, {
    analyses,
    read: async (path) => (texts.has(path) ? (texts.get(path) ?? null) : readAnalysedText(context, path)),
  });
}

function collectMeasures(
  { analyses, inventories }: ComparedTree,
  importInventories: readonly Inventory[],
  project: ProjectMeasures,
  coverage: Measures,
): TreeMeasures {
  // The coverage and the measures of the project have no file, so they get paths that no file has.
  const files = new Map<string, Measures>([
    ['', coverage],
    ['/', project.measures],
    ...[...analyses].map(([path, { measures }]) => [path, measures] as const),
  ]);
  return {
    files,
    inventories: new Map(
      [...importInventories, ...inventories].map((inventory) => [inventory.path, markDeadExports(inventory, project)]),
    ),
  };
}
