// Measures test coverage from the report of the repository's own tests, if there is one and it matches the files.

import type { Language, Measures } from '../../model.ts';
import { SelfwareError } from '../../../util/typedError.ts';
import { ruler } from '../ruler.ts';
import { matchesFile, type KnownFunction } from './matchesFile.ts';
import { resolveInTree, REPORT_PATHS, SUMMARY_PATHS } from './report.ts';
import type { Files } from '../../ports/files.ts';
import type { CoveredFile } from './coveredFile.ts';
import { SCRIPT_LANGUAGES } from '../../paths/scriptFiles.ts';

/** A file of the tree with its analysis. */
export interface AnalysedFile {
  readonly language: Language | null;
  readonly measures: Measures;
  readonly functions: readonly KnownFunction[];
}

/** The test coverage of a tree. */
export interface Coverage {
  /** The measures; empty if the coverage is unknown. */
  readonly measures: Measures;
  /** A sentence about the report that was used, or the reason why none was. */
  readonly explanation: string;
  /** `explanation`, by the name of each input of the ruler's test coverage, known or not. */
  readonly reasons: Readonly<Record<string, string>>;
  /** The measures of each file, by path. They add up to `measures`. */
  readonly byFile: ReadonlyMap<string, Measures>;
}

/** Coverage that Selfware has measured itself. */
export interface OwnCoverage {
  /** A sentence about the measured run and the amount of later changes. */
  readonly explanation: string;
  /**
   * Files with the text that was measured. Files that have changed since, or whose lines are unknown, have no lines.
   */
  readonly files: readonly CoveredFile[];
}

/**
 * Maximum share of lines that may be in files which the report no longer matches. If the share is larger, the coverage
 * is unknown.
 */
const MAX_STALE_SHARE = 0.1;

/**
 * Measures the coverage of the product files; only these count on the ruler. A file that the report does not contain,
 * in a language that it covers, counts as run by no test. The coverage that Selfware has measured itself
 * (`ownCoverage`) takes precedence. If too much of it is out of date, a report of the repository is used. If there is
 * no such report, or if it is also out of date, the coverage is unknown.
 */
export async function measureCoverage(
  files: Pick<Files, 'read'>,
  tree: ReadonlyMap<string, AnalysedFile>,
  ownCoverage: OwnCoverage | null = null,
): Promise<Coverage> {
  const measuredCoverage =
    ownCoverage &&
    (await sumCoverage(files, tree, {
      files: (paths) => locateInTree(ownCoverage.files, paths),
      words: ownCoverage.explanation,
    }));
  if (measuredCoverage) return measuredCoverage;
  const report = await findReport(files);
  if (report) {
    const explanation = `Coverage is taken from ${report.path}.`;
    return (
      (await sumCoverage(files, tree, { files: report.files, words: explanation })) ??
      createUnknownCoverage(`${report.path} does not fit the files as they are: run the tests with coverage again.`)
    );
  }
  for (const path of SUMMARY_PATHS)
    if ((await findText(files, path)) !== null)
      return createUnknownCoverage(`${path} holds sums only, so nobody can tell whether it fits the files.`);
  return createUnknownCoverage(
    ownCoverage
      ? 'The measurement of `selfware coverage` does not fit the current files: run it again.'
      : 'There is no report of coverage. `selfware coverage` measures it.',
  );
}

/**
 * The sums over the files that the report matches; null if it matches none, or if the share of lines in other files is
 * above `MAX_STALE_SHARE`. `report.words`: the explanation.
 */
