// What each button of the sidebar asks the server for, by mouse and by keyboard.

import { expect, test } from 'vitest';
import { clicks } from './fixtures/clicks.ts';
import { full } from './fixtures/states.ts';
import { severalFolders, state } from './fixtures/views.ts';
import { onPage } from './onPage.ts';

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

test('a list that changes while a button is pressed decides nothing about another proposal', () => {
  const [first] = full.pending;
  const [one, other] = ['one', 'other'].map((id) => ({ ...first!, id, title: `Improve ${id}` }));
  return onPage(state({ waiting: 2, pending: [one!, other!] }), async ({ page, receive, sent }) => {
    await page.getByRole('button', { name: 'Apply Improve one' }).hover();
    await page.mouse.down();
    await receive(state({ waiting: 1, pending: [other!] }));
    await page.getByRole('button', { name: 'Apply Improve one' }).waitFor({ state: 'detached' });
    await page.mouse.up();
    expect(await sent()).toEqual([]);
  });
});

test('the focus stays on the button of a proposal when another one goes away, and never moves on to another one', () => {
  const [first] = full.pending;
  const [one, other, third] = ['one', 'other', 'other'].map((title, at) => ({
    ...first!,
    id: `p-${at}`,
    title: `Improve ${title}`,
  }));
  return onPage(state({ waiting: 3, pending: [one!, third!, other!] }), async ({ page, receive, sent }) => {
    await page.getByRole('button', { name: 'Apply Improve other' }).last().focus();
    await receive(state({ waiting: 2, pending: [third!, other!] }));
    await page.getByRole('button', { name: 'Apply Improve one' }).waitFor({ state: 'detached' });
    await page.waitForFunction(() => document.activeElement?.localName === 'vscode-button');
    await page.keyboard.press('Enter');
    expect(await sent()).toEqual([{ type: 'apply', proposal: 'p-1' }]);
    await receive(state({ waiting: 1, pending: [third!] }));
    await page.waitForFunction(() => document.activeElement?.localName === 'summary');
  });
});
