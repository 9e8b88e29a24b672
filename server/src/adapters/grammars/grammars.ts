// Reads the grammars of tree-sitter (wasm files): from the folder of Selfware's package, or from node_modules if
// Selfware runs from source.

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { SelfwareError } from '../../util/typedError.ts';
import { compileGrammar } from './compile.ts';
import { repairGrammar } from './repair.ts';
import { PACKAGED_GRAMMARS } from './packagedGrammars.ts';
import type { Grammars } from '../../core/ports/sources.ts';

const decompress = promisify(brotliDecompress);

/**
 * Opens the grammars in `folder`, which contains tree-sitter.wasm and, for each language, one LANGUAGE.wasm.br (a tenth
 * of the size). Throws `unavailable` for a file that cannot be read.
 */
export function createGrammars(folder: string): Grammars {
  return {
    runtime: () => readGrammarFile(join(folder, 'tree-sitter.wasm'), (file) => readFile(file)),
    load: (language) =>
      readGrammarFile(join(folder, `${language}.wasm.br`), async (file) =>
        compileGrammar(await decompress(await readFile(file))),
      ),
  };
}

/** The grammars as their packages install them. */
export function createGrammarsFromNodeModules(): Grammars {
  const { resolve } = createRequire(import.meta.url);
  return {
    runtime: () => readGrammarFile(resolve(PACKAGED_GRAMMARS['tree-sitter']), (file) => readFile(file)),
    load: (language) =>
      readGrammarFile(resolve(PACKAGED_GRAMMARS[language]), async (file) =>
        compileGrammar(repairGrammar(language, await readFile(file))),
      ),
  };
}

async function readGrammarFile<T>(file: string, readFileWith: (file: string) => Promise<T>): Promise<T> {
  try {
    return await readFileWith(file);
  } catch (cause) {
    throw new SelfwareError('unavailable', `A grammar could not be read: ${file}.`, {
      action: 'Install Selfware again.',
      cause,
    });
  }
}
