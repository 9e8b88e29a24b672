// Lists the paths at which tools write coverage reports, and finds the files of the tree to which a report refers.

import { readCobertura } from './cobertura.ts';
import { readIstanbul } from './istanbul.ts';
import { readLcov } from './lcov.ts';
import type { CoveredFile } from './coveredFile.ts';

/**
 * Paths at which tools write reports, the most detailed format first. Summaries are not used: they have no positions,
 * so it cannot be checked whether they match the files.
 */
export const REPORT_PATHS: readonly {
  readonly path: string;
  readonly read: (text: string) => readonly CoveredFile[] | null;
}[] = [
  ...['coverage/coverage-final.json', '.nyc_output/coverage-final.json', 'coverage-final.json'].map((path) => ({
    path,
    read: readIstanbul,
  })),
  ...['coverage/lcov.info', 'lcov.info', 'coverage/lcov/lcov.info', 'target/lcov.info'].map((path) => ({
    path,
    read: readLcov,
  })),
  ...['coverage/cobertura-coverage.xml', 'coverage/cobertura.xml', 'coverage.xml', 'cobertura.xml'].map((path) => ({
    path,
    read: readCobertura,
  })),
];

/** Paths of summaries, which are looked up only to explain why they are not used. */
export const SUMMARY_PATHS: readonly string[] = ['coverage/coverage-summary.json', 'coverage-summary.json'];

/**
 * The file of the tree for a path of the report: the longest suffix of the path for which `isFile` is true. Null if
 * there is none.
 */
export function resolveInTree(path: string, isFile: (path: string) => boolean): string | null {
  const parts = path
    .replaceAll('\\', '/')
    .split('/')
    .filter((part) => part !== '' && part !== '.');
  for (let from = 0; from < parts.length; from++) {
    const candidatePath = parts.slice(from).join('/');
    if (isFile(candidatePath)) return candidatePath;
  }
  return null;
}
