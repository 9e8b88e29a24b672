// Brings edits that change nothing to a real session, one after the other, and tells what became of each.

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SelfwareError } from '../../../server/src/util/typedError.ts';
import { createSessionWorld } from '../../helpers/memorySessionPorts.ts';
import { NULL_EDITS } from './nullEdits.ts';

export interface NullOutcome {
  readonly edit: string;
  readonly path: string;
  /** `verified` is what must never be. */
  readonly outcome: 'verified' | 'refused' | 'not filed';
  /** The gate that said no, or why it was not filed. */
  readonly by: string;
  readonly reason: string;
}

/** `count` edits over the sources of `folder` (absolute), every kind about as often. Deterministic. */
export async function* nullChanges(folder: string, count: number): AsyncGenerator<NullOutcome> {
  const files = await sourcesOf(folder);
  await using world = await createSessionWorld({
    'package.json': '{ "name": "nulls", "private": true, "main": "src/main.ts" }\n',
    ...files,
  });
  // As many as are brought here within a minute are more than an agent may otherwise bring.
  const rates = { agent: { changesAnHour: 100_000, changesADay: 100_000, requestsAMinute: 100_000 } };
  const session = await world.session({ settings: { 'charter.authors': rates } });
  const { signal } = new AbortController();
  await session.analysis.analyse({ signal });
  const paths = Object.keys(files);
  const kinds = Object.entries(NULL_EDITS);
  let made = 0;
  for (let round = 0; made < count && round < count; round += 1) {
    for (const [number, [edit, apply]] of kinds.entries()) {
      if (made >= count) return;
      const path = paths[(round * 7 + number) % paths.length]!;
      const before = files[path]!;
      const after = apply(before, round);
      if (after === null) continue;
      made += 1;
      yield { edit, path, ...(await judged(before, after, path)) };
    }
  }

  async function judged(
    before: string,
    after: string,
    path: string,
  ): Promise<Pick<NullOutcome, 'outcome' | 'by' | 'reason'>> {
    let id: string;
    try {
      ({ id } = await session.proposals.proposeEdits(
        { title: 'A change', rationale: '', edits: [{ path, before, after }] },
        { signal },
      ));
    } catch (error) {
      if (error instanceof SelfwareError && (error.reason === 'usage' || error.reason === 'conflict'))
        return { outcome: 'not filed', by: error.reason, reason: error.message };
      throw error;
    }
    const { status, verdicts, reason } = await session.verification.verify(id, { signal });
    return {
      outcome: status === 'verified' ? 'verified' : 'refused',
      by: verdicts.at(-1)?.gate ?? 'none',
      reason: reason ?? '',
    };
  }
}

async function sourcesOf(folder: string): Promise<Record<string, string>> {
  const names = (await readdir(folder, { recursive: true }))
    .filter((name) => /\.ts$/.test(name) && !name.endsWith('.d.ts'))
    .sort();
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  return Object.fromEntries(names.map((name, index) => [`src/${name.replaceAll('\\', '/')}`, texts[index]!]));
}
