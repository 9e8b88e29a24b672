// Finds imports in components and pages in languages without a parser here: Vue, Svelte, Astro, MDX, HTML. Such a file
// counts as a user of everything in the modules that it imports (at most `MAX_IMPORTS`).

import type { ImportFact, ModuleFacts } from './facts.ts';

/** Matches the paths of components and pages that are read. */
const PAGE_PATTERN = /\.(vue|svelte|astro|mdx|html?)$/i;
/** Maximum number of UTF-16 units of a file. Longer files are not read. */
const MAX_TEXT_LENGTH = 300_000;
/** Maximum number of imports of one file that are read. */
const MAX_IMPORTS = 500;

/**
 * Matches static imports, dynamic imports, and sources of scripts. One character class matches the text between
 * `import` and the quote, so that a space can match in one way only and the time stays linear.
 */
const IMPORT_PATTERN =
  /\bimport\b((?:(?!\bimport\b)[\w\s{},*$]){0,600})["']([^"'\n]+)["']|\bimport\(\s*["']([^"'\n]+)["']\s*\)|<script[^<>]*\bsrc=["']([^"'\n]+)["']/g;

/** The imports of a page; null for other files, for files over `MAX_TEXT_LENGTH`, and for files without an import. */
export function readEmbeddedImports(path: string, text: string): ModuleFacts | null {
  if (!PAGE_PATTERN.test(path) || text.length > MAX_TEXT_LENGTH) return null;
  const importsByKey = new Map<string, ImportFact>();
  for (const [, clause = '', staticSpecifier, dynamicSpecifier, scriptSource] of text.matchAll(IMPORT_PATTERN)) {
    const names = clause.trim();
    if (names !== '' && !/(?:^|[\s}])from$/.test(names)) continue;
    const specifier = staticSpecifier ?? dynamicSpecifier ?? scriptSource ?? '';
    if (importsByKey.size < MAX_IMPORTS && !importsByKey.has(specifier))
      importsByKey.set(specifier, [specifier, '* default', dynamicSpecifier !== undefined ? 'later' : 'load', 1]);
  }
  return importsByKey.size === 0
    ? null
    : { imports: [...importsByKey.values()], exports: [], paths: [], opaque: false };
}
