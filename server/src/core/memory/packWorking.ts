// Packs the working layer: system message, task, conversation, and the files being worked on.

import { estimateTokens } from '../../util/tokens.ts';
import { countHeadTokens, countNoteTokens, countReferenceTokens } from './packLines.ts';
import { countHeadingTokens } from './packingUnits.ts';
import { MAX_ACTIVE_FILES, MAX_ACTIVE_TOKENS } from './working.ts';
import type { ContextPack } from './contextPack.ts';
import type { PackContext, PackRequest } from './packRequest.ts';

type Item = ContextPack['items'][number];
type Note = NonNullable<ContextPack['notes']>[number];

/** The working layer of a pack. */
export interface WorkingPart {
  readonly notes: readonly Note[];
  readonly items: readonly Item[];
  readonly tokens: number;
  /** Tokens that the layer would use without a limit. */
  readonly wanted: number;
}

/**
 * Packs the working layer in this order: the system message, the task, the files, the conversation. Messages of the
 * conversation are tried newest first; a message that does not fit is skipped.
 */
export async function packWorking(
  { records, read, working = [] }: PackContext,
  { task, activeFiles }: PackRequest,
  budget: number,
): Promise<WorkingPart> {
  const head = countHeadTokens('working');
  let remaining = budget - head;
  let wantedTokens = 0;
  const takeIfFits = (tokens: number): boolean => {
    if (tokens > remaining) return false;
    remaining -= tokens;
    return true;
  };
  const note = (label: string, text: string): Note => ({
    layer: 'working',
    id: null,
    label,
    text,
    tokens: countNoteTokens(label, text),
  });
  const countAndTakeIfFits = (note: Note): boolean => {
    wantedTokens += note.tokens;
    return takeIfFits(note.tokens);
  };

  const system = working
    .filter(({ kind }) => kind === 'system')
    .map(({ text }) => note('system', text))
    .filter(countAndTakeIfFits);
  const currentTask = task.trim() || working.find(({ kind }) => kind === 'task')?.text.trim();
  const tasks = currentTask ? [note('task', currentTask)].filter(countAndTakeIfFits) : [];

  const tokensByPath = new Map(records.map(({ path, tokens }) => [path, tokens]));
  const items: Item[] = [];
  const openFiles = working
    .filter(({ kind }) => kind === 'file')
    .toSorted((a, b) => b.importance - a.importance)
    .map(({ text }) => text);
  for (const path of [...new Set([...activeFiles, ...openFiles])].slice(0, MAX_ACTIVE_FILES)) {
    const text = tokensByPath.has(path) ? null : await read?.(path);
    const tokens = tokensByPath.get(path) ?? (typeof text === 'string' ? estimateTokens(text) : null);
    if (tokens === null) continue;
    const fileTokens = tokens + countHeadingTokens(path);
    const reference = countReferenceTokens(path, tokens);
    wantedTokens += tokens <= MAX_ACTIVE_TOKENS ? fileTokens : reference;
    if (tokens <= MAX_ACTIVE_TOKENS && takeIfFits(fileTokens))
      items.push({ path, symbol: null, resolution: 'body', tokens: fileTokens, layer: 'working' });
    else if (takeIfFits(reference))
      items.push({ path, symbol: null, resolution: 'name', tokens: reference, layer: 'working' });
  }

  const messages = working
    .filter(({ kind }) => kind === 'message')
    .toReversed()
    .map(({ role, text }) => note(role, text))
    .filter(countAndTakeIfFits)
    .reverse();
  const notes = [...system, ...tasks, ...messages];
  const isEmpty = notes.length === 0 && items.length === 0;
  return {
    notes,
    items,
    tokens: isEmpty ? 0 : budget - remaining,
    wanted: wantedTokens === 0 ? 0 : wantedTokens + head,
  };
}
