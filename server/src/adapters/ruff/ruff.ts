// Runs Ruff, the linter of Python code, as WebAssembly in this thread. It is loaded when the first Python file is
// checked, because it takes some 110 MB of memory.

import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type * as Ruff from '@astral-sh/ruff-wasm-nodejs';
import { compileWithoutOptimiser } from '../system/baselineCompiler.ts';
import type { PythonLinter, PythonProblem } from '../../core/ports/sources.ts';

/** The name of the library in its package, and in the folder `ruff` of Selfware's package. */
const LIBRARY_NAME = 'ruff_wasm.js';
/** Names of errors that Ruff's code causes: too little stack, and a failure of the WebAssembly. */
const FAILURES: ReadonlySet<string> = new Set(['RangeError', 'RuntimeError']);
/** Ends of lines in Python: https://docs.python.org/3/reference/lexical_analysis.html#physical-lines. */
const LINE_END_PATTERN = /\r\n|\r|\n/g;

/**
 * Creates a linter that uses the library beside the bundle (`dist/ruff`), or the installed package if Selfware runs from
 * source. Problems are sorted by place. A file with errors of syntax has no problems, and neither has one that is nested
 * so deeply that Ruff has not enough stack. Throws the errors of Node if the library cannot be loaded.
 */
export function createPythonLinter(): PythonLinter {
  const workspaceByCodes = new Map<string, Ruff.Workspace>();
  let library: typeof Ruff | null = null;
  return (text, codes) => {
    library ??= loadLibrary();
    const key = codes.join(',');
    let workspace = workspaceByCodes.get(key);
    if (!workspace) {
      workspace = new library.Workspace({ lint: { select: codes } }, library.PositionEncoding.Utf16);
      workspaceByCodes.set(key, workspace);
    }
    try {
      return toProblems(text, workspace.check(text) as readonly Ruff.Diagnostic[]);
    } catch (error) {
      if (!(error instanceof Error && FAILURES.has(error.name))) throw error;
      // The memory of the instance may be damaged, so the next file gets a new one.
      library = null;
      workspaceByCodes.clear();
      return [];
    }
  };
}

/**
 * Loads a new instance of the library. V8's optimiser would take 4 s of processor time and 300 MB for it, and a check
 * without it takes a millisecond for each file.
 */
function loadLibrary(): typeof Ruff {
  const require = createRequire(import.meta.url);
  const file = require.resolve(findLibrary());
  delete require.cache[file];
  return compileWithoutOptimiser(() => require(file) as typeof Ruff);
}

/** The library beside the bundle (dist/ or dist/chunks/), otherwise the name of its package. */
function findLibrary(): string {
  const thisFolder = dirname(fileURLToPath(import.meta.url));
  return (
    [join(thisFolder, 'ruff', LIBRARY_NAME), join(thisFolder, '..', 'ruff', LIBRARY_NAME)].find((file) =>
      existsSync(file),
    ) ?? '@astral-sh/ruff-wasm-nodejs'
  );
}

/** Problems with offsets instead of lines, by place. Errors of syntax, whose codes are words, are omitted. */
function toProblems(text: string, diagnostics: readonly Ruff.Diagnostic[]): readonly PythonProblem[] {
  const starts = [0, ...Array.from(text.matchAll(LINE_END_PATTERN), ({ 0: lineEnd, index }) => index + lineEnd.length)];
  const toOffset = ({ row, column }: { readonly row: number; readonly column: number }) =>
    Math.min(text.length, (starts[row - 1] ?? text.length) + column - 1);
  const problems = diagnostics.flatMap(({ code, message, start_location: start, end_location: end }) =>
    code === null || !/^[A-Z]+\d+$/.test(code) ? [] : [{ code, message, start: toOffset(start), end: toOffset(end) }],
  );
  return problems.sort((a, b) => a.start - b.start);
}
