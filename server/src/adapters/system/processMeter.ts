// Measures this process, and the databases of a state folder.

import { readdir, readlink, realpath } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { measureBytes } from '../files/folderSize.ts';
import type { ProcessMeter } from '../../core/ports/system.ts';

/** Matches the names of databases, of their logs, and of the folder of the index in the state folder. */
const DATABASE_NAME_PATTERN = /\.db(?:-wal|-shm)?$|^lancedb$/;
const BYTES_PER_MB = 1_000_000;

/** Creates a meter of this process. `stateDir`: the state folder, absolute. */
export function createProcessMeter(stateDir: string): ProcessMeter {
  return {
    peakRssMb: () => Math.round(process.resourceUsage().maxRSS / 1024),
    cpuSeconds: () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1e6;
    },
    cores: availableParallelism(),
    databaseMb: async () => {
      const names = (await listNames(stateDir)).filter((name) => DATABASE_NAME_PATTERN.test(name));
      const sizes = await Promise.all(names.map((name) => measureBytes(join(stateDir, name))));
      return sizes.reduce((sum, bytes) => sum + bytes, 0) / BYTES_PER_MB;
    },
    connections: () => countOpenDatabases(stateDir),
  };
}

/**
 * Counts the open databases of the state folder. Null on systems other than Linux, which shows each open file of a
 * process as a link.
 */
async function countOpenDatabases(stateDir: string): Promise<number | null> {
  if (process.platform !== 'linux') return null;
  const realFolder = await realpath(stateDir).catch(() => stateDir);
  const links = await Promise.all(
    (await listNames('/proc/self/fd')).map((name) => readlink(join('/proc/self/fd', name)).catch(() => '')),
  );
  return links.filter((path) => path.startsWith(`${realFolder}/`) && path.endsWith('.db')).length;
}

async function listNames(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch(() => []);
}
