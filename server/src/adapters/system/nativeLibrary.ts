// Finds the native binary of a package: named by the environment, shipped beside the bundle, or installed.

import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The variable that loaders of native binaries read first. */
export const LIBRARY_VARIABLE = 'NAPI_RS_NATIVE_LIBRARY_PATH';

/** What the packages with the binary for a platform are called, and the file in them. */
export interface NativePackage {
  readonly prefix: string;
  readonly file: string;
}

export const LANCEDB: NativePackage = { prefix: '@lancedb/lancedb-', file: 'lancedb' };
export const OXC: NativePackage = { prefix: '@oxc-parser/binding-', file: 'parser' };

/** Absolute path of the binary for this platform, or null when there is none. The file may turn out not to load. */
export function nativeLibrary(of: NativePackage, named?: string): string | null {
  return named || shipped(of) || installed(of);
}

function shipped({ file }: NativePackage): string | null {
  const here = dirname(fileURLToPath(import.meta.url));
  for (const folder of [join(here, 'native'), join(here, '..', 'native')]) {
    if (!existsSync(folder)) continue;
    const found = readdirSync(folder).find((name) => name.startsWith(`${file}.${process.platform}-${process.arch}`) && name.endsWith('.node'));
    if (found) return join(folder, found);
  }
  return null;
}

function installed({ prefix, file }: NativePackage): string | null {
  const { resolve } = createRequire(import.meta.url);
  for (const abi of ['', '-gnu', '-musl', '-msvc']) {
    const platform = `${process.platform}-${process.arch}${abi}`;
    try {
      return resolve(`${prefix}${platform}/${file}.${platform}.node`);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
    }
  }
  return null;
}
