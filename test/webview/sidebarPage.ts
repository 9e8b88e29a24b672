// The real sidebar page in a real browser: the shell that the extension serves, with a host that only records.

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { build } from 'esbuild';
import { chromium, type Browser, type Page } from 'playwright-core';
import type { FromWebview, ToWebview } from '#protocol/webviewMessages';
import { sidebarPage } from '../../client/src/sidebar/page.ts';
import { themes } from './fixtures/themes.ts';

const root = join(import.meta.dirname, '..', '..');
const types: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.css': 'text/css', '.ttf': 'font/ttf', '.html': 'text/html' };

export interface OpenPage {
  readonly page: Page;
  receive(message: ToWebview): Promise<void>;
  /** Messages to the host so far, `ready` left out. */
  sent(): Promise<readonly FromWebview[]>;
  /** Violations of the content security policy and errors of scripts. */
  troubles(): Promise<readonly string[]>;
}

export interface PageHouse {
  open(options?: { readonly theme?: string; readonly saved?: unknown; readonly width?: number; readonly height?: number }): Promise<OpenPage>;
  close(): Promise<void>;
}

/** Bundles the page as the product does, serves it, and starts the browser. */
export async function startPageHouse(): Promise<PageHouse> {
  const folder = await mkdtemp(join(tmpdir(), 'selfware-webview-'));
  await build({ absWorkingDir: root, entryPoints: { main: 'webview/src/main.ts', styles: 'webview/src/styles.css' }, outdir: folder, bundle: true, platform: 'browser', format: 'esm', target: 'chrome128', loader: { '.ttf': 'file' }, assetNames: '[name]', tsconfig: 'webview/tsconfig.json', logLevel: 'silent' });
  const server = await serve(folder);
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const browser = await chromium.launch({ executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
  return {
    open: (options = {}) => openPage(browser, base, options),
    close: async () => {
      await browser.close();
      await new Promise((done) => server.close(done));
      await rm(folder, { recursive: true });
    },
  };
}

async function openPage(browser: Browser, base: string, { theme = 'dark', saved, width = 320, height = 1000 }: Parameters<PageHouse['open']>[0] & object): Promise<OpenPage> {
  const page = await browser.newPage({ viewport: { width, height } });
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  await page.addInitScript(`
    window.sent = []; window.violations = []; window.saved = ${JSON.stringify(saved ?? null)};
    window.acquireVsCodeApi = () => ({ postMessage: (message) => window.sent.push(message), getState: () => window.saved ?? undefined, setState: (state) => { window.saved = JSON.parse(JSON.stringify(state)); } });
    document.addEventListener('securitypolicyviolation', (event) => window.violations.push(event.violatedDirective + ' ' + event.blockedURI));
  `);
  await page.goto(`${base}/?theme=${theme}`);
  await page.waitForFunction('window.sent.some((message) => message.type === "ready")');
  return {
    page,
    receive: async (message) => {
      await page.evaluate((data) => window.postMessage(data, '*'), message);
      await page.waitForFunction('document.querySelector("selfware-sidebar").updateComplete.then(() => true)');
    },
    sent: async () => ((await page.evaluate('window.sent')) as FromWebview[]).filter(({ type }) => type !== 'ready'),
    troubles: async () => [...errors, ...((await page.evaluate('window.violations')) as string[])],
  };
}

function serve(folder: string): Promise<Server> {
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    if (url.pathname === '/') {
      response.setHeader('content-type', 'text/html').end(shell(url.searchParams.get('theme') ?? 'dark'));
      return;
    }
    const file = url.pathname.slice(1);
    const content = await readFile(join(folder, file)).catch(() => null);
    if (content === null) response.writeHead(404).end();
    else response.setHeader('content-type', file === 'theme.css' ? 'text/css' : (types[extname(file)] ?? 'application/octet-stream')).end(content);
  });
  return new Promise((done) => server.listen(0, '127.0.0.1', () => done(server)));
}

/** VS Code sets the theme as variables on the root element and a class on the body; a style element with the page's own nonce does the same here. */
function shell(name: string): string {
  const theme = themes[name];
  const nonce = 'bm9uY2U=';
  const html = sidebarPage({ source: "'self'", nonce, address: (file) => `/${file}` });
  const variables = Object.entries(theme?.colours ?? {}).map(([key, value]) => `--vscode-${key}: ${value};`).join(' ');
  const style = `<style nonce="${nonce}">html { ${variables} --vscode-font-family: sans-serif; --vscode-font-size: 13px; } body { background: var(--vscode-sideBar-background); }</style>`;
  return html.replace("style-src 'self'", `style-src 'self' 'nonce-${nonce}'`).replace('</head>', `${style}</head>`).replace('<body>', `<body class="${theme?.body ?? ''}">`);
}
