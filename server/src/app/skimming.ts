// A quicker way to what a few rules find in scripts, beside the one that knows everything.

import type { Log } from '../core/ports.ts';
import type { FileAnalysis, Jobs, JobTable } from '../core/indexPorts.ts';
import { WALK_RULES } from '../core/analysis/rules.ts';
import { nativeLibrary, OXC } from '../adapters/system/nativeLibrary.ts';
import { createWorkerJobs } from '../adapters/workers/workerJobs.ts';
import { SelfwareError } from '../util/typedError.ts';
import { skimEntry } from './places.ts';

type Files = JobTable['analyse']['input'];

/** `rest` with the skim in front of it, where there is a binary of its parser for this machine. A second process comes only with more files than one is worth (`index/derive.ts`). */
export function withSkim(rest: Jobs, log: Log): Jobs {
  return nativeLibrary(OXC) === null ? rest : skimFirst(createWorkerJobs({ entry: skimEntry(), threads: 2, apart: true }), rest, log);
}

/**
 * `analyse` of files for some of `WALK_RULES` is done by `skimmer` as far as it can tell; what it leaves, and everything else, by
 * `rest`. Where it has failed once, it is not asked again.
 */
export function skimFirst(skimmer: Jobs, rest: Jobs, log: Log): Jobs {
  let failed = false;
  const skimmed = async (files: Files, signal: AbortSignal): Promise<JobTable['skim']['output']> => {
    if (failed || !files.every(({ only }) => only?.every((rule) => WALK_RULES.has(rule)))) return files.map(() => null);
    try {
      return await skimmer.run('skim', files, signal);
    } catch (error) {
      if (error instanceof SelfwareError && error.reason === 'cancelled') throw error;
      failed = true;
      log.write('warn', 'The quick parser failed; the compiler takes over.', error);
      return files.map(() => null);
    }
  };
  const analyse = async (files: Files, signal: AbortSignal): Promise<readonly FileAnalysis[]> => {
    const known = await skimmed(files, signal);
    const left = files.filter((_, at) => known[at] === null);
    const others = left.length > 0 ? [...(await rest.run('analyse', left, signal))] : [];
    return known.map((row) => row ?? others.shift()!);
  };
  return {
    run: (name, input, signal) => (name === 'analyse' ? (analyse(input as Files, signal) as never) : rest.run(name, input, signal)),
    release() {
      skimmer.release();
      rest.release();
    },
    async close() {
      await Promise.all([skimmer.close(), rest.close()]);
    },
  };
}
