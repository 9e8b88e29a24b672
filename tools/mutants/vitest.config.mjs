// How the tests run on the copy that holds the mutants: in the order given, so that the quickest that may fail is first.
import { join } from 'node:path';
import { BaseSequencer } from 'vitest/node';

const { order = [] } = JSON.parse(process.env.MUTANTS_RUN ?? '{}');

class InOrder extends BaseSequencer {
  sort(files) {
    return files.toSorted((a, b) => order.indexOf(a.moduleId) - order.indexOf(b.moduleId));
  }
}

export default {
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/e2e/**', 'test/**/fixtures/**', 'node_modules/**'],
    setupFiles: [join(import.meta.dirname, 'inTest.mjs')],
    testTimeout: 180_000,
    hookTimeout: 180_000,
    pool: 'forks',
    maxWorkers: 1,
    sequence: { sequencer: InOrder },
  },
};
