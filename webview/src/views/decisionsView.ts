// Renders the proposals and conflicted changes that wait for a person's decision, and the applied changes that are
// still being checked (in probation).

import { html, nothing, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import { formatGain } from '#protocol/gain';
import type { ProposalState, SidebarState } from '#protocol/state';
import { strengthText } from '#protocol/strength';
import type { Actions } from '../actions.ts';
import { renderIcon } from '../components/icon.ts';
import { renderPathList } from '../components/pathList.ts';
import { renderProse } from '../components/prose.ts';
import { renderSection } from '../components/section.ts';
import { formatAge, formatCount } from '../format.ts';
import type { View } from '../store.ts';

/** The section of the waiting decisions. */
export function renderDecisions(
  view: View,
  { pending, making, conflicted, waiting, activity, progress }: SidebarState,
  actions: Actions,
): TemplateResult {
  const emptyPart = html`<p class="dim">Nothing waits for you.</p>`;
  // Titles of the changes that are being applied. If the file of a change was edited, the change is first checked again
  // as a new proposal with the same title.
  const applyingTitles =
    activity === 'applying' ? new Set([progress?.message ?? '', ...making.map(({ title }) => title)]) : null;
  return renderSection(
    view,
    actions,
    { id: 'pending', title: 'To decide', count: waiting || undefined, isUrgent: true },
    () =>
      pending.length + conflicted.length === 0
        ? emptyPart
        : html`
          <ul class="cards" aria-label="Decisions that wait">${renderCards(conflicted, (proposal) => renderConflictedCard(proposal, actions))}
            ${renderCards(pending, (proposal) => renderProposalCard(proposal, actions, applyingTitles))}</ul>
          ${
            waiting > pending.length + conflicted.length
              ? html`<p
              class="dim">${waiting - pending.length - conflicted.length} more behind these.</p>`
              : nothing
          }
        `,
  );
}

/** The section of the applied changes that are being checked; nothing if there are none, which is usual. */
export function renderProbation(
  view: View,
  { probation, activity, trusted }: SidebarState,
  actions: Actions,
): TemplateResult | typeof nothing {
  if (probation.length === 0) return nothing;
  const { post } = actions;
  return renderSection(
    view,
    actions,
    { id: 'probation', title: 'Being checked after applying', count: probation.length },
    () => html`
    <p class="dim">These are in your files. Checks run with and without each of them; a change that fails is rolled back automatically.</p>
    <ul class="cards"
        aria-label="Changes that are being checked">${renderCards(probation, (proposal) => renderProbationCard(proposal, actions))}</ul>
    ${
      trusted && activity === 'idle'
        ? html`<button class="link" type="button"
        @click=${() => post({ type: 'judge' })}>Check now</button>`
        : nothing
    }
  `,
  );
}

/**
 * The cards of the proposals. Each element stays with its proposal, so that no button decides on another proposal when
 * the list changes. lit's `repeat` is not used, because it leaves a comment node behind for each element that it
 * removes.
 */
function renderCards(
  proposals: readonly ProposalState[],
  renderCard: (proposal: ProposalState) => TemplateResult,
): unknown {
  return proposals.map((proposal) => keyed(proposal.id, renderCard(proposal)));
}

/**
 * The card of a waiting proposal: the change, its reason, and its proof, then the buttons. While a change is being
 * applied (`applyingTitles` is not null), the buttons to apply and to reject are disabled.
 */
function renderProposalCard(
  proposal: ProposalState,
  { post }: Actions,
  applyingTitles: ReadonlySet<string> | null,
): TemplateResult {
  const { id, title, rationale, status } = proposal;
  const deferredNote = status === 'deferred' ? ' · put aside' : '';
  const reasonPart =
    rationale === '' ? nothing : html`<span class="why" title=${rationale}>${renderProse(rationale)}</span>`;
  const meaning = proposal.strengthMeaning ? html`<span class="meaning">${proposal.strengthMeaning}</span>` : nothing;
  const claim = proposal.claim ? renderClaim(proposal.claim) : nothing;
  const facts = html`${renderStrength(proposal)} · ${renderGain(proposal)}${deferredNote}${meaning}`;
  return renderDecisionCard(
    proposal,
    'git-pull-request',
    '',
    facts,
    [
      renderApplyButton(proposal, applyingTitles, () => post({ type: 'apply', proposal: id })),
      html`<vscode-button secondary aria-label="Review ${title}" title="Shows the change line by line."
          @click=${() => post({ type: 'review', proposal: id })}>Review</vscode-button>`,
      html`<vscode-button secondary ?disabled=${applyingTitles !== null} aria-disabled=${applyingTitles !== null}
          aria-label="Reject ${title}" title="Asks for the reason, and does not propose it again."
          @click=${applyingTitles ? nothing : () => post({ type: 'reject', proposal: id })}>Reject</vscode-button>`,
    ],
    html`${reasonPart}${claim}`,
  );
}

/** A claim: its first sentence, which says what gets better, in bold, and then the evidence. */
function renderClaim(claim: string): TemplateResult {
  const sentenceEnd = claim.indexOf('. ') + 1 || claim.length;
  return html`<span class="claim"><b>${claim.slice(0, sentenceEnd)}</b>${renderProse(claim.slice(sentenceEnd))}</span>`;
}

/**
 * The button that applies a proposal. While a change is being applied, its own button says so, and all are disabled.
 */
function renderApplyButton(
  { title, status }: ProposalState,
  applyingTitles: ReadonlySet<string> | null,
  apply: () => void,
): TemplateResult {
  if (!applyingTitles)
    return html`<vscode-button aria-label="Apply ${title}" title="Writes the change to your files. Roll Back undoes it."
        @click=${apply}>Apply</vscode-button>`;
  return status === 'approved' || applyingTitles.has(title)
    ? html`<vscode-button disabled aria-disabled="true" aria-label="Applying ${title}">Applying …</vscode-button>`
    : html`<vscode-button disabled aria-disabled="true" aria-label="Apply ${title}"
        title="A change is being written to your files.">Apply</vscode-button>`;
}

/** The card of a change that failed its checks and cannot be rolled back automatically. */
function renderConflictedCard(proposal: ProposalState, { post }: Actions): TemplateResult {
  const { id, title, checkpoint } = proposal;
  return renderDecisionCard(
    proposal,
    'warning',
    'stuck',
    html`It failed the checks after it was applied, and its lines have been edited since: decide whether it stays.`,
    [
      checkpoint === null
        ? nothing
        : html`<vscode-button aria-label="Roll back ${title}"
            @click=${() => post({ type: 'rollback', checkpoint })}>Roll Back</vscode-button>`,
      html`<vscode-button secondary aria-label="Keep ${title}" @click=${() => post({ type: 'keep', proposal: id })}>Keep</vscode-button>`,
      html`<vscode-button secondary aria-label="Show ${title}" @click=${() => post({ type: 'review', proposal: id })}>Show</vscode-button>`,
    ],
  );
}

/** The card of an applied change that is being checked. */
function renderProbationCard(proposal: ProposalState, { post }: Actions): TemplateResult {
  const { id, title, checkpoint, createdAt } = proposal;
  return renderDecisionCard(
    proposal,
    'beaker',
    '',
    html`${renderStrength(proposal)} · ${renderGain(proposal)} · made ${formatAge(createdAt, Date.now())}`,
    [
      html`<vscode-button secondary aria-label="Keep ${title}" @click=${() => post({ type: 'keep', proposal: id })}>Keep</vscode-button>`,
      checkpoint === null
        ? nothing
        : html`<vscode-button secondary aria-label="Roll back ${title}"
            @click=${() => post({ type: 'rollback', checkpoint })}>Roll Back</vscode-button>`,
    ],
  );
}

/** A card with the parts that all kinds of proposals have in common. */
function renderDecisionCard(
  { id, title, paths, pathCount, reason }: ProposalState,
  iconName: string,
  kind: string,
  facts: unknown,
  buttons: readonly unknown[],
  reasonPart: unknown = nothing,
): TemplateResult {
  return html`<li class="card ${kind}" data-proposal=${id} aria-label=${title}>
    <span class="head">${renderIcon(iconName)}<strong>${renderProse(title)}</strong></span>
    ${reasonPart}
    ${renderPathList(paths, pathCount)}
    <span class="facts">${facts}</span>
    ${reason ? html`<span class="facts reason" title=${reason}>${renderProse(reason)}</span>` : nothing}
    <span class="buttons">${buttons}</span>
  </li>`;
}

/** The strength of the evidence in a word, with its meaning as a tooltip. */
function renderStrength({ strength, strengthMeaning, gates: { passed, unknown } }: ProposalState): TemplateResult {
  const checks =
    passed + unknown === 0 ? '' : `${formatCount(passed, 'check')} passed${unknown ? `, ${unknown} unknown` : ''}.`;
  const tooltip = [strengthMeaning, checks].filter(Boolean).join(' ');
  return html`<span class="strength ${strength ?? ''}" title=${tooltip}>${strengthText(strength)}</span>`;
}

function renderGain({ pointsDelta }: ProposalState): TemplateResult {
  return pointsDelta === null
    ? html`points unknown`
    : html`<span class=${pointsDelta > 0 ? 'better' : ''}>${formatGain(pointsDelta)}</span>`;
}
