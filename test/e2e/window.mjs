// What a person sees and does in the window of the workbench: places on the page, and ways to get there.

import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually, pictures, runCommand, webview } from './harness.mjs';

/** `name` is the folder of the pictures below test/output/e2e. */
export function createWindow(page, name) {
  const folder = join(pictures, name);
  mkdirSync(folder, { recursive: true });
  let shots = 0;
  const window = {
    page,
    folder,
    sidebar: webview(page),
    status: page
      .locator('.statusbar-item[id="selfware.selfware.selfware.status"], .statusbar-item[id$="selfware.status"]')
      .first(),
    dialog: page.locator('.monaco-dialog-box'),
    quickInput: page.locator('.quick-input-widget input.input'),
    problem: (text) => page.locator('.markers-panel .monaco-list-row', { hasText: text }),
    /** In the diff of one file, or of several. */
    lens: (text) =>
      page
        .locator(
          '.monaco-diff-editor .modified-in-monaco-diff-editor .codelens-decoration a, .multiDiffEditor .codelens-decoration a',
          { hasText: text },
        )
        .first(),
    toast: (text) => page.locator('.notifications-toasts .notification-list-item', { hasText: text }),
    tab: (text) => page.locator('.tabs-container .tab', { hasText: text }),
    /** Words on the page that was opened last in the editor, such as a preview of Markdown. */
    onPage: (text) =>
      page
        .locator('iframe.webview.ready')
        .last()
        .contentFrame()
        .locator('iframe#active-frame')
        .contentFrame()
        .getByText(text)
        .first(),
    row: (text) => page.locator('.quick-input-widget .monaco-list-row', { hasText: text }),

    shot: (what) => page.screenshot({ path: join(folder, `${String(++shots).padStart(2, '0')}-${what}.png`) }),
    command: (title) => runCommand(page, title),

    async openFile(path) {
      const name = path.split('/').at(-1);
      // Before the list is filtered it shows what was open lately, and its first row is another file.
      const chosen = page.locator('.quick-input-widget .monaco-list-row.focused', { hasText: name });
      const active = page.locator('.tabs-container .tab.active', { hasText: name }).first();
      // By the mouse: a key that is pressed while a webview takes the focus is lost. Once more where that has closed
      // the list, or where the list was another one by the time of the key.
      await eventually(async () => {
        // It is hidden behind the list while that is open.
        if (!(await window.quickInput.isVisible())) await page.locator('.command-center-center').first().click();
        const opened = window.quickInput
          .fill(path, { timeout: 2000 })
          .then(() => chosen.waitFor({ timeout: 5000 }))
          .then(() => page.keyboard.press('Enter'))
          .then(() => active.waitFor({ timeout: 5000 }));
        return opened.then(
          () => true,
          () => false,
        );
      }, `${path} is opened`);
    },

    async openProblems() {
      if ((await page.locator('.markers-panel').count()) === 0) await page.keyboard.press('Control+Shift+M');
      await page.locator('.markers-panel').waitFor();
    },

    /** Puts the cursor of the editor on the first mention of a name. */
    cursorOn: (word) =>
      page
        .locator('.editor-instance .view-line span span', { hasText: new RegExp(`\\b${word}\\b`) })
        .first()
        .click(),

    /** Picks an entry of the menu behind the status bar item. */
    async menu(entry) {
      await window.status.click();
      await window.row(entry).first().waitFor();
      // By its name and the keyboard: a row may move under the mouse while the list is laid out.
      await window.quickInput.fill(entry);
      await page.keyboard.press('Enter');
    },

    /**
     * Picks an entry of a context menu. A click that comes as the menu opens is taken for the end of the one that
     * opened it: once more then.
     */
    async contextMenu(place, entry) {
      await place.click({ button: 'right' });
      const item = page.locator('.monaco-menu .action-label', { hasText: entry });
      await item.waitFor();
      await eventually(async () => {
        await item.click({ timeout: 2000 }).catch(() => undefined);
        return !(await item.isVisible());
      }, `${entry} is chosen`);
    },

    async reload() {
      const reloaded = page.waitForEvent('load');
      await window.command('Developer: Reload Window');
      await reloaded;
      await page.locator('.monaco-workbench').waitFor();
    },

    /** What the page calls the colours of now: vs, vs-dark, hc-black, hc-light. */
    kindOfTheme: () =>
      page
        .locator('.monaco-workbench')
        .evaluate((element) => [...element.classList].find((name) => /^(vs|vs-dark|hc-black|hc-light)$/.test(name))),

    /** Settings, trust and running extensions come in an editor above all the others. */
    async closeModal() {
      const close = page.locator('[class*="modal-editor"] .codicon-close').first();
      await close.click();
      await close.waitFor({ state: 'hidden' });
    },

    /**
     * Asks VS Code itself how long the activation of extensions took: loading the code, and the call. Milliseconds, NaN
     * where it says none.
     */
    async activationMillis(names) {
      const size = page.viewportSize();
      // Tall, so that the list leaves none out.
      await page.setViewportSize({ ...size, height: 3000 });
      await window.command('Developer: Show Running Extensions');
      const millis = [];
      for (const name of names) {
        const row = page
          .locator('.runtime-extensions-editor .monaco-list-row, .runtime-extension', { hasText: name })
          .first();
        await row.waitFor();
        millis.push(Number(/(\d+)\s?ms/.exec(await row.innerText())?.[1] ?? Number.NaN));
      }
      await window.closeModal();
      await page.setViewportSize(size);
      return millis;
    },
  };
  return window;
}

/** Where the page is served from afar, settings are read at its start. */
export async function setTheme(workbench, window, label, kind) {
  const path = join(workbench.home, 'data', 'User', 'settings.json');
  writeFileSync(
    path,
    JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), 'workbench.colorTheme': label }, null, 2),
  );
  await window.reload();
  await eventually(async () => (await window.kindOfTheme()) === kind, `the theme ${label}`);
}

/** Process ids of language servers that run from this installation of the extension. */
export function languageServers(extensions) {
  const lines = execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8', maxBuffer: 1 << 24 }).split('\n');
  return lines
    .filter((line) => line.includes(`${extensions}/`) && line.includes('dist/main.js'))
    .map((line) => Number(line.trim().split(/\s+/)[0]));
}

/** Texts of a place as it changes, until `stop` is called. */
export function watchTexts(locator, everyMillis = 60) {
  const texts = [];
  let on = true;
  const done = (async () => {
    while (on && !locator.page().isClosed()) {
      const text = await locator.textContent({ timeout: 1000 }).catch(() => null);
      if (text !== null && text !== texts.at(-1)) texts.push(text);
      await new Promise((again) => setTimeout(again, everyMillis));
    }
  })();
  return { texts, stop: async () => ((on = false), await done, texts) };
}

/** `Indexing 64 of 800` → [64, 800], in the order in which they were shown. */
export function counts(texts) {
  return texts
    .map((text) => /Indexing ([\d,]+) of ([\d,]+)/.exec(text))
    .filter(Boolean)
    .map(([, ...numbers]) => numbers.map((number) => Number(number.replaceAll(',', ''))));
}

export { eventually };
