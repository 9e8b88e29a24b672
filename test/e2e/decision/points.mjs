// What the points consist of: each category opens, says what it counts and which places cost most, with Improve beside
// them.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../harness.mjs';

const CATEGORIES = ['Code quality', 'Test coverage', 'Safety', 'Performance', 'Maintainability'];
/** Nothing was decided about it before: what a person has rolled back is not offered again at once. */
const FILE = 'src/evident.ts';

export const steps = (world) => {
  const { command, page, sidebar, lens, tab, toast } = world;
  const opener = (name) => sidebar.getByRole('button', { name: new RegExp(`^(Show|Hide) what ${name} consists of`) });
  const inputs = (name) => sidebar.getByRole('list', { name: `What ${name} consists of` });
  const places = (name) => sidebar.getByRole('list', { name: `What costs most of ${name}` }).getByRole('listitem');
  const figure = async (place) => Number(/[\d,.]+/.exec(await place.innerText())[0].replaceAll(',', ''));
  const total = () => figure(sidebar.locator('.total strong'));
  const scale = async () => (await sidebar.locator('.total').innerText()).match(/of ([\d,.]+) points/)[1];
  const meter = (name) => sidebar.getByRole('meter', { name });

  const refresh = sidebar.getByRole('button', { name: 'Refresh index' });

  return {
    'each category opens what it consists of, and its sum is what the bar says': async () => {
      await world.showSidebar();
      for (const name of CATEGORIES) {
        await opener(name).click();
        await inputs(name).waitFor();
        const figures = await inputs(name).locator('.figure').allInnerTexts();
        const [earned, most] = [0, 1].map((at) =>
          figures.reduce((sum, text) => sum + Number(text.split(' of ')[at]), 0),
        );
        const said = await meter(name).getAttribute('aria-valuetext');
        // Each figure is rounded to a tenth.
        const near = (one, other) => Math.abs(one - Number(other)) < figures.length * 0.06 + 0.06;
        const isKnown = /^([\d.]+) of ([\d.]+)/.exec(said);
        if (isKnown ? !near(earned, isKnown[1]) || !near(most, isKnown[2]) : earned !== 0)
          throw new Error(`${name}: ${said}, and ${figures.join(', ')}`);
      }
      await world.shot('categories');
      for (const name of CATEGORIES.slice(1)) await opener(name).click();
    },

    'the places that cost most have Improve beside them, in view with their reason': async () => {
      const known = await total();
      const place = places('Code quality').filter({ hasText: 'evident.ts' }).first();
      await world.atEachSize('places', async () => {
        await opener('Code quality').scrollIntoViewIfNeeded();
        await place.scrollIntoViewIfNeeded();
        await world.mustBeSeen({
          'what it costs': place.locator('.figure'),
          Improve: place.getByRole('button', { name: /^Improve/ }),
        });
      });
      await place.locator('.place').click();
      await tab('evident.ts').first().waitFor();
      await page.locator('.editor-instance .view-line', { hasText: 'const idle' }).waitFor();
      await place.getByRole('button', { name: /^Improve/ }).click();
      await lens('Reject').waitFor();
      await tab('· evident.ts').waitFor();
      await sidebar.getByRole('button', { name: /^Apply Remove unused idle/ }).click();
      await toast('Applied').waitFor();
      await toast('Applied').getByRole('button', { name: 'Roll Back' }).click();
      await eventually(() => world.onDisk(FILE) === world.onStart(FILE), 'the bytes come back');
      await eventually(async () => Math.abs((await total()) - known) < 0.06, 'the points are as before');
      await command('Notifications: Clear All Notifications');
      await opener('Code quality').click();
    },

    'a report of coverage is told as a step with a name, and the scale stays': async () => {
      const [before, known] = [await scale(), await total()];
      const folder = join(world.project, 'coverage');
      mkdirSync(folder);
      const lines = world
        .onDisk('src/clamp.ts')
        .split('\n')
        .flatMap((text, at) => (/return/.test(text) ? [`DA:${at + 1},${at < 5 ? 3 : 0}`] : []));
      writeFileSync(
        join(folder, 'lcov.info'),
        `TN:\nSF:${join(world.project, 'src/clamp.ts')}\n${lines.join('\n')}\nend_of_record\n`,
      );
      await refresh.click();
      await sidebar
        .getByText(/Test coverage is measured now: \+/)
        .first()
        .waitFor();
      await eventually(async () => (await total()) > known, 'what is covered counts');
      await world.shot('coverage');
      if ((await scale()) !== before) throw new Error(`The scale was ${before}, and is ${await scale()}.`);
      const step = await figure(sidebar.locator('.total .step'));
      if (Math.abs(step - ((await total()) - known)) > 0.06)
        throw new Error(`+${step} is said of ${known} → ${await total()}.`);
      rmSync(folder, { recursive: true });
      await refresh.click();
      await eventually(async () => Math.abs((await total()) - known) < 0.06, 'without it, it is as before');
    },
  };
};
