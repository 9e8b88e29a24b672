// The real sidebar page in a real browser: the shell that the extension serves, with a host that records and serves
// pages of opportunities as the server does.

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { build } from 'esbuild';
import { chromium, type Browser, type Page } from 'playwright-core';
import type { OpportunityState } from '#protocol/state';
import type { FromWebview, ToWebview } from '#protocol/webviewMessages';
import { sidebarPage } from '../../client/src/sidebar/page.ts';
import type { Opportunity } from '../../server/src/core/model.ts';
import type { PassedOver } from '../../server/src/core/model/passedOver.ts';
import { opportunityPage } from '../../server/src/lsp/sidebar/opportunityPages.ts';
import { themes } from './fixtures/themes.ts';

const root = join(import.meta.dirname, '..', '..');
const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.ttf': 'font/ttf',
  '.html': 'text/html',
};

export interface OpenPage {
  readonly page: Page;
  receive(message: ToWebview): Promise<void>;
  /** Another list than the one that the page was opened with. */
  serve(opportunities: readonly OpportunityState[]): void;
  /** What the person asked for so far: neither `ready` nor pages. */
  sent(): Promise<readonly FromWebview[]>;
  /** Violations of the content security policy and errors of scripts. */
  troubles(): Promise<readonly string[]>;
}

export interface PageHouse {
  open(options?: {
    readonly theme?: string;
    readonly saved?: unknown;
    readonly width?: number;
    readonly height?: number;
    readonly opportunities?: readonly OpportunityState[];
    /** By the id of the opportunity. */
    readonly turnedDown?: ReadonlyMap<string, PassedOver>;
  }): Promise<OpenPage>;
  close(): Promise<void>;
}

/** Bundles the page as the product does, serves it, and starts the browser. */
export async function startPageHouse(): Promise<PageHouse> {
  const folder = await mkdtemp(join(tmpdir(), 'selfware-webview-'));
  await build({
    absWorkingDir: root,
    entryPoints: { main: 'webview/src/main.ts', styles: 'webview/src/styles.css' },
    outdir: folder,
    bundle: true,
    platform: 'browser',
    format: 'esm',
    target: 'chrome128',
    loader: { '.ttf': 'file' },
    assetNames: '[name]',
    tsconfig: 'webview/tsconfig.json',
    logLevel: 'silent',
  });
  const server = await serve(folder);
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const browser = await chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu'],
  });
  return {
    open: (options = {}) => openPage(browser, base, options),
    close: async () => {
      await browser.close();
      await new Promise((done) => server.close(done));
      await rm(folder, { recursive: true });
    },
  };
}

async function openPage(
  browser: Browser,
  base: string,
  {
    theme = 'dark',
    saved,
    width = 320,
    height = 1000,
    opportunities = [],
    turnedDown,
  }: Parameters<PageHouse['open']>[0] & object,
): Promise<OpenPage> {
  const page = await browser.newPage({ viewport: { width, height } });
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  let served = opportunities.map(opportunityOf);
  await page.exposeFunction('pageOf', (params: Extract<FromWebview, { type: 'opportunities' }>) =>
    opportunityPage(served, 1, params, [], turnedDown),
  );
  await page.addInitScript(`
    window.sent = []; window.violations = []; window.asked = 0; window.saved = ${JSON.stringify(saved ?? null)};
    const post = (message) => {
      if (message.type !== 'opportunities') return window.sent.push(message);
      window.asked++;
      window.pageOf(message).then((page) => { window.postMessage({ type: 'page', request: message.request, page }, '*'); window.asked--; });
    };
    window.acquireVsCodeApi = () => ({ postMessage: post, getState: () => window.saved ?? undefined, setState: (state) => { window.saved = JSON.parse(JSON.stringify(state)); } });
    document.addEventListener('securitypolicyviolation', (event) => window.violations.push(event.violatedDirective + ' ' + event.blockedURI));
  `);
  await page.goto(`${base}/?theme=${theme}`);
  await page.waitForFunction(() =>
    (window as unknown as { readonly sent: readonly FromWebview[] }).sent.some(({ type }) => type === 'ready'),
  );
  return {
    page,
    receive: async (message) => {
      await page.evaluate((data) => window.postMessage(data, '*'), message);
      await settled(page);
    },
    serve: (others) => {
      served = others.map(opportunityOf);
    },
    sent: async () => ((await page.evaluate('window.sent')) as FromWebview[]).filter(({ type }) => type !== 'ready'),
    troubles: async () => [...errors, ...((await page.evaluate('window.violations')) as string[])],
  };
}

/**
 * Nothing is asked of the host, and what it answered is drawn: a scroll is told with the next frame and may ask only
 * then, so that three frames in a row have to ask for nothing.
 */
export async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    await new Promise((done) => setTimeout(done));
    for (let quiet = 0; quiet < 3; quiet = (window as unknown as { readonly asked: number }).asked > 0 ? 0 : quiet + 1)
      await frame();
  });
}

/** As the server has it, as far as pages need it. */
function opportunityOf({ line, fixable, ...rest }: OpportunityState): Opportunity {
  const range = { startLine: line, startColumn: 1, endLine: line, endColumn: 2 };
  return {
    ...rest,
    range,
    nameRange: range,
    symbol: null,
    confidence: 1,
    evidence: {},
    recipe: fixable ? 'a-recipe' : null,
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
    else
      response
        .setHeader(
          'content-type',
          file === 'theme.css' ? 'text/css' : (types[extname(file)] ?? 'application/octet-stream'),
        )
        .end(content);
  });
  return new Promise((done) => server.listen(0, '127.0.0.1', () => done(server)));
}

/**
 * VS Code sets the theme as variables on the root element and a class on the body; a style element with the page's own
 * nonce does the same here.
 */
function shell(name: string): string {
  const theme = themes[name];
  const nonce = 'bm9uY2U=';
  const html = sidebarPage({ source: "'self'", nonce, address: (file) => `/${file}` });
  const variables = Object.entries(theme?.colours ?? {})
    .map(([key, value]) => `--vscode-${key}: ${value};`)
    .join(' ');
  const style = `<style nonce="${nonce}">html { ${variables} --vscode-font-family: sans-serif; --vscode-font-size: 13px; } body { background: var(--vscode-sideBar-background); }</style>`;
  return html
    .replace("style-src 'self'", `style-src 'self' 'nonce-${nonce}'`)
    .replace('</head>', `${style}</head>`)
    .replace('<body>', `<body class="${theme?.body ?? ''}">`);
}
