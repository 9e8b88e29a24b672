// Reports of coverage as tests leave them: where they lie, and what they say of each file and line.

import { readCobertura } from './cobertura.ts';
import { readIstanbul } from './istanbul.ts';
import { readLcov } from './lcov.ts';
import type { CoveredFile } from './coveredFile.ts';

/** Where tools write, the most telling format first. A summary has no positions: nobody could tell whether it fits. */
export const REPORT_PLACES: readonly {
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

/** Looked for only to say why it is not used. */
export const SUMMARY_PLACES: readonly string[] = ['coverage/coverage-summary.json', 'coverage-summary.json'];

/** A path of the report as the tree calls it: the longest end of it that is a file there. Null: none is. */
export function placeInTree(path: string, isFile: (path: string) => boolean): string | null {
  const parts = path
    .replaceAll('\\', '/')
    .split('/')
    .filter((part) => part !== '' && part !== '.');
  for (let from = 0; from < parts.length; from++) {
    const place = parts.slice(from).join('/');
    if (isFile(place)) return place;
  }
  return null;
}
