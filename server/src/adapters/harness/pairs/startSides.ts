// Starts the processes of both sides, with the code in a module format in which it loads.

import type { HarnessOrder } from '../../../core/verify/differential/plan.ts';
import { compileAll } from '../compile.ts';
import type { Pair } from '../confirmDifference.ts';
import type { SideStart } from '../messages.ts';
import { instrumentSides, type ObservedExpressions } from '../observed/observeChanges.ts';
import { startSide } from '../sideProcesses.ts';

/** Matches messages of errors that occur if code is loaded as the wrong kind of module. */
const WRONG_FORMAT_PATTERN =
  /SyntaxError|(require|exports|module|__dirname|__filename) is not defined|ERR_REQUIRE|require\(\) of ES|import\.meta|top-level await|is not a (function|constructor)|Cannot read properties of undefined|does not provide an export/;

/** The reason why the code does not load. */
export interface Obstacle {
  readonly obstacle: string;
}

/** The data to start the process of each side. */
export interface Starts {
  readonly oldStart: SideStart;
  readonly newStart: SideStart;
}

/**
 * Starts both sides. If the code does not load in the formats that the repository's configuration states, all of it is
 * loaded as ES modules, because many build tools treat every file as one. `obstacle`: a sentence, if the code does not
 * load in either way.
 */
export async function startSides(
  request: HarnessOrder,
  rootDir: string,
  entry: URL,
): Promise<({ readonly pair: Pair; readonly starts: Starts } & ObservedExpressions) | { readonly obstacle: string }> {
  let obstacle: string | null = null;
  for (const loadsAsModules of [false, true]) {
    const compiled = compileAll(request, rootDir, loadsAsModules);
    const commonStart = {
      rootDir,
      targets: request.targets,
      emit: request.emit,
      onlyPath: null,
      watched: listWatchedFiles(request),
    };
    const { oldSide, newSide } = instrumentSides(compiled, request.created);
    const starts = {
      oldStart: { ...commonStart, codes: { ...compiled.newCode, ...compiled.oldCode }, observed: oldSide.codes },
      newStart: { ...commonStart, codes: compiled.newCode, observed: newSide.codes },
    };
    const pair = await openPair(entry, starts);
    if (!('obstacle' in pair))
      return { pair, starts, oldExpressions: oldSide.expressions, newExpressions: newSide.expressions };
    obstacle ??= pair.obstacle;
    // A missing package is missing in either format.
    if (!WRONG_FORMAT_PATTERN.test(pair.obstacle)) break;
  }
  return { obstacle: obstacle ?? 'The code does not load here.' };
}

/**
 * Starts both sides, or neither if one does not load. `obstacle`: a sentence about the side that does not load.
 * `loadMs`: time limit in milliseconds.
 */
export async function openPair(
  entry: URL,
  starts: Starts,
  loadMs?: number,
): Promise<Pair | { readonly obstacle: string }> {
  const [oldSide, newSide] = await Promise.all([
    startSide(entry, starts.oldStart, loadMs),
    startSide(entry, starts.newStart, loadMs),
  ]);
  if (!('obstacle' in oldSide) && !('obstacle' in newSide)) return { oldSide, newSide };
  for (const side of [oldSide, newSide]) if (!('obstacle' in side)) side.end();
  return {
    obstacle:
      'obstacle' in oldSide
        ? `The code does not load here: ${oldSide.obstacle}.`
        : `The new code does not load here, and the old does: ${'obstacle' in newSide ? newSide.obstacle : ''}.`,
  };
}

/** Paths of the files whose covered lines are reported: the edited and the created ones. */
export function listWatchedFiles({ files, created }: HarnessOrder): readonly string[] {
  return [...files.map(({ path }) => path), ...created];
}
