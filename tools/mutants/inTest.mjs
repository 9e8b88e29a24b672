// Runs before each test file: notes which mutants the file reaches, and ends a file that takes far too long.
import { writeFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { afterAll, expect } from 'vitest';

const { reached, limits } = JSON.parse(process.env.MUTANTS_RUN);
const file = () => expect.getState().testPath;

if (reached) {
  afterAll(() => {
    const { static: hits = {} } = globalThis.__stryker__?.mutantCoverage ?? {};
    writeFileSync(reached, JSON.stringify(Object.keys(hits)));
  });
}
// A thread, because an endless loop stops every timer of this one.
const limit = limits?.[file()];
if (limit) {
  new Worker(`setTimeout(() => process.kill(process.pid, 'SIGKILL'), ${limit})`, { eval: true }).unref();
}
