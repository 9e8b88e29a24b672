// Ignores a double click: a running action is not started again.

const running = new Set<string>();

/**
 * Runs `work`, unless the same action is already running. Then the result is undefined. `key` identifies the action.
 */
export async function runOnce<T>(key: string, work: () => Promise<T>): Promise<T | undefined> {
  if (running.has(key)) return undefined;
  running.add(key);
  try {
    return await work();
  } finally {
    running.delete(key);
  }
}
