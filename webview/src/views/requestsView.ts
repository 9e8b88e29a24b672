// Renders requests in words, and tasks that wait for a person because a model or agent has failed at them: what was
// tried, what was learned, and what can be done.

import { html, nothing, type TemplateResult } from 'lit';
import { requestNeedsPerson, type FailedAttempts, type RequestState, type WaitingTask } from '#protocol/requests';
import type { SidebarState } from '#protocol/state';
import type { Actions } from '../actions.ts';
import { renderIcon } from '../components/icon.ts';
import { renderProse } from '../components/prose.ts';
import { renderSection } from '../components/section.ts';
import { formatCount } from '../format.ts';
import type { View } from '../store.ts';

/** The sentence about the acceptance test of a request. */
const TEST_TEXTS: Readonly<Record<RequestState['test'], string>> = {
  accepted: 'You have accepted its test. No model or agent has been asked for the change yet.',
  none: 'It continues without a test of yours: the answer brings its own.',
  open: 'It has no acceptance test yet: you read one before a model or agent is asked for the change.',
};

/** Number of requests and tasks that need the person. */
export function countNeedingPerson({ requests = [], waitingTasks = [], furtherRequests }: SidebarState): number {
  return requests.filter(requestNeedsPerson).length + waitingTasks.length + (furtherRequests?.needing ?? 0);
}

/** The section of requests and tasks; nothing if there are none. */
export function renderRequests(view: View, state: SidebarState, actions: Actions): TemplateResult | typeof nothing {
  const { requests = [], waitingTasks = [], furtherRequests } = state;
  const furtherCount = furtherRequests?.count ?? 0;
  const count = requests.length + waitingTasks.length + furtherCount;
  if (count === 0) return nothing;
  const needingCount = countNeedingPerson(state);
  const sectionParts = { id: 'requests', title: 'Requests', count: needingCount || count, isUrgent: needingCount > 0 };
  return renderSection(
    view,
    actions,
    sectionParts,
    () => html`<ul class="cards" aria-label="Requests and tasks">
      ${waitingTasks.map((task) => renderTaskCard(task, actions))}
      ${requests.map((request) => renderWishCard(request, actions))}
    </ul>
    ${furtherCount === 0 ? nothing : renderMoreButton(furtherCount, actions)}`,
  );
}

/** The button that lists all requests and tasks. `count`: the number of those that are not shown here. */
function renderMoreButton(count: number, { post }: Actions): TemplateResult {
  const listAll = () => post({ type: 'requests' });
  return html`<vscode-button secondary @click=${listAll}>${count} More…</vscode-button>`;
}

/** The card of a task at which a model or agent has failed. */
function renderTaskCard(task: WaitingTask, { post }: Actions): TemplateResult {
  const sendAction = (action: string) => () => post({ type: 'requests', task: task.task, action });
  return renderRequestCard('warning', task.name, renderFailed(task), [
    renderButton(`Correct: ${task.name}`, 'Correct…', sendAction('correct')),
    renderButton(`Try Again: ${task.name}`, 'Try Again', sendAction('retry'), true),
    renderButton(`Drop: ${task.name}`, 'Drop…', sendAction('drop'), true),
  ]);
}

/** The card of a request in words. */
function renderWishCard(request: RequestState, actions: Actions): TemplateResult {
  const { words, failed, noTest, isRunning, test, tries, lastReason } = request;
  const nightPart = tries === 0 ? nothing : html`<span class="line dim">A night tried it in vain. ${lastReason}</span>`;
  const statePart = failed
    ? renderFailed(failed)
    : noTest !== null
      ? renderNoTest(noTest)
      : html`<span class="line dim">${TEST_TEXTS[test]}</span>`;
  const iconName = isRunning ? 'sync' : requestNeedsPerson(request) ? 'warning' : 'comment-discussion';
  return renderRequestCard(
    iconName,
    words,
    isRunning
      ? html`<span class="line">A model or agent is asked about it now.</span>`
      : html`${statePart}${nightPart}`,
    isRunning ? [] : renderButtons(request, actions),
  );
}

/** The buttons that are possible for a request in its state. */
function renderButtons({ id, words, failed, noTest }: RequestState, { post }: Actions): readonly TemplateResult[] {
  const sendAction = (action: string) => () => post({ type: 'requests', request: id, action });
  const dropButton = renderButton(`Drop: ${words}`, 'Drop…', sendAction('drop'), true);
  if (failed)
    return [
      renderButton(`Correct: ${words}`, 'Correct…', sendAction('correct')),
      renderButton(`Try Again: ${words}`, 'Try Again', sendAction('retry'), true),
      dropButton,
    ];
  if (noTest !== null)
    return [
      renderButton(`Write a Test: ${words}`, 'Write a Test…', sendAction('writeTest')),
      renderButton(`Continue Without: ${words}`, 'Continue Without', sendAction('goOnWithout'), true),
      renderButton(`Another Test: ${words}`, 'Another Test', sendAction('otherTest'), true),
      dropButton,
    ];
  return [renderButton(`Continue: ${words}`, 'Continue…', sendAction('goOn')), dropButton];
}

function renderNoTest(reason: string): TemplateResult {
  return html`<span class="line"><b>No acceptance test could be made.</b> ${renderProse(reason)}</span>
    <span class="line dim">Write one yourself, or continue without one: then the answer brings its own test, and nothing is written to your files before you have reviewed it.</span>`;
}

/** What was tried, what was learned from it, and what the person can do. */
function renderFailed({ attempts, tried, learned, corrections }: FailedAttempts): TemplateResult {
  return html`<span class="line"><b>${formatCount(attempts, 'attempt')} failed.</b> ${learned.map((text) => html`${renderProse(text)} `)}</span>
    ${renderTextList('What you can do', corrections)}
    <details class="tried"><summary>What was tried</summary><ol>${tried.map((text) => html`<li>${renderProse(text)}</li>`)}</ol></details>`;
}

function renderTextList(label: string, texts: readonly string[]): TemplateResult | typeof nothing {
  if (texts.length === 0) return nothing;
  return html`<span class="line">${label}:</span><ul class="evidence listed"
      aria-label=${label}>${texts.map((text) => html`<li>${renderProse(text)}</li>`)}</ul>`;
}

function renderButton(label: string, text: string, onClick: () => void, isSecondary = false): TemplateResult {
  return html`<vscode-button ?secondary=${isSecondary} aria-label=${label} @click=${onClick}>${text}</vscode-button>`;
}

function renderRequestCard(
  iconName: string,
  title: string,
  content: unknown,
  buttons: readonly TemplateResult[],
): TemplateResult {
  return html`<li class="card" aria-label=${title}>
    <span class="head">${renderIcon(iconName)}<strong class="words">${title}</strong></span>
    ${content}
    ${buttons.length === 0 ? nothing : html`<span class="buttons">${buttons}</span>`}
  </li>`;
}
