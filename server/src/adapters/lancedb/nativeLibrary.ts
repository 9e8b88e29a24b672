// Finds LanceDB's native binary: named by the environment, shipped next to the bundle, or installed as a package.

import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The variable that LanceDB's loader reads first. */
export const LIBRARY_VARIABLE = 'NAPI_RS_NATIVE_LIBRARY_PATH';

/** Absolute path of the binary for this platform, or null if there is none. The file may still fail to load. */
export function findNativeLibrary(namedPath: string | undefined): string | null {
  return namedPath || findShippedLibrary() || findInstalledLibrary();
}

function findShippedLibrary(): string | null {
  const thisFolder = dirname(fileURLToPath(import.meta.url));
  for (const folder of [join(thisFolder, 'native'), join(thisFolder, '..', 'native')]) {
    if (!existsSync(folder)) continue;
    const file = readdirSync(folder).find(
      (name) => name.startsWith(`lancedb.${process.platform}-${process.arch}`) && name.endsWith('.node'),
    );
    if (file) return join(folder, file);
  }
  return null;
}

function findInstalledLibrary(): string | null {
  const { resolve } = createRequire(import.meta.url);
  for (const abi of ['', '-gnu', '-musl', '-msvc']) {
    const name = `${process.platform}-${process.arch}${abi}`;
    try {
      return resolve(`@lancedb/lancedb-${name}/lancedb.${name}.node`);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
    }
  }
  return null;
}
