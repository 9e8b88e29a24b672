// Renders a pack as the text that a model receives. The text never takes more tokens than the pack states, even if
// files have changed since.

import { throwIfCancelled } from '../../util/typedError.ts';
import { formatFolderLine } from './folders.ts';
import { layerHeadings, formatNoteLine, formatReferenceLine } from './packLines.ts';
import { renderFile } from './renderFile.ts';
import type { ContextPack } from './contextPack.ts';
import type { FileRecord } from '../ports/catalogue.ts';
import { sha256 } from '../../util/hash.ts';

type Item = ContextPack['items'][number];

/** The records and texts from which a pack is rendered. */
export interface RenderSources {
  /** The records from which the pack was made, by path. */
  readonly records: ReadonlyMap<string, FileRecord>;
  /** Returns the current text of a file; null if it is missing or not text. */
  readonly read: (path: string) => Promise<string | null>;
}

/**
 * Renders only the parts that the pack names: the conversation and the task, the active files, the episodes, the
 * folders, then the other files in the order of the pack. Throws `cancelled`.
 */
export async function renderPack(pack: ContextPack, sources: RenderSources, signal: AbortSignal): Promise<string> {
  const parts: string[] = [];
  const formatNotes = (layer: 'working' | 'episodic') =>
    (pack.notes ?? []).filter((note) => note.layer === layer).map(({ label, text }) => formatNoteLine(label, text));
  const activeItems = pack.items.filter(({ layer }) => layer === 'working');
  const repositoryItems = pack.items.filter(({ layer }) => layer !== 'working');

  const working = [...formatNotes('working'), ...(await renderActive(activeItems, sources, signal))];
  if (working.length > 0) parts.push(layerHeadings.working, ...working);
  const episodes = formatNotes('episodic');
  if (episodes.length > 0) parts.push(layerHeadings.episodic, ...episodes);
  if (repositoryItems.length > 0)
    parts.push(
      layerHeadings.semantic,
      ...renderFolders(repositoryItems, sources.records),
      ...(await renderFiles(repositoryItems, sources, signal)),
    );
  return parts.join('');
}

/** The active files: the text of those with resolution `body`, a line with path and size for the others. */
async function renderActive(
  items: readonly Item[],
  { records, read }: RenderSources,
  signal: AbortSignal,
): Promise<string[]> {
  const parts: string[] = [];
  for (const item of items) {
    throwIfCancelled(signal);
    const text = await read(item.path);
    if (item.resolution === 'body') parts.push(renderFile(item.path, [item], null, text));
    else parts.push(formatReferenceLine(item.path, records.get(item.path)?.tokens ?? 0));
  }
  return parts;
}

/** One line for each folder among the items, with the number of files for which it is the nearest one. */
function renderFolders(items: readonly Item[], records: ReadonlyMap<string, FileRecord>): string[] {
  const paths = [...records.keys()];
  const folders = items.filter(({ path }) => path.endsWith('/')).map(({ path }) => path);
  const counts = new Map(folders.map((folder) => [folder, 0]));
  for (const path of paths) {
    let nearest = './';
    for (const folder of folders) if (folder.length > nearest.length && path.startsWith(folder)) nearest = folder;
    counts.set(nearest, (counts.get(nearest) ?? 0) + 1);
  }
  return folders.map((folder) => formatFolderLine(folder, counts.get(folder) ?? 0));
}

/**
 * The files among the items, each rendered once. For a file that has changed since it was indexed, its beginning is
 * shown.
 */
async function renderFiles(
  items: readonly Item[],
  { records, read }: RenderSources,
  signal: AbortSignal,
): Promise<string[]> {
  const byFile = new Map<string, Item[]>();
  for (const item of items) {
    if (item.path.endsWith('/')) continue;
    const itemsOfFile = byFile.get(item.path);
    if (itemsOfFile) itemsOfFile.push(item);
    else byFile.set(item.path, [item]);
  }
  const parts: string[] = [];
  for (const [path, itemsOfFile] of byFile) {
    throwIfCancelled(signal);
    const record = records.get(path);
    // If only names are shown, the file need not be read.
    const namesOnly = itemsOfFile.every(({ resolution }) => resolution === 'name');
    const text = namesOnly && record ? '' : await read(path);
    const current = record && (namesOnly || (text !== null && sha256(text) === record.hash)) ? record : null;
    parts.push(renderFile(path, itemsOfFile, current, namesOnly ? null : text));
  }
  return parts;
}
