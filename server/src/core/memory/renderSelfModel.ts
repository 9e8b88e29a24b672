// Renders the self-model, a description of the repository for newcomers, as Markdown.

import type { Dependency } from './model/dependencies.ts';
import type { EntryPoint } from './model/entryPoints.ts';
import type { RecentChange } from './model/history.ts';
import type { Purpose } from './model/purpose.ts';
import type { RepositoryModule, SelfModel } from './selfModel.ts';
import { codeSpan, joinMarkdown, joinLines, md, type Insertable, type Markdown } from '../../protocol/markdown.ts';
import { groupThousands } from '../../util/thousands.ts';
import { capitalise, shorten } from '../../util/visible.ts';
import { formatCount } from '../../util/counted.ts';
import { formatIsoDay } from '../../util/isoDay.ts';

/** Maximum number of listed dependencies. Lists are limited so that the document stays short enough to read. */
const MAX_DEPENDENCIES = 40;
/** Maximum number of entry points that are listed one by one. */
const MAX_ENTRIES = 40;
/** Maximum number of listed changes. */
const MAX_CHANGES = 20;
/** Maximum number of listed folders of tests. */
const MAX_TEST_FOLDERS = 12;
/** Kinds of entry points that should lead to a file. */
const KINDS_WITH_FILES = new Set(['command', 'main module', 'VS Code extension']);

/** Renders the model. Statements that come from a document or a manifest name their source. */
export function renderSelfModel(model: SelfModel): string {
  const sections: (readonly (Insertable | null)[])[] = [
    [md`# ${model.name ?? 'This repository'}`, model.purpose && addSource(model.purpose), renderSize(model)],
    [
      md`## Modules`,
      'Folders in their own words; the source is in parentheses. Each file counts for the deepest folder listed. Tests and generated files are left out.',
      joinLines(model.modules.map(renderModule)),
    ],
    [md`## Layers`, renderLayers(model)],
    [md`## Entry points`, renderEntryPoints(model.entryPoints)],
    [md`## Dependencies`, renderDependencies(model.dependencies)],
    [md`## Tests`, renderTests(model.tests)],
    [md`## Hot spots`, renderHotSpots(model)],
    [md`## Recent changes`, renderRecentChanges(model.recentChanges)],
    model.unknown.length > 0 ? [md`## Not known`, formatBulletList(model.unknown)] : [],
  ];
  const parts = sections.flatMap((section) => section.filter((part) => part !== null && String(part) !== ''));
  return `${joinMarkdown(parts as readonly Insertable[], '\n\n')}\n`;
}

function addSource({ text, source }: Purpose): string {
  return `${text} (${source})`;
}

function renderSize({ files, tokens, symbols, languages }: SelfModel): string {
  const shares = languages.map(({ language, files: count }) => `${language} ${count}`).join(', ');
  const byLanguage = shares ? ` Source files by language, generated ones left out: ${shares}.` : '';
  return `${formatCount(files, 'file')}, ${formatCount(symbols, 'definition')}, about ${groupThousands(tokens)} tokens.${byLanguage}`;
}

function renderModule({
  path,
  purpose,
  keyFile,
  files,
  symbols,
  keyFiles,
  testedBy,
  neededBy,
}: RepositoryModule): Markdown {
  const facts = [
    formatCount(files, 'file'),
    symbols > 0 && formatCount(symbols, 'definition'),
    neededBy.length > 0 && `imported by ${formatCount(neededBy.length, 'module')}`,
    testedBy > 0 && `imported by ${formatCount(testedBy, 'test file')}`,
  ].filter(Boolean);
  const key =
    keyFiles.length > 0
      ? ` Most imported: ${keyFiles.map((file) => (path === '.' ? file : file.slice(path.length + 1))).join(', ')}.`
      : '';
  const details = purpose
    ? addSource(purpose)
    : keyFile
      ? `Does not say. ${keyFile.source.slice(path === '.' ? 0 : path.length + 1)}: ${keyFile.text}`
      : 'Does not say.';
  return md`- **${path === '.' ? 'files at the root' : path}**: ${details} ${capitalise(facts.join(', '))}.${key}`;
}

