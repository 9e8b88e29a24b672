// Puts the repository on the ruler, and compares it with what a change would make of it.

import type { FileEdit, Inventory, Measures, Points } from '../model.ts';
import { comparePoints, type Comparison, type TreeMeasures } from '../score/comparePoints.ts';
import { measureCoverage } from '../score/coverage/measureCoverage.ts';
import { scoreTree } from '../score/score.ts';
import type { SessionContext } from './context.ts';

/** Points of the tree as analysed, with the coverage that a report in it tells. */
export async function scoreRepository({ ports, state }: SessionContext): Promise<Points> {
  const { measures, reasons } = await measureCoverage(ports.files, state.analyses);
  return scoreTree([...[...state.analyses.values()].map((analysis) => analysis.measures), measures], reasons);
}

/** The tree as analysed, with the edited files before and after. */
export async function scoreEdits(context: SessionContext, edits: readonly FileEdit[], signal: AbortSignal): Promise<Comparison> {
  const { measures: coverage } = await measureCoverage(context.ports.files, context.state.analyses);
  // No file has an empty path.
  const files = new Map<string, Measures>([['', coverage], ...[...context.state.analyses].map(([path, { measures }]) => [path, measures] as const)]);
  const before = await treeWith(context, files, edits.map(({ path, before }) => ({ path, text: before })), signal);
  const after = await treeWith(context, before.files, edits.map(({ path, after }) => ({ path, text: after })), signal);
  return comparePoints(before, after);
}

/** `texts`: null = the file is not there. */
async function treeWith({ ports }: SessionContext, files: ReadonlyMap<string, Measures>, texts: readonly { readonly path: string; readonly text: string | null }[], signal: AbortSignal): Promise<TreeMeasures> {
  const changed = new Map(files);
  for (const { path } of texts) changed.delete(path);
  const there = texts.flatMap(({ path, text }) => (text === null ? [] : [{ path, bytes: new TextEncoder().encode(text) }]));
  const analyses = await ports.jobs.run('analyse', there.map((file) => ({ ...file, size: file.bytes.byteLength, mtimeMs: 0, hash: '' })), signal);
  for (const { path, measures } of analyses) changed.set(path, measures);
  const inventories = await ports.jobs.run('inventory', there, signal);
  return { files: changed, inventories: new Map<string, Inventory>(inventories.map((inventory) => [inventory.path, inventory])), coverage: 'report' };
}
