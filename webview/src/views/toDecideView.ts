// Renders the entries, other than proposals, that wait for a person's decision: repository rules, rules of agents, and
// proposed tools, commands, skills and orders of proposers.

import { html, nothing, type TemplateResult } from 'lit';
import type { RuleFileEntry, RuleEntry } from '#protocol/rules';
import type { InboxEntry, SidebarState } from '#protocol/state';
import type { Actions } from '../actions.ts';
import { renderIcon } from '../components/icon.ts';
import { renderSection } from '../components/section.ts';
import { formatCount } from '../format.ts';
import type { View } from '../store.ts';

/**
 * The section of the entries that wait for a decision; nothing if there are none, or in a workspace that is not
 * trusted.
 */
export function renderUndecided(
  view: View,
  { trusted, brought = [], rules = [], inbox = [] }: SidebarState,
  actions: Actions,
): TemplateResult | typeof nothing {
  const count = brought.length + rules.length + inbox.length;
  if (!trusted || count === 0) return nothing;
  return renderSection(
    view,
    actions,
    { id: 'toDecide', title: 'Rules and tools', count, isUrgent: true },
    () => html`
    <p class="dim">Selfware uses none of these before you have decided.</p>
    <ul class="cards" aria-label="Rules and tools that wait for a decision">
      ${brought.map((file) => renderRuleFileCard(file, actions))}
      ${rules.map((rule) => renderRuleCard(rule, actions))}
      ${inbox.map((entry) => renderInboxCard(entry, actions))}
    </ul>`,
  );
}

/** The card of a file of repository rules. */
function renderRuleFileCard({ path, hash, lines, changed }: RuleFileEntry, { post }: Actions): TemplateResult {
  const reasonText = changed
    ? 'Its text has changed since you accepted it, so it is off again.'
    : 'This repository brings it along for models and agents. Read it to accept its exact text.';
  return renderEntryCard('book', path, html`${reasonText}`, `Rules of the repository · ${formatCount(lines, 'line')}`, [
    renderDecisionButton(`Read ${path}`, 'Read…', () => post({ type: 'readRules', path })),
    renderDecisionButton(`Keep Off: ${path}`, 'Keep Off', () => post({ type: 'keepRulesOff', path, hash }), true),
  ]);
}

function renderRuleCard({ id, file, text, evidence }: RuleEntry, { post }: Actions): TemplateResult {
  const sendDecision = (verdict: 'accepted' | 'refused') => () => post({ type: 'decideRule', rule: id, text, verdict });
  return renderEntryCard('law', text, renderEvidence(evidence), `Rule of an agent · ${file}`, [
    renderDecisionButton(`Accept: ${text}`, 'Accept', sendDecision('accepted')),
    renderDecisionButton(`Keep Off: ${text}`, 'Keep Off', sendDecision('refused'), true),
  ]);
}

/** The card of a proposed tool, command, skill or order of proposers. */
function renderInboxCard(
  { id, kind, name, description, details, evidence }: InboxEntry,
  { post }: Actions,
): TemplateResult {
  const sendDecision = (verdict: 'applied' | 'rejected') => () => post({ type: 'inbox', item: id, verdict });
  // The first line of the details is left out, because it names the entry, as the card already does.
  const texts = [description, ...details.slice(1)];
  const contentPart = html`${texts.map((line) => html`<span class="line">${line.trim()}</span>`)}${renderEvidence(evidence)}`;
  return renderEntryCard('inbox', name, contentPart, `Proposed ${kind}`, [
    renderDecisionButton(`Accept the ${kind} ${name}`, 'Accept…', sendDecision('applied')),
    renderDecisionButton(`Reject the ${kind} ${name}`, 'Reject…', sendDecision('rejected'), true),
  ]);
}

function renderEvidence(evidence: readonly string[]): TemplateResult | typeof nothing {
  if (evidence.length === 0) return nothing;
  return html`<ul class="evidence" aria-label="Evidence">${evidence.map((line) => html`<li>${line}</li>`)}</ul>`;
}

function renderDecisionButton(label: string, text: string, onClick: () => void, isSecondary = false): TemplateResult {
  return html`<vscode-button ?secondary=${isSecondary} aria-label=${label} @click=${onClick}>${text}</vscode-button>`;
}

/** A card with the parts that all kinds of entries have in common. */
function renderEntryCard(
  iconName: string,
  title: string,
  content: unknown,
  facts: string,
  buttons: readonly TemplateResult[],
): TemplateResult {
  return html`<li class="card" aria-label=${title}>
    <span class="head">${renderIcon(iconName)}<strong>${title}</strong></span>
    <span class="facts">${facts}</span>
    ${content}
    <span class="buttons">${buttons}</span>
  </li>`;
}
