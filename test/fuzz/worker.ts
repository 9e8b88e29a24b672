// The thread on which mutants are analysed, so that one that hangs or crashes can be given up.

import { parentPort } from 'node:worker_threads';
import { createGrammarsFromNodeModules } from '../../server/src/adapters/grammars/grammars.ts';
import { createPythonLinter } from '../../server/src/adapters/ruff/ruff.ts';
import { createWorkingTree } from '../../server/src/adapters/files/workingTree.ts';
import { analyseSource } from '../../server/src/core/analysis/analyse.ts';
import { detectLanguage } from '../../server/src/core/index/parse/language.ts';
import { parseOutline } from '../../server/src/core/index/parse/outline.ts';
import { createParser } from '../../server/src/core/index/parse/parser.ts';
import { createJobTable } from '../../server/src/core/jobs.ts';

/** `bytes`: as a file goes through the job of the index; `text`: as an editor hands it over, well-formed or not. */
export type Mutant =
  | { readonly path: string; readonly bytes: Uint8Array }
  | { readonly path: string; readonly text: string };

export interface Outcome {
  /** Why there was no analysis, or null. */
  readonly trouble: string | null;
  readonly functions: number;
  readonly opportunities: number;
  readonly milliseconds: number;
  /** Bytes of the JavaScript heap afterwards. */
  readonly heap: number;
}

const port = parentPort;
if (!port) throw new Error('This file is a worker.');
const grammars = createGrammarsFromNodeModules();
const jobs = createJobTable({ grammars, sourceTree: createWorkingTree as never, lintPython: createPythonLinter() });
const parser = createParser(grammars);

port.on('message', (mutant: Mutant) => {
  const startedAt = performance.now();
  analyse(mutant).then(
    ({ trouble, functions, opportunities }) =>
      port.postMessage({
        trouble,
        functions: functions.length,
        opportunities: opportunities.length,
        milliseconds: performance.now() - startedAt,
        heap: process.memoryUsage().heapUsed,
      } satisfies Outcome),
    (error: unknown) =>
      port.postMessage({ thrown: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
  );
});

async function analyse(mutant: Mutant): Promise<{
  readonly trouble: string | null;
  readonly functions: readonly unknown[];
  readonly opportunities: readonly unknown[];
}> {
  if ('bytes' in mutant) {
    const [answer] = await jobs.analyse([
      { path: mutant.path, bytes: mutant.bytes, size: mutant.bytes.length, mtimeMs: 0, hash: '' },
    ]);
    if (!answer) throw new Error('The job gave no answer.');
    // The gate of the score takes stock of the same files.
    await jobs.inventory([{ path: mutant.path, bytes: mutant.bytes }]);
    return answer;
  }
  const { path, text } = mutant;
  const language = detectLanguage(path, text);
  const tree = language && (await parser.parse(language, text));
  try {
    return analyseSource({
      path,
      text,
      language,
      tree,
      symbols: tree && language ? parseOutline(tree, language, text) : [],
      generated: false,
    });
  } finally {
    tree?.delete();
  }
}
