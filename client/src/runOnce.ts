// Prevents an action from being started a second time while it is running, for example by a double click.

const runningKeys = new Set<string>();

/**
 * Runs `work` and returns its result. Returns undefined without running it if an action with the same `key` is in
 * progress.
 */
export async function runOnce<T>(key: string, work: () => Promise<T>): Promise<T | undefined> {
  if (runningKeys.has(key)) return undefined;
  runningKeys.add(key);
  try {
    return await work();
  } finally {
    runningKeys.delete(key);
  }
}
