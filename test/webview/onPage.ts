// Opens the sidebar's page for a check, in the browser that the tests of a file share.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import type { ToWebview } from '#protocol/webviewMessages';
import { opportunities } from './fixtures/states.ts';
import { startPageHouse, type OpenPage, type PageHouse } from './sidebarPage.ts';

export const pictures = join(import.meta.dirname, '..', 'output', 'webview');
let house: PageHouse;

beforeAll(async () => {
  mkdirSync(pictures, { recursive: true });
  house = await startPageHouse();
});

afterAll(async () => {
  await house.close();
});

/** Opens the page with a message and leaves it to the check; no page may break its policy or throw. */
export async function onPage(
  message: ToWebview | null,
  check: (open: OpenPage) => Promise<void>,
  options: Parameters<PageHouse['open']>[0] = {},
): Promise<void> {
  const open = await house.open({ opportunities: opportunities(12), ...options });
  if (message) await open.receive(message);
  await check(open);
  expect(await open.troubles()).toEqual([]);
  await open.release();
}
