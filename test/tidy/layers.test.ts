// The import table of ARCHITECTURE.md as data: a wrong import fails here.

import { expect, test } from 'vitest';
import { importsOf, projectFiles } from './sourceFiles.ts';

/** Who may import whom among our own folders; longest matching folder wins. `packages`: null = any. */
const layers: readonly {
  readonly folder: string;
  readonly may: readonly string[];
  readonly packages: readonly RegExp[] | null;
}[] = [
  { folder: 'server/src/util/', may: ['server/src/util/'], packages: [/^node:(crypto|path)/] },
  { folder: 'server/src/protocol/', may: ['server/src/protocol/', 'server/src/util/visible.ts'], packages: [] },
  {
    folder: 'server/src/settings/',
    may: [
      'server/src/settings/',
      'server/src/util/',
      'server/src/core/analysis/rules.ts',
      'server/src/core/model/authors.ts',
      'server/src/core/model/capabilities.ts',
      'server/src/core/model/bottlenecks.ts',
    ],
    packages: [/^zod/],
  },
  {
    folder: 'server/src/core/',
    may: [
      'server/src/core/',
      'server/src/util/',
      'server/src/settings/',
      'server/src/protocol/plainWords.ts',
      'server/src/protocol/usualReasons.ts',
      'server/src/protocol/markdown.ts',
    ],
    packages: [
      /^node:(crypto|path|module$)/,
      /^ts-morph$/,
      /^web-tree-sitter$/,
      /^diff$/,
      /^ignore$/,
      /^stemmer$/,
      /^json5$/,
      /^yaml$/,
      /^smol-toml$/,
    ],
  },
  {
    folder: 'server/src/adapters/',
    may: [
      'server/src/adapters/',
      'server/src/core/ports/',
      'server/src/core/model.ts',
      'server/src/core/paths/',
      'server/src/util/',
    ],
    packages: null,
  },
  // The thread runs the core's job table; it is wiring as much as adapter.
  {
    folder: 'server/src/adapters/workers/',
    may: [
      'server/src/adapters/',
      'server/src/core/ports/',
      'server/src/core/model.ts',
      'server/src/core/jobs.ts',
      'server/src/util/',
    ],
    packages: null,
  },
  // The harness carries out a plan of the differential gate, and inside a test runner it tries mutants or records
  // calls.
  {
    folder: 'server/src/adapters/harness/',
    may: [
      'server/src/adapters/harness/',
      'server/src/core/verify/differential/plan.ts',
      'server/src/core/verify/counterexamples/plan.ts',
      'server/src/core/verify/coverage/lineReport.ts',
      'server/src/core/verify/examples/examplePlan.ts',
      'server/src/core/verify/guard/inTests.ts',
      'server/src/core/verify/guard/go/goMutationOrder.ts',
      'server/src/core/verify/guard/go/calls/goCallsOrder.ts',
      'server/src/core/verify/guard/go/calls/program.ts',
      'server/src/core/verify/hot/profile.ts',
      'server/src/core/verify/guard/argumentRelations.ts',
      'server/src/core/verify/guard/distinguishingCalls.ts',
      'server/src/core/verify/sequences/plan.ts',
      'server/src/core/verify/traces/recording.ts',
      'server/src/core/syntax/nodesBelow.ts',
      'server/src/util/values/sampleEvenly.ts',
    ],
    packages: [/^node:/, /^@jridgewell\/sourcemap-codec$/, /^fast-check$/, /^ts-morph$/, /^diff$/],
  },
  // What was installed is known again by the files that shaped it.
  {
    folder: 'server/src/adapters/packages/',
    may: [
      'server/src/adapters/',
      'server/src/core/ports/',
      'server/src/core/model.ts',
      'server/src/core/operation.ts',
      'server/src/core/setup/shapingFiles.ts',
      'server/src/util/',
    ],
    packages: null,
  },
  // The process around a supervisor carries out what the core decides.
  {
    folder: 'server/src/adapters/run/',
    may: ['server/src/adapters/', 'server/src/core/run/', 'server/src/util/'],
    packages: [/^node:/, /^zod$/],
  },
  // Embedding works on the terms of the index.
  {
    folder: 'server/src/adapters/embeddings/',
    may: [
      'server/src/adapters/embeddings/',
      'server/src/adapters/files/partialFolders.ts',
      'server/src/adapters/files/stateFolder.ts',
      'server/src/core/ports/',
      'server/src/core/model.ts',
      'server/src/core/index/terms/terms.ts',
      'server/src/util/',
    ],
    packages: null,
  },
  {
    folder: 'server/src/app/',
    may: [
      'server/src/app/',
      'server/src/core/',
      'server/src/adapters/',
      'server/src/settings/',
      'server/src/util/',
      'server/src/tools/forAgents.ts',
    ],
    packages: [/^node:/],
  },
  // Tools for agents: over the façade alone, so that every face can offer them.
  {
    folder: 'server/src/tools/',
    may: ['server/src/tools/', 'server/src/core/', 'server/src/util/', 'server/src/protocol/plainWords.ts'],
    packages: [/^zod$/],
  },
  {
    folder: 'server/src/mcp/',
    may: ['server/src/mcp/', 'server/src/tools/', 'server/src/core/', 'server/src/util/'],
    packages: [/^node:/, /^zod$/, /^@modelcontextprotocol\/server/],
  },
  {
    folder: 'server/src/lsp/',
    may: [
      'server/src/lsp/',
      'server/src/tools/',
      'server/src/app/',
      'server/src/adapters/files/safeRead.ts',
      'server/src/core/',
      'server/src/settings/',
      'server/src/protocol/',
      'server/src/util/',
    ],
    packages: [/^node:/, /^vscode-(languageserver|uri|jsonrpc)/, /^diff$/],
  },
  {
    folder: 'server/src/cli/',
    may: [
      'server/src/cli/',
      'server/src/mcp/',
      'server/src/app/',
      'server/src/core/',
      'server/src/protocol/endTimes.ts',
      'server/src/protocol/plainWords.ts',
      'server/src/settings/',
      'server/src/util/',
      'server/src/adapters/system/',
      'server/src/adapters/files/safeRead.ts',
    ],
    packages: [/^node:/, /^commander$/, /^picocolors$/, /^@clack\/prompts$/],
  },
  {
    folder: 'server/src/main.ts',
    may: [
      'server/src/lsp/',
      'server/src/app/',
      'server/src/adapters/system/',
      'server/src/settings/',
      'server/src/util/',
      'server/src/protocol/',
    ],
    packages: [/^node:/, /^vscode-languageserver/],
  },
  { folder: 'server/src/cli.ts', may: ['server/src/cli/'], packages: [] },
  {
    folder: 'client/src/',
    may: ['client/src/', 'server/src/protocol/'],
    packages: [/^node:/, /^vscode$/, /^vscode-languageclient/],
  },
  {
    folder: 'webview/src/',
    may: ['webview/src/', 'server/src/protocol/'],
    packages: [/^lit/, /^@vscode-elements\/elements/, /^@vscode\/codicons/, /^uplot/],
  },
];

