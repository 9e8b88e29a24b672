// Stores the write-ahead journal: one file for each unfinished change, which is on the disk before the first byte of
// the tree is written.

import { mkdir, readdir, readFile, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { parseJsonOrNull } from '../../util/parseJson.ts';
import { SelfwareError } from '../../util/typedError.ts';
import { replaceFile, syncFolder, toWriteError } from './durableFile.ts';
import type { Journal, JournalEntry } from '../../core/ports/files.ts';
import { sha256 } from '../../util/hash.ts';

const FILE_SUFFIX = '.entry.json';
const FORMAT_VERSION = 1;

/** An entry on disk. `entry`: its JSON, in which bytes are in base64; `sha256`: the checksum of that text. */
interface StoredEntry {
  readonly version: number;
  readonly sha256: string;
  readonly entry: string;
}

/** A write with its bytes in base64. */
type SerialisedWrite = {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly mode: number;
};

/**
 * Opens the journal in `stateDir`/journal. The file of a damaged entry is listed in `damaged`, and stays in place.
 * Writing throws the errors of `toWriteError` (`durableFile.ts`), reading throws `unreadable`, and an invalid or used
 * id `internal`.
 */
export function createJournal(stateDir: string): Journal {
  const folder = join(stateDir, 'journal');
  return {
    async begin(entry) {
      const path = resolveEntryPath(folder, entry.id);
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        // The folder itself must be durable as well.
        await syncFolder(stateDir);
        if ((await listNames(folder)).includes(`${entry.id}${FILE_SUFFIX}`))
          throw new SelfwareError('internal', `The journal holds ${entry.id} already.`);
        await replaceFile(path, serialise(entry));
      } catch (error) {
        throw toWriteError(error, `The journal entry ${entry.id}`);
      }
    },

    async finish(id) {
      try {
        await unlink(resolveEntryPath(folder, id));
        await syncFolder(folder);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
          throw toWriteError(error, `The end of journal entry ${id}`);
      }
    },

    async openEntries() {
      const entries: JournalEntry[] = [];
      const damaged: string[] = [];
      for (const name of (await listNames(folder)).filter((candidate) => candidate.endsWith(FILE_SUFFIX))) {
        const entry = await readEntry(join(folder, name));
        if (entry && `${entry.id}${FILE_SUFFIX}` === name) entries.push(entry);
        else damaged.push(join(folder, name));
      }
      return {
        entries: entries.sort((a, b) => a.startedAt - b.startedAt || (a.id < b.id ? -1 : 1)),
        damaged: damaged.sort(),
      };
    },
  };
}

function resolveEntryPath(folder: string, id: string): string {
  if (!/^[a-z0-9][a-z0-9-]{0,63}$/.test(id)) throw new SelfwareError('internal', `Not an id: ${JSON.stringify(id)}.`);
  return join(folder, `${id}${FILE_SUFFIX}`);
}

async function listNames(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw new SelfwareError('unreadable', 'The journal cannot be read.', {
      action: `Check the permissions of ${folder}.`,
      cause: error,
    });
  }
}

function serialise(entry: JournalEntry): Uint8Array {
  const writes = entry.writes.map(
    (write): SerialisedWrite => ({
      path: write.path,
      before: toBase64(write.before),
      after: toBase64(write.after),
      mode: write.mode,
    }),
  );
  const text = JSON.stringify({ ...entry, writes });
  const storedEntry: StoredEntry = { version: FORMAT_VERSION, sha256: sha256(text), entry: text };
  return Buffer.from(JSON.stringify(storedEntry));
}

/** The entry in a file; null if the file cannot be read, or is damaged. */
async function readEntry(path: string): Promise<JournalEntry | null> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return null;
  }
  const storedEntry = parseJsonOrNull(text) as StoredEntry | null;
  if (
    typeof storedEntry !== 'object' ||
    storedEntry?.version !== FORMAT_VERSION ||
    typeof storedEntry.entry !== 'string' ||
    sha256(storedEntry.entry) !== storedEntry.sha256
  )
    return null;
  // The checksum is right, so `serialise` has made this text.
  const entry = JSON.parse(storedEntry.entry) as Omit<JournalEntry, 'writes'> & {
    readonly writes: readonly SerialisedWrite[];
  };
  return {
    ...entry,
    writes: entry.writes.map((write) => ({
      path: write.path,
      before: fromBase64(write.before),
      after: fromBase64(write.after),
      mode: write.mode,
    })),
  };
}

function toBase64(bytes: Uint8Array | null): string | null {
  return bytes && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

function fromBase64(text: string | null): Uint8Array | null {
  return text === null ? null : Buffer.from(text, 'base64');
}
