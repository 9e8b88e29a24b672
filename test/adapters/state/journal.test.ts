// What every journal promises, on disk and in memory.

import { readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createJournal } from '../../../server/src/adapters/files/journal.ts';
import { createMemoryJournal } from '../../helpers/memoryState.ts';
import { createTemporaryRepository } from '../../helpers/temporaryRepository.ts';
import type { Journal, JournalEntry } from '../../../server/src/core/ports/files.ts';

interface Stage {
  readonly journal: Journal;
  /** The journal as another process would open it. */
  reopen(): Journal;
  damage(id: string): Promise<void>;
}

const disposals: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const dispose of disposals.splice(0)) await dispose();
});

async function stateDir(): Promise<string> {
  const repository = await createTemporaryRepository({}, { git: false });
  disposals.push(repository.dispose);
  return repository.dir;
}

const makers: Readonly<Record<string, () => Promise<Stage>>> = {
  'on disk': async () => {
    const dir = await stateDir();
    return {
      journal: createJournal(dir),
      reopen: () => createJournal(dir),
      damage: (id) => truncate(join(dir, 'journal', `${id}.entry.json`), 40),
    };
  },
  'in memory': async () => {
    const journal = createMemoryJournal();
    return { journal, reopen: () => journal, damage: async (id) => journal.damage(id) };
  },
};

function entry(id: string, startedAt: number): JournalEntry {
  return {
    id,
    kind: 'apply',
    checkpoint: 'c-1',
    startedAt,
    writes: [
      { path: 'new\nline ü.ts', before: null, after: Uint8Array.from([0, 255, 13, 10]), mode: 0o755 },
      { path: 'a.ts', before: Uint8Array.from([104, 105]), after: null, mode: 0o644 },
      { path: 'empty', before: new Uint8Array(), after: new Uint8Array(), mode: 0o644 },
    ],
  };
}

/** Bytes compare by value, whatever kind of array holds them. */
function plain(entries: readonly JournalEntry[]): unknown {
  return entries.map((each) => ({
    ...each,
    writes: each.writes.map((write) => ({
      ...write,
      before: write.before && [...write.before],
      after: write.after && [...write.after],
    })),
  }));
}

describe.each(Object.entries(makers))('Journal %s', (_name, make) => {
  it('is empty at first', async () => {
    expect(await (await make()).journal.openEntries()).toEqual({ entries: [], damaged: [] });
  });

  it('gives entries back byte for byte, oldest first', async () => {
    const { journal, reopen } = await make();
    const entries = [entry('b-2', 20), entry('c-1', 10), entry('a-3', 20)];
    for (const each of entries) await journal.begin(each);
    expect(plain((await reopen().openEntries()).entries)).toEqual(
      plain([entry('c-1', 10), entry('a-3', 20), entry('b-2', 20)]),
    );
  });

  it('forgets what is finished; finishing twice does no harm', async () => {
    const { journal, reopen } = await make();
    await journal.begin(entry('a', 1));
    await journal.begin(entry('b', 2));
    await journal.finish('a');
    await journal.finish('a');
    expect((await reopen().openEntries()).entries.map(({ id }) => id)).toEqual(['b']);
  });

  it('never writes over an entry', async () => {
    const { journal } = await make();
    await journal.begin(entry('a', 1));
    await expect(journal.begin(entry('a', 2))).rejects.toMatchObject({ reason: 'internal' });
    expect((await journal.openEntries()).entries.map(({ startedAt }) => startedAt)).toEqual([1]);
  });

  it('takes no id that is a path', async () => {
    const { journal } = await make();
    await expect(journal.begin(entry('../a', 1))).rejects.toMatchObject({ reason: 'internal' });
  });

  it('reports a damaged entry, keeps it, and reads the others', async () => {
    const { journal, reopen, damage } = await make();
    await journal.begin(entry('a', 1));
    await journal.begin(entry('b', 2));
    await damage('a');
    for (let round = 0; round < 2; round += 1) {
      const { entries, damaged } = await reopen().openEntries();
      expect(entries.map(({ id }) => id)).toEqual(['b']);
      expect(damaged).toEqual([expect.stringMatching(/\ba\b/)]);
    }
  });
});

describe('Journal on disk', () => {
  it('tells by the checksum that a single character differs', async () => {
    const dir = await stateDir();
    await createJournal(dir).begin(entry('a', 1));
    const place = join(dir, 'journal', 'a.entry.json');
    await writeFile(place, (await readFile(place, 'utf8')).replace('c-1', 'c-2'));
    expect(await createJournal(dir).openEntries()).toEqual({ entries: [], damaged: [place] });
  });

  it.each(['', 'null', '[]', '{"version":1}', '{"version":2,"sha256":"","entry":""}', '"text"'])(
    'counts %j as damaged',
    async (text) => {
      const dir = await stateDir();
      await createJournal(dir).begin(entry('a', 1));
      await writeFile(join(dir, 'journal', 'a.entry.json'), text);
      expect((await createJournal(dir).openEntries()).damaged).toHaveLength(1);
    },
  );

  it('does not take an unfinished write for an entry', async () => {
    const dir = await stateDir();
    await createJournal(dir).begin(entry('a', 1));
    await createJournal(dir).finish('a');
    await writeFile(join(dir, 'journal', 'b.entry.json.0123.tmp'), '{"ver');
    expect(await createJournal(dir).openEntries()).toEqual({ entries: [], damaged: [] });
    expect(await readdir(join(dir, 'journal'))).toEqual(['b.entry.json.0123.tmp']);
  });
});
