// Reads the reply of an embedding server, and refuses it if the numbers of vectors or dimensions are not as expected.

import * as z from 'zod';
import { SelfwareError } from '../../util/typedError.ts';

const replySchema = z.object({
  data: z.array(z.object({ index: z.int().min(0), embedding: z.array(z.number()).min(1) })),
});

/**
 * The vectors in the order of the input. `dimensions`: the expected number; null if the first vector determines it.
 * Throws `unavailable`.
 */
export function parseVectors(text: string, count: number, dimensions: number | null, host: string): Float32Array[] {
  const createReplyError = (problem: string): SelfwareError =>
    new SelfwareError('unavailable', `The embedding server at ${host} ${problem}.`, {
      action: 'Check selfware.memory.embedderUrl and selfware.memory.embedderModel.',
    });
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (cause) {
    if (cause instanceof SyntaxError) throw createReplyError('answered with something that is not JSON');
    throw cause;
  }
  const reply = replySchema.safeParse(parsed);
  if (!reply.success) throw createReplyError('answered with something that holds no vectors');
  const { data } = reply.data;
  if (data.length !== count) throw createReplyError(`sent ${data.length} vectors for ${count} texts`);
  const expectedDimensions = dimensions ?? data[0]!.embedding.length;
  const vectors = new Array<Float32Array | undefined>(count).fill(undefined);
  for (const { index, embedding } of data) {
    if (index >= count || vectors[index]) throw createReplyError('numbered its vectors wrongly');
    if (embedding.length !== expectedDimensions)
      throw createReplyError(`sent ${embedding.length} dimensions instead of ${expectedDimensions}`);
    vectors[index] = Float32Array.from(embedding);
  }
  return vectors as Float32Array[];
}
