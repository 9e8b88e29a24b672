// A process that brings an index up to date and is meant to be killed: `node indexProcess.ts ROOT STATE STORE PROFILE`.
// Says on lines of its own: begun · embedding (a batch) · stored ID… (that batch is acknowledged) · done.

import { createLock } from '../../server/src/adapters/files/lock.ts';
import { never, openIndexState, type Profile, type StoreKind } from './indexState.ts';

const [root, state, kind, profile] = process.argv.slice(2) as [string, string, StoreKind, Profile];
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const lock = await createLock(state).acquire('index');
if (!lock) throw new Error('The lock is held.');
const index = await openIndexState(root, state, kind, profile);
const { chunks, embedder } = index.context;
say('begun');
await index.refresh({
  embedder: {
    ...embedder,
    embed(texts) {
      say('embedding');
      return embedder.embed(texts, never);
    },
  },
  chunks: {
    ...chunks,
    async upsert(rows) {
      await chunks.upsert(rows);
      say(`stored ${rows.map(({ id }) => id).join(' ')}`);
    },
  },
});
await chunks.optimise();
say('done');
await index.close();
await lock.release();
