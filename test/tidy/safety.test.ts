// The page about what goes wrong elsewhere names tests that there are, and its word on networks holds.

import { expect, test } from 'vitest';
import { projectFiles, read } from './sourceFiles.ts';

const rows = read('docs/safety.md')
  .split('\n')
  .filter((line) => /^\| (?!what went|---)/.test(line));

test('each line names tests, and each of them is there', () => {
  expect(rows.length).toBe(20);
  const named = rows.map((row) =>
    [...row.matchAll(/`([^`]+\.(?:ts|mjs))` "([^"]+)"/g)].map(([, path, title]) => ({ path: path!, title: title! })),
  );
  expect(named.filter((tests) => tests.length === 0)).toEqual([]);
  expect(
    named
      .flat()
      .filter(
        ({ path, title }) =>
          !projectFiles('.ts', '.mjs').includes(path) ||
          ![`'${title}'`, `"${title}"`, `\`${title}\``].some((quoted) => read(path).includes(quoted)),
      ),
  ).toEqual([]);
});

test('nothing but the embedding provider that a person configures speaks to a network', () => {
  const speaking = projectFiles('.ts').filter(
    (path) =>
      /^(server|client|webview)\/src\//.test(path) &&
      /(?<![.\w'])fetch\(|from 'node:(https?|http2|net|tls|dgram)'|new (WebSocket|EventSource|XMLHttpRequest)\b|sendBeacon|createTelemetryLogger/.test(
        read(path),
      ),
  );
  // The other tries whether a command in the sandbox can reach a server that it opens itself, on this machine.
  expect(speaking).toEqual([
    'server/src/adapters/embeddings/providerEmbedder.ts',
    'server/src/adapters/sandbox/isolation/probe.ts',
  ]);
});
