// Starts a worker thread, which serves the core's jobs with the grammars and the source tree of this machine.

import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { workerData } from 'node:worker_threads';
import { createJobTable } from '../../core/jobs.ts';
import { createSourceTree } from '../files/sourceTree.ts';
import { createSourceTreeOfCopy } from '../files/sourceTreeOfCopy.ts';
import { createGrammars, createGrammarsFromNodeModules } from '../grammars/grammars.ts';
import { createPythonLinter } from '../ruff/ruff.ts';
import { enableCodeCache } from '../system/compiledCode.ts';
import type { ThreadData } from './messages.ts';
import { serveJobs } from './serveJobs.ts';
import type { Grammars } from '../../core/ports/sources.ts';

const { code, packages } = workerData as ThreadData;
// Caches the compiled form of the code that jobs load at their first use, above all of the TypeScript compiler.
if (code !== null) enableCodeCache(code);
serveJobs(
  createJobTable({
    grammars: findGrammars(),
    sourceTree: (rootDir) =>
      packages === null ? createSourceTree(rootDir) : createSourceTreeOfCopy(rootDir, packages),
    lintPython: createPythonLinter(),
  }),
);

/** The grammars next to the bundle (dist/ or dist/chunks/), otherwise the ones in the installed packages. */
function findGrammars(): Grammars {
  const thisFolder = dirname(fileURLToPath(import.meta.url));
  const folder = [join(thisFolder, 'grammars'), join(thisFolder, '..', 'grammars')].find((candidate) =>
    existsSync(join(candidate, 'tree-sitter.wasm')),
  );
  return folder ? createGrammars(folder) : createGrammarsFromNodeModules();
}
