// Measures self-healing: processes are killed while they change files or index, and the state after the next start is
// checked.

import { runCrashes } from '../../kill/crashRuns.ts';
import { runKills } from '../../kill/indexKills.ts';
import { DIMENSIONS, type Item } from './dimensions.ts';

const [CRASHES, INDEX_KILLS] = [5, 3];
const HALF = DIMENSIONS['self-healing'].max / 2;

/** Kills processes at moments that the seed draws. */
export async function measureHealing(
  sources: string,
  seed: number,
  note: (text: string) => void,
): Promise<readonly Item[]> {
  const changes = await runCrashes({ kills: CRASHES, seed, note });
  const indexing = await runKills({ store: 'lexical', kills: INDEX_KILLS, seed, sources, note });
  return [
    createItem('killed while files are changed', CRASHES, changes.faults),
    createItem('killed while indexing', INDEX_KILLS, indexing.faults),
  ];
}

function createItem(name: string, kills: number, faults: readonly string[]): Item {
  const score = HALF * Math.max(0, 1 - faults.length / kills);
  const seen = `${kills} kills, ${faults.length === 0 ? 'no fault' : faults[0]!}`;
  return { dimension: 'self-healing', name, max: HALF, score, seen };
}