/** The modules by level, the highest first, then cycles and unconnected modules. */
function renderLayers({ modules, cycles }: SelfModel): Insertable {
  const levels = new Map<number, RepositoryModule[]>();
  const unconnected = modules.filter(
    ({ level, needs, neededBy }) => level !== null && needs.length === 0 && neededBy.length === 0,
  );
  for (const entry of modules)
    if (entry.level !== null && !unconnected.includes(entry))
      levels.set(entry.level, [...(levels.get(entry.level) ?? []), entry]);
  if (levels.size === 0) return 'No module imports from another, as far as imports could be resolved.';
  const rows = [...levels]
    .sort(([a], [b]) => b - a)
    .map(([level, modulesOfLevel]) => {
      const withNeeds = modulesOfLevel.map(({ path, needs }) =>
        needs.length > 0
          ? `${formatModulePath(path)} (needs ${needs.map(formatModulePath).join(', ')})`
          : formatModulePath(path),
      );
      return md`- ${level}: ${withNeeds.join('; ')}`;
    });
  return joinMarkdown(
    [
      `By imports of files that are not tests, type imports included: a module is above those that it needs; level 0 needs none.`,
      joinLines(rows),
      ...cycles.map((cycle) => `These need each other: ${cycle.map(formatModulePath).join(', ')}.`),
      ...(unconnected.length > 0
        ? [
            `Code without imports to or from other modules: ${unconnected.map(({ path }) => formatModulePath(path)).join(', ')}.`,
          ]
        : []),
    ],
    '\n\n',
  );
}

function formatModulePath(path: string): string {
  return path === '.' ? 'the files at the root' : path;
}

/**
 * Lists commands and main functions one by one, exports by manifest, and the scripts of the root with their commands.
 * Scripts of other folders are only counted.
 */
function renderEntryPoints(entryPoints: readonly EntryPoint[]): Insertable {
  if (entryPoints.length === 0) return 'None found in manifests, and no main function.';
  const groupEntriesOfKind = (kind: string) => groupEntriesBySource(entryPoints.filter((entry) => entry.kind === kind));
  const listed = entryPoints
    .filter(({ kind }) => kind !== 'export' && kind !== 'script')
    .toSorted((a, b) => computeRank(a) - computeRank(b));
  const items = listed.slice(0, MAX_ENTRIES).map(({ kind, name, target, file, source }) => {
    const leadsTo = file && `./${file}` !== target && file !== target.split(':')[0] ? ` → ${file}` : '';
    const missingNote = file === null && KINDS_WITH_FILES.has(kind) ? '; no such file in the repository' : '';
    return md`- ${kind} ${renderShortCode(name)}: ${renderShortCode(target)}${leadsTo}${source === file ? '' : ` (${source}${missingNote})`}`;
  });
  if (listed.length > MAX_ENTRIES) items.push(md`- … and ${listed.length - MAX_ENTRIES} more`);
  for (const [source, entries] of groupEntriesOfKind('export'))
    items.push(
      md`- exports of ${source}: ${joinMarkdown(
        entries.map(({ name }) => renderShortCode(name)),
        ', ',
      )}`,
    );
  const scripts = groupEntriesOfKind('script');
  for (const [source, entries] of scripts.filter(([source]) => !source.includes('/')))
    items.push(
      ...entries.map(
        ({ name, target }) => md`- script ${renderShortCode(name)}: ${renderShortCode(target)} (${source})`,
      ),
    );
  const scriptsBelowRoot = scripts.filter(([source]) => source.includes('/'));
  if (scriptsBelowRoot.length > 0)
    items.push(
      md`- ${formatCount(
        scriptsBelowRoot.reduce((sum, [, entries]) => sum + entries.length, 0),
        'script',
      )} more in ${formatCount(scriptsBelowRoot.length, 'manifest')} of folders`,
    );
  return joinLines(items);
}