async function sumCoverage(
  files: Pick<Files, 'read'>,
  tree: ReadonlyMap<string, AnalysedFile>,
  report: {
    files(tree: ReadonlyMap<string, AnalysedFile>): ReadonlyMap<string, CoveredFile>;
    readonly words: string;
  },
): Promise<Coverage | null> {
  const sums = { covered: 0, coverable: 0, stale: 0, fitting: 0 };
  const languages = new Set<Language | null>();
  const reportedFiles = new Set<string>();
  const measuresByFile = new Map<string, Measures>();
  const addCounts = (path: string, covered: number, coverable: number) => {
    measuresByFile.set(path, { 'coverage.covered': covered, 'coverage.coverable': coverable });
    sums.covered += covered;
    sums.coverable += coverable;
  };
  for (const [path, reported] of report.files(tree)) {
    const file = tree.get(path);
    if (!file || !isProduct(file)) continue;
    reportedFiles.add(path);
    languages.add(reportLanguageOf(file.language));
    const text = await findText(files, path);
    const statements = file.measures['statements'] ?? 0;
    const fits = text !== null && matchesFile(reported, text, file.functions);
    if (!fits || (reported.lines.size === 0 && statements > 0)) sums.stale += reported.lines.size || statements || 1;
    else {
      sums.fitting++;
      addCounts(path, [...reported.lines.values()].filter((hits) => hits > 0).length, reported.lines.size);
    }
  }
  if (sums.fitting === 0 || sums.stale > MAX_STALE_SHARE * (sums.stale + sums.coverable)) return null;
  for (const [path, file] of tree)
    if (!reportedFiles.has(path) && isProduct(file) && languages.has(reportLanguageOf(file.language)))
      addCounts(path, 0, file.measures['statements'] ?? 0);
  return createCoverage(
    { 'coverage.covered': sums.covered, 'coverage.coverable': sums.coverable },
    report.words,
    measuresByFile,
  );
}

/**
 * The coverage of the files that a report matches, by path; coverage that Selfware has measured itself takes
 * precedence. Empty if there is neither. Even if too much of a report is stale for its sums, its data on unchanged
 * files is still valid.
 */
export async function readFittingCoverage(
  files: Pick<Files, 'read'>,
  tree: ReadonlyMap<string, AnalysedFile>,
  ownCoverage: OwnCoverage | null = null,
): Promise<ReadonlyMap<string, CoveredFile>> {
  const fittingFiles = new Map<string, CoveredFile>();
  const reports = [...((await findReport(files))?.files(tree) ?? []), ...locateInTree(ownCoverage?.files ?? [], tree)];
  for (const [path, reported] of reports) {
    const text = tree.has(path) ? await findText(files, path) : null;
    if (text !== null && matchesFile(reported, text, tree.get(path)!.functions)) fittingFiles.set(path, reported);
  }
  return fittingFiles;
}

/**
 * The first report in `REPORT_PATHS` that can be read, with its files by their path in a tree; null if there is none.
 */
async function findReport(files: Pick<Files, 'read'>) {
  for (const { path, read } of REPORT_PATHS) {
    const text = await findText(files, path);
    const coveredFiles = text === null ? null : read(text);
    if (coveredFiles)
      return { path, files: (tree: ReadonlyMap<string, AnalysedFile>) => locateInTree(coveredFiles, tree) };
  }
  return null;
}

/** The files of a report by their path in the tree. Files that are not in the tree are omitted. */
function locateInTree(
  reportedFiles: readonly CoveredFile[],
  tree: ReadonlyMap<string, AnalysedFile>,
): ReadonlyMap<string, CoveredFile> {
  return new Map(
    reportedFiles.flatMap((file) => {
      const pathInTree = resolveInTree(file.path, (path) => tree.has(path));
      return pathInTree === null ? [] : [[pathInTree, file] as const];
    }),
  );
}

/** True for a file whose statements count on the ruler. */
function isProduct({ measures }: AnalysedFile): boolean {
  return measures['statements'] !== undefined;
}

/** The language that stands for all languages which share one report. */
function reportLanguageOf(language: Language | null): Language | null {
  return SCRIPT_LANGUAGES.has(language) ? 'typescript' : language;
}

function createUnknownCoverage(explanation: string): Coverage {
  return createCoverage({}, explanation);
}

function createCoverage(measures: Measures, explanation: string, byFile: Coverage['byFile'] = new Map()): Coverage {
  return {
    measures,
    explanation,
    byFile,
    reasons: Object.fromEntries(
      ruler.definition.inputs
        .filter(({ category }) => category === 'testCoverage')
        .map(({ name }) => [name, explanation]),
    ),
  };
}

/** The text of a file; null if it does not exist or cannot be read, for example because it is a folder. */
async function findText(files: Pick<Files, 'read'>, path: string): Promise<string | null> {
  try {
    const bytes = await files.read(path);
    return bytes === null ? null : new TextDecoder().decode(bytes);
  } catch (error) {
    if (error instanceof SelfwareError && error.reason === 'unreadable') return null;
    throw error;
  }
}
