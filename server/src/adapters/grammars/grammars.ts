// Reads the shipped tree-sitter wasm files: from the package's folder, or from node_modules when run from source.

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Language } from '../../core/model.ts';
import type { Grammars } from '../../core/indexPorts.ts';
import { SelfwareError } from '../../util/typedError.ts';

/** `dir` holds tree-sitter.wasm and one LANGUAGE.wasm for each language. Throws `unavailable` for a file that cannot be read. */
export function createGrammars(dir: string): Grammars {
  return {
    runtime: () => readWasm(join(dir, 'tree-sitter.wasm')),
    load: (language) => readWasm(join(dir, `${language}.wasm`)),
  };
}

/** The wasm files as their packages install them. */
export function grammarsFromNodeModules(): Grammars {
  const { resolve } = createRequire(import.meta.url);
  return {
    runtime: () => readWasm(resolve('web-tree-sitter/web-tree-sitter.wasm')),
    load: (language) => readWasm(resolve(packagedFile(language))),
  };
}

function packagedFile(language: Language): string {
  const family = language === 'tsx' ? 'typescript' : language;
  return `tree-sitter-${family}/tree-sitter-${language}.wasm`;
}

async function readWasm(file: string): Promise<Uint8Array> {
  try {
    return await readFile(file);
  } catch (cause) {
    throw new SelfwareError('unavailable', `A grammar could not be read: ${file}.`, { action: 'Install Selfware again.', cause });
  }
}
