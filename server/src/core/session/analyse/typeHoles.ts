// Asks a worker for the type holes of many files, in parts. If one part takes too long, only its files are missing.

import { describeError, SelfwareError, throwIfCancelled } from '../../../util/typedError.ts';
import type { ProjectView } from '../../analysis/project/projectView.ts';
import type { SessionContext } from '../context.ts';

/** Number of files in one request. Neighbouring files mostly share their compiler options, so they share a program. */
const FILES_AT_ONCE = 250;

/**
 * Creates the search for type holes. `read` gives the text of a file as it was analysed, because findings in another
 * text would have other lines. `onMissed` is called if some files were not examined. The search throws `cancelled`,
 * even if only the jobs are closed.
 */
export function createTypeHoleSearch(
  { ports }: SessionContext,
  read: (path: string) => Promise<string | null>,
  onMissed: () => void,
): NonNullable<ProjectView['typeHoles']> {
  return async (paths, signal) => {
    const holes: Awaited<ReturnType<NonNullable<ProjectView['typeHoles']>>>[number][] = [];
    for (let offset = 0; offset < paths.length; offset += FILES_AT_ONCE) {
      const batch = paths.slice(offset, offset + FILES_AT_ONCE);
      try {
        holes.push(...(await ports.jobs.run('typeHoles', { rootDir: ports.files.rootDir, paths: batch }, signal)));
      } catch (error) {
        throwIfCancelled(signal);
        if (error instanceof SelfwareError && error.reason === 'cancelled') throw error;
        onMissed();
        ports.log.write(
          'warn',
          `The types of ${batch.length} files from ${batch[0]} on were not looked at: ${describeError(error)}`,
          error,
        );
      }
    }
    const isUnchanged = await Promise.all(holes.map(async (file) => (await read(file.path)) !== null));
    return holes.filter((_, offset) => isUnchanged[offset]);
  };
}
