// Whole-file writes: where the tree stands between their two sides, writing them, and taking them back.

import { SelfwareError } from '../../util/typedError.ts';
import type { FileWrite } from '../ports.ts';
import type { ApplyContext } from './context.ts';

/** Which side of a write a file holds. `other`: it is the user's. */
export type Side = 'before' | 'after' | 'other';

export async function sideOf(ctx: ApplyContext, write: FileWrite): Promise<Side> {
  let current: Uint8Array | null;
  try {
    current = await ctx.files.read(write.path);
  } catch (error) {
    // A folder in its place, or a file closed to us: not what was written.
    if (error instanceof SelfwareError && error.reason === 'unreadable') return 'other';
    throw error;
  }
  return sameBytes(current, write.after) ? 'after' : sameBytes(current, write.before) ? 'before' : 'other';
}

/** Writes and looks whether it is on the disk. Throws what the writer throws, and `writeFailed`. */
export async function writeAndLook(ctx: ApplyContext, writes: readonly FileWrite[], label: string): Promise<void> {
  await ctx.writer.write(writes, label);
  for (const write of writes) {
    if ((await sideOf(ctx, write)) !== 'after') {
      throw new SelfwareError('writeFailed', `${write.path} does not hold what was written to it.`, { action: 'Look whether another program writes to it, then try again.' });
    }
  }
}

/**
 * Puts every file that holds `after` back to `before`. Files that hold neither are the user's: they are left alone and named.
 * Throws when a file could not be written; then call it again later.
 */
export async function takeBack(ctx: ApplyContext, writes: readonly FileWrite[], label: string): Promise<readonly string[]> {
  await ctx.writer.sweep?.(writes.map(({ path }) => path));
  const left: string[] = [];
  for (const write of writes) {
    const side = await sideOf(ctx, write);
    if (side === 'before') continue;
    if (side === 'other') {
      left.push(write.path);
      continue;
    }
    try {
      await writeAndLook(ctx, [{ ...write, before: write.after, after: write.before }], label);
    } catch (error) {
      // A link in the way, or changed in this very moment: it is the user's now.
      if (!(error instanceof SelfwareError && (error.reason === 'forbidden' || error.reason === 'stale'))) throw error;
      ctx.log.write('warn', `${write.path} is left as it is.`, error);
      left.push(write.path);
    }
  }
  return left;
}

export function sameBytes(one: Uint8Array | null, other: Uint8Array | null): boolean {
  if (one === null || other === null) return one === other;
  if (one.length !== other.length) return false;
  return one.every((byte, index) => byte === other[index]);
}
