// Carries out a person's decision on an item of the inbox: applies it, rejects it, or undoes it.

import { SelfwareError } from '../../../../util/typedError.ts';
import { findItems } from '../../../learn/inbox/naming.ts';
import {
  INBOX_KINDS,
  type ChangedRules,
  type InboxItem,
  type InboxSkill,
  type InboxTool,
  type InboxVerdict,
} from '../../../model/inbox.ts';
import type { Millis } from '../../../model.ts';
import type { WishEvent } from '../../../model/nights.ts';
import { addWishes, wishId } from '../../../run/wishChanges.ts';
import { foldOpenWishes, WISH_EVENTS, type Wish } from '../../../run/wishes.ts';
import type { SessionContext } from '../../context.ts';
import { readEvents } from '../lessonEvidence.ts';
import { readAllRules, readRules, switchRule, writeRule } from '../writtenRules.ts';
import { archiveDecision, readDecisions, readOpenItems, archiveDecided, withInboxLock } from './files.ts';
import { describeItem } from './describe.ts';
import { requireCommand } from './filing.ts';
import type { DecisionResult, InboxDecision } from './inboxTypes.ts';

/** Maximum time in milliseconds between the creation of a tool's wish and the record that the tool was applied. */
const OLDER_VERSION_MS = 60_000;

/**
 * Applies or rejects an item; rejecting an applied one undoes it. The effect comes before the record, so that the
 * decision can be repeated if the process dies in between. Throws `usage` for a rejection without a reason, an
 * ambiguous name, and a command that is refused or not allowed, `stale` if the item has changed since it was shown,
 * `conflict` if it was decided before, `notFound`, and `locked`.
 */
export async function decideItem(
  context: SessionContext,
  decision: InboxDecision,
  signal: AbortSignal,
): Promise<DecisionResult> {
  return withInboxLock(context, async () => {
    const { item, verdict, changed, appliedAt } = await requireItem(context, decision);
    requireSameAsShown(item, decision.shown);
    const reason = decision.reason?.trim() || null;
    if (verdict !== 'applied' && reason === null)
      throw new SelfwareError('usage', 'A rejection needs a reason, so that it can be looked up later.', {
        action: 'Name it with --reason.',
      });
    const itemToApply = verdict === 'applied' ? await prepareItem(context, item, decision, signal) : item;
    const rules = verdict === 'applied' ? await applyItem(context, itemToApply) : null;
    const note = verdict === 'withdrawn' ? await undoItem(context, item, appliedAt, changed) : null;
    await context.ledger.record({
      type: 'inboxDecided',
      data: { item: itemToApply, verdict, reason, ...(rules === null ? {} : { rules }) },
    });
    const outcome = { item: itemToApply, verdict, reason, at: context.ports.clock.now() };
    if (verdict === 'withdrawn') await archiveDecision(context, outcome);
    else await archiveDecided(context, item);
    return note === null ? outcome : { ...outcome, note };
  });
}

/** Throws `stale` if the item is no longer as it was shown, because its file was edited. */
function requireSameAsShown(item: InboxItem, shownTexts: readonly string[] | undefined): void {
  if (shownTexts === undefined || shownTexts.join('\n') === describeItem(item).join('\n')) return;
  throw new SelfwareError('stale', `The proposal ${item.id} is no longer what was shown.`, {
    action: 'Look at it again: `selfware inbox show`.',
  });
}

/** The item of a decision, and the decision as it is to be carried out. */
interface NamedItem {
  readonly item: InboxItem;
  /** `withdrawn` if an applied item is rejected. */
  readonly verdict: InboxVerdict;
  /** For an applied skill, the rules that applying it has changed. */
  readonly changed: ChangedRules | undefined;
  /** The time at which a withdrawn item was applied; null for any other item. */
  readonly appliedAt: Millis | null;
}

/**
 * The named item. If it is named by its id, only the file of its kind is read, so that damage of another file does not
 * matter. Throws `usage` if several items have the name, `conflict` if the item was decided before, and `notFound` if
 * there is none.
 */
async function requireItem(
  context: SessionContext,
  { item: nameOrId, verdict, mayWrite }: InboxDecision,
): Promise<NamedItem> {
  const decisions = await readDecisions(context);
  const { decided, filedItems } = decisions;
  const kind = filedItems.get(nameOrId)?.kind;
  const openItems = await readOpenItems(context, kind === undefined ? INBOX_KINDS : [kind], decisions);
  const applied = [...decided.values()].filter((decision) => decision.verdict === 'applied');
  const matches = findItems(nameOrId, [...openItems, ...applied.map(({ item }) => item)]);
  const [item] = matches;
  const action = 'Run `selfware inbox list`, and name an id.';
  if (matches.length > 1) throw new SelfwareError('usage', `Several proposals have the name ${nameOrId}.`, { action });
  if (item && openItems.includes(item)) return { item, verdict, changed: undefined, appliedAt: null };
  if (item && verdict === 'rejected') {
    const { rules, at } = decided.get(item.id)!;
    return { item, verdict: 'withdrawn', changed: rules, appliedAt: at };
  }
  // An applied command may be applied again with `mayWrite`, because a later version may not know that it only reads.
  if (item?.kind === 'command' && item.effects === 'none' && mayWrite)
    return { item, verdict, changed: undefined, appliedAt: null };
  const [earlierDecision] = findItems(nameOrId, [...filedItems.values()]).flatMap(({ id }) => decided.get(id) ?? []);
  if (earlierDecision)
    throw new SelfwareError('conflict', `It was decided before: ${earlierDecision.verdict}.`, { action });
  throw new SelfwareError('notFound', `No proposal ${nameOrId} waits.`, { action });
}

