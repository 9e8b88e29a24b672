// Small derived files of the state folder: each replaced as a whole, none of them needed.

import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Blobs } from '../../core/indexPorts.ts';
import type { Log } from '../../core/ports.ts';
import { SelfwareError } from '../../util/typedError.ts';
import { replaceFile } from './durableFile.ts';

/** Larger ones are not kept: what is derived must not outgrow what it is derived from. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Blobs lie in `stateDir`/derived. What cannot be read is made again by whoever asked; what cannot be written is said in the log. */
export function createBlobs(stateDir: string, log?: Log): Blobs {
  const dir = join(stateDir, 'derived');
  return {
    async read(name) {
      try {
        return await readFile(placeOf(dir, name));
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (code === undefined) throw error;
        if (code !== 'ENOENT') log?.write('warn', `${name} cannot be read; it is made again.`, error);
        return null;
      }
    },
    async write(name, bytes) {
      const place = placeOf(dir, name);
      if (bytes.byteLength > MAX_BYTES) return log?.write('info', `${name} is not kept: ${bytes.byteLength} bytes.`);
      try {
        await mkdir(dir, { recursive: true, mode: 0o700 });
        await replaceFile(place, bytes);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === undefined) throw error;
        log?.write('warn', `${name} cannot be kept; it is made again next time.`, error);
      }
    },
  };
}

function placeOf(dir: string, name: string): string {
  if (!/^[a-z0-9][a-z0-9.-]{0,99}$/.test(name)) throw new SelfwareError('internal', `Not the name of a blob: ${JSON.stringify(name)}.`);
  return join(dir, name);
}
