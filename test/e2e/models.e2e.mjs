// "Improve with a Model…" in a real VS Code, with a model that another extension brings: whom and what for, consent,
// reasons of failures, a review, cancelling, and AI features that are switched off.
// Usage: node test/e2e/models.e2e.mjs   (SELFWARE_VSIX names another package, KEEP=1 keeps the temporary folders)

import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, openBrowser, packagedExtension, patience, play, startWorkbench } from './harness.mjs';
import { makeModelExtension, MODELS_FOLDER } from './modelExtension.mjs';
import { startModelServer } from './modelServer.mjs';
import { makeRepository } from './project.mjs';
import { createWindow } from './window.mjs';

const files = {
  'package.json': `${JSON.stringify({ name: 'shop', private: true, type: 'module', scripts: { test: 'node --test' } })}\n`,
  '.gitignore': 'node_modules\n',
  'src/page.ts': `import { readFileSync } from 'node:fs';

/** Answers with the text of a file. */
export async function page(req: { path: string }, res: { end(text: string): void }): Promise<void> {
  const text = readFileSync(req.path, 'utf8');
  res.end(text.trim());
}
`,
  'src/price.ts': `/** Price of an order. */
export function price(kind: string, count: number, member: boolean): number {
  let total = 0;
  if (kind === 'a') {
    if (member) {
      if (count > 10) {
        total = count * 2;
      }
    }
  }
  return total;
}
`,
  'test/price.test.js': `import { strictEqual } from 'node:assert';
import { test } from 'node:test';
import { price } from '../src/price.ts';

test('a price', () => {
  strictEqual(price('a', 11, true), 22);
  strictEqual(price('a', 10, true), 0);
  strictEqual(price('a', 11, false), 0);
  strictEqual(price('b', 11, true), 0);
});
`,
};
const before = files['src/price.ts'];
const good = JSON.stringify({
  description: 'One condition',
  edits: [
    {
      file: 'src/price.ts',
      search: before.slice(before.indexOf('  let'), -2),
      replace: "  return kind === 'a' && member && count > 10 ? count * 2 : 0;\n",
    },
  ],
});

