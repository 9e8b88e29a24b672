// Keeps the TOML files of the inbox in step with the ledger: open proposals in one file for each kind, decided ones in
// an archive for each day.

import { SelfwareError } from '../../../../util/typedError.ts';
import { foldDecisions, foldItems, type DecidedItem } from '../../../learn/inbox/decisions.ts';
import { archiveBlock, inboxFile, readInbox, writeInbox } from '../../../learn/inbox/toml.ts';
import { INBOX_KINDS, type InboxEvent, type InboxItem, type InboxKind } from '../../../model/inbox.ts';
import type { Millis } from '../../../model.ts';
import { isoDay } from '../../../../util/isoDay.ts';
import type { SessionContext } from '../../context.ts';
import { readEvents } from '../lessonEvidence.ts';

/** The items and decisions of the inbox. */
export interface InboxState {
  /** Open items of all kinds, without decided ones that are still in their file. */
  readonly open: readonly InboxItem[];
  readonly decided: ReadonlyMap<string, DecidedItem>;
  /** All items that were ever filed, by id. */
  readonly filedItems: ReadonlyMap<string, InboxItem>;
}

/** Reads the files and the ledger. Throws `damaged`, with path and line, for a file that cannot be used. */
export async function readInboxState(context: SessionContext): Promise<InboxState> {
  const { decided, filedItems } = await readDecisions(context);
  const open = (await readInboxFiles(context, INBOX_KINDS)).filter(({ id }) => !decided.has(id));
  return { open, decided, filedItems };
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

/** The items in the files of these kinds, including decided ones that are still there. Throws `damaged`. */
export async function readInboxFiles(
  { ports }: SessionContext,
  kinds: readonly InboxKind[],
): Promise<readonly InboxItem[]> {
  const items: InboxItem[] = [];
  for (const kind of kinds) {
    const name = inboxFile(kind);
    const text = await ports.inbox.read(name);
    if (text !== null) items.push(...readInbox(text, kind, ports.inbox.pathOf(name)));
  }
  return items;
}

/** Adds an item to the file of its kind. */
export async function addOpenItem(context: SessionContext, item: InboxItem): Promise<void> {
  await context.ports.inbox.write(
    inboxFile(item.kind),
    writeInbox([...(await readInboxFiles(context, [item.kind])), item]),
  );
}

/**
 * Moves all decided items of a kind from their file to the archives, including those that a killed process has left. An
 * item is added to the archive first.
 */
export async function archiveDecided(context: SessionContext, kind: InboxKind): Promise<void> {
  const open = await readInboxFiles(context, [kind]);
  const { decided } = await readDecisions(context);
  const toArchive = open.filter(({ id }) => decided.has(id));
  if (toArchive.length === 0) return;
  for (const { id } of toArchive) await archiveDecision(context, decided.get(id)!);
  await context.ports.inbox.write(inboxFile(kind), writeInbox(open.filter(({ id }) => !decided.has(id))));
}

/** Adds a decision to the archive of its day, unless it is there already. */
export async function archiveDecision(
  { ports }: SessionContext,
  { item, verdict, reason, at }: DecidedItem,
): Promise<void> {
  const name = `${verdict === 'applied' ? 'applied' : 'rejected'}/${isoDay(at)}.toml`;
  const text = (await ports.inbox.read(name)) ?? '';
  const block = archiveBlock(item, { at: new Date(at).toISOString(), reason });
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
