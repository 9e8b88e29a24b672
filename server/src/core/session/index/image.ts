// Stores data that makes the next start fast: the index in memory as bytes, and the figures of the last pack.

import { computeContentIdentity } from '../../index/search/image.ts';
import type { SessionContext } from '../context.ts';
import type { ContextPack } from '../../memory/contextPack.ts';
import type { FileRecord } from '../../ports/catalogue.ts';

/** The blob with the index in memory. */
const IMAGE_FILE = 'search-index.bin';
/** The blob with the figures of the last pack. */
const FIGURES_FILE = 'figures.json';
/** Version of the stored figures. Increase it whenever they are computed differently. */
const FIGURES_VERSION = 1;

/**
 * Fills the index in memory from the image, if the index is empty and there is an image. Afterwards `syncIndex` updates
 * the files that have changed since.
 */
export async function loadImage(context: SessionContext, records: readonly FileRecord[]): Promise<void> {
  const { ports, state } = context;
  if (state.inStoreOnly || state.searched.size > 0) return;
  const image = await ports.blobs.read(IMAGE_FILE);
  if (!image) return;
  const recordByPath = new Map(records.map((record) => [record.path, record]));
  const loadedImage = state.searcher.importImage(image, computeProfile(context), (path, identity) => {
    const record = recordByPath.get(path);
    return record && computeContentIdentity(record) === identity ? record : null;
  });
  if (!loadedImage) return ports.log.write('debug', 'The image of the index is of another version; it is built again.');
  for (const path of loadedImage.paths) state.searched.set(path, recordByPath.get(path)!.hash);
  state.imageTree = loadedImage.treeHash;
}

/**
 * Writes the image, unless the stored one belongs to this tree, the index in memory is incomplete, or only the store is
 * searched.
 */
export async function storeImage(context: SessionContext): Promise<void> {
  const { ports, state } = context;
  if (state.inStoreOnly || state.treeHash === null || state.imageTree === state.treeHash) return;
  // A file of which only the lines are known, or whose chunks were not found, must not be part of an image.
  if (
    state.searched.size !== state.records.size ||
    [...state.records].some(([path, { hash }]) => state.searched.get(path) !== hash)
  )
    return;
  await ports.blobs.write(
    IMAGE_FILE,
    state.searcher.exportImage({ profile: computeProfile(context), treeHash: state.treeHash }),
  );
  state.imageTree = state.treeHash;
}

/** Figures that depend on all records together, so they are computed once per tree. */
export interface Figures {
  readonly symbols: number;
  readonly chunks: number;
  readonly layers: ContextPack['layers'];
}

/** The figures of this tree. With `usesStore`, stored figures are used, and new ones are stored. */
export async function loadOrComputeFigures(
  context: SessionContext,
  usesStore: boolean,
  compute: () => Promise<Figures>,
): Promise<Figures> {
  const { ports, state } = context;
  const key = JSON.stringify([
    FIGURES_VERSION,
    computeProfile(context),
    context.settings['memory.contextTokens'],
    state.treeHash,
    state.commitsAt ?? null,
  ]);
  const stored = usesStore ? await readFigures(context) : null;
  if (stored?.key === key) return stored.figures;
  const figures = await compute();
  if (usesStore) await ports.blobs.write(FIGURES_FILE, new TextEncoder().encode(JSON.stringify({ key, figures })));
  return figures;
}

/** Reads the stored figures with their key; null if there are none, or if they are damaged. */
async function readFigures({
  ports,
}: SessionContext): Promise<{ readonly key: string; readonly figures: Figures } | null> {
  const bytes = await ports.blobs.read(FIGURES_FILE);
  if (!bytes) return null;
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as { key: string; figures: Figures };
  } catch (error) {
    ports.log.write('debug', 'The kept figures are damaged; they are built again.', error);
    return null;
  }
}

/** The profile of the records and of the embedder. */
function computeProfile({ ports, recordProfile }: SessionContext): string {
  return `${recordProfile}/${ports.embedder.profile}`;
}