const models = mkdtempSync(join(tmpdir(), 'sw-models-'));
const replies = (reply) => writeFileSync(join(models, 'reply.json'), JSON.stringify(reply));
const told = () => {
  const path = join(models, 'told.jsonl');
  return existsSync(path)
    ? readFileSync(path, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
    : [];
};
const asked = () => told().filter((one) => one.asked !== undefined);

/** A key that no file may hold. */
const KEY = 'sk-e2e-4f1d9a7c';
const server = await startModelServer(() => 'I do not know.');

const project = makeRepository('shop', files);
const workbench = await startWorkbench({
  vsix: packagedExtension(),
  peers: [makeModelExtension()],
  workspace: project,
  env: { [MODELS_FOLDER]: models, OPENAI_API_KEY: '' },
  extraArgs: ['--disable-workspace-trust'],
  extraSettings: { 'chat.disableAIFeatures': false },
});
const { browser, page } = await openBrowser();
const window = createWindow(page, 'models');
const { shot, command, lens, toast, tab, onPage, row, status, dialog, quickInput } = window;
const TITLE = 'Selfware: Improve with a Model';
const MODEL = 'editor:acme/steady';

async function typeInto(prompt, text) {
  await page.locator('.quick-input-widget', { hasText: prompt }).waitFor();
  await quickInput.fill(text);
  await page.keyboard.press('Enter');
}

/** To the question for whom, and through it. */
async function chooseModel() {
  await command(TITLE);
  await row(MODEL).first().waitFor();
  await row(MODEL).first().click();
}

async function askInWords(words) {
  await chooseModel();
  await row('In Words…').waitFor();
  // By the keyboard: the tip of the row above lies over it.
  await quickInput.fill('In Words');
  await page.keyboard.press('Enter');
  await eventually(async () => {
    await quickInput.fill(words, { timeout: 2000 }).catch(() => undefined);
    return (await page.locator('.quick-input-widget', { hasText: 'What do you want?' }).count()) > 0;
  }, 'the words are asked for');
  await page.keyboard.press('Enter');
}

const steps = {
  'the models of the window are listed with where code would go; nothing is sent for that': async () => {
    await page.goto(workbench.url(), { waitUntil: 'domcontentloaded' });
    await page.locator('.monaco-workbench').waitFor();
    await status.filter({ hasText: /[\d.]+ points/ }).waitFor();
    await command(TITLE);
    const label = await row(MODEL).first().getAttribute('aria-label');
    if (!label?.includes('code goes to the provider of the model, acme')) throw new Error(`It is read as ${label}.`);
    await row('An Address…').waitFor();
    await shot('whom');
    await page.keyboard.press('Escape');
    await quickInput.waitFor({ state: 'hidden' });
    if (asked().length) throw new Error('The model was asked.');
  },

  'without consent nothing is sent': async () => {
    await askInWords('Make price in src/price.ts shorter');
    await dialog.filter({ hasText: 'Send code of this repository to the provider of the model, acme' }).waitFor();
    await shot('consent');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'hidden' });
    if (asked().length) throw new Error('The model was asked.');
  },

  'with it the model is asked; attempts that fail are told, with a page of their reasons': async () => {
    replies({ text: 'I do not know.' });
    await askInWords('Make price in src/price.ts shorter');
    await dialog.getByRole('button', { name: 'Send Code' }).click();
    await toast('made no change that passed its checks').waitFor({ timeout: patience * 2 });
    if (asked().length !== 3) throw new Error(`It was asked ${asked().length} times.`);
    if (!asked()[0].asked.includes('Price of an order')) throw new Error('The file is not in the question.');
    await shot('failed');
    await toast('made no change').getByRole('button', { name: 'Show Attempts' }).click();
    await tab('Attempts').first().waitFor();
    await onPage('No change by').waitFor();
    await shot('attempts');
    await command('Notifications: Clear All Notifications');
  },

  'the best place that no recipe changes: its answer is verified and opens for review, and nobody is asked again':
    async () => {
      replies({ text: good });
      await command(TITLE);
      await row('Chosen last time').waitFor();
      const first = page.locator('.quick-input-widget .monaco-list-row').first();
      if (!(await first.innerText()).includes('Chosen last time')) throw new Error('The last choice is not the first.');
      await row(MODEL).first().click();
      await row('src/page.ts').waitFor();
      // By the keyboard: the tip of the row above lies over it.
      await quickInput.fill('readFileSync');
      await page.keyboard.press('Enter');
      await lens('Apply').waitFor({ timeout: patience * 3 });
      if (asked().length !== 4) throw new Error(`It was asked ${asked().length} times.`);
      if (readFileSync(join(project, 'src/price.ts'), 'utf8') !== before) throw new Error('A file has changed.');
      await shot('review');
    },

  'cancelled while it answers, the provider is told, and nothing is said or filed': async () => {
    replies({ text: good, waits: true });
    await askInWords('Make page in src/page.ts shorter');
    await toast(/Asking editor:acme\/steady: [\d,]+ characters/).waitFor({ timeout: patience });
    await shot('asking');
    const count = asked().length;
    await toast('Asking').hover();
    await toast('Asking').getByRole('button', { name: 'Cancel' }).click();
    await eventually(() => told().some((one) => one.cancelled), 'the provider hears of it');
    await eventually(async () => (await toast('Asking').count()) === 0, 'the progress goes');
    if (asked().length !== count) throw new Error('It was asked again.');
    if (await toast('no change').count()) throw new Error('It is told as a failure.');
  },

  'what the provider says against it is told': async () => {
    replies({ text: '', fails: 'No more questions this month.' });
    await askInWords('Make page in src/page.ts shorter still');
    await toast('No more questions this month.').waitFor({ timeout: patience });
    await shot('refused');
    // The page of an earlier failure is open: it shows the new one.
    await toast('No more questions').getByRole('button', { name: 'Show Attempts' }).click();
    await onPage('No more questions this month.').waitFor();
    await command('Notifications: Clear All Notifications');
  },

  'a key is pasted once, and goes to its host alone; no setting and no log holds it': async () => {
    const address = `http://127.0.0.1:${server.port}/v1`;
    await command("Selfware: Set a Model's Key");
    await row('An Address…').click();
    await typeInto('The address of the server', address);
    await typeInto('Paste the key for', KEY);
    await toast(`The key for 127.0.0.1:${server.port} is stored`).waitFor();
    await command(TITLE);
    await row('An Address…').click();
    await typeInto('The address of the server', address);
    await typeInto('The name of the model', 'steady');
    await row('In Words…').waitFor();
    await quickInput.fill('In Words');
    await page.keyboard.press('Enter');
    await typeInto('What do you want?', 'Make price in src/price.ts one expression');
    await toast('made no change that passed its checks').waitFor({ timeout: patience * 2 });
    await shot('address');
    const [first] = server.asked;
    if (first?.headers.authorization !== `Bearer ${KEY}`) throw new Error('The server did not get the key.');
    if (server.asked.some(({ question }) => question.includes(KEY))) throw new Error('A question holds the key.');
    const found = spawnSync('grep', ['-rlF', KEY, workbench.home], { encoding: 'utf8' }).stdout;
    if (found !== '') throw new Error(`The key stands in ${found}.`);
    await command('Notifications: Clear All Notifications');
  },

  'with AI features switched off none is listed; what can be done is said, with a page': async () => {
    const path = join(workbench.home, 'data', 'User', 'settings.json');
    const settings = JSON.parse(readFileSync(path, 'utf8'));
    writeFileSync(path, JSON.stringify({ ...settings, 'chat.disableAIFeatures': true }));
    await window.reload();
    await status.filter({ hasText: /[\d.]+ points/ }).waitFor();
    const count = asked().length;
    await command(TITLE);
    await row('AI features are switched off in VS Code').waitFor();
    // The choice of last time can be asked again without typing its address.
    const first = page.locator('.quick-input-widget .monaco-list-row').first();
    if (!(await first.innerText()).includes('openai-compatible:steady@')) throw new Error('The last choice is lost.');
    await shot('off');
    await quickInput.fill('No Model Was Found');
    await page.keyboard.press('Enter');
    await tab('models.md').first().waitFor();
    await onPage('Selfware needs no model.').waitFor();
    await shot('help');
    if (asked().length !== count) throw new Error('The model was asked.');
  },
};

await play(steps, { workbench, browser, project, shot });
await server.close();
