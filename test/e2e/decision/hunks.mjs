// Some hunks of a proposal are applied: they stay, and the others go on waiting in the same place.

import { proposeByCommandLine, quoted } from '../commandLine.mjs';
import { eventually, patience } from '../harness.mjs';
import { STRENGTH } from './review.mjs';

const unused = (path) => ({ file: path, search: 'import { clamp, round }', replace: 'import { clamp }' });
/** Two changes of which each gains points by itself. */
const request = {
  title: 'Read no more than is needed',
  edits: [unused('src/parts.ts'), { file: 'src/parts.ts', search: '  const twice = value * 2;\n', replace: '' }],
};

export const steps = (world) => {
  const { command, lens, toast, sidebar } = world;
  const onDisk = () => world.onDisk('src/parts.ts');
  return {
    'several hunks: the whole, the strength and the reason above the first, each with buttons of its own': async () => {
      proposeByCommandLine(world.workbench, world.project, request);
      // What another process has filed is seen with the next look.
      await command('Selfware: Refresh Index');
      await world.mustBeSeen({
        'the decision that has come in': sidebar.getByRole('button', { name: `Apply ${quoted(request.title)}` }),
      });
      await sidebar.getByRole('button', { name: `Review ${quoted(request.title)}` }).click();
      await lens('Apply hunk').waitFor();
      const places = {
        'Apply all': lens('Apply all'),
        Reject: lens('Reject'),
        'Apply hunk': lens('Apply hunk'),
        'Skip hunk': lens('Skip hunk'),
        strength: lens(STRENGTH),
        Why: lens(/Why\?/),
      };
      await world.atEachSize('hunks', () => world.mustBeSeen(places));
    },

    'one hunk is applied, and the other waits in its place until it is verified': async () => {
      await lens('Apply hunk').click();
      await toast(/The rest \(1 hunk\) keeps waiting/).waitFor({ timeout: patience * 2 });
      if (/round/.test(onDisk()) || !/twice/.test(onDisk())) throw new Error(onDisk());
      await lens(/^Apply$/).waitFor({ timeout: patience * 2 });
      await world.atEachSize('rest', () =>
        world.mustBeSeen({ Apply: lens(/^Apply$/), Reject: lens('Reject'), strength: lens(STRENGTH) }),
      );
      await sidebar.getByRole('button', { name: `Apply ${quoted(request.title)}` }).waitFor();
    },

    'the rest is applied as well, and both are rolled back': async () => {
      await command('Notifications: Clear All Notifications');
      await lens(/^Apply$/).click();
      await eventually(
        () => !/twice/.test(onDisk()) && !/round/.test(onDisk()),
        'both hunks are in the file',
        patience * 2,
      );
      await toast('Applied').waitFor();
      await command('Notifications: Clear All Notifications');
      const ways = sidebar.getByRole('button', { name: `Roll back ${quoted(request.title)}` });
      for (const text of [/twice/, /round/]) {
        const before = await ways.count();
        // A double click is one wish.
        await ways.first().dblclick();
        await eventually(() => text.test(onDisk()), `${text} is back`);
        // The list follows the file: a second click would mean the same checkpoint once more.
        await eventually(async () => (await ways.count()) < before, 'one way back less');
        if ((await toast(/already|locked|There is no/).count()) > 0) throw new Error('The second click is answered.');
      }
      await command('Notifications: Clear All Notifications');
    },
  };
};
