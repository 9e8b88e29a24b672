// Measures how much of a model the graphics card has room for.

import type { Llama } from './llamaLibrary.ts';

/**
 * The free bytes of the graphics card; 0 if there is none. Memory that the card shares with programs does not count,
 * because it is part of the machine's memory.
 */
export async function measureFreeCardMemory(llama: Pick<Llama, 'gpu' | 'getVramState'>): Promise<number> {
  if (llama.gpu === false) return 0;
  const { total, free, unifiedSize } = await llama.getVramState();
  return Math.max(0, Math.min(free, total - unifiedSize));
}
