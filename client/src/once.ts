// Ignores a double click: a running action is not started again.

const going = new Set<string>();

/** Undefined if the same action is already running. */
export async function once<T>(wish: string, work: () => Promise<T>): Promise<T | undefined> {
  if (going.has(wish)) return undefined;
  going.add(wish);
  try {
    return await work();
  } finally {
    going.delete(wish);
  }
}
