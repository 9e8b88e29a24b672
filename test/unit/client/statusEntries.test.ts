// The menu of the status bar offers what can be done now, and the way out of each state in which little can be done.

import { expect, test } from 'vitest';
import type { SidebarState } from '#protocol/state';
import { listStatusEntries } from '../../../client/src/status/statusEntries.ts';
import { composeStatus } from '../../../client/src/status/statusText.ts';
import { full } from '../../webview/fixtures/states.ts';

const commandsOf = (state: SidebarState) => listStatusEntries(state, false).map(({ command }) => command);
const barred = (barrier: SidebarState['doable']['barrier']): SidebarState => ({
  ...full,
  doable: { ...full.doable, canImprove: false, barrier },
});

test('search and models are in the menu of a repository', () => {
  expect(commandsOf({ ...full, folder: 'file:///a' })).toEqual(
    expect.arrayContaining(['selfware.improve', 'selfware.search', 'selfware.improveWithModel']),
  );
});

test('without a folder the menu offers to open one, and nothing that needs one', () => {
  const state: SidebarState = { ...full, folder: '', folders: [], points: null, git: null, index: null };
  const commands = commandsOf(state);
  expect(commands.slice(0, 2)).toEqual(['vscode.openFolder', 'selfware.getStarted']);
  for (const needsFolder of ['selfware.index', 'selfware.search', 'selfware.openCharter', 'selfware.wishes'])
    expect(commands).not.toContain(needsFolder);
  expect(composeStatus(state, null).tooltip).toContain('No folder is open');
});

test.each([
  ['notARepository', 'git.init'],
  ['brokenRepository', 'workbench.action.terminal.new'],
  ['noCommit', 'workbench.view.scm'],
] as const)('%s: the menu offers the next step, and search, but no change', (barrier, step) => {
  const commands = commandsOf({ ...barred(barrier), folder: 'file:///a' });
  expect(commands).toContain(step);
  expect(commands).toContain('selfware.search');
  for (const change of ['selfware.improve', 'selfware.improveWithModel', 'selfware.runOvernight'])
    expect(commands).not.toContain(change);
});
