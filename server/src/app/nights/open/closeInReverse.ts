// Closes opened parts in reverse order, even if one of them cannot be closed.

/** Collects the functions that close opened parts. */
export interface CloseStack {
  /** Registers `close`, which is called at the end, before the functions that were added earlier. */
  add(close: () => Promise<void>): void;
}

/**
 * Calls `work`, and then closes all parts that it has added, even if `work` throws or a part cannot be closed. Throws
 * the error of `work`; otherwise the first error of closing.
 */
export async function withClosing<T>(work: (closing: CloseStack) => Promise<T>): Promise<T> {
  const closers: (() => Promise<void>)[] = [];
  const errors: unknown[] = [];
  let result: T | undefined;
  try {
    result = await work({ add: (close) => void closers.push(close) });
  } catch (error) {
    errors.push(error);
  }
  for (const close of closers.toReversed()) await close().catch((error: unknown) => errors.push(error));
  if (errors.length > 0) throw errors[0];
  return result as T;
}
