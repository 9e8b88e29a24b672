// What runs now, and the two things a person does most: improve and stop.

import { html, nothing, type TemplateResult } from 'lit';
import type { Activity, SidebarState } from '#protocol/state';
import type { Actions } from '../actions.ts';
import { icon } from '../components/icon.ts';
import { count, whole } from '../format.ts';
import type { View } from '../store.ts';

const names: Readonly<Record<Activity, string>> = {
  idle: 'Ready',
  indexing: 'Indexing',
  analysing: 'Analysing',
  proposing: 'Making a proposal',
  verifying: 'Verifying in a sandbox',
  applying: 'Applying',
  stopped: 'Stopped',
};

export function activityView(state: SidebarState, actions: Actions): TemplateResult {
  return html`<section class="activity" aria-label="Activity">${state.activity === 'stopped' ? stopped(actions) : state.activity === 'idle' ? idle(state, actions) : running(state, actions)}</section>`;
}

/** Said aloud when it changes; figures would talk without end. */
export function announcement({ phase, state }: View): string {
  if (phase !== 'state' || !state) return '';
  const waiting = state.pending.length ? `, ${count(state.pending.length, 'proposal waits', 'proposals wait')} for a decision` : '';
  return `${names[state.activity]}${waiting}`;
}

function idle({ trusted, opportunityCount, index }: SidebarState, { post }: Actions): TemplateResult {
  const fixable = trusted && opportunityCount > 0;
  return html`
    <vscode-button block ?disabled=${!fixable} aria-disabled=${fixable ? 'false' : 'true'} @click=${() => fixable && post({ type: 'improve' })}><span slot="content-before">${icon('sparkle')}</span>Improve</vscode-button>
    <p class="dim">${!trusted ? 'Verifying a change runs scripts of the repository: trust the workspace first.' : opportunityCount > 0 ? 'Proposes the best change, verified before you see it. Nothing is written without your approval.' : index ? 'No opportunity was found.' : nothing}</p>
  `;
}

function running({ activity, progress }: SidebarState, { post }: Actions): TemplateResult {
  const total = progress?.total ?? null;
  const figures = !progress || progress.done === 0 ? '' : total === null ? whole(progress.done) : `${whole(progress.done)} of ${whole(total)}`;
  return html`
    <div class="running">
      ${icon('loading', true)}<span class="what">${names[activity]}<span class="dim"> ${figures}</span></span>
      <button class="tool" type="button" title="Stop" aria-label="Stop" @click=${() => post({ type: 'stop' })}>${icon('debug-stop')}</button>
    </div>
    ${progress ? html`<progress aria-label=${names[activity]} max=${total ?? nothing} value=${total === null ? nothing : progress.done}></progress><p class="dim one-line" title=${progress.message}>${progress.message}</p>` : nothing}
  `;
}

function stopped({ post }: Actions): TemplateResult {
  return html`
    <p>${icon('circle-slash')} Stopped. Nothing runs and nothing is applied until you resume.</p>
    <vscode-button block @click=${() => post({ type: 'resume' })}>Resume</vscode-button>
  `;
}
