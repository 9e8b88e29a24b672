// Derives the seed of a comparison, so that the same proposal always gets the same inputs.

import { sha256 } from '../../../util/hash.ts';
import type { Proposal } from '../../model.ts';

/** A seed of 32 bits, derived from the edits. */
export function deriveSeed({ edits }: Pick<Proposal, 'edits'>): number {
  return Number.parseInt(sha256(JSON.stringify(edits)).slice(0, 8), 16) | 0;
}
