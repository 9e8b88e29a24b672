// Ignores a double click: a running action is not started again.

const running = new Set<string>();

/** `key` identifies the action. Undefined if the same action is already running. */
export async function once<T>(key: string, work: () => Promise<T>): Promise<T | undefined> {
  if (running.has(key)) return undefined;
  running.add(key);
  try {
    return await work();
  } finally {
    running.delete(key);
  }
}
