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
import { renderPage } from '../../client/src/sidebar/page.ts';
import type { Opportunity } from '../../server/src/core/model.ts';
import type { SkippedPlace } from '../../server/src/core/model/skippedPlaces.ts';
import { createOpportunityPage } from '../../server/src/lsp/sidebar/opportunityPages.ts';
import { now } from './fixtures/states.ts';
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
  /** Leaves the browser's page to whoever opens the next one: starting another takes most of the time of a test. */
  release(): Promise<void>;
}

/** A page of the browser, which shows one sidebar after the other. */
interface Tab {
  readonly page: Page;
  readonly errors: string[];
  served: readonly Opportunity[];
  turnedDown: ReadonlyMap<string, SkippedPlace> | undefined;
}

export interface PageHouse {
  open(options?: {
    readonly theme?: string;
    readonly saved?: unknown;
    readonly width?: number;
    readonly height?: number;
    readonly opportunities?: readonly OpportunityState[];
    /** By the id of the opportunity. */
    readonly turnedDown?: ReadonlyMap<string, SkippedPlace>;
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
  const idle: Tab[] = [];
  return {
    open: async (options = {}) =>
      openPage(idle.pop() ?? (await newTab(browser)), base, options, (tab) => idle.push(tab)),
    close: async () => {
      await browser.close();
      await new Promise((done) => server.close(done));
      await rm(folder, { recursive: true });
    },
  };
}

async function newTab(browser: Browser): Promise<Tab> {
  const page = await browser.newPage();
  await page.clock.setFixedTime(now);
  const tab: Tab = { page, errors: [], served: [], turnedDown: undefined };
  page.on('pageerror', (error) => tab.errors.push(error.message));
  await page.exposeFunction('pageOf', (params: Extract<FromWebview, { type: 'opportunities' }>) =>
    createOpportunityPage(tab.served, 1, params, [], tab.turnedDown),
  );
  await page.addInitScript(`
    window.sent = []; window.violations = []; window.asked = 0;
    window.saved = JSON.parse(new URLSearchParams(location.search).get('saved') ?? 'null');
    const post = (message) => {
      if (message.type !== 'opportunities') return window.sent.push(message);
      window.asked++;
      window.pageOf(message).then((page) => { window.postMessage({ type: 'page', request: message.request, page }, '*'); window.asked--; });
    };
    window.acquireVsCodeApi = () => ({ postMessage: post, getState: () => window.saved ?? undefined, setState: (state) => { window.saved = JSON.parse(JSON.stringify(state)); } });
    document.addEventListener('securitypolicyviolation', (event) => window.violations.push(event.violatedDirective + ' ' + event.blockedURI));
  `);
  return tab;
}

async function openPage(
  tab: Tab,
  base: string,
  {
    theme = 'dark',
    saved = null,
    width = 320,
    height = 1000,
    opportunities = [],
    turnedDown,
  }: Parameters<PageHouse['open']>[0] & object,
  release: (tab: Tab) => void,
): Promise<OpenPage> {
  const { page, errors } = tab;
  tab.served = opportunities.map(opportunityOf);
  tab.turnedDown = turnedDown;
  await page.setViewportSize({ width, height });
  const query = new URLSearchParams({ theme, saved: JSON.stringify(saved) });
  await page.goto(`${base}/?${query}`);
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
      tab.served = others.map(opportunityOf);
    },
    sent: async () => ((await page.evaluate('window.sent')) as FromWebview[]).filter(({ type }) => type !== 'ready'),
    troubles: async () => [...errors, ...((await page.evaluate('window.violations')) as string[])],
    release: async () => {
      // Nothing of this page goes on, and nothing of the next one is hovered over.
      await page.goto('about:blank');
      await page.mouse.move(-1, -1);
      errors.length = 0;
      release(tab);
    },
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
  const html = renderPage({ source: "'self'", nonce, uriOf: (file) => `/${file}` });
  const variables = Object.entries(theme?.colours ?? {})
    .map(([key, value]) => `--vscode-${key}: ${value};`)
    .join(' ');
  const style = `<style nonce="${nonce}">html { ${variables} --vscode-font-family: sans-serif; --vscode-font-size: 13px; } body { background: var(--vscode-sideBar-background); }</style>`;
  return html
    .replace("style-src 'self'", `style-src 'self' 'nonce-${nonce}'`)
    .replace('</head>', `${style}</head>`)
    .replace('<body>', `<body class="${theme?.body ?? ''}">`);
}
