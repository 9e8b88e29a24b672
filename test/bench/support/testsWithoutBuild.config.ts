// The configuration of vitest for the bench of the sandbox. With the repository's own configuration, a run in a new
// tree would do more work than one in the checkout: it would build the missing bundle and transform all modules again.

import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { testTimeout: 300_000, isolate: false, pool: 'forks', fsModuleCache: false },
});
