// Describes items of the inbox in words.

import { escapeInvisibleLine } from '../../../../util/visible.ts';
import type { InboxItem } from '../../../model/inbox.ts';

/** The effect of applying an item of each kind, as a sentence. */
export const EFFECT_TEXTS: Readonly<Record<InboxItem['kind'], string>> = {
  command: 'Agents see it and may run it in the sandbox.',
  skill: 'Models and agents are told about it from now on.',
  preference: 'From now on, roles ask them in this order for this rule. Your settings stay as they are.',
  tool: 'It is in the queue of wishes: `selfware tonight`.',
};

/** The lines that describe an item to a person who decides on it. Invisible characters are escaped. */
export function describeItem(item: InboxItem): readonly string[] {
  return collectLines(item).map(escapeInvisibleLine);
}

function collectLines(item: InboxItem): readonly string[] {
  const head = `${item.name} (${item.kind} ${item.id}, proposed by ${item.by === 'agent' ? 'an agent' : 'Selfware'}): ${item.description}`;
  const events = `  shown by the events ${item.events.join(', ')}`;
  if (item.kind === 'tool') return [head, `  wish: ${item.wish}`, events];
  if (item.kind === 'preference') return [head, `  for ${item.rule}, asks ${item.first} before ${item.second}`, events];
  if (item.kind === 'command') {
    const effects = item.effects === 'none' ? 'it only reads' : 'it may write, which the sandbox discards';
    return [head, `  $ ${item.command}`, `  ${effects}`, events];
  }
  return [
    head,
    ...(item.text === '' ? [] : [`  adds to ${item.file}: ${item.text}`]),
    ...item.replaces.map((rule) => `  switches off the rule ${rule}`),
    events,
  ];
}
