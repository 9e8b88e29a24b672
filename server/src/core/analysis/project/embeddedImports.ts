// Imports in components and pages that no parser of ours reads: Vue, Svelte, Astro, MDX, HTML. They may use all that
// they import.
import type { ImportFact, ModuleFacts } from './facts.ts';

const KINDS = /\.(vue|svelte|astro|mdx|html?)$/i;
/** UTF-16 units; no component is longer. */
const MAX_TEXT = 300_000;
const MAX_IMPORTS = 500;

/** Null for other files and for those without any import. */
export function embeddedModule(path: string, text: string): ModuleFacts | null {
  if (!KINDS.test(path) || text.length > MAX_TEXT) return null;
  const found = new Map<string, ImportFact>();
  for (const [, clause, from, called, source] of text.matchAll(
    /\bimport\s+(?:([\w\s{},*$]{1,600}?)\s+from\s+)?["']([^"'\n]+)["']|\bimport\(\s*["']([^"'\n]+)["']\s*\)|<script[^<>]*\bsrc=["']([^"'\n]+)["']/g,
  )) {
    const specifier = from ?? called ?? source ?? '';
    if (found.size < MAX_IMPORTS && !found.has(specifier))
      found.set(specifier, [
        specifier,
        '* default',
        clause === undefined && called !== undefined ? 'later' : 'load',
        1,
      ]);
  }
  return found.size === 0 ? null : { imports: [...found.values()], exports: [], paths: [], opaque: false };
}
