// Reads the declarations of a repository's manifests: names, purposes, entry points, dependencies. Nothing is run.

import { parseJsonOrNull } from '../../../util/parseJson.ts';
import { isTestFile } from '../../paths/tests.ts';
import type { FileRecord } from '../../ports/catalogue.ts';
import { isRecord } from '../../../util/values/isRecord.ts';

/** By file name of a manifest: its parser. */
const PARSER_BY_MANIFEST: Readonly<Record<string, (text: string) => ManifestContent | null>> = {
  'package.json': readPackageJson,
  'pyproject.toml': readPyproject,
  'Cargo.toml': readCargo,
  'go.mod': parseGoMod,
};

/** Reads the text of a file; null if it is missing or not text. */
export type Read = (path: string) => Promise<string | null>;

/** A package that a manifest declares. */
export interface DeclaredDependency {
  readonly name: string;
  readonly kind: 'runtime' | 'development' | 'peer' | 'optional';
  readonly version: string | null;
}

/** The declarations of one manifest. */
export interface Manifest {
  readonly path: string;
  /** Folder with a trailing `/`; empty for the root. */
  readonly folder: string;
  readonly ecosystem: 'npm' | 'python' | 'rust' | 'go';
  readonly name: string | null;
  readonly description: string | null;
  readonly dependencies: readonly DeclaredDependency[];
  /** Entry points as the manifest writes them. */
  readonly entries: readonly { readonly kind: string; readonly name: string; readonly target: string }[];
  readonly testCommand: string | null;
}

/** Manifests outside of tests, fixtures and vendored code, nearest to the root first. Unreadable ones are skipped. */
export async function readDeclaredManifests(records: readonly FileRecord[], read: Read): Promise<Manifest[]> {
  const manifests: Manifest[] = [];
  for (const { path, generated } of records) {
    const name = path.slice(path.lastIndexOf('/') + 1);
    const parse = PARSER_BY_MANIFEST[name];
    if (!parse || generated || isTestFile(path)) continue;
    const text = await read(path);
    const manifest = text === null ? null : parse(text);
    if (manifest) manifests.push({ path, folder: path.slice(0, -name.length), ...manifest });
  }
  return manifests.sort(
    (a, b) => a.folder.split('/').length - b.folder.split('/').length || (a.path < b.path ? -1 : 1),
  );
}

/** The declarations of a manifest without its path. */
type ManifestContent = Omit<Manifest, 'path' | 'folder'>;
type Data = Readonly<Record<string, unknown>>;

/** By field of a `package.json`: the kind of the dependencies in it. */
const KIND_OF_FIELD = {
  dependencies: 'runtime',
  devDependencies: 'development',
  peerDependencies: 'peer',
  optionalDependencies: 'optional',
} as const;

/** Reads a `package.json`; null if it is not a JSON object. */
function readPackageJson(text: string): ManifestContent | null {
  const data = parseJson(text);
  if (!data) return null;
  const dependencies = Object.entries(KIND_OF_FIELD).flatMap(([field, kind]) =>
    listTextEntries(data[field]).map(([name, version]) => ({ name, kind, version })),
  );
  const name = textOrNull(data.name);
  const entries: { kind: string; name: string; target: string }[] = [];
  if (typeof data.bin === 'string')
    entries.push({ kind: 'command', name: name?.split('/').at(-1) ?? 'bin', target: data.bin });
  for (const [command, target] of listTextEntries(data.bin)) entries.push({ kind: 'command', name: command, target });
  const isExtension = isRecord(data.engines) && typeof data.engines.vscode === 'string';
  if (typeof data.main === 'string')
    entries.push({ kind: isExtension ? 'VS Code extension' : 'main module', name: name ?? 'main', target: data.main });
  if (isExtension && isRecord(data.contributes))
    entries.push({
      kind: 'VS Code contributions',
      name: Object.entries(data.contributes)
        .map(([key, value]) => `${key}${Array.isArray(value) ? ` (${value.length})` : ''}`)
        .join(', '),
      target: 'contributes',
    });
  for (const [subpath, target] of listExports(data.exports)) entries.push({ kind: 'export', name: subpath, target });
  const scripts = listTextEntries(data.scripts);
  for (const [script, command] of scripts) entries.push({ kind: 'script', name: script, target: command });
  return {
    ecosystem: 'npm',
    name,
    description: textOrNull(data.description),
    dependencies,
    entries,
    testCommand: scripts.find(([script]) => script === 'test')?.[1] ?? null,
  };
}

/**
 * One target for each subpath: the target of the first condition other than `types`, otherwise the target of `types`.
 */
function listExports(value: unknown): [subpath: string, target: string][] {
  if (typeof value === 'string') return [['.', value]];
  if (!isRecord(value)) return [];
  const subpaths = Object.keys(value).some((key) => key.startsWith('.'))
    ? Object.entries(value)
    : [['.', value] as const];
  return subpaths.flatMap(([subpath, target]): [string, string][] => {
    const firstTarget = findTarget(target);
    return firstTarget ? [[subpath, firstTarget]] : [];
  });
}

/** The file to which the conditions of an export lead; null if there is none. */
function findTarget(value: unknown): string | null {
  if (typeof value === 'string') return value;
  if (!isRecord(value)) return null;
  for (const [condition, target] of Object.entries(value))
    if (condition !== 'types' && findTarget(target)) return findTarget(target);
  return findTarget(value.types ?? null);
}

