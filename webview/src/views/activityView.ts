// Renders the running work with its progress, and the most common actions: improve, pause, stop.

import { html, nothing, type TemplateResult } from 'lit';
import type { Activity, SidebarState } from '#protocol/state';
import type { Actions } from '../actions.ts';
import { renderIcon } from '../components/icon.ts';
import { renderProse } from '../components/prose.ts';
import { renderToolButton } from '../components/tool.ts';
import { formatCount, formatWholeNumber } from '../format.ts';
import type { View } from '../store.ts';

const ACTIVITY_NAMES: Readonly<Record<Activity, string>> = {
  idle: 'Ready',
  indexing: 'Indexing',
  analysing: 'Analysing',
  searching: 'Searching with your tests',
  proposing: 'Making a proposal',
  verifying: 'Verifying in a sandbox',
  applying: 'Applying',
  stopped: 'Stopped',
};

/**
 * True for work that a person waits for. Indexing and analysing do not count, because they run in the background after
 * every saved file.
 */
export function isForegroundActivity({ activity }: Pick<SidebarState, 'activity'>): boolean {
  return activity === 'searching' || activity === 'proposing' || activity === 'verifying' || activity === 'applying';
}

/** The running work with its actions; if nothing is running, the actions that are possible now. */
export function renderActivity(state: SidebarState, actions: Actions): TemplateResult {
  const { activity, indexingPaused, making } = state;
  const isRunning = activity !== 'idle' && activity !== 'stopped';
  return html`<section class="activity ${isForegroundActivity(state) ? 'first' : ''}" aria-label="Activity">
    <div class="running">
      ${renderStateIcon(state)}<span class="what">${describeActivity(state)}<span class="dim"> ${isRunning ? formatProgress(state) : ''}</span></span>
      <span class="tools" role="group" aria-label="Index">${renderIndexButton(state, actions)}</span>
    </div>
    ${isRunning ? renderProgress(state) : nothing}
    ${making.map(
      ({ title, status }) => html`<p class="dim one-line"
        title=${title}>${status === 'verifying' ? 'Verifying: ' : 'Proposed: '}${renderProse(title)}</p>`,
    )}
    ${isRunning ? html`<div class="buttons">${renderPauseButton(state, actions)}${renderStopButton(actions)}</div>` : nothing}
    ${activity === 'stopped' ? renderStopped(actions) : indexingPaused ? renderPaused(actions) : activity === 'idle' ? renderIdle(state, actions) : nothing}
  </section>`;
}

/**
 * The text that screen readers read whenever it changes. It contains no progress, because that changes all the time.
 */
export function composeAnnouncement({ phase, state }: View): string {
  if (phase !== 'state' || !state) return '';
  return `${describeActivity(state)}${state.waiting ? `, ${formatCount(state.waiting, 'decision waits', 'decisions wait')} for you` : ''}`;
}

/** The activity in words. */
function describeActivity({ activity, indexingPaused, trusted, progress }: SidebarState): string {
  if (activity === 'indexing' && progress?.finishing) return 'Finishing the index';
  if (activity === 'idle' && indexingPaused) return 'Indexing is paused';
  return activity === 'idle' && !trusted ? 'Restricted' : ACTIVITY_NAMES[activity];
}

function renderStateIcon({ activity, indexingPaused, trusted }: SidebarState): TemplateResult {
  if (activity === 'stopped') return renderIcon('circle-slash');
  if (activity !== 'idle') return renderIcon('loading', true);
  return renderIcon(indexingPaused ? 'debug-pause' : trusted ? 'pass' : 'shield');
}

/**
 * The button that refreshes the index; nothing while work is running, while indexing is paused, and after Stop. No
 * other button is shown in its place then, so that a click that comes too late has no effect.
 */
function renderIndexButton({ activity, indexingPaused }: SidebarState, { post }: Actions): unknown {
  if (activity !== 'idle' || indexingPaused) return nothing;
  return renderToolButton({ icon: 'refresh', title: 'Refresh index', onClick: () => post({ type: 'index' }) });
}

