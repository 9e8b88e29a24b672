// What each button of the sidebar asks the server for, by mouse and by keyboard.

import { expect, test } from 'vitest';
import type { FromWebview, ToWebview } from '#protocol/webviewMessages';
import { folded, fresh, toDecide, unsettled } from './fixtures/states.ts';
import { severalFolders, state } from './fixtures/views.ts';
import { onPage } from './onPage.ts';

const clicks: readonly {
  readonly what: string;
  readonly message: ToWebview;
  readonly name: string;
  readonly sent: FromWebview;
  readonly saved?: object;
}[] = [
  { what: 'Improve', message: state(), name: 'Improve', sent: { type: 'improve' } },
  {
    what: 'the improvement of one opportunity',
    message: state(),
    name: 'Improve: parseStatement has a cognitive complexity of 40 (15 is the limit)',
    sent: { type: 'improve', opportunity: 'opportunity-0' },
  },
  {
    what: 'a dismissal',
    message: state(),
    name: 'Dismiss: parseStatement has a cognitive complexity of 40 (15 is the limit)',
    sent: {
      type: 'dismiss',
      opportunity: 'opportunity-0',
      path: 'src/parser/deep/folder/statement0.ts',
      rule: 'complex-function',
    },
  },
  {
    what: 'a rule',
    message: state(),
    name: 'About complex-function',
    sent: { type: 'openRule', rule: 'complex-function' },
  },
  {
    what: 'a review',
    message: state(),
    name: 'Review Remove else after return in grade',
    sent: { type: 'review', proposal: 'p1' },
  },
  {
    what: 'a rejection',
    message: state(),
    name: 'Reject Remove else after return in grade',
    sent: { type: 'reject', proposal: 'p1' },
  },
  {
    what: 'a lesson to be forgotten',
    message: state({ learned: { total: 1, lessons: [{ id: 'l-1', text: 'A lesson.', last: null, effects: [] }] } }),
    name: 'Forget A lesson.',
    sent: { type: 'forgetLesson', lesson: 'l-1' },
    saved: folded('learned'),
  },
  {
    what: 'rules of the repository to be read',
    message: state(toDecide),
    name: 'Read AGENTS.md',
    sent: { type: 'readRules', path: 'AGENTS.md' },
  },
  {
    what: 'rules of the repository to be kept off',
    message: state(toDecide),
    name: 'Keep Off: CLAUDE.md',
    sent: { type: 'keepRulesOff', path: 'CLAUDE.md', hash: 'h2' },
  },
  {
    what: 'a rule of an agent to be accepted',
    message: state(toDecide),
    name: 'Accept: Return early instead of nesting.',
    sent: { type: 'decideRule', rule: 'rule-1', text: 'Return early instead of nesting.', verdict: 'accepted' },
  },
  {
    what: 'a rule of an agent to be kept off',
    message: state(toDecide),
    name: 'Keep Off: Return early instead of nesting.',
    sent: { type: 'decideRule', rule: 'rule-1', text: 'Return early instead of nesting.', verdict: 'refused' },
  },
  {
    what: 'a proposed command to be accepted',
    message: state(toDecide),
    name: 'Accept the command check',
    sent: { type: 'inbox', item: 'c-1', verdict: 'applied' },
  },
  {
    what: 'a proposed command to be rejected',
    message: state(toDecide),
    name: 'Reject the command check',
    sent: { type: 'inbox', item: 'c-1', verdict: 'rejected' },
  },
  {
    what: 'accepted rules to be read again',
    message: state({
      learned: { total: 1, lessons: [{ id: 'b-1', text: 'Rules.', last: null, effects: [], brought: 'AGENTS.md' }] },
    }),
    name: 'Read AGENTS.md',
    sent: { type: 'readRules', path: 'AGENTS.md' },
    saved: folded('learned'),
  },
  { what: 'a judgement', message: { type: 'state', state: unsettled }, name: 'Check now', sent: { type: 'judge' } },
  {
    what: 'a change to be kept',
    message: { type: 'state', state: unsettled },
    name: 'Keep Inline totals into report',
    sent: { type: 'keep', proposal: 'p2' },
  },
  {
    what: 'the way back of what is stuck',
    message: { type: 'state', state: unsettled },
    name: 'Roll back Use `??` for the default in readLimit',
    sent: { type: 'rollback', checkpoint: 'c4' },
  },
  {
    what: 'a rollback',
    message: state(),
    name: 'Roll back Remove unused import in clamp',
    sent: { type: 'rollback', checkpoint: 'c2' },
  },
  {
    what: 'a commit',
    message: state(),
    name: 'Commit Extract readHeader from parseStatement',
    sent: { type: 'commit', proposal: 'k3' },
  },
  {
    what: 'commits of all that is kept',
    message: state(),
    name: 'Commit 1 kept change to a branch…',
    sent: { type: 'commit' },
  },
  { what: 'a refresh', message: state(), name: 'Refresh index', sent: { type: 'index' } },
  {
    what: 'a search for missing tests',
    message: state(),
    name: 'Find Missing Tests or Faults…',
    sent: { type: 'searchFurther' },
  },
  {
    what: 'a pause',
    message: { type: 'state', state: fresh },
    name: 'Pause indexing',
    sent: { type: 'pauseIndexing' },
  },
  {
    what: 'the end of a pause',
    message: state({ indexingPaused: true }),
    name: 'Resume Indexing',
    sent: { type: 'resumeIndexing' },
  },
  { what: 'Stop', message: { type: 'state', state: fresh }, name: 'Stop…', sent: { type: 'stop' } },
  { what: 'Resume', message: state({ activity: 'stopped' }), name: 'Resume', sent: { type: 'resume' } },
  { what: 'trust', message: state({ trusted: false }), name: 'Manage trust', sent: { type: 'manageTrust' } },
  {
    what: 'the charter',
    message: state(),
    name: 'Open the charter',
    sent: { type: 'openCharter' },
    saved: folded('charter'),
  },
  {
    what: 'settings',
    message: state(),
    name: 'Settings…',
    sent: { type: 'openSettings', query: '@ext:selfware.selfware charter' },
    saved: folded('charter'),
  },
  {
    what: 'a new window',
    message: { type: 'failure', message: 'x' },
    name: 'Reload Window',
    sent: { type: 'reloadWindow' },
  },
  { what: 'the output', message: { type: 'failure', message: 'x' }, name: 'Show Output', sent: { type: 'showOutput' } },
  { what: 'a folder', message: { type: 'noFolder' }, name: 'Open Folder', sent: { type: 'openFolder' } },
];

test('another folder is chosen where the name of this one stands', () =>
  onPage(state({ folders: severalFolders }), async ({ page, sent }) => {
    await page.getByLabel('Workspace folder').selectOption('file:///work/ledger-web');
    expect(await sent()).toEqual([{ type: 'chooseFolder', uri: 'file:///work/ledger-web' }]);
  }));

test.each(clicks)('asks for $what by mouse and by keyboard', ({ message, name, sent, saved }) =>
  onPage(
    message,
    async ({ page, sent: messages }) => {
      const button = page.getByRole('button', { name, exact: true }).first();
      await button.hover();
      await button.click();
      await button.focus();
      await page.keyboard.press('Enter');
      expect(await messages()).toEqual([sent, sent]);
    },
    { saved },
  ),
);
