// Entry of a worker thread: the core's jobs with the grammars and the source tree of this machine.

import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createJobTable } from '../../core/jobs.ts';
import type { Grammars } from '../../core/indexPorts.ts';
import { createSourceTree } from '../files/sourceTree.ts';
import { createGrammars, grammarsFromNodeModules } from '../grammars/grammars.ts';
import { serveJobs } from './serveJobs.ts';

serveJobs(createJobTable({ grammars: findGrammars(), sourceTree: createSourceTree }));

/** Beside the bundle (dist/ or dist/chunks/), else as installed. */
function findGrammars(): Grammars {
  const here = dirname(fileURLToPath(import.meta.url));
  const folder = [join(here, 'grammars'), join(here, '..', 'grammars')].find((candidate) => existsSync(join(candidate, 'tree-sitter.wasm')));
  return folder ? createGrammars(folder) : grammarsFromNodeModules();
}
