// Indexes a folder and kills itself (SIGKILL) at the given step: ROOT STATE STORE STEP. Prints the number of steps when
// it gets to the end.

import { openIndex } from '../indexing.ts';

const [root, state, store, step] = process.argv.slice(2) as [string, string, 'lancedb' | 'lexical', string];
let steps = 0;

/** A step before and one after each write. */
function mortal<A extends unknown[], R>(write: (...args: A) => Promise<R>): (...args: A) => Promise<R> {
  const dieIfDue = () => {
    if (++steps === Number(step)) process.kill(process.pid, 'SIGKILL');
  };
  return async (...args) => {
    dieIfDue();
    const pending = write(...args);
    // Once in the middle of the write, where it has a middle.
    await Promise.resolve();
    dieIfDue();
    const result = await pending;
    dieIfDue();
    return result;
  };
}

const index = await openIndex(root, state, {
  store,
  change: (context) => ({
    ...context,
    catalogue: {
      ...context.catalogue,
      put: mortal((records) => context.catalogue.put(records)),
      remove: mortal((paths) => context.catalogue.remove(paths)),
    },
    chunks: {
      ...context.chunks,
      upsert: mortal((chunks) => context.chunks.upsert(chunks)),
      remove: mortal((ids) => context.chunks.remove(ids)),
      optimise: mortal(() => context.chunks.optimise()),
    },
  }),
});
await index.refresh();
await index.close();
console.log(steps);