/** Rooms of the core that never import each other: only the cycle, the session and the jobs know them all. */
const rooms = [
  'index',
  'memory',
  'analysis',
  'prioritise',
  'propose',
  'verify',
  'charter',
  'apply',
  'score',
  'ledger',
  'learn',
  'proposers',
  'run',
];

/** Plain data about rules and recipes: any layer may show it. */
const FACTS = new Set(['rule', 'recipe', 'facts', 'allRules', 'allRecipes']);

const sources = projectFiles('.ts').filter((path) => /^(server|client|webview)\/src\//.test(path));

test('every source file belongs to a layer', () => {
  expect(sources.length).toBeGreaterThan(50);
  expect(sources.filter((path) => !layerOf(path))).toEqual([]);
});

test('no file imports what its layer may not', () => {
  const wrong = sources.flatMap((path) => {
    const layer = layerOf(path);
    if (!layer) return [];
    return importsOf(path)
      .filter((target) => !allowed(layer, target))
      .map((target) => `${path} imports ${target}`);
  });
  expect(wrong).toEqual([]);
});

test('the rooms of the core do not import each other', () => {
  const wrong = sources.flatMap((path) => {
    const room = roomOf(path);
    if (!room) return [];
    return importsOf(path)
      .filter((target) => roomOf(target) && roomOf(target) !== room)
      .map((target) => `${path} imports ${target}`);
  });
  expect(wrong).toEqual([]);
});

test('what is known of rules and recipes is plain data', () => {
  const wrong = sources
    .filter((path) => FACTS.has(/^server\/src\/core\/(?:rules|recipes)\/.*?(\w+)\.ts$/.exec(path)?.[1] ?? ''))
    .flatMap((path) =>
      importsOf(path)
        .filter((target) => !FACTS.has(/(\w+)\.ts$/.exec(target)?.[1] ?? '') && target !== 'server/src/core/model.ts')
        .map((target) => `${path} imports ${target}`),
    );
  expect(wrong).toEqual([]);
});

test('no imports run in a circle, those of types included', () => {
  const graph = new Map(sources.map((path) => [path, importsOf(path).filter((target) => sources.includes(target))]));
  expect(circlesIn(graph)).toEqual([]);
});

test('a circle is found', () => {
  const graph = new Map([
    ['a', ['b']],
    ['b', ['c']],
    ['c', ['a', 'd']],
    ['d', []],
  ]);
  expect(circlesIn(graph)).toEqual([['a', 'b', 'c']]);
});

test('a folder of sources holds at most 30 files', () => {
  const counts = new Map<string, number>();
  for (const path of sources) {
    const folder = path.slice(0, path.lastIndexOf('/') + 1);
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  const full = [...counts].filter(([, count]) => count > 30);
  expect(full).toEqual([]);
});

test('the core reads no clock, no randomness, no global process and writes to no console', async () => {
  const { read } = await import('./sourceFiles.ts');
  const forbidden = /\b(Date\.now\(|new Date\(\)|Math\.random\(|process\.|console\.)/;
  const wrong = sources
    .filter((path) => path.startsWith('server/src/core/'))
    .flatMap((path) =>
      read(path)
        .split('\n')
        .flatMap((line, i) =>
          forbidden.test(line.replace(/\/\/.*$|^\s*\*.*$/, '').replace(/'[^']*'|`[^`]*`|\/(?:[^/\\\n]|\\.)+\//g, "''"))
            ? [`${path}:${i + 1} ${line.trim()}`]
            : [],
        ),
    );
  expect(wrong).toEqual([]);
});

/** Groups of files that reach each other (Tarjan's strongly connected components), each sorted. */
function circlesIn(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>();
  const low = new Map<string, number>();
  const open: string[] = [];
  const circles: string[][] = [];
  const visit = (path: string): void => {
    order.set(path, order.size);
    low.set(path, order.get(path)!);
    open.push(path);
    for (const target of graph.get(path) ?? []) {
      if (!order.has(target)) visit(target);
      if (open.includes(target)) low.set(path, Math.min(low.get(path)!, low.get(target)!));
    }
    if (low.get(path) !== order.get(path)) return;
    const circle = open.splice(open.indexOf(path));
    if (circle.length > 1) circles.push(circle.toSorted());
  };
  for (const path of graph.keys()) if (!order.has(path)) visit(path);
  return circles;
}

function layerOf(path: string) {
  return layers
    .filter(({ folder }) => path.startsWith(folder))
    .toSorted((a, b) => b.folder.length - a.folder.length)[0];
}

function allowed(layer: (typeof layers)[number], target: string): boolean {
  if (/^(server|client|webview)\/src\//.test(target)) return layer.may.some((folder) => target.startsWith(folder));
  return layer.packages === null || layer.packages.some((pattern) => pattern.test(target));
}

/**
 * In the folder of a rule, what finds belongs to the analysis, and what realises to the recipes. Facts are nobody's.
 */
function roomOf(path: string): string | undefined {
  const part = /^server\/src\/core\/(?:rules|recipes)\/(?:[^/]+\/)?(\w+)\.ts$/.exec(path)?.[1];
  if (part)
    return FACTS.has(part) ? undefined : /^(allRecipeFunctions|applyRecipe)/.test(part) ? 'propose' : 'analysis';
  const room = /^server\/src\/core\/([^/]+)\//.exec(path)?.[1];
  return room && rooms.includes(room) ? room : undefined;
}
