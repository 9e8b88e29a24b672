// Child process of diskWriter.test.ts: writes the change given on the command line and kills itself after a number of
// steps.

import { createDiskWriter, diskFiles, type RawFiles } from '../../../server/src/adapters/files/diskWriter.ts';

const [rootDir = '', steps = '0', changes = '[]'] = process.argv.slice(2);
let left = Number(steps);

/** No handler, no exit hook, no flush: as if the power went. */
function countDown(): void {
  if (left === 0) process.kill(process.pid, 'SIGKILL');
  left -= 1;
}

const raw = Object.fromEntries(
  Object.entries(diskFiles).map(([name, step]) => [
    name,
    async (...args: never[]) => {
      countDown();
      return (step as (...values: never[]) => Promise<unknown>)(...args);
    },
  ]),
) as unknown as RawFiles;

const writes = (JSON.parse(changes) as { path: string; before: string | null; after: string | null }[]).map(
  ({ path, before, after }) => ({
    path,
    before: before === null ? null : Buffer.from(before),
    after: after === null ? null : Buffer.from(after),
    mode: 0o644,
  }),
);
await createDiskWriter(rootDir, raw).write(writes, 'test');
countDown();