/** Reads a `pyproject.toml`: `project`, `dependency-groups`, and the names and commands of Poetry. */
function readPyproject(text: string): ManifestContent | null {
  const project = findTomlTable(text, 'project');
  const scripts = [
    ...parseTomlPairs(findTomlTable(text, 'project.scripts')),
    ...parseTomlPairs(findTomlTable(text, 'project.gui-scripts')),
    ...parseTomlPairs(findTomlTable(text, 'tool.poetry.scripts')),
  ];
  const requirementList = /^dependencies\s*=\s*\[((?:\s|,|#.*|"[^"\n]*"|'[^'\n]*')*)\]/m.exec(project)?.[1] ?? '';
  const groupTables = findTomlTable(text, 'dependency-groups').replace(/\{[^{}]*\}/g, '');
  const dependencies = [
    ...parseRequirements(requirementList, 'runtime'),
    ...parseRequirements(groupTables, 'development'),
  ];
  const pairs = new Map(parseTomlPairs(project));
  const name = pairs.get('name') ?? new Map(parseTomlPairs(findTomlTable(text, 'tool.poetry'))).get('name') ?? null;
  const testCommand = /^\[tool\.pytest/m.test(text) ? 'pytest' : null;
  return {
    ecosystem: 'python',
    name,
    description: pairs.get('description') ?? null,
    dependencies,
    entries: scripts.map(([command, target]) => ({ kind: 'command', name: command, target })),
    testCommand,
  };
}

/** Reads a `Cargo.toml`. A version is null if it is not a plain text, as in a table. */
function readCargo(text: string): ManifestContent | null {
  const pairs = new Map(parseTomlPairs(findTomlTable(text, 'package')));
  const readDependencies = (table: string, kind: DeclaredDependency['kind']) =>
    [...findTomlTable(text, table).matchAll(/^([A-Za-z0-9_-]+)\s*(?:\.workspace\s*)?=\s*(?:"([^"]*)")?/gm)].map(
      (match) => ({ name: match[1]!, kind, version: match[2] ?? null }),
    );
  return {
    ecosystem: 'rust',
    name: pairs.get('name') ?? null,
    description: pairs.get('description') ?? null,
    dependencies: [
      ...readDependencies('dependencies', 'runtime'),
      ...readDependencies('dev-dependencies', 'development'),
    ],
    entries: [],
    testCommand: 'cargo test',
  };
}

/** Reads a `go.mod`; indirect requirements are omitted. */
function parseGoMod(text: string): ManifestContent | null {
  const name = /^module\s+(\S+)/m.exec(text)?.[1] ?? null;
  const requiredModules = [
    ...text.matchAll(/^[^\S\n]*(?:require\s+)?([\w-]+(?:\.[\w-]+)+\/\S+)\s+(v\S+)(.*)$/gm),
  ].filter((match) => !match[3]!.includes('indirect'));
  return {
    ecosystem: 'go',
    name,
    description: null,
    dependencies: requiredModules.map((match) => ({ name: match[1]!, kind: 'runtime', version: match[2]! })),
    entries: [],
    testCommand: 'go test ./...',
  };
}

/** The lines of a TOML table, without its sub-tables; empty if there is no such table. */
function findTomlTable(text: string, name: string): string {
  const lines = text.split(/\r?\n/);
  const start = lines.findIndex((line) => line.trim() === `[${name}]`);
  if (start < 0) return '';
  const end = lines.findIndex((line, index) => index > start && /^\[/.test(line));
  return lines.slice(start + 1, end < 0 ? undefined : end).join('\n');
}

/** The pairs of a TOML table whose value is a string. */
function parseTomlPairs(table: string): [string, string][] {
  return [...table.matchAll(/^[^\S\n]*["']?([\w.-]+)["']?\s*=\s*(?:"([^"\n]*)"|'([^'\n]*)')/gm)].map((match) => [
    match[1]!,
    match[2] ?? match[3] ?? '',
  ]);
}

/** Python requirements (PEP 508) in a list of strings: name and version, each name once. */
function parseRequirements(requirementText: string, kind: DeclaredDependency['kind']): DeclaredDependency[] {
  const texts = [...requirementText.replace(/^[^\S\n]*#.*$/gm, '').matchAll(/"([^"\n]*)"|'([^'\n]*)'/g)].map(
    (match) => match[1] ?? match[2] ?? '',
  );
  const parsedRequirements = texts.flatMap((text): [string, DeclaredDependency][] => {
    const match = /^\s*([A-Za-z0-9][A-Za-z0-9._-]*)\s*(?:\[[^\]]*\])?\s*([^;@]*)/.exec(text);
    return match ? [[match[1]!, { name: match[1]!, kind, version: match[2]?.trim() || null }]] : [];
  });
  return [...new Map(parsedRequirements).values()];
}

/** The entries of a table whose value is a text; empty if it is not a table. */
function listTextEntries(value: unknown): [string, string][] {
  return isRecord(value)
    ? Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
    : [];
}

function parseJson(text: string): Data | null {
  const value = parseJsonOrNull(text);
  return isRecord(value) ? value : null;
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}
