// Measures a tree as the index does: the real walk with its ignore rules, the real analysis, the real inventory.

import { analyseSource } from '../../../server/src/core/analysis/analyse.ts';
import { inventoryOf } from '../../../server/src/core/analysis/inventory.ts';
import { looksGenerated } from '../../../server/src/core/index/generated.ts';
import { languageOf } from '../../../server/src/core/index/language.ts';
import type { Inventory, Measures } from '../../../server/src/core/model.ts';
import type { TreeMeasures } from '../../../server/src/core/score/comparePoints.ts';
import { createMemoryFiles } from '../../helpers/memoryFiles.ts';

const known = new Map<string, { readonly measures: Measures; readonly inventory: Inventory }>();

/** No size limit but the product's. Files that have been measured before are not measured again. */
export async function measureTree(tree: Readonly<Record<string, string>>, extra: { readonly coverage?: TreeMeasures['coverage']; readonly measures?: Measures } = {}): Promise<TreeMeasures> {
  const files = new Map<string, Measures>();
  const inventories = new Map<string, Inventory>();
  const { files: walked } = await createMemoryFiles(tree).walk({ maxBytes: 1024 * 1024, exclude: [] }, new AbortController().signal);
  for (const { path } of walked) {
    const text = tree[path]!;
    const key = `${path}\0${text}`;
    let found = known.get(key);
    if (!found) {
      const language = languageOf(path, text);
      const generated = looksGenerated(path, text);
      found = { measures: analyseSource({ path, text, language, tree: null, symbols: [], generated }).measures, inventory: inventoryOf({ path, text, language, generated }) };
      known.set(key, found);
    }
    files.set(path, found.measures);
    inventories.set(path, found.inventory);
  }
  if (extra.measures) files.set('coverage', extra.measures);
  return { files, inventories, coverage: extra.coverage ?? 'none' };
}
