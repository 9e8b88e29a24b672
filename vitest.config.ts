import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/helpers/longestFirst.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts', 'tools/**/*.test.ts'],
    exclude: ['test/e2e/**', 'test/**/fixtures/**', 'node_modules/**'],
    globalSetup: ['test/helpers/build.ts'],
    // The time for a machine on which other work goes on.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    pool: 'forks',
    // One more than the cores of a small machine: tests often wait for the processes that they start.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
  },
});
