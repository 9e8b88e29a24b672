import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts', 'tools/**/*.test.ts'],
    exclude: ['test/e2e/**', 'test/**/fixtures/**', 'node_modules/**'],
    globalSetup: ['test/helpers/build.ts'],
    // Two at a time share the machine with the processes that they start.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    pool: 'forks',
    maxWorkers: 2,
  },
});