/**
 * The button that pauses indexing; nothing unless indexing or the analysis is running. It does not ask first, because a
 * pause loses nothing.
 */
function renderPauseButton({ activity }: SidebarState, { post }: Actions): unknown {
  if (activity !== 'indexing' && activity !== 'analysing') return nothing;
  return html`<vscode-button secondary @click=${() => post({ type: 'pauseIndexing' })}><span
      slot="content-before">${renderIcon('debug-pause')}</span>Pause Indexing</vscode-button>`;
}

/** The button that stops all work. It asks first, as the ellipsis in its label shows. */
function renderStopButton({ post }: Actions): TemplateResult {
  return html`<vscode-button secondary @click=${() => post({ type: 'stop' })}><span
      slot="content-before">${renderIcon('debug-stop')}</span>Stop…</vscode-button>`;
}

/**
 * The counts of the progress, such as "12 of 40", or only "12" if the total is unknown; '' before the first item is
 * done.
 */
function formatProgress({ progress }: SidebarState): string {
  if (!progress || progress.done === 0) return '';
  return progress.total === null
    ? formatWholeNumber(progress.done)
    : `${formatWholeNumber(progress.done)} of ${formatWholeNumber(progress.total)}`;
}

/** The bar and the message of the progress; nothing before it is known. */
function renderProgress(state: SidebarState): TemplateResult | typeof nothing {
  if (!state.progress) return nothing;
  const { total, done, message } = state.progress;
  const name = describeActivity(state);
  const repeatsName =
    message === name || message === `${formatWholeNumber(done)} of ${formatWholeNumber(total ?? 0)} files`;
  return html`<progress aria-label=${name} max=${total ?? nothing}
      value=${total === null ? nothing : done}></progress>${
        repeatsName
          ? nothing
          : html`<p class="dim two-lines"
      title=${message}>${message}</p>`
      }`;
}

/** The button "Improve" with what it would do; if it cannot run, a button that removes the obstacle. */
function renderIdle({ trusted, doable }: SidebarState, { post }: Actions): TemplateResult {
  const { canImprove: isImprovable, barrier } = doable;
  const canImprove = trusted && isImprovable;
  return html`
    <vscode-button block ?disabled=${!canImprove} aria-disabled=${canImprove ? 'false' : 'true'}
        @click=${() => canImprove && post({ type: 'improve' })}><span
        slot="content-before">${renderIcon('sparkle')}</span>Improve</vscode-button>
    ${
      trusted
        ? html`<p
        class="dim">${renderProse(doable.improve)}${canImprove ? ' Nothing is written without your approval.' : nothing}</p>`
        : nothing
    }
    ${
      barrier === 'notARepository'
        ? html`<button class="link" type="button"
        @click=${() => post({ type: 'initialiseRepository' })}>Initialise a git repository</button>`
        : nothing
    }
    ${
      barrier === 'brokenRepository'
        ? html`<button class="link" type="button"
        @click=${() => post({ type: 'openTerminal' })}>Open a Terminal</button>`
        : nothing
    }
    ${
      barrier === 'noCommit'
        ? html`<button class="link" type="button"
        @click=${() => post({ type: 'openSourceControl' })}>Open Source Control</button>`
        : nothing
    }
  `;
}

function renderPaused({ post }: Actions): TemplateResult {
  return html`
    <p class="dim">What was indexed so far is kept and can be searched.</p>
    <vscode-button block @click=${() => post({ type: 'resumeIndexing' })}>Resume Indexing</vscode-button>
  `;
}

function renderStopped({ post }: Actions): TemplateResult {
  return html`
    <p class="dim">What ran was cancelled. Nothing runs and nothing is applied until you resume, not even after a restart.</p>
    <vscode-button block @click=${() => post({ type: 'resume' })}><span
        slot="content-before">${renderIcon('debug-start')}</span>Resume</vscode-button>
  `;
}
