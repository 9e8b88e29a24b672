// Reads the line coverage of Cobertura's XML (http://cobertura.sourceforge.net/xml/coverage-04.dtd). Regular
// expressions can read that format, because no element of it contains an element of the same name.

import type { CoveredFile } from './coveredFile.ts';

/** The files of a report; null if the text is not such a report, or names no file. */
export function readCobertura(text: string): readonly CoveredFile[] | null {
  if (!/<coverage\b/.test(text)) return null;
  const source = /<source>([^<]*)<\/source>/.exec(text)?.[1]?.trim() ?? '';
  const files = new Map<string, Map<number, number>>();
  for (const [, attributes = '', content = ''] of text.matchAll(/<class\b([^<>]*)>([^]*?)(?:<\/class>|(?![^]))/g)) {
    const name = findAttribute(attributes, 'filename');
    if (name === null) continue;
    const path = source === '' || source === '.' ? name : `${source}/${name}`;
    const lines = files.get(path) ?? new Map<number, number>();
    files.set(path, lines);
    for (const [, line = ''] of content.matchAll(/<line\b([^<>]*)>/g)) {
      const lineNumber = Number(findAttribute(line, 'number'));
      const hits = Number(findAttribute(line, 'hits'));
      // A line of a method is repeated in its class, so the larger count is used.
      if (Number.isSafeInteger(lineNumber) && lineNumber >= 1 && !Number.isNaN(hits))
        lines.set(lineNumber, Math.max(lines.get(lineNumber) ?? 0, hits));
    }
  }
  return files.size === 0 ? null : [...files].map(([path, lines]) => ({ path, lines, functions: [] }));
}

/** The value of an attribute, with its entities decoded; null if it is absent. */
function findAttribute(attributes: string, name: string): string | null {
  const value = new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1];
  return value === undefined
    ? null
    : value
        .replace(/&lt;/g, '<')
        .replace(/&gt;/g, '>')
        .replace(/&quot;/g, '"')
        .replace(/&apos;/g, "'")
        .replace(/&amp;/g, '&');
}
