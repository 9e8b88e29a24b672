// Manifests of packages whose tests run without npm, whose start takes a tenth of a second of processor time.

/** Names a package manager that is not installed, so that a script of the manifest is run without one. */
export const WITHOUT_MANAGER = { packageManager: 'yarn@9.9.9' };

/**
 * Node's own runner in one process. By default it starts another one for each file of tests, so half of the processor
 * time of a run is the start of Node.
 */
export const NODE_TESTS = 'node --test --test-isolation=none';

/** The text of a manifest of ES modules whose tests run with Node's own runner. `more` is added, or replaces. */
export function manifestOf(name: string, more: object = {}): string {
  const manifest = { name, private: true, type: 'module', scripts: { test: NODE_TESTS }, ...WITHOUT_MANAGER };
  return `${JSON.stringify({ ...manifest, ...more })}\n`;
}
