// "Repeat an Edit…" in a real VS Code: an edit that was made twice by hand is repeated in the places that are left, and
// its places become opportunities.
// Usage: node test/e2e/repeat.e2e.mjs   (SELFWARE_VSIX names another package, KEEP=1 keeps the temporary folders)

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually, openBrowser, packagedExtension, play, startWorkbench } from './harness.mjs';
import { makeRepository } from './project.mjs';
import { createWindow } from './window.mjs';

const lookUp = (name) => `/** True if the list has it. */
export function ${name}(list: readonly string[], one: string): boolean {
  return list.indexOf(one) !== -1;
}
`;
const edited = (text) => text.replace('list.indexOf(one) !== -1', 'list.includes(one)');
const names = ['hasName', 'hasMail', 'hasRole', 'hasGroup'];
const manifest = { name: 'lists', private: true, type: 'module', scripts: { test: 'node --test' } };
const project = makeRepository('lists', {
  'package.json': `${JSON.stringify(manifest, null, 2)}\n`,
  '.gitignore': 'node_modules\n',
  ...Object.fromEntries(names.map((name) => [`src/${name}.ts`, lookUp(name)])),
  'test/lists.test.js': `import { deepStrictEqual } from 'node:assert';
import { test } from 'node:test';
${names.map((name) => `import { ${name} } from '../src/${name}.ts';`).join('\n')}

test('lists', () => {
  for (const has of [${names.join(', ')}])
    deepStrictEqual([has(['x'], 'x'), has(['x'], 'y'), has([], '')], [true, false, false]);
});
`,
});
const workbench = await startWorkbench({
  vsix: packagedExtension(),
  workspace: project,
  extraArgs: ['--disable-workspace-trust'],
});
const { browser, page } = await openBrowser();
const { shot, command, status, quickInput, row, dialog, toast, lens, openFile, tab } = createWindow(page, 'repeat');

const read = (path) => readFileSync(join(project, path), 'utf8');
const pick = async (entry) => {
  await row(entry).first().waitFor();
  await quickInput.fill(entry);
  await page.keyboard.press('Enter');
};

const steps = {
  'one edit is too few, which a message says': async () => {
    await page.goto(workbench.url(), { waitUntil: 'domcontentloaded' });
    await page.locator('.monaco-workbench').waitFor();
    await status.filter({ hasText: /[\d.]+ points/ }).waitFor();
    writeFileSync(join(project, 'src/hasName.ts'), edited(lookUp('hasName')));
    await command('Selfware: Repeat an Edit…');
    await row('My Uncommitted Edits').waitFor();
    await shot('sources');
    await pick('My Uncommitted Edits');
    await toast('two uncommitted edits').waitFor();
    await shot('too-few');
  },

  'an edit that is not saved yet is saved after asking': async () => {
    await openFile('src/hasMail.ts');
    await page.locator('.editor-instance .view-line', { hasText: 'indexOf' }).first().click();
    await page.keyboard.press('Home');
    await page.keyboard.press('Shift+End');
    await page.keyboard.type('return list.includes(one);');
    await tab('hasMail.ts')
      .filter({ has: page.locator('xpath=self::*[contains(@class, "dirty")]') })
      .waitFor();
    await command('Selfware: Repeat an Edit…');
    await pick('My Uncommitted Edits');
    await dialog.filter({ hasText: '1 file has unsaved edits' }).waitFor();
    await shot('unsaved');
    await dialog.getByRole('button', { name: 'Save and Continue' }).click();
    await row('includes').first().waitFor();
    await shot('recipes');
    if (!read('src/hasMail.ts').includes('includes')) throw new Error('The edit was not saved.');
  },

  'the places are proposed, checked, and open for review': async () => {
    await page.keyboard.press('Enter');
    await row('Propose All 2 Places').first().waitFor();
    await shot('what-next');
    await page.keyboard.press('Enter');
    await lens('Apply').waitFor();
    await shot('review');
    if (read('src/hasRole.ts') !== lookUp('hasRole')) throw new Error('It was written before it was approved.');
  },

  'applying writes them': async () => {
    await lens('Apply').click();
    await eventually(
      async () => ['hasRole', 'hasGroup'].every((name) => read(`src/${name}.ts`) === edited(lookUp(name))),
      'both places are changed',
    );
    await toast('Applied').waitFor();
    await shot('applied');
  },
};

await play(steps, { workbench, browser, project, shot });
