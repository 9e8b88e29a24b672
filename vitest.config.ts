import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/helpers/longestFirst.ts';

const NEVER = [
  'test/e2e/**',
  'test/**/fixtures/**',
  'node_modules/**',
  ...(process.env['SELFWARE_THOROUGH'] === '1' ? [] : ['test/**/*.thorough.test.ts']),
];

/** Tests of seconds: `npm run test:unit` leaves out what takes longer. */
const SLOW = [
  'test/unit/{bench,session,verify}/**/*.test.ts',
  'test/unit/index/{badInput,kill}.test.ts',
  'test/unit/memory/bigRepository.test.ts',
  'test/unit/propose/realSources.test.ts',
];

/**
 * A worker loads the sources once for all its files, and Node loads them itself: loading them for each file took a third
 * of the processor time. So no test here mocks a module or leaves its process changed.
 */
const SHARED = {
  isolate: false,
  unstubEnvs: true,
  experimental: { viteModuleRunner: false, nodeLoader: false },
};

/** Tests of whole sessions, of verification, of what runs in other processes and of our own sources share theirs, too. */
const SESSIONS = [
  'test/unit/{session,verify}/**/*.test.ts',
  'test/{cli,lsp,mcp}/**/*.test.ts',
  'test/adapters/{agents,catalogue,components,contents,embedder,embeddings,files,git}/**/*.test.ts',
  'test/adapters/{grammars,ledger,models,run,state,training}/**/*.test.ts',
  'test/{conformance,fuzz,tidy}/*.test.ts',
  'test/redteam/claims/*.test.ts',
];

/** Tests of code that keeps nothing between two calls, and that start no process of their own. */
const PURE = [
  'analysis',
  'app',
  'apply',
  'charter',
  'client',
  'index',
  'learn',
  'ledger',
  'memory',
  'paths',
  'prioritise',
  'propose',
  'proposers',
  'run',
  'score',
  'settings',
  'setup',
  'tools',
  'util',
].map((folder) => `test/unit/${folder}/**/*.test.ts`);

export default defineConfig({
  test: {
    globalSetup: ['test/helpers/pythonPath.ts'],
    // The time for a machine on which much other work goes on. Tests set none of their own, but for longer ones.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
    pool: 'forks',
    execArgv: ['--require', join(import.meta.dirname, 'test', 'helpers', 'compileCache.cjs')],
    // More than the two cores of a small machine: a worker computes for four tenths of its time and waits for the rest,
    // mostly for processes and deadlines.
    maxWorkers: 5,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'pure',
          include: PURE,
          exclude: [...NEVER, ...SLOW],
          ...SHARED,
        },
      },
      {
        extends: true,
        test: {
          name: 'sessions',
          globalSetup: ['test/helpers/build.ts'],
          include: SESSIONS,
          exclude: NEVER,
          ...SHARED,
        },
      },
      {
        extends: true,
        test: {
          name: 'slow',
          globalSetup: ['test/helpers/build.ts'],
          include: [...SLOW, 'test/!(unit)/**/*.test.ts', 'tools/**/*.test.ts'],
          exclude: [...NEVER, ...SESSIONS],
        },
      },
    ],
  },
});
