// Every page of the documentation can be reached from its index, and every link in it leads somewhere.

import { existsSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';
import { projectFiles, read, root } from './sourceFiles.ts';

const pages = projectFiles('.md').filter((path) => !path.includes('fixtures/'));

test('every page in docs/ can be reached from docs/README.md', () => {
  const reached = new Set<string>();
  const queue = ['docs/README.md'];
  for (let page = queue.pop(); page !== undefined; page = queue.pop()) {
    if (reached.has(page)) continue;
    reached.add(page);
    queue.push(
      ...linksOf(page)
        .map(({ path }) => path)
        .filter((path) => pages.includes(path)),
    );
  }
  expect(pages.filter((path) => path.startsWith('docs/') && !reached.has(path))).toEqual([]);
});

test('README.md leads to the index of the documentation', () => {
  expect(linksOf('README.md').map(({ path }) => path)).toContain('docs/README.md');
});

test('every relative link leads to a file, and to a heading where it names one', () => {
  const broken = pages.flatMap((page) =>
    linksOf(page)
      .filter(({ path, heading }) => !existsSync(join(root, path)) || (heading !== '' && !hasHeading(path, heading)))
      .map(({ path, heading }) => `${page} → ${path}${heading && `#${heading}`}`),
  );
  expect(broken).toEqual([]);
});

/** The relative links of a page, outside of code: where they lead, from the root, and the heading that they name. */
function linksOf(page: string): { readonly path: string; readonly heading: string }[] {
  const prose = read(page).replace(/```[\s\S]*?```|`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s#]*)(?:#([^)\s]*))?\)/g)]
    .filter(([, target]) => !/^[a-z]+:/.test(target!))
    .map(([, target, heading]) => ({
      path: target === '' ? page : normalize(join(dirname(page), decodeURIComponent(target!))),
      heading: heading ?? '',
    }));
}

/** Whether a page has this heading, by the name that GitHub and VS Code give to it. */
function hasHeading(path: string, heading: string): boolean {
  if (!path.endsWith('.md') || statSync(join(root, path)).isDirectory()) return false;
  return [...read(path).matchAll(/^#+ (.*)$/gm)].some(
    ([, title]) =>
      title!
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-') === heading,
  );
}
