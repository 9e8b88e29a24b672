// Removes a dependency from a package-lock.json (formats 2 and 3) as npm does: with every package that nothing else
// needs, and with the marks of those that only development still needs. Pure; null where npm might do something else.

import { posix } from 'node:path';

type Table = Readonly<Record<string, unknown>>;
type Changing = Record<string, unknown>;

/** A way by which a package needs another one. `to`: the place of that package in the lock file. */
interface Edge {
  readonly to: string;
  readonly dev: boolean;
  readonly optional: boolean;
  readonly peer: boolean;
}

/** The marks of a package that not everybody needs. */
const MARKS = ['dev', 'optional', 'devOptional', 'peer'] as const;
type Marks = ReadonlySet<(typeof MARKS)[number]>;

/** Keys that npm writes before all others. */
const FIRST = ['name', 'version', 'lockfileVersion', 'resolved', 'integrity', 'requires', 'packages', 'dependencies'];

/**
 * The text without the entry of the package at `dir` (relative to the lock file), and without what was needed for it
 * alone. Null if the format is another one, or if the file is not what npm itself would have written for these packages.
 */
export function withoutInNpmLock(text: string, dir: string, table: string, name: string): string | null {
  const lock = parsed(text);
  if (lock === null || ![2, 3].includes(lock['lockfileVersion'] as number)) return null;
  const layout = layoutOf(text, lock);
  const packages = tableAt(lock, 'packages');
  const before = marksOf(packages);
  // Marks that this program would compute otherwise than npm did are marks that it cannot keep up to date.
  if (layout === null || before === null || !agrees(packages, before)) return null;
  const own = tableAt(packages, dir);
  if (!Object.hasOwn(tableAt(own, table), name)) return null;
  const rest = { ...packages, [dir]: withoutKey(own, table, name) };
  const after = marksOf(rest);
  if (after === null) return null;
  const changed: Changing = { ...lock, packages: kept(rest, after) };
  if (Object.hasOwn(lock, 'dependencies'))
    changed['dependencies'] = legacyTree(tableAt(lock, 'dependencies'), '', after);
  return layout(changed);
}