/**
 * The item in the form to apply. A command is read again, because a person may have edited it. Throws `usage` if it is
 * refused, or if it may write and that is not allowed.
 */
async function prepareItem(
  context: SessionContext,
  item: InboxItem,
  { mayWrite = false }: InboxDecision,
  signal: AbortSignal,
): Promise<InboxItem> {
  if (item.kind !== 'command') return item;
  const effects = await requireCommand(context, item.command, signal);
  if (effects === 'unknown' && !mayWrite)
    throw new SelfwareError('usage', 'Not every part of this command is known to only read.', {
      action: 'Allow it with --may-write. It runs in a sandbox, and what it writes there is discarded.',
    });
  return { ...item, effects };
}

/** Applies the item. Returns the rules that a skill has changed; null for another kind of item. */
async function applyItem(context: SessionContext, item: InboxItem): Promise<ChangedRules | null> {
  if (item.kind === 'skill') return applySkill(context, item);
  if (item.kind === 'tool') await applyTool(context, item);
  return null;
}

/**
 * Writes the rule of a skill, unless it is on, and switches off the rules that it replaces. Returns the rules that
 * changed.
 */
async function applySkill(
  context: SessionContext,
  { file, text, replaces, events }: InboxSkill,
): Promise<ChangedRules> {
  const rulesBefore = await readActiveRules(context);
  const isOn = rulesBefore.some((rule) => rule.file === file && rule.text === text);
  if (text !== '' && !isOn) {
    const { version } = await readRules(context, file);
    await writeRule(context, { file, version, text, by: 'person', events });
  }
  for (const { id } of rulesBefore.filter((rule) => replaces.includes(rule.id))) await switchRule(context, id, 'off');
  const rulesAfter = await readActiveRules(context);
  return { on: listIdsWithout(rulesAfter, rulesBefore), off: listIdsWithout(rulesBefore, rulesAfter) };
}

/** The rules that are switched on. */
async function readActiveRules(context: SessionContext) {
  return (await readAllRules(context)).filter(({ state }) => state === 'on');
}

/** The ids of the rules that are not among the other rules. */
function listIdsWithout(rules: readonly { readonly id: string }[], otherRules: readonly { readonly id: string }[]) {
  return rules.map(({ id }) => id).filter((id) => !otherRules.some((candidate) => candidate.id === id));
}

/**
 * Adds the wish of a tool, unless the queue has an equal one. Its id is derived from the item's id, so that `dropWish`
 * finds it.
 */
async function applyTool({ ledger }: SessionContext, { id, wish }: InboxTool): Promise<void> {
  const queue = foldOpenWishes(
    readEvents(await ledger.query({ types: WISH_EVENTS })) as Parameters<typeof foldOpenWishes>[0],
  );
  for (const event of addWishes(queue, [wish], () => id)) await ledger.record(event);
}

/**
 * Undoes the effects of applying the item: restores the rules that a skill has changed, and drops the wish that a tool
 * has added, if it is still open. Returns a sentence about what was not undone; null if there is nothing to say.
 */
async function undoItem(
  context: SessionContext,
  item: InboxItem,
  appliedAt: Millis | null,
  { on, off }: ChangedRules = { on: [], off: [] },
): Promise<string | null> {
  if (item.kind === 'tool') return dropWish(context, item, appliedAt);
  for (const { id, state } of await readAllRules(context)) {
    if (state === 'on' && on.includes(id)) await switchRule(context, id, 'off');
    if (state === 'off' && off.includes(id)) await switchRule(context, id, 'on');
  }
  return null;
}

/** Drops the wish that a tool has added. Returns a sentence if there is none to drop, otherwise null. */
async function dropWish({ ledger }: SessionContext, item: InboxTool, appliedAt: Millis | null): Promise<string | null> {
  const events = readEvents(await ledger.query({ types: WISH_EVENTS })) as Parameters<typeof foldOpenWishes>[0];
  const queue = foldOpenWishes(events);
  const id = wishId(item.id);
  const isKnown = events.some(({ type, data }) => type === 'wishAdded' && data.wish === id);
  const wishToDrop = isKnown ? queue.find((wish) => wish.id === id) : findWishOfOlderVersion(queue, item, appliedAt);
  if (!wishToDrop) return 'No wish was dropped, because the queue has none that this tool is known to have added.';
  const event: WishEvent = { type: 'wishDropped', data: { wish: wishToDrop.id } };
  await ledger.record(event);
  return null;
}

/**
 * The wish that an older version, whose ids of wishes were random, has added for this tool: the only one with its text
 * that was added within a minute before the record that the tool was applied.
 */
function findWishOfOlderVersion(
  queue: readonly Wish[],
  { wish }: InboxTool,
  appliedAt: Millis | null,
): Wish | undefined {
  const candidates = queue.filter(
    ({ text, at }) =>
      text === wish.trim() && appliedAt !== null && at <= appliedAt && appliedAt - at <= OLDER_VERSION_MS,
  );
  return candidates.length === 1 ? candidates[0] : undefined;
}
