// Draws media/icon.png (128 × 128) from media/icon.svg with Chromium. Usage: node scripts/drawIcon.mjs
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const media = join(dirname(dirname(fileURLToPath(import.meta.url))), 'media');
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
const page = await browser.newPage({ viewport: { width: 128, height: 128 } });
await page.setContent(
  `<style>body { margin: 0 } svg { display: block }</style>${readFileSync(join(media, 'icon.svg'), 'utf8')}`,
);
await page.screenshot({ path: join(media, 'icon.png'), omitBackground: true });
await browser.close();
