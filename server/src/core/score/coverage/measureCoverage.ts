// Measures test coverage from the report that the repository's own tests left, where there is one and it fits the
// files.

import type { Language, Measures } from '../../model.ts';
import { SelfwareError } from '../../../util/typedError.ts';
import { ruler } from '../ruler.ts';
import { fits, type KnownFunction } from './fits.ts';
import { placeInTree, REPORT_PLACES, SUMMARY_PLACES } from './report.ts';
import type { Files } from '../../ports/files.ts';
import type { CoveredFile } from './coveredFile.ts';

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
  /** The same, by the name of the ruler's input, for what is unknown. */
  readonly reasons: Readonly<Record<string, string>>;
  /** What of `measures` is of which file. */
  readonly byFile: ReadonlyMap<string, Measures>;
}

/** Part of the lines that may be in files which the report no longer fits; with more, the whole is unknown. */
const STALE_SHARE = 0.1;
/** Languages whose files one report speaks of together. */
const SCRIPTS: ReadonlySet<Language | null> = new Set(['typescript', 'tsx', 'javascript']);

/**
 * Product files alone count: what the ruler does not measure is not to be covered. A file in a language that the report
 * speaks of, and that it does not mention, was run by no test.
 */
export async function measureCoverage(
  files: Pick<Files, 'read'>,
  tree: ReadonlyMap<string, AnalysedFile>,
): Promise<Coverage> {
  const report = await findReport(files);
  if (!report) {
    for (const path of SUMMARY_PLACES)
      if ((await textOf(files, path)) !== null)
        return unknown(`${path} holds sums only, so nobody can tell whether it fits the files.`);
    return unknown('There is no report of coverage.');
  }
  const sums = { covered: 0, coverable: 0, stale: 0, fitting: 0 };
  const languages = new Set<Language | null>();
  const mentioned = new Set<string>();
  const byFile = new Map<string, Measures>();
  const count = (path: string, covered: number, coverable: number) => {
    byFile.set(path, { 'coverage.covered': covered, 'coverage.coverable': coverable });
    sums.covered += covered;
    sums.coverable += coverable;
  };
  for (const [path, reported] of report.files(tree)) {
    const file = tree.get(path);
    if (!file || !isProduct(file)) continue;
    mentioned.add(path);
    languages.add(familyOf(file.language));
    const text = await textOf(files, path);
    if (text === null || !fits(reported, text, file.functions)) sums.stale += Math.max(1, reported.lines.size);
    else {
      sums.fitting++;
      count(path, [...reported.lines.values()].filter((hits) => hits > 0).length, reported.lines.size);
    }
  }
  if (sums.fitting === 0 || sums.stale > STALE_SHARE * (sums.stale + sums.coverable))
    return unknown(`${report.path} does not fit the files as they are: run the tests with coverage again.`);
  for (const [path, file] of tree)
    if (!mentioned.has(path) && isProduct(file) && languages.has(familyOf(file.language)))
      count(path, 0, file.measures['statements'] ?? 0);
  return answer(
    { 'coverage.covered': sums.covered, 'coverage.coverable': sums.coverable },
    `Coverage is taken from ${report.path}.`,
    byFile,
  );
}

/**
 * What a report says of the files of the tree that it fits, by path; empty where there is none. Sums of a report that
 * is mostly stale are unknown, but what it says of an unchanged file still holds.
 */
export async function fittingCoverage(
  files: Pick<Files, 'read'>,
  tree: ReadonlyMap<string, AnalysedFile>,
): Promise<ReadonlyMap<string, CoveredFile>> {
  const fitting = new Map<string, CoveredFile>();
  for (const [path, reported] of (await findReport(files))?.files(tree) ?? []) {
    const text = tree.has(path) ? await textOf(files, path) : null;
    if (text !== null && fits(reported, text, tree.get(path)!.functions)) fitting.set(path, reported);
  }
  return fitting;
}

async function findReport(files: Pick<Files, 'read'>) {
  for (const { path, read } of REPORT_PLACES) {
    const text = await textOf(files, path);
    const found = text === null ? null : read(text);
    if (found) return { path, files: (tree: ReadonlyMap<string, AnalysedFile>) => inTree(found, tree) };
  }
  return null;
}

function inTree(
  found: readonly CoveredFile[],
  tree: ReadonlyMap<string, AnalysedFile>,
): ReadonlyMap<string, CoveredFile> {
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
  return answer({}, says);
}

function answer(measures: Measures, says: string, byFile: Coverage['byFile'] = new Map()): Coverage {
  return {
    measures,
    says,
    byFile,
    reasons: Object.fromEntries(
      ruler.definition.inputs.filter(({ category }) => category === 'testCoverage').map(({ name }) => [name, says]),
    ),
  };
}

/** Null when there is no such file, or none that can be read: a folder of that name, say. */
async function textOf(files: Pick<Files, 'read'>, path: string): Promise<string | null> {
  try {
    const bytes = await files.read(path);
    return bytes === null ? null : new TextDecoder().decode(bytes);
  } catch (error) {
    if (error instanceof SelfwareError && error.reason === 'unreadable') return null;
    throw error;
  }
}
