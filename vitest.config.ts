import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/helpers/longestFirst.ts';

const NEVER = ['test/e2e/**', 'test/**/fixtures/**', 'node_modules/**'];

/** Tests of seconds: `npm run test:unit` leaves out what takes longer. */
const SLOW = [
  'test/unit/{bench,session,verify}/**/*.test.ts',
  'test/unit/index/{badInput,kill}.test.ts',
  'test/unit/memory/bigRepository.test.ts',
  'test/unit/propose/realSources.test.ts',
];

/** Tests of code that keeps nothing between two calls, and that start no process of their own. */
const PURE = [
  'analysis',
  'app',
  'apply',
  'charter',
  'client',
  'index',
  'ledger',
  'memory',
  'paths',
  'prioritise',
  'propose',
  'run',
  'score',
  'settings',
  'tools',
  'util',
].map((folder) => `test/unit/${folder}/**/*.test.ts`);

export default defineConfig({
  test: {
    globalSetup: ['test/helpers/build.ts'],
    // The time for a machine on which much other work goes on. Tests set none of their own, but for longer ones.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
    pool: 'forks',
    // One more than the cores of a small machine: tests often wait for the processes that they start.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'pure',
          include: PURE,
          exclude: [...NEVER, ...SLOW],
          // A worker loads the sources once for all its files, and Node loads them itself: loading them for each file
          // took a third of the processor time. So no test here mocks a module or leaves its process changed.
          isolate: false,
          experimental: { viteModuleRunner: false, nodeLoader: false },
        },
      },
      {
        extends: true,
        test: { name: 'unit', include: ['test/unit/**/*.test.ts'], exclude: [...NEVER, ...SLOW, ...PURE] },
      },
      {
        extends: true,
        test: {
          name: 'slow',
          include: [...SLOW, 'test/!(unit)/**/*.test.ts', 'tools/**/*.test.ts'],
          exclude: NEVER,
        },
      },
    ],
  },
});
