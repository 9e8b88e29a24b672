// Vitest's settings for the bench of the sandbox: both sides do the same work. The repository's own settings build the
// bundle where it is missing, and keep transformed modules in node_modules: in a new tree both would be done anew.

import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { testTimeout: 300_000, isolate: false, pool: 'forks', fsModuleCache: false },
});
