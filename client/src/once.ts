// A double click is one wish: what runs already is not begun again.

const going = new Set<string>();

/** Undefined where the same runs already. */
export async function once<T>(wish: string, work: () => Promise<T>): Promise<T | undefined> {
  if (going.has(wish)) return undefined;
  going.add(wish);
  try {
    return await work();
  } finally {
    going.delete(wish);
  }
}
