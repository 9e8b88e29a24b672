// Measures test coverage from the report that the repository's own tests left, where there is one and it fits the files.

import type { Language, Measures } from '../../model.ts';
import type { Files } from '../../ports.ts';
import { fits, type KnownFunction } from './fits.ts';
import { placeInTree, REPORT_PLACES, SUMMARY_PLACES, type CoveredFile } from './report.ts';

/** What is known of a file of the tree. */
export interface AnalysedFile {
  readonly language: Language | null;
  readonly measures: Measures;
  readonly functions: readonly KnownFunction[];
}

export interface Coverage {
  /** Empty = unknown. */
  readonly measures: Measures;
  /** A sentence: the report that was taken, or why none was. */
  readonly says: string;
}

/** Part of the lines that may be in files which the report no longer fits; with more, the whole is unknown. */
const STALE_SHARE = 0.1;
/** Languages whose files one report speaks of together. */
const SCRIPTS: ReadonlySet<Language | null> = new Set(['typescript', 'tsx', 'javascript']);

/**
 * Product files alone count: what the ruler does not measure is not to be covered. A file in a language that the report speaks
 * of, and that it does not mention, was run by no test. Throws `unreadable`.
 */
export async function measureCoverage(files: Pick<Files, 'read'>, tree: ReadonlyMap<string, AnalysedFile>): Promise<Coverage> {
  const report = await findReport(files);
  if (!report) {
    for (const path of SUMMARY_PLACES) if ((await files.read(path)) !== null) return unknown(`${path} holds sums only, so nobody can tell whether it fits the files.`);
    return unknown('There is no report of coverage.');
  }
  const sums = { covered: 0, coverable: 0, stale: 0, fitting: 0 };
  const languages = new Set<Language | null>();
  const mentioned = new Set<string>();
  for (const [path, reported] of report.files(tree)) {
    const file = tree.get(path);
    if (!file || !isProduct(file)) continue;
    mentioned.add(path);
    languages.add(familyOf(file.language));
    const bytes = await files.read(path);
    const text = bytes === null ? null : new TextDecoder().decode(bytes);
    if (text === null || !fits(reported, text, file.functions)) sums.stale += Math.max(1, reported.lines.size);
    else {
      sums.fitting++;
      sums.coverable += reported.lines.size;
      sums.covered += [...reported.lines.values()].filter((hits) => hits > 0).length;
    }
  }
  if (sums.fitting === 0 || sums.stale > STALE_SHARE * (sums.stale + sums.coverable)) return unknown(`${report.path} does not fit the files as they are: run the tests with coverage again.`);
  for (const [path, file] of tree) if (!mentioned.has(path) && isProduct(file) && languages.has(familyOf(file.language))) sums.coverable += file.measures['statements'] ?? 0;
  return { measures: { 'coverage.covered': sums.covered, 'coverage.coverable': sums.coverable }, says: `Coverage is taken from ${report.path}.` };
}

async function findReport(files: Pick<Files, 'read'>) {
  for (const { path, read } of REPORT_PLACES) {
    const bytes = await files.read(path);
    const found = bytes === null ? null : read(new TextDecoder().decode(bytes));
    if (found) return { path, files: (tree: ReadonlyMap<string, AnalysedFile>) => inTree(found, tree) };
  }
  return null;
}

function inTree(found: readonly CoveredFile[], tree: ReadonlyMap<string, AnalysedFile>): ReadonlyMap<string, CoveredFile> {
  return new Map(
    found.flatMap((file) => {
      const place = placeInTree(file.path, (path) => tree.has(path));
      return place === null ? [] : [[place, file] as const];
    }),
  );
}

function isProduct({ measures }: AnalysedFile): boolean {
  return measures['statements'] !== undefined;
}

function familyOf(language: Language | null): Language | null {
  return SCRIPTS.has(language) ? 'typescript' : language;
}

function unknown(says: string): Coverage {
  return { measures: {}, says };
}
