// Implements the ports of stored state in memory: journal, documents, blobs and lock.
import { checkBlobName } from '../../server/src/adapters/files/blobs.ts';
import { SelfwareError } from '../../server/src/util/typedError.ts';
import type { Lock } from '../../server/src/core/ports/system.ts';
import type { Journal, JournalEntry } from '../../server/src/core/ports/files.ts';
import type { Documents, Blobs } from '../../server/src/core/ports/stores.ts';

/** A journal whose entries a test can damage. */
export interface MemoryJournal extends Journal {
  /** Makes an open entry unreadable, as a bad disk would. */
  damage(id: string): void;
}

/** Creates an empty journal. */
export function createMemoryJournal(): MemoryJournal {
  const entries = new Map<string, JournalEntry | null>();
  return {
    async begin(entry) {
      if (!/^[a-z0-9][a-z0-9-]{0,63}$/.test(entry.id) || entries.has(entry.id))
        throw new SelfwareError('internal', `Not a new id: ${entry.id}.`);
      entries.set(entry.id, structuredClone(entry));
    },
    async finish(id) {
      entries.delete(id);
    },
    async openEntries() {
      const readable = [...entries.values()].filter((entry) => entry !== null);
      return {
        entries: structuredClone(readable).sort((a, b) => a.startedAt - b.startedAt || (a.id < b.id ? -1 : 1)),
        damaged: [...entries].filter(([, entry]) => entry === null).map(([id]) => id),
      };
    },
    damage(id) {
      if (entries.has(id)) entries.set(id, null);
    },
  };
}

/** Documents that a test can damage. */
export interface MemoryDocuments extends Documents {
  /** Makes a document unreadable. */
  damage(name: string): void;
}

/** Creates an empty store of documents. */
export function createMemoryDocuments(): MemoryDocuments {
  const texts = new Map<string, string>();
  let lastUpdate: Promise<void> = Promise.resolve();
  const documents: MemoryDocuments = {
    async read<T>(name: string) {
      const text = texts.get(checked(name));
      if (text === undefined) return null;
      if (text === '') throw new SelfwareError('damaged', `${name} is damaged.`);
      return JSON.parse(text) as T;
    },
    async write(name, value) {
      const text = JSON.stringify(value);
      if (text === undefined) throw new SelfwareError('internal', `The document ${name} has no content.`);
      texts.set(checked(name), text);
    },
    update<T>(name: string, change: (before: T | null) => unknown) {
      const done = lastUpdate.then(async () => documents.write(name, await change(await documents.read<T>(name))));
      lastUpdate = done.catch(() => undefined);
      return done;
    },
    async remove(name) {
      texts.delete(checked(name));
    },
    damage(name) {
      texts.set(name, '');
    },
  };
  return documents;
}

/** Creates a lock. Locks that share `heldLocks` compete like processes on one state folder. */
export function createMemoryLock(heldLocks: Set<string> = new Set()): Lock {
  return {
    async acquire(name) {
      if (heldLocks.has(name)) return null;
      heldLocks.add(name);
      let isHeld = true;
      return {
        async release() {
          if (isHeld) heldLocks.delete(name);
          isHeld = false;
        },
      };
    },
  };
}

/** The name, if it is a valid name of a document; otherwise throws `internal`. */
function checked(name: string): string {
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(name))
    throw new SelfwareError('internal', `Not the name of a document: ${name}.`);
  return name;
}

/** Creates an empty store of blobs. */
export function createMemoryBlobs(): Blobs {
  const blobs = new Map<string, Uint8Array>();
  return {
    read: async (name) => {
      checkBlobName(name);
      return blobs.get(name)?.slice() ?? null;
    },
    write: async (name, bytes) => {
      checkBlobName(name);
      blobs.set(name, bytes.slice());
    },
  };
}
