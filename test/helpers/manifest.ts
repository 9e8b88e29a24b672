// Creates manifests of packages whose tests run without npm, because each start of npm takes a tenth of a second of
// processor time.

/** Fields that name a package manager that is not installed, so that scripts of the manifest run without one. */
export const WITHOUT_MANAGER = { packageManager: 'yarn@9.9.9' };

/**
 * The command that runs tests with Node's runner in one process. By default, the runner starts a process for each test
 * file, and half of the processor time of a run is the start of Node.
 */
export const NODE_TESTS = 'node --test --test-isolation=none';

/** The text of a manifest of ES modules whose tests run with Node's runner. `otherFields`: fields to add or to replace. */
export function manifestOf(name: string, otherFields: object = {}): string {
  const manifest = { name, private: true, type: 'module', scripts: { test: NODE_TESTS }, ...WITHOUT_MANAGER };
  return `${JSON.stringify({ ...manifest, ...otherFields })}\n`;
}
