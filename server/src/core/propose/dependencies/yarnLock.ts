// Removes a dependency from a yarn.lock of Yarn 1, with every package that nothing else needs. Pure; null where Yarn might
// do something else.

/** An entry: the ranges that it answers, and the ranges that its package needs, each as `name@range`. */
interface Entry {
  readonly start: number;
  readonly end: number;
  readonly answers: readonly string[];
  readonly needs: readonly string[];
}

/**
 * The text without what only this entry of the manifest needed. `declared`: all ranges that the package declares after
 * its removal, as `name@range`. Null if the text is not of Yarn 1, or has entries that the package did not need before.
 */
export function withoutInYarnLock(text: string, removed: string, declared: readonly string[]): string | null {
  if (!/^# yarn lockfile v1\r?$/m.test(text)) return null;
  const entries = entriesOf(text);
  const byRange = new Map(entries.flatMap((entry) => entry.answers.map((range) => [range, entry] as const)));
  const reachedFrom = (roots: readonly string[]) => {
    const found = new Set(roots);
    for (const range of found) for (const need of byRange.get(range)?.needs ?? []) found.add(need);
    return found;
  };
  const before = reachedFrom([...declared, removed]);
  if (!byRange.has(removed) || [...byRange.keys()].some((range) => !before.has(range))) return null;
  const after = reachedFrom(declared);
  let result = '';
  let position = 0;
  for (const { start, end, answers } of entries) {
    const left = answers.filter((range) => after.has(range));
    if (left.length === answers.length) continue;
    result += text.slice(position, start);
    const head = text.indexOf('\n', start);
    const isWindows = text[head - 1] === '\r';
    position = end;
    if (left.length > 0) result += `${left.map(quoted).join(', ')}:${isWindows ? '\r' : ''}${text.slice(head, end)}`;
  }
  const changed = result + text.slice(position);
  // The last entry has no blank line behind it.
  return changed.endsWith('\n\n') ? changed.slice(0, -1) : changed;
}

/** The entries with their places: each begins with its line without indentation, and ends where the next one begins. */
function entriesOf(text: string): Entry[] {
  const heads = [...text.matchAll(/^(?![ \t#\r\n]).+:[ \t]*\r?$/gm)];
  return heads.map((head, at) => {
    const end = heads[at + 1]?.index ?? text.length;
    const answers = head[0].trimEnd().slice(0, -1).split(', ').map(unquoted);
    return { start: head.index, end, answers, needs: needsIn(text.slice(head.index, end)) };
  });
}

function needsIn(block: string): string[] {
  const needs: string[] = [];
  let isInside = false;
  for (const line of block.split(/\r?\n/)) {
    if (/^ {2}\S/.test(line)) isInside = /^ {2}(?:optionalDependencies|dependencies):/.test(line);
    const [, name, range] = (isInside && /^ {4}("[^"]+"|\S+) ("[^"]*"|\S+)$/.exec(line)) || [];
    if (name !== undefined && range !== undefined) needs.push(`${unquoted(name)}@${unquoted(range)}`);
  }
  return needs;
}

function unquoted(word: string): string {
  return word.startsWith('"') && word.endsWith('"') ? word.slice(1, -1) : word;
}

/** As Yarn writes keys: in quotes if they begin or contain anything but plain characters. */
function quoted(key: string): string {
  return /^(?:true|false)/.test(key) || /[:\s\n\\",[\]]|^[^a-zA-Z]/.test(key) ? JSON.stringify(key) : key;
}