function groupEntriesBySource(entries: readonly EntryPoint[]): [source: string, entries: EntryPoint[]][] {
  const groups = new Map<string, EntryPoint[]>();
  for (const entry of entries) groups.set(entry.source, [...(groups.get(entry.source) ?? []), entry]);
  return [...groups];
}

/**
 * The rank by which entry points are sorted: first by kind (commands precede modules), then by the depth of the
 * manifest.
 */
function computeRank({ kind, source }: EntryPoint): number {
  const order = ['command', 'VS Code extension', 'VS Code contributions', 'main function', 'main module'];
  return order.indexOf(kind) * 100 + source.split('/').length;
}

function renderDependencies(dependencies: readonly Dependency[]): Insertable {
  if (dependencies.length === 0) return 'None declared in the supported manifests.';
  const items = dependencies
    .slice(0, MAX_DEPENDENCIES)
    .map(({ name, kind, version, source, files, tests: testCount }) => {
      const declared = `${kind}${source?.includes('/') ? ` in ${source}` : ''}`;
      const importers = `${formatCount(files, 'file')}${testCount > 0 ? `, ${testCount} of them tests` : ''}`;
      return md`- ${name}${version ? ` ${version}` : ''} (${declared}): imported by ${importers}`;
    });
  return joinLines([
    ...items,
    ...(dependencies.length > MAX_DEPENDENCIES ? [md`- … and ${dependencies.length - MAX_DEPENDENCIES} more`] : []),
  ]);
}

function renderTests({ files, folders, command, commandSource }: SelfModel['tests']): Insertable {
  if (files === 0) return 'No test files were found by name or folder.';
  const folderList = folders
    .slice(0, MAX_TEST_FOLDERS)
    .map(({ path, files: count }) => `${path} ${count}`)
    .join(', ');
  const run = command
    ? md` Run by ${renderShortCode(command)} (${commandSource ?? ''}).`
    : ' How they are run is not declared.';
  return md`${formatCount(files, 'source file')} in tests, by name or folder (fixtures included): ${folderList}${folders.length > MAX_TEST_FOLDERS ? ', …' : ''}.${run}`;
}

function renderHotSpots({ hotSpots: spots }: SelfModel): Insertable {
  if (spots.length === 0) return 'Not known: that takes both a history and measured functions.';
  const items = spots.map(
    ({ path, commits, complexity }) =>
      md`- ${path}: ${formatCount(commits, 'commit')}, cyclomatic complexity ${complexity} in all`,
  );
  return joinMarkdown(['Files that change often and are complex, by the product of both.', joinLines(items)], '\n\n');
}

function renderRecentChanges(changes: readonly RecentChange[]): Insertable {
  if (changes.length === 0) return 'None known.';
  const items = changes.slice(0, MAX_CHANGES).map(({ kind, at, title, before, after, files }) => {
    const revisions = [before, after]
      .map((revision) =>
        revision === null
          ? '?'
          : /^[0-9a-f]{40}\^?$/.test(revision)
            ? `${revision.slice(0, 10)}${revision.endsWith('^') ? '^' : ''}`
            : revision,
      )
      .join(' → ');
    const fileCount = files.length > 0 ? ` (${formatCount(files.length, 'file')})` : '';
    return md`- ${formatIsoDay(at)} ${kind} ${revisions}: ${title}${fileCount}`;
  });
  return joinLines([
    ...items,
    ...(changes.length > MAX_CHANGES ? [md`- … and ${changes.length - MAX_CHANGES} more`] : []),
  ]);
}

function formatBulletList(items: readonly string[]): Markdown {
  return joinLines(items.map((sentence) => md`- ${sentence}`));
}

function renderShortCode(text: string): Markdown {
  return codeSpan(shorten(text, 120));
}
