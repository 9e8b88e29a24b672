// Formats the history of the rules of a repository, from the ledger, as Markdown: one text per day.

import { formatIsoDay } from '../../util/isoDay.ts';
import type { RuleEvent } from '../model/feedback.ts';
import type { Millis } from '../model.ts';

/** An event about a rule, with its time and its sequence in the ledger. */
type RecordedRuleEvent = RuleEvent & { readonly at: Millis; readonly sequence: number };

/** The texts by day (`2026-01-31`), oldest first. Each entry has the time, the rule, the event and its reason. */
export function formatImprovements(events: readonly RecordedRuleEvent[]): ReadonlyMap<string, string> {
  const ruleTexts = new Map<string, string>();
  const days = new Map<string, string[]>();
  for (const event of events) {
    if (event.type === 'ruleWritten') ruleTexts.set(event.data.rule, `${event.data.file}: ${event.data.text}`);
    const entry = formatEventEntry(event, ruleTexts);
    const day = formatIsoDay(event.at);
    days.set(day, [...(days.get(day) ?? []), entry]);
  }
  return new Map([...days].map(([day, entries]) => [day, `# Improvements of ${day}\n\n${entries.join('\n')}`]));
}

/** The entry of an event. `texts`: the newest text of each rule, by its id. */
function formatEventEntry(event: RecordedRuleEvent, texts: ReadonlyMap<string, string>): string {
  const time = new Date(event.at).toISOString().slice(11, 19);
  if (event.type === 'broughtRules') {
    const { path, hash } = event.data;
    return formatEntry(
      time,
      path,
      hash === null ? 'Switched off.' : 'Accepted by a person.',
      `event ${event.sequence}`,
    );
  }
  const rule = texts.get(event.data.rule) ?? event.data.rule;
  switch (event.type) {
    case 'ruleWritten': {
      const { by, events, template } = event.data;
      if (template !== undefined)
        return formatEntry(time, rule, 'Seeded.', 'ships with Selfware, and a person asked for it');
      const writer = `Written by ${by === 'person' ? 'a person' : 'an agent'}.`;
      return formatEntry(time, rule, writer, events.length === 0 ? 'a person’s word' : `events ${events.join(', ')}`);
    }
    case 'ruleSwitched':
      return formatEntry(
        time,
        rule,
        `Now ${event.data.state}.`,
        event.data.by === 'trial' ? 'a trial' : 'a person’s word',
      );
    case 'ruleTried':
      return formatEntry(time, rule, `Tried: ${event.data.outcome}.`, event.data.reason);
  }
}

function formatEntry(time: string, rule: string, description: string, rationale: string): string {
  return `## ${time} ${rule}\n\n- What: ${description}\n- Why: ${rationale}\n`;
}
