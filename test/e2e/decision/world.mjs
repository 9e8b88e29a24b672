// The window of the decision lane: two sizes, a sidebar of 300 px, and boxes that are measured.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually, openBrowser, packagedExtension, root, startWorkbench } from '../harness.mjs';
import { files, makeProject } from '../project.mjs';
import { createWindow } from '../window.mjs';
import { decisionFiles } from './files.mjs';

export const SIZES = [
  { width: 1280, height: 720 },
  { width: 1024, height: 600 },
];
const SIDEBAR_WIDTH = 300;
/** Sub-pixels of the page's layout. */
const SLACK = 1;

export async function openWorld() {
  const project = makeProject(decisionFiles);
  const extraArgs = ['--disable-workspace-trust'];
  const workbench = await startWorkbench({ vsix: packagedExtension(), workspace: project, extraArgs });
  const { browser, page } = await openBrowser();
  const window = createWindow(page, '../decision');
  const { sidebar, status } = window;
  const sidebarPart = page.locator('.part.sidebar').first();

  const world = {
    ...window,
    workbench,
    browser,
    project,
    root,
    onDisk: (path) => readFileSync(join(project, path), 'utf8'),
    onStart: (path) => decisionFiles[path] ?? files[path],

    /** Improves one file from the Explorer, and comes back to our sidebar. */
    async improve(path) {
      await window.openFile(path);
      await page.locator('.activitybar .action-label[aria-label^="Explorer"]').first().click();
      const row = page.locator('.explorer-folders-view .monaco-list-row', { hasText: path.split('/').at(-1) });
      await window.contextMenu(row, 'Improve This');
      await window.lens('Reject').waitFor();
      await world.showSidebar();
    },

    /** How many of those shown Improve can try, as the sidebar says. */
    async triable() {
      const told = sidebar.getByText(/Improve can try [\d,]+ of the [\d,]+ shown/).first();
      return Number(/can try (\d+)/.exec(await told.innerText())?.[1]);
    },

    async showSidebar() {
      await window.command('Selfware: Focus on Overview View');
      await sidebar.getByRole('button', { name: 'Improve', exact: true }).waitFor();
    },

    /** The page, with our sidebar open at the first size. */
    async open() {
      await page.setViewportSize(SIZES[0]);
      await page.goto(workbench.url(), { waitUntil: 'domcontentloaded' });
      await page.locator('.monaco-workbench').waitFor();
      await page.locator('.activitybar .action-label[aria-label^="Selfware"]').first().click();
      await sidebar.getByRole('button', { name: 'Improve', exact: true }).waitFor();
      await status.filter({ hasText: /points/ }).waitFor();
      await world.sidebarOf300();
    },

    /** Drags the edge of the sidebar. */
    async sidebarOf300() {
      await eventually(async () => {
        const box = await sidebarPart.boundingBox();
        if (Math.abs(box.width - SIDEBAR_WIDTH) <= 2) return true;
        await page.mouse.move(box.x + box.width, box.y + box.height / 2);
        await page.mouse.down();
        await page.mouse.move(box.x + SIDEBAR_WIDTH, box.y + box.height / 2, { steps: 5 });
        await page.mouse.up();
        return false;
      }, `a sidebar of ${SIDEBAR_WIDTH} px`);
    },

    /** Does the same at each size, and takes a picture of each. */
    async atEachSize(what, look) {
      for (const size of SIZES) {
        await page.setViewportSize(size);
        await world.sidebarOf300();
        await look(size);
        await world.shot(`${what}-${size.width}x${size.height}`);
      }
      await page.setViewportSize(SIZES[0]);
      await world.sidebarOf300();
    },

    /**
     * The words of each of these places can be seen: they have a box, the box lies inside the window and inside
     * whatever cuts it off, and nothing lies above it.
     */
    async mustBeSeen(places) {
      for (const [name, place] of Object.entries(places)) {
        const seen = () => place.first().evaluate(whyUnseen, SLACK);
        let why = null;
        await place.first().waitFor();
        await eventually(async () => (why = await seen()) === null, `${name} can be seen`).catch((error) => {
          throw new Error(`${error.message}: ${why}`);
        });
      }
    },
  };
  return world;
}

/** Runs in the page: null where all of the words can be seen. */
function whyUnseen(element, slack) {
  const range = element.ownerDocument.createRange();
  range.selectNodeContents(element);
  const words = range.getBoundingClientRect();
  const box = words.width > 0 ? words : element.getBoundingClientRect();
  const told = (rect) => [rect.left, rect.top, rect.right, rect.bottom].map(Math.round).join();
  if (box.width === 0 || box.height === 0) return 'it has no size';
  const inside = (outer) =>
    box.left >= outer.left - slack &&
    box.top >= outer.top - slack &&
    box.right <= outer.right + slack &&
    box.bottom <= outer.bottom + slack;
  const view = { left: 0, top: 0, right: window.innerWidth, bottom: window.innerHeight };
  if (!inside(view)) return `${told(box)} is not in the window of ${told(view)}`;
  for (let parent = element.parentElement; parent; parent = parent.parentElement) {
    const { overflowX, overflowY, display } = getComputedStyle(parent);
    if (display === 'contents' || display === 'inline') continue;
    if (overflowX === 'visible' && overflowY === 'visible') continue;
    const outer = parent.getBoundingClientRect();
    if (outer.width === 0 || outer.height === 0) continue;
    if (!inside(outer)) return `${told(box)} is cut off by ${parent.className || parent.tagName} at ${told(outer)}`;
  }
  const top = element.ownerDocument.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2);
  const root = element.getRootNode();
  const hit = root.elementFromPoint?.((box.left + box.right) / 2, (box.top + box.bottom) / 2) ?? top;
  return hit && (element.contains(hit) || hit.contains(element))
    ? null
    : `${hit?.className || hit?.tagName} lies above it`;
}
