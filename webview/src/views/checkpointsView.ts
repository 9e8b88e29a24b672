// Renders the checkpoints: the applied changes as a timeline, newest first, with buttons to roll them back or to commit
// them.

import { html, nothing, type TemplateResult } from 'lit';
import type { CheckpointState, SidebarState } from '#protocol/state';
import type { Actions } from '../actions.ts';
import { renderIcon } from '../components/icon.ts';
import { renderPathList } from '../components/pathList.ts';
import { renderProse } from '../components/prose.ts';
import { renderSection } from '../components/section.ts';
import { formatAge, formatCount } from '../format.ts';
import type { View } from '../store.ts';

/** Text and icon for each status of an applied change. */
const STATUS_PARTS: Readonly<
  Record<NonNullable<CheckpointState['fate']>, { readonly text: string; readonly icon: string }>
> = {
  probation: { text: 'being checked', icon: 'beaker' },
  conflicted: { text: 'failed, waits for you', icon: 'warning' },
  kept: { text: 'kept', icon: 'pass' },
  undone: { text: 'undone since: the files no longer hold it', icon: 'circle-slash' },
  committed: { text: 'committed', icon: 'git-commit' },
  rolledBack: { text: 'rolled back', icon: 'discard' },
};

/** The section of the checkpoints. */
export function renderCheckpoints(
  view: View,
  { checkpoints, uncommitted, trusted, git }: SidebarState,
  actions: Actions,
): TemplateResult {
  const now = Date.now();
  const { post } = actions;
  const [newestCheckpoint] = checkpoints;
  return renderSection(
    view,
    actions,
    {
      id: 'checkpoints',
      title: 'Checkpoints',
      count: checkpoints.length || undefined,
      summary: newestCheckpoint ? formatAge(newestCheckpoint.createdAt, now) : '',
    },
    () =>
      checkpoints.length === 0
        ? html`<p class="dim">No change has been applied yet. Each one leaves a checkpoint here, so that you can roll it back.</p>`
        : html`
          ${
            uncommitted > 0 && trusted && git
              ? html`<button class="link" type="button"
              @click=${() => post({ type: 'commit' })}>Commit ${formatCount(uncommitted, 'kept change')} to a branch…</button>`
              : nothing
          }
          <ol class="timeline"
              aria-label="Checkpoints">${checkpoints.map((checkpoint) => renderCheckpoint(checkpoint, now, trusted && git !== null, actions))}</ol>
        `,
  );
}

function renderCheckpoint(
  { id, title, createdAt, paths, pathCount, rolledBack, fate, proposal }: CheckpointState,
  now: number,
  canCommit: boolean,
  { post }: Actions,
): TemplateResult {
  const { text, icon } = fate ? STATUS_PARTS[fate] : { text: '', icon: 'circle-filled' };
  return html`<li class="entry ${rolledBack ? 'over' : ''} ${fate ?? ''}" aria-label=${title}>
    <span class="dot">${renderIcon(icon)}</span>
    <div class="content">
      <strong>${renderProse(title)}</strong>
      ${renderPathList(paths, pathCount)}
      <span class="facts"><time
        datetime=${new Date(createdAt).toISOString()}
        title=${new Date(createdAt).toLocaleString()}
        >${formatAge(createdAt, now)}</time
      >${text ? ` · ${text}` : ''}</span>
      ${
        rolledBack || fate === 'undone'
          ? nothing
          : html`<span class="links">
            <button class="link" type="button" aria-label="Roll back ${title}"
                @click=${() => post({ type: 'rollback', checkpoint: id })}>Roll back</button>
            ${
              fate === 'kept' && proposal && canCommit
                ? html`<button class="link" type="button"
                aria-label="Commit ${title}"
                @click=${() => post({ type: 'commit', proposal })}>Commit…</button>`
                : nothing
            }
          </span>`
      }
    </div>
  </li>`;
}
