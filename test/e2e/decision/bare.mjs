// Empty folders, and folders without git: Selfware says what is possible there, and offers nothing that would fail.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export const steps = (world) => {
  const { page, sidebar } = world;
  const improve = sidebar.getByRole('button', { name: 'Improve', exact: true });
  const open = async (name, texts) => {
    const folder = join(mkdtempSync(join(tmpdir(), 'sw-bare-')), name);
    mkdirSync(folder);
    for (const [path, text] of Object.entries(texts)) writeFileSync(join(folder, path), text);
    await page.goto(world.workbench.urlOf(folder), { waitUntil: 'domcontentloaded' });
    await page.locator('.monaco-workbench').waitFor();
    await page.locator('.activitybar .action-label[aria-label^="Selfware"]').first().click();
    return { [Symbol.dispose]: () => rmSync(dirname(folder), { recursive: true, force: true }) };
  };
  const mustNotImprove = async () => {
    if ((await improve.getAttribute('aria-disabled')) !== 'true') throw new Error('Improve is offered.');
  };

  return {
    'an empty folder has no points, and says so': async () => {
      using _ = await open('empty', {});
      await sidebar.getByText('No points yet').first().waitFor();
      await world.atEachSize('empty', () =>
        world.mustBeSeen({ 'why there are none': sidebar.getByText('No points yet').first() }),
      );
      if ((await sidebar.getByText(/0 of 0/).count()) > 0) throw new Error('It has 0 of 0 points.');
      await mustNotImprove();
    },

    'without git Improve is not offered, and the way to it is one click': async () => {
      using _ = await open('bare', {
        'sum.ts': 'export function sum(a: number, b: number): number {\n  const unread = a;\n  return a + b;\n}\n',
      });
      const way = sidebar.getByRole('button', { name: 'Initialise a git repository' });
      await way.waitFor();
      await sidebar
        .getByText(/of [\d,.]+ points/)
        .first()
        .waitFor();
      await mustNotImprove();
      await world.atEachSize('without-git', async () => {
        await way.scrollIntoViewIfNeeded();
        await world.mustBeSeen({ 'the way to git': way, why: sidebar.getByText(/is not a git repository/).first() });
      });
    },
  };
};