/** Writes a lock file in the layout of this text; null if that would not give the same text again. */
function layoutOf(text: string, lock: Table): ((value: Table) => string) | null {
  const indent = /^\{\r?\n([ \t]+)"/.exec(text)?.[1] ?? '';
  const end = text.endsWith('\r\n') ? '\r\n' : text.endsWith('\n') ? '\n' : '';
  const isWindows = text.includes('\r\n');
  const write = (value: Table) => {
    const plain = JSON.stringify(value, null, indent);
    return (isWindows ? plain.replaceAll('\n', '\r\n') : plain) + end;
  };
  return write(lock) === text ? write : null;
}

/** The marks of every package that something needs, by its place. Null if npm may not need all of them. */
function marksOf(packages: Table): ReadonlyMap<string, Marks> | null {
  const edges = new Map(Object.keys(packages).map((place) => [place, edgesFrom(packages, place)] as const));
  const reached = (goes: (edge: Edge) => boolean) => {
    const found = new Set(Object.keys(packages).filter((place) => isOwn(place) || isLinkToOwn(packages, place)));
    for (const place of found) for (const edge of edges.get(place) ?? []) if (goes(edge)) found.add(edge.to);
    return found;
  };
  const all = reached(() => true);
  // Versions of npm differ in whether they keep what is only the optional peer of another package.
  if (reached(({ peer, optional }) => !(peer && optional)).size < all.size) return null;
  const [withoutDev, withoutOptional, required, withoutPeer] = [
    reached(({ dev }) => !dev),
    reached(({ optional }) => !optional),
    reached(({ dev, optional }) => !dev && !optional),
    reached(({ peer }) => !peer),
  ];
  return new Map(
    [...all].map((place) => {
      const dev = !withoutDev.has(place);
      const optional = !withoutOptional.has(place);
      const marks = {
        dev,
        optional,
        devOptional: !dev && !optional && !required.has(place),
        peer: !withoutPeer.has(place),
      };
      return [place, new Set(MARKS.filter((mark) => marks[mark]))];
    }),
  );
}

/** True for the root, and for a package of the repository. */
function isOwn(place: string): boolean {
  return !place.split('/').includes('node_modules');
}

/** True for the link to a workspace. */
function isLinkToOwn(packages: Table, place: string): boolean {
  const { link, resolved: target } = tableAt(packages, place);
  return link === true && typeof target === 'string' && isOwn(target) && Object.hasOwn(packages, target);
}

function edgesFrom(packages: Table, place: string): Edge[] {
  const entry = tableAt(packages, place);
  if (entry['link'] === true && typeof entry['resolved'] === 'string')
    return Object.hasOwn(packages, entry['resolved'])
      ? [{ to: entry['resolved'], dev: false, optional: false, peer: false }]
      : [];
  const optionalPeers = tableAt(entry, 'peerDependenciesMeta');
  const isOptionalPeer = (name: string) => tableAt(optionalPeers, name)['optional'] === true;
  const plain = { dev: false, optional: false, peer: false };
  const optionalNames = tableAt(entry, 'optionalDependencies');
  const kinds = [
    ...namesIn(entry, 'dependencies').map((name) => ({ name, ...plain, optional: Object.hasOwn(optionalNames, name) })),
    ...Object.keys(optionalNames).map((name) => ({ name, ...plain, optional: true })),
    ...namesIn(entry, 'peerDependencies').map((name) => ({
      name,
      ...plain,
      peer: true,
      optional: isOptionalPeer(name),
    })),
    ...(isOwn(place) ? namesIn(entry, 'devDependencies') : []).map((name) => ({ name, ...plain, dev: true })),
  ];
  return kinds.flatMap(({ name, ...kind }) => {
    const to = resolved(packages, place, name);
    return to === null ? [] : [{ to, ...kind }];
  });
}

/** The place of the package that code at `place` gets by this name; null if there is none. */
function resolved(packages: Table, place: string, name: string): string | null {
  for (let folder = place; ; folder = folder === '' ? '' : parentOf(folder)) {
    const candidate = posix.join(folder, 'node_modules', name);
    if (posix.basename(folder) !== 'node_modules' && Object.hasOwn(packages, candidate)) return candidate;
    if (folder === '') return null;
  }
}

function parentOf(folder: string): string {
  const parent = posix.dirname(folder);
  return parent === '.' ? '' : parent;
}

/** True if the lock file holds exactly these packages with exactly these marks. */
function agrees(packages: Table, marks: ReadonlyMap<string, Marks>): boolean {
  return Object.keys(packages).every((place) => {
    const expected = marks.get(place);
    const entry = tableAt(packages, place);
    return expected && (isOwn(place) || MARKS.every((mark) => (entry[mark] === true) === expected.has(mark)));
  });
}

function kept(packages: Table, marks: ReadonlyMap<string, Marks>): Table {
  return Object.fromEntries(
    Object.entries(packages).flatMap(([place, entry]) => {
      const own = marks.get(place);
      return own ? [[place, isOwn(place) ? entry : marked(entry as Table, own)]] : [];
    }),
  );
}

/** The tree of format 1 that files of format 2 also hold. */
function legacyTree(tree: Table, above: string, marks: ReadonlyMap<string, Marks>): Table {
  return Object.fromEntries(
    Object.entries(tree).flatMap(([name, entry]) => {
      const place = posix.join(above, 'node_modules', name);
      const own = marks.get(place);
      if (!own || !isTable(entry)) return [];
      const inner = tableAt(entry, 'dependencies');
      const { dependencies: _, ...rest } = entry;
      const left = legacyTree(inner, place, marks);
      const whole = Object.keys(left).length > 0 ? { ...rest, dependencies: left } : rest;
      return [[name, marked(whole, own)]];
    }),
  );
}

/** The entry with these marks; as it is if it has them, else with its keys in npm's order. */
function marked(entry: Table, marks: Marks): Table {
  if (MARKS.every((mark) => (entry[mark] === true) === marks.has(mark))) return entry;
  const { dev: _, optional: __, devOptional: ___, peer: ____, ...rest } = entry;
  const all = { ...rest, ...Object.fromEntries([...marks].map((mark) => [mark, true])) };
  const rank = (key: string) => {
    const first = FIRST.indexOf(key);
    return [isTable((all as Table)[key]) ? 1 : 0, first < 0 ? FIRST.length : first] as const;
  };
  return Object.fromEntries(
    Object.entries(all).sort(([a], [b]) => {
      const [[oneKind, one], [otherKind, other]] = [rank(a), rank(b)];
      return oneKind - otherKind || one - other || (a < b ? -1 : 1);
    }),
  );
}

/** The table without an entry of one of its tables, and without that table if it would be empty. */
function withoutKey(own: Table, table: string, name: string): Table {
  const { [name]: _, ...entries } = tableAt(own, table);
  if (Object.keys(entries).length > 0) return { ...own, [table]: entries };
  const { [table]: __, ...rest } = own;
  return rest;
}

function namesIn(entry: Table, table: string): string[] {
  return Object.keys(tableAt(entry, table));
}

function parsed(text: string): Table | null {
  try {
    const value: unknown = JSON.parse(text);
    return isTable(value) ? value : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function tableAt(table: Table, name: string): Table {
  const value = Object.hasOwn(table, name) ? table[name] : null;
  return isTable(value) ? value : {};
}

function isTable(value: unknown): value is Table {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
