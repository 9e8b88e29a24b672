// Tries LanceDB's binary in a child process. On a processor without AVX2, the binary ends its process, and no handler
// can prevent that.

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { LIBRARY_VARIABLE, findNativeLibrary } from './nativeLibrary.ts';

/** Whether the binary works on this machine; if not, the reason as the end of a sentence. */
export type BinaryProbeResult = { readonly usable: true } | { readonly usable: false; readonly reason: string };

/** Milliseconds after which a trial that has not ended counts as failed. */
const MAX_TRIAL_MS = 30_000;
/** Loads the binary and opens an empty database, which is enough to run its compiled code. */
const TRIAL_SCRIPT = `
const { Connection } = require(process.argv[1]);
Connection.new(process.argv[2], {}).then((connection) => connection.tableNames()).then(() => process.exit(0), (error) => { console.error(String(error && error.message)); process.exit(3); });
`;

/**
 * Tries the binary. Does not throw for a binary that does not work. A definite result is stored in `cacheFile` for this
 * binary on this machine.
 */
export async function probeLancedb(
  cacheFile: string,
  library: string | null = findNativeLibrary(process.env[LIBRARY_VARIABLE]),
): Promise<BinaryProbeResult> {
  if (!library) return { usable: false, reason: `there is no LanceDB binary for ${process.platform}-${process.arch}` };
  const key = await findKey(library);
  if (!key) return { usable: false, reason: `${library} cannot be read` };
  const cached = await readCache(cacheFile, key);
  if (cached) return cached;
  const { result, isDefinite } = await tryLibrary(library);
  if (isDefinite) await writeCache(cacheFile, key, result);
  return result;
}

/** True if an earlier trial of this binary on this machine succeeded. */
export async function isKnownUsable(cacheFile: string, library: string | null): Promise<boolean> {
  const key = library && (await findKey(library));
  return key !== null && (await readCache(cacheFile, key))?.usable === true;
}

/** Tries the binary. `isDefinite` is false if another trial may have another result. */
async function tryLibrary(library: string): Promise<{ result: BinaryProbeResult; isDefinite: boolean }> {
  const folder = await mkdtemp(join(tmpdir(), 'selfware-probe-'));
  try {
    return await new Promise((resolve) => {
      const child = spawn(process.execPath, ['-e', TRIAL_SCRIPT, library, folder], {
        env: { ...process.env, ELECTRON_RUN_AS_NODE: '1', LANCEDB_LOG: 'error' },
        stdio: ['ignore', 'ignore', 'pipe'],
        timeout: MAX_TRIAL_MS,
        killSignal: 'SIGKILL',
      });
      let errors = '';
      child.stderr.setEncoding('utf8').on('data', (text: string) => (errors = (errors + text).slice(0, 4000)));
      child.on('error', (error) => resolve({ isDefinite: false, result: { usable: false, reason: error.message } }));
      child.on('close', (code, signal) => {
        if (code === 0) resolve({ isDefinite: true, result: { usable: true } });
        else if (signal === 'SIGKILL')
          resolve({ isDefinite: false, result: { usable: false, reason: 'it did not answer in time' } });
        else
          resolve({
            isDefinite: true,
            result: {
              usable: false,
              reason: signal ? `it ended with ${signal} (it needs a processor with AVX2)` : firstErrorLine(errors),
            },
          });
      });
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function firstErrorLine(errors: string): string {
  const lines = errors
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return lines.find((line) => /error/i.test(line)) ?? lines[0] ?? 'it did not load';
}

/** The key of a binary in the cache; null if the binary cannot be read. */
async function findKey(library: string): Promise<string | null> {
  try {
    const { size, mtimeMs } = await stat(library);
    return createHash('sha256')
      .update(JSON.stringify([library, size, mtimeMs, process.version, process.arch, cpus()[0]?.model]))
      .digest('hex');
  } catch {
    // The binary is missing or unreadable. In both cases it is unusable, and the caller reports that.
    return null;
  }
}

async function readCache(file: string, key: string): Promise<BinaryProbeResult | null> {
  try {
    const { key: storedKey, result } = JSON.parse(await readFile(file, 'utf8')) as {
      key: string;
      result: BinaryProbeResult;
    };
    return storedKey === key ? result : null;
  } catch {
    // There is no cache, or a damaged one: the binary is tried again and the cache rewritten.
    return null;
  }
}

async function writeCache(file: string, key: string, result: BinaryProbeResult): Promise<void> {
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(`${file}.${process.pid}`, JSON.stringify({ key, result }));
    await rename(`${file}.${process.pid}`, file);
  } catch {
    // The result is valid even if it could not be stored.
  }
}
