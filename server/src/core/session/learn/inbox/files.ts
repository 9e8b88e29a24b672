// Synchronises the TOML files of the inbox with the ledger: open proposals in one file for each kind, decided ones in
// an archive for each day. If a file has lost an open proposal, it is taken from the ledger.

import { SelfwareError } from '../../../../util/typedError.ts';
import { foldDecisions, foldItems, type DecidedItem } from '../../../learn/inbox/decisions.ts';
import { formatArchiveBlock, createInboxFileName, parseInbox, formatInbox } from '../../../learn/inbox/toml.ts';
import { INBOX_KINDS, type InboxEvent, type InboxItem, type InboxKind } from '../../../model/inbox.ts';
import type { Millis } from '../../../model.ts';
import { formatIsoDay } from '../../../../util/isoDay.ts';
import type { SessionContext } from '../../context.ts';
import { readEvents } from '../lessonEvidence.ts';

/** The items and decisions of the inbox. */
export interface InboxState {
  /** Open items of all kinds, without those that are still in their file although they were decided. */
  readonly open: readonly InboxItem[];
  readonly decided: ReadonlyMap<string, DecidedItem>;
  /** All items that were ever filed, by id. */
  readonly filedItems: ReadonlyMap<string, InboxItem>;
}

/** Reads the files and the ledger. Throws `damaged`, with path and line, if a file cannot be used. */
export async function readInboxState(context: SessionContext): Promise<InboxState> {
  const decisions = await readDecisions(context);
  return { open: await readOpenItems(context, INBOX_KINDS, decisions), ...decisions };
}

/**
 * The open items of these kinds: those in the files, as a person may have edited them, and those that were filed and
 * are no longer in any file, because somebody moved a broken file away. Throws `damaged` if a file cannot be used.
 */
export async function readOpenItems(
  context: SessionContext,
  kinds: readonly InboxKind[],
  { decided, filedItems }: Omit<InboxState, 'open'>,
): Promise<readonly InboxItem[]> {
  const items = await readInboxFiles(context, kinds);
  const ids = new Set(items.map(({ id }) => id));
  const lostItems = [...filedItems.values()].filter(({ id, kind }) => kinds.includes(kind) && !ids.has(id));
  return [...items, ...lostItems].filter(({ id }) => !decided.has(id));
}

/**
 * The items and decisions in the ledger. In an unattended run, the ledger of the repository is read, not the one of the
 * run.
 */
export async function readDecisions({ ledger, repositoryLedger }: SessionContext): Promise<Omit<InboxState, 'open'>> {
  const events = readEvents(
    await (repositoryLedger ?? ledger).query({ types: ['inboxFiled', 'inboxDecided'] }),
  ) as readonly (InboxEvent & { readonly at: Millis })[];
  return { decided: foldDecisions(events), filedItems: foldItems(events) };
}

/**
 * The items in the files of these kinds, including decided ones that are still there. Throws `damaged` if a file cannot
 * be used.
 */
async function readInboxFiles({ ports }: SessionContext, kinds: readonly InboxKind[]): Promise<readonly InboxItem[]> {
  const items: InboxItem[] = [];
  for (const kind of kinds) {
    const name = createInboxFileName(kind);
    const text = await ports.inbox.read(name);
    if (text !== null) items.push(...parseInbox(text, kind, ports.inbox.pathOf(name)));
  }
  return items;
}

/**
 * Adds an item to the file of its kind, and restores the open items that the file has lost. Decided items that are
 * still in the file stay there.
 */
export async function addOpenItem(context: SessionContext, item: InboxItem): Promise<void> {
  const decisions = await readDecisions(context);
  const decidedItems = (await readInboxFiles(context, [item.kind])).filter(({ id }) => decisions.decided.has(id));
  const openItems = await readOpenItems(context, [item.kind], decisions);
  await context.ports.inbox.write(createInboxFileName(item.kind), formatInbox([...decidedItems, ...openItems, item]));
}

/**
 * Moves the item that was just decided, and all other decided ones of its kind, from their file to the archives,
 * including those that a killed process has left. Each is added to its archive before it is removed from the file, so
 * that none is lost.
 */
export async function archiveDecided(context: SessionContext, { id: decidedId, kind }: InboxItem): Promise<void> {
  const decisions = await readDecisions(context);
  const { decided } = decisions;
  const ids = new Set([...(await readInboxFiles(context, [kind])).map(({ id }) => id), decidedId]);
  for (const id of ids) if (decided.has(id)) await archiveDecision(context, decided.get(id)!);
  await context.ports.inbox.write(
    createInboxFileName(kind),
    formatInbox(await readOpenItems(context, [kind], decisions)),
  );
}

/** Adds a decision to the archive of its day, unless it is already there. */
export async function archiveDecision(
  { ports }: SessionContext,
  { item, verdict, reason, at }: DecidedItem,
): Promise<void> {
  const name = `${verdict === 'applied' ? 'applied' : 'rejected'}/${formatIsoDay(at)}.toml`;
  const text = (await ports.inbox.read(name)) ?? '';
  const block = formatArchiveBlock(item, { at: new Date(at).toISOString(), reason });
  if (!text.includes(block)) await ports.inbox.write(name, text === '' ? block : `${text}\n${block}`);
}

/** Runs `work` under the lock of the inbox. Throws `locked` while another process has the lock. */
export async function withInboxLock<T>({ ports }: SessionContext, work: () => Promise<T>): Promise<T> {
  const lock = await ports.lock.acquire('inbox');
  if (!lock)
    throw new SelfwareError('locked', 'Another process changes the inbox.', { action: 'Try again in a moment.' });
  try {
    return await work();
  } finally {
    await lock.release();
  }
}
