// Prevents an action from being started a second time while it is running, for example by a double click.

const running = new Set<string>();

/** Runs `work`, unless an action with the same `key` is already running; then returns undefined. */
export async function runOnce<T>(key: string, work: () => Promise<T>): Promise<T | undefined> {
  if (running.has(key)) return undefined;
  running.add(key);
  try {
    return await work();
  } finally {
    running.delete(key);
  }
}
