// The order of test files: those of a project together, and the slowest of them first, so that no worker is left alone
// with one of them at the end. A file that the list does not name takes a few seconds at most.

import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

/** Test files, slowest first. `node scripts/slowFiles.mjs` writes the list from the reports of the last run. */
export const slowFiles = JSON.parse(
  readFileSync(join(import.meta.dirname, 'slowFiles.json'), 'utf8'),
) as readonly string[];

/**
 * The projects of `vitest.config.ts` in their order: vitest ends a process that files share if the next file in the
 * queue is of another project, and the process after it loads all sources again. The shortest files come last.
 */
const PROJECTS = ['slow', 'sessions', 'pure'];

interface TestFile {
  /** The absolute path. */
  readonly moduleId: string;
  readonly project: { readonly name: string };
}

/** The files in the order in which they begin. Files that the list does not name keep their order. */
export function slowestFirst<T extends TestFile>(files: readonly T[]): T[] {
  const place = new Map(slowFiles.map((path, index) => [path, index]));
  const placeOf = ({ moduleId }: TestFile) =>
    place.get(relative(root, moduleId).replaceAll('\\', '/')) ?? slowFiles.length;
  const projectOf = ({ project }: TestFile) => PROJECTS.indexOf(project.name);
  return files.toSorted((one, other) => projectOf(one) - projectOf(other) || placeOf(one) - placeOf(other));
}
