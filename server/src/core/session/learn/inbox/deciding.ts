// Decides about proposals of tools, commands and skills for a person, and gives a decision its effect.

import { SelfwareError } from '../../../../util/typedError.ts';
import type { DecidedItem } from '../../../learn/inbox/decided.ts';
import type { InboxItem, InboxSkill, InboxTool, InboxVerdict } from '../../../model/inbox.ts';
import type { WishEvent } from '../../../model/nights.ts';
import { addWishes } from '../../../run/wishChanges.ts';
import { openWishes, WISH_EVENTS } from '../../../run/wishes.ts';
import type { SessionContext } from '../../context.ts';
import { readEvents } from '../evidence.ts';
import { allRules, readRules, switchRule, writeRule } from '../writtenRules.ts';
import { archive, readState, settle, withInbox, type InboxState } from './files.ts';
import { describeItem } from './describe.ts';
import { requireCommand } from './filing.ts';
import type { InboxDecision } from './inboxTypes.ts';

/** Applies, rejects or takes back an item. The effect comes first, so that a killed process repeats the decision. */
export async function decideItem(
  context: SessionContext,
  decision: InboxDecision,
  signal: AbortSignal,
): Promise<DecidedItem> {
  return withInbox(context, async () => {
    const { item, verdict } = itemOf(await readState(context), decision);
    requireShown(item, decision.shown);
    const reason = decision.reason?.trim() || null;
    if (verdict !== 'applied' && reason === null)
      throw new SelfwareError('usage', 'A rejection needs a reason, so that it can be looked up later.', {
        action: 'Name it with --why.',
      });
    const decided = verdict === 'applied' ? await readyToApply(context, item, decision, signal) : item;
    if (verdict === 'applied') await apply(context, decided);
    else if (verdict === 'withdrawn') await takeBack(context, item);
    await context.ledger.record({ type: 'inboxDecided', data: { item: decided, verdict, reason } });
    const outcome = { item: decided, verdict, reason, at: context.ports.clock.now() };
    if (verdict === 'withdrawn') await archive(context, outcome);
    else await settle(context, item.kind);
    return outcome;
  });
}

/** Throws `stale` if the file of the item was edited after the item was shown. */
function requireShown(item: InboxItem, shown: readonly string[] | undefined): void {
  if (shown === undefined || shown.join('\n') === describeItem(item).join('\n')) return;
  throw new SelfwareError('stale', `The proposal ${item.id} is no longer what was shown.`, {
    action: 'Look at it again: `selfware inbox show`.',
  });
}

/** The item that is meant, by its id or name, and the decision about it. */
function itemOf(
  { open, decided }: InboxState,
  { item: id, verdict }: InboxDecision,
): { item: InboxItem; verdict: InboxVerdict } {
  const isMeant = (item: InboxItem) => item.id === id || item.name === id;
  const found = open.filter(isMeant);
  if (found.length === 1) return { item: found[0]!, verdict };
  const applied = [...decided.values()].filter((one) => one.verdict === 'applied' && isMeant(one.item));
  if (found.length === 0 && applied.length === 1 && verdict === 'rejected')
    return { item: applied[0]!.item, verdict: 'withdrawn' };
  const action = 'Run `selfware inbox list`, and name an id.';
  if (found.length > 1 || applied.length > 1)
    throw new SelfwareError('usage', `Several proposals have the name ${id}.`, { action });
  const known = [...decided.values()].find((one) => isMeant(one.item));
  if (known) throw new SelfwareError('conflict', `It was decided before: ${known.verdict}.`, { action });
  throw new SelfwareError('notFound', `No proposal ${id} waits.`, { action });
}

/** The item as it may be applied. A person may have edited its command, so that it is read again. */
async function readyToApply(
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

async function apply(context: SessionContext, item: InboxItem): Promise<void> {
  if (item.kind === 'skill') return applySkill(context, item);
  if (item.kind === 'tool') return applyTool(context, item);
}

async function applySkill(context: SessionContext, { file, text, replaces, events }: InboxSkill): Promise<void> {
  const rules = await allRules(context);
  const isOn = rules.some((rule) => rule.state === 'on' && rule.file === file && rule.text === text);
  if (text !== '' && !isOn) {
    const { version } = await readRules(context, file);
    await writeRule(context, { file, version, text, by: 'person', events });
  }
  for (const { id } of rules.filter((rule) => rule.state === 'on' && replaces.includes(rule.id)))
    await switchRule(context, id, 'off');
}

async function applyTool({ ledger, ports }: SessionContext, { wish }: InboxTool): Promise<void> {
  const queue = openWishes(readEvents(await ledger.query({ types: WISH_EVENTS })) as Parameters<typeof openWishes>[0]);
  for (const event of addWishes(queue, [wish], () => ports.ids.next('rule').slice(-8))) await ledger.record(event);
}

/** Undoes what applying the item has done. A wish that was fulfilled meanwhile stays. */
async function takeBack(context: SessionContext, item: InboxItem): Promise<void> {
  const { ledger } = context;
  if (item.kind === 'tool') {
    const events = readEvents(await ledger.query({ types: WISH_EVENTS })) as Parameters<typeof openWishes>[0];
    const dropped = openWishes(events).find(({ text }) => text === item.wish);
    const event: WishEvent | null = dropped ? { type: 'wishDropped', data: { wish: dropped.id } } : null;
    if (event) await ledger.record(event);
  }
  if (item.kind !== 'skill') return;
  const rules = await allRules(context);
  for (const { id } of rules.filter(
    (rule) => rule.state === 'on' && rule.file === item.file && rule.text === item.text,
  ))
    await switchRule(context, id, 'off');
  for (const { id } of rules.filter((rule) => rule.state === 'off' && item.replaces.includes(rule.id)))
    await switchRule(context, id, 'on');
}
