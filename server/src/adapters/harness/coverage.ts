// Finds the code of this process that has never run, by V8's counts for each block.

import { Session } from 'node:inspector';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import type { Profiler } from 'node:inspector';
import type { RanCode, SideStart } from './messages.ts';
import { toOriginalOffset, type ObservedCode } from './observed/observedCode.ts';

/** A running count of the code that runs in this process. */
export interface CoverageWatch {
  /**
   * Stops counting. Returns, for each watched file that was loaded, its code, the ranges (offsets) that never ran, and
   * `seenBits`, in which missing elements become 0. `seenBits`: what the observed expressions were, as bits, by the
   * number of the expression.
   */
  stop(start: Pick<SideStart, 'codes' | 'watched' | 'observed'>, seenBits: readonly number[]): readonly RanCode[];
}

/** Starts counting. Call it before the code is loaded. */
export function watchCoverage(rootDir: string): CoverageWatch {
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  return {
    stop({ codes, watched, observed = {} }, seenBits) {
      let scripts: readonly Profiler.ScriptCoverage[] = [];
      session.post('Profiler.takePreciseCoverage', (error, { result }) => {
        if (error) throw error;
        scripts = result;
      });
      session.disconnect();
      return watched.flatMap((path) => {
        const code = codes[path]?.code;
        const script = scripts.find(
          ({ url }) => url === pathToFileURL(join(rootDir, path)).href || url === join(rootDir, path),
        );
        return script && code !== undefined
          ? [
              {
                path,
                code,
                unreached: findUnreachedInFile(script, code, observed[path]),
                seen: seenBits.map((bits) => bits ?? 0),
              },
            ]
          : [];
      });
    },
  };
}

/**
 * The ranges of the file's code that never ran. If the code with observed expressions (`observed`) ran in its place,
 * they are converted to offsets in the original code.
 */
function findUnreachedInFile(
  script: Profiler.ScriptCoverage,
  code: string,
  observed: ObservedCode | undefined,
): [number, number][] {
  if (!observed) return findUnreachedRanges(script, code.length);
  return findUnreachedRanges(script, observed.code.length).flatMap(([from, to]): [number, number][] => {
    const range: [number, number] = [toOriginalOffset(observed, from), toOriginalOffset(observed, to)];
    return range[0] < range[1] ? [range] : [];
  });
}

/** The ranges that never ran, merged and in order. V8's ranges are nested: the innermost decides. */
function findUnreachedRanges({ functions }: Profiler.ScriptCoverage, length: number): [number, number][] {
  const ranges = functions
    .flatMap((fn) => fn.ranges)
    .toSorted((a, b) => a.startOffset - b.startOffset || b.endOffset - a.endOffset);
  const isReached = new Uint8Array(length).fill(1);
  for (const { startOffset, endOffset, count } of ranges)
    isReached.fill(count > 0 ? 1 : 0, startOffset, Math.min(endOffset, length));
  const unreached: [number, number][] = [];
  for (let index = 0; index < length; index++) {
    if (isReached[index]) continue;
    const lastRange = unreached.at(-1);
    if (lastRange && lastRange[1] === index) lastRange[1] = index + 1;
    else unreached.push([index, index + 1]);
  }
  return unreached;
}
