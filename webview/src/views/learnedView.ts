// Renders the lessons that were learned from decisions and checks, newest first, with their effects and buttons to
// forget them.

import { html, nothing, type TemplateResult } from 'lit';
import type { LessonState, SidebarState } from '#protocol/state';
import type { Actions } from '../actions.ts';
import { renderIcon } from '../components/icon.ts';
import { renderProse } from '../components/prose.ts';
import { renderSection } from '../components/section.ts';
import { formatAge, formatCount } from '../format.ts';
import type { View } from '../store.ts';

type LessonOrigin = NonNullable<LessonState['origin']>;

/** The section of the lessons; nothing if nothing was learned yet. */
export function renderLearned(view: View, { learned }: SidebarState, actions: Actions): unknown {
  // A state that was saved by an older version of the extension has no lessons.
  const { total, lessons } = (learned as SidebarState['learned'] | undefined) ?? { total: 0, lessons: [] };
  const [newestLesson] = lessons;
  if (!newestLesson) return nothing;
  const now = Date.now();
  return renderSection(
    view,
    actions,
    { id: 'learned', title: 'Learned', count: total, summary: newestLesson.text },
    () => {
      const omittedCount = total - lessons.length;
      return html`<ol class="timeline" aria-label="Lessons, newest first">${lessons.map((lesson) => renderLesson(lesson, now, actions))}</ol>
      ${
        omittedCount > 0
          ? html`<p
          class="dim">${formatCount(omittedCount, 'older lesson')} on the command line: selfware learned</p>`
          : nothing
      }`;
    },
  );
}

function renderLesson(
  { id, text, last, effects, origin, forgettable, brought }: LessonState,
  now: number,
  { post }: Actions,
): TemplateResult {
  // Lessons from comments in the code have no time.
  const timePart =
    last === null
      ? 'in the code'
      : html`<time datetime=${new Date(last).toISOString()} title=${new Date(last).toLocaleString()}>${formatAge(last, now)}</time>`;
  const forget = () => post({ type: 'forgetLesson', lesson: id });
  return html`<li class="entry" aria-label=${text}>
    <span class="dot">${renderIcon('lightbulb')}</span>
    <div class="content">
      <strong>${renderProse(text)}</strong>
      ${effects.map((effect) => html`<span class="facts">${renderProse(effect)}</span>`)}
      ${origin === undefined ? nothing : html`<span class="facts">${renderOrigin(origin, post)}</span>`}
      <span class="facts">${timePart}</span>
      <span class="links">
        ${
          brought === undefined
            ? nothing
            : html`<button class="link" type="button" aria-label="Read ${brought}"
            @click=${() => post({ type: 'readRules', path: brought })}>Read…</button>`
        }
        ${
          forgettable === false
            ? nothing
            : html`<button class="link" type="button" aria-label="Forget ${text}"
            @click=${forget}>Forget…</button>`
        }
      </span>
    </div>
  </li>`;
}

/**
 * The changes or findings from which a lesson was learned, as a button that opens the newest change, or the file of the
 * newest finding.
 */
function renderOrigin({ text, proposal, path }: LessonOrigin, post: Actions['post']): unknown {
  if (proposal === undefined && path === undefined) return renderProse(text);
  const openOrigin = () =>
    proposal === undefined ? post({ type: 'openFile', path: path! }) : post({ type: 'review', proposal });
  return html`<button class="link" type="button" aria-label="Show what it was learned from: ${text}"
    @click=${openOrigin}>${text}</button>`;
}
