// Removes a dependency from a pnpm-lock.yaml of format 9, with every package that nothing else needs. Pure; null where
// pnpm might do something else.

import { parse } from 'yaml';

type Table = Readonly<Record<string, unknown>>;

interface Reached {
  /** Keys of `snapshots`. */
  readonly all: ReadonlySet<string>;
  /** Those that are needed without an optional dependency. */
  readonly required: ReadonlySet<string>;
}

/**
 * The text without the entry of the package in the folder `dir` (relative to the lock file), and without what was
 * needed for it alone.
 */
export function withoutInPnpmLock(text: string, dir: string, table: string, name: string): string | null {
  const lock = parsed(text);
  if (lock === null || String(lock['lockfileVersion']) !== '9.0') return null;
  const importer = dir === '' ? '.' : dir;
  const importers = tableAt(lock, 'importers');
  const entry = tableAt(tableAt(tableAt(importers, importer), table), name);
  // An entry of a catalogue is listed once more, for all packages that use it.
  if (typeof entry['version'] !== 'string' || String(entry['specifier']).startsWith('catalog:')) return null;
  const { [name]: _, ...entries } = tableAt(tableAt(importers, importer), table);
  const rest = { ...importers, [importer]: { ...tableAt(importers, importer), [table]: entries } };
  const snapshots = tableAt(lock, 'snapshots');
  const [before, after] = [reachedFrom(importers, snapshots), reachedFrom(rest, snapshots)];
  if (before === null || after === null || !agrees(snapshots, before)) return null;
  const gone = Object.keys(snapshots).filter((key) => !after.all.has(key));
  const packages = new Set([...after.all].map(withoutPeers));
  const gonePackages = Object.keys(tableAt(lock, 'packages')).filter((key) => !packages.has(key));
  const isPeerOfOther = gonePackages.some((key) => [...after.all].some((other) => other.includes(`(${key}`)));
  const becomesOptional = [...after.all].some((key) => before.required.has(key) !== after.required.has(key));
  if (isPeerOfOther || becomesOptional) return null;
  const way = Object.keys(entries).length > 0 ? [table, name] : [table];
  return withoutBlocks(text, [
    ['importers', importer, ...way],
    ...gonePackages.map((key) => ['packages', key]),
    ...gone.map((key) => ['snapshots', key]),
  ]);
}

/** What the packages of the repository need. Null if the lock file names something that it does not hold. */
function reachedFrom(importers: Table, snapshots: Table): Reached | null {
  let isWhole = true;
  const keysIn = (owner: Table, tables: readonly string[]) =>
    tables.flatMap((table) =>
      Object.entries(tableAt(owner, table)).flatMap(([name, entry]) => {
        const version = String(isTable(entry) ? entry['version'] : entry);
        if (/^(?:link|file):/.test(version)) return [];
        const key = [`${name}@${version}`, version].find((one) => Object.hasOwn(snapshots, one));
        if (key === undefined) isWhole = false;
        return key ?? [];
      }),
    );
  const reach = (optional: readonly string[]) => {
    const owners = Object.keys(importers).map((importer) => tableAt(importers, importer));
    const found = new Set(owners.flatMap((owner) => keysIn(owner, ['dependencies', 'devDependencies', ...optional])));
    for (const key of found)
      for (const next of keysIn(tableAt(snapshots, key), ['dependencies', ...optional])) found.add(next);
    return found;
  };
  const reached = { all: reach(['optionalDependencies']), required: reach([]) };
  return isWhole ? reached : null;
}

/** True if the lock file holds exactly these packages, and calls those optional that are. */
function agrees(snapshots: Table, { all, required }: Reached): boolean {
  return Object.keys(snapshots).every(
    (key) => all.has(key) && (tableAt(snapshots, key)['optional'] === true) === !required.has(key),
  );
}

function withoutPeers(key: string): string {
  const at = key.indexOf('(');
  return at < 0 ? key : key.slice(0, at);
}

/** The text without the blocks at these ways of keys; null if one of them is not found, or stands on one line. */
function withoutBlocks(text: string, ways: readonly (readonly string[])[]): string | null {
  const wanted = new Set(ways.map((way) => way.join('\0')));
  const kept: string[] = [];
  const way: string[] = [];
  let removedDepth: number | null = null;
  for (const line of text.split('\n')) {
    const [, indent, key] = /^( *)('[^']+'|"[^"]+"|[^\s'"#][^:]*(?::\S[^:]*)*):(?: .*)?\r?$/.exec(line) ?? [];
    const depth = /^ */.exec(line)![0].length / 2;
    // Blank lines separate the packages, but not the entries of a table.
    if (removedDepth !== null && (line.trim() === '' ? removedDepth === 1 : depth > removedDepth)) continue;
    removedDepth = null;
    if (indent !== undefined && key !== undefined) {
      way.splice(depth, way.length, key.replace(/^['"]|['"]$/g, ''));
      if (wanted.delete(way.join('\0'))) {
        removedDepth = depth;
        continue;
      }
    }
    kept.push(line);
  }
  if (wanted.size > 0) return null;
  const result = kept.join('\n');
  return text.endsWith('\n') && !result.endsWith('\n') ? `${result}\n` : result;
}

function parsed(text: string): Table | null {
  try {
    const value: unknown = parse(text);
    return isTable(value) ? value : null;
  } catch {
    return null;
  }
}

function tableAt(table: Table, name: string): Table {
  const value = Object.hasOwn(table, name) ? table[name] : null;
  return isTable(value) ? value : {};
}

function isTable(value: unknown): value is Table {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
