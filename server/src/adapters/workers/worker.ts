// Entry of a worker thread: answers job requests one after the other.

import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parentPort } from 'node:worker_threads';
import { createJobTable } from '../../core/jobs.ts';
import { SelfwareError } from '../../util/typedError.ts';
import { createSourceTree } from '../files/sourceTree.ts';
import { createGrammars, grammarsFromNodeModules } from '../grammars/grammars.ts';
import type { JobReply, JobRequest } from './messages.ts';

const table = createJobTable({ grammars: findGrammars(), sourceTree: createSourceTree });

parentPort!.on('message', (request: JobRequest) => {
  void answer(request).then((reply) => parentPort!.postMessage(reply));
});

async function answer({ id, name, input }: JobRequest): Promise<JobReply> {
  try {
    const job = (table as Record<string, ((input: never) => Promise<unknown>) | undefined>)[name];
    if (!job) throw new SelfwareError('internal', `There is no job ${name}.`);
    return { id, output: await job(input as never) };
  } catch (error) {
    const stack = error instanceof Error ? (error.stack ?? null) : null;
    if (error instanceof SelfwareError) return { id, error: { reason: error.reason, message: error.message, action: error.action, stack } };
    return { id, error: { reason: 'internal', message: error instanceof Error ? error.message : String(error), action: null, stack } };
  }
}

/** Beside the bundle (dist/ or dist/chunks/), else as installed. */
function findGrammars() {
  const here = dirname(fileURLToPath(import.meta.url));
  const folder = [join(here, 'grammars'), join(here, '..', 'grammars')].find((candidate) => existsSync(join(candidate, 'tree-sitter.wasm')));
  return folder ? createGrammars(folder) : grammarsFromNodeModules();
}
