// The page about what goes wrong elsewhere names tests that there are, and its word on networks holds.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { safetyPathsOfSelfware } from '../../server/src/core/charter/protectedPaths.ts';
import { projectFiles, read, root } from './sourceFiles.ts';

const page = read('docs/safety.md');
const rowsOf = (text: string) => text.split('\n').filter((line) => /^\| (?!.*\| shown by \||invariant|---)/.test(line));
const [wrong, held, closed] = page.split(/## What (?:always holds|closes each class)/).map(rowsOf) as [
  string[],
  string[],
  string[],
];

test('each line names tests, and each of them is there', () => {
  const files = new Set(projectFiles('.ts', '.mjs'));
  expect([wrong.length, closed.length]).toEqual([23, 19]);
  const named = [...wrong, ...held, ...closed].map((row) =>
    [...row.matchAll(/`([^`]+\.(?:ts|mjs))` "([^"]+)"/g)].map(([, path, title]) => ({ path: path!, title: title! })),
  );
  expect(named.filter((tests) => tests.length === 0)).toEqual([]);
  expect(
    named
      .flat()
      .filter(
        ({ path, title }) =>
          !files.has(path) ||
          ![`'${title}'`, `"${title}"`, `\`${title}\``].some((quoted) => read(path).includes(quoted)),
      ),
  ).toEqual([]);
});

test('every invariant of the architecture has a line, and no line is about another', () => {
  const [, invariants = ''] = read('ARCHITECTURE.md').split('## Invariants');
  const names = [...invariants.split('\n## ')[0]!.matchAll(/^- \*\*(.+?)\.?\*\*/gm)].map(([, name]) => name);
  expect(names.length).toBeGreaterThan(20);
  expect(held.map((row) => row.split(' | ')[0]!.slice(2))).toEqual(names);
});

test('nothing but core/apply writes to the tree', () => {
  const writing = projectFiles('.ts').filter(
    (path) =>
      path.startsWith('server/src/') && /\b(?:ctx|ports|context|disk)\.(?:writer\.)?(?:write|sweep)\b/.test(read(path)),
  );
  // The editor's writer hands over to the one that it stands in front of.
  expect(writing.filter((path) => !path.startsWith('server/src/core/apply/'))).toEqual([
    'server/src/lsp/editorWriter.ts',
  ]);
  expect(writing.length).toBeGreaterThan(1);
});

test('no program is started by a name that a folder of the repository could answer to', () => {
  const started = projectFiles('.ts')
    .filter((path) => /^(server|client)\/src\/(?!.*\/fixtures\/)/.test(path))
    .flatMap((path) =>
      [...read(path).matchAll(/\b(?:spawn|spawnSync|execFile|execFileSync)\)?\(\s*(['"`][\w.-]+['"`])/g)].map(
        ([, name]) => `${path} ${name}`,
      ),
    );
  expect(started).toEqual([]);
});

test('each path of its own safety code that is protected is there', () => {
  const paths = safetyPathsOfSelfware.filter((path) => !path.includes('*'));
  expect(paths.length).toBeGreaterThan(20);
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test('nothing but the providers and the address that a person names speaks to a network', () => {
  const speaking = projectFiles('.ts').filter(
    (path) =>
      /^(server|client|webview)\/src\//.test(path) &&
      /(?<![.\w'])fetch\(|from 'node:(https?|http2|net|tls|dgram)'|new (WebSocket|EventSource|XMLHttpRequest)\b|sendBeacon|createTelemetryLogger/.test(
        read(path),
      ),
  );
  // The tools of an agent use a Unix socket in its enclosure. After a person has agreed, npm installs a component
  // (adapters/components/npm.ts), and a library fetches a model (adapters/embeddings/downloadModel.ts). The server of
  // figures listens on the loopback alone. The probe tries whether a command in the sandbox can reach a server that it
  // opens itself, on this machine.
  expect(speaking).toEqual([
    'server/src/adapters/agents/tools/main.ts',
    'server/src/adapters/agents/tools/toolBroker.ts',
    'server/src/adapters/embeddings/providerEmbedder.ts',
    'server/src/adapters/models/localServers.ts',
    'server/src/adapters/models/modelFetch.ts',
    'server/src/adapters/models/ollama.ts',
    'server/src/adapters/packages/networkGate.ts',
    'server/src/adapters/run/metricsServer.ts',
    'server/src/adapters/run/sendNotice.ts',
    'server/src/adapters/sandbox/isolation/probe.ts',
    'server/src/adapters/training/ollamaHome.ts',
  ]);
});
