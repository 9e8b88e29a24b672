// While a repository is looked at for the first time, nothing is said to be absent that was not looked for yet.

import { eventually } from '../harness.mjs';
import { makeRepository, plainFiles } from '../project.mjs';
import { watchTexts } from '../window.mjs';

/** Enough of them for an analysis that takes seconds; nothing in them can be improved. */
const FILES = 2500;

export const steps = (world) => {
  const { page, sidebar, status } = world;
  return {
    'half-way through the first analysis nothing is "not found"': async () => {
      const folder = makeRepository('large', { ...plainFiles(FILES), 'README.md': '# Large\n' });
      await page.goto(world.workbench.urlOf(folder), { waitUntil: 'domcontentloaded' });
      await page.locator('.monaco-workbench').waitFor();
      const watched = watchTexts(sidebar.locator('#opportunities .body'));
      await page.locator('.activitybar .action-label[aria-label^="Selfware"]').first().click();
      const soFar = sidebar.getByText(/\d[\d,]* of [\d,]+ files so far/).first();
      await soFar.waitFor();
      await world.shot('so-far');
      await eventually(async () => /None/.test(watched.texts.at(-1) ?? ''), 'the analysis ends');
      await status.filter({ hasText: /points/ }).waitFor();
      const texts = (await watched.stop()).map((text) => text.replace(/\s+/g, ' ').trim());
      const first = texts.findIndex((text) => /None|found/.test(text));
      const last = texts.findLastIndex((text) => /so far/.test(text));
      if (first < last) throw new Error(`"${texts[first]}" was said before "${texts[last]}".`);
      await world.shot('none-found');
    },
  };
};
