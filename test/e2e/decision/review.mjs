// A review opens: the change, its reason, how strongly it is proven, the points and the actions are in view at once.

import { eventually } from '../harness.mjs';
import { watchTexts } from '../window.mjs';

export const STRENGTH = /^(Proven|Tested|Checked|Unchecked)$/;

/** What has to be seen of a proposal with one hunk, however far down its file. */
export const decisionIn = ({ lens, page }) => ({
  Apply: lens(/^Apply/),
  Reject: lens('Reject'),
  Why: lens(/Why\?/),
  reason: lens(/Why\? \w+ \w+/),
  strength: lens(STRENGTH),
  points: lens(/\+.* points/),
  change: page.locator('.modified-in-monaco-diff-editor .view-line', { hasText: 'return score' }).first(),
});

export const steps = (world) => {
  const { page, command, lens, toast, tab, sidebar } = world;
  const card = sidebar.getByRole('listitem', { name: /unread/ });
  const cardButton = (name) => card.getByRole('button', { name: new RegExp(`^${name} `) });
  return {
    'a hunk far below the top of its file: all that a decision needs is in view': async () => {
      await world.showSidebar();
      const before = await world.triable();
      await sidebar.locator('#checkpoints summary').scrollIntoViewIfNeeded();
      await world.improve('src/deep.ts');
      await eventually(
        async () => (await world.triable()) === before - 1,
        'what waits for a decision is not promised once more',
      );
      await lens(/^Apply/).waitFor();
      await eventually(async () => (await toast('Improve').count()) === 0, 'the progress notification goes');
      await world.atEachSize('review', () => world.mustBeSeen(decisionIn(world)));
    },

    'the title of the editor has the words, and the tab names the change': async () => {
      const title = await tab('· deep.ts').innerText();
      if (!/^\W*Remove unused unread in isHigh ·/.test(title)) throw new Error(`The tab is called ${title}`);
      const action = (name) =>
        page.locator('.editor-actions .action-label, .title-actions .action-label', { hasText: name });
      await world.atEachSize('title', () => world.mustBeSeen({ Apply: action(/^Apply$/), Reject: action(/^Reject$/) }));
    },

    'the card in the sidebar has the reason, the strength and the same actions': async () => {
      const places = {
        'its title': card.getByText(/^Remove unused unread/).first(),
        Apply: cardButton('Apply'),
        Review: cardButton('Review'),
        Reject: cardButton('Reject'),
        strength: card.getByText(STRENGTH),
        reason: card.getByText(/Nothing reads/),
      };
      await world.atEachSize('card', () => world.mustBeSeen(places));
    },

    'applied from the card: the way back is one click away, in a notice and in the sidebar': async () => {
      const clicked = Date.now();
      const watched = watchTexts(world.status);
      // A double click is one wish.
      await cardButton('Apply').dblclick();
      await eventually(() => !/unread/.test(world.onDisk('src/deep.ts')), 'the change is in the file');
      const written = Date.now() - clicked;
      const meanwhile = (await watched.stop()).filter((text) => /Indexing|Finishing the index|Analysing/.test(text));
      if (meanwhile.length > 0) throw new Error(`What is waited for does not come first: ${meanwhile.join(' | ')}`);
      const notice = toast('Applied').getByRole('button', { name: 'Roll Back' });
      await notice.waitFor();
      await tab('· deep.ts').waitFor({ state: 'detached' });
      await world.mustBeSeen({
        'the lines around the change': page.locator('.editor-instance .view-line', {
          hasText: 'return score > limit50',
        }),
      });
      console.log(`   written after ${written} ms`);
      const back = sidebar.getByRole('button', { name: /^Roll back .*unread/ });
      await world.atEachSize('applied', async () => {
        await world.mustBeSeen({ 'Roll Back of the notice': notice });
        await back.scrollIntoViewIfNeeded();
        await world.mustBeSeen({ 'Roll back of the checkpoint': back });
      });
      await notice.click();
      await eventually(() => world.onDisk('src/deep.ts') === world.onStart('src/deep.ts'), 'the bytes come back');
      await command('Notifications: Clear All Notifications');
    },
  };
};
