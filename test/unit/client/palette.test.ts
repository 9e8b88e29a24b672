// The palette lists what can be done now and nothing else: its conditions, evaluated for states as the server tells
// them.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { RequestState } from '#protocol/requests';
import type { SidebarState } from '#protocol/state';
import { computeContextKeys } from '../../../client/src/status/stateKeys.ts';
import { fresh, full, nothingToDo, unsettled } from '../../webview/fixtures/states.ts';

const { contributes } = JSON.parse(readFileSync(join(import.meta.dirname, '..', '..', '..', 'package.json'), 'utf8'));
type Keys = Readonly<Record<string, boolean | number | string>>;
type Entry = { readonly command: string; readonly when?: string; readonly enablement?: string };

const commands: readonly Entry[] = contributes.commands;
const conditions = new Map(
  (contributes.menus.commandPalette as readonly Entry[]).map(({ command, when }) => [command, when]),
);
/** At most this many lines when nothing happens: a list that is read at a glance. */
const MAX_WHEN_IDLE = 19;

/** VS Code adds a "Focus on … View" for each view. */
const focusing = Object.values(contributes.views as Readonly<Record<string, readonly unknown[]>>).flat().length;

const inFolder: Keys = { isWorkspaceTrusted: true, workspaceFolderCount: 1, resourceScheme: 'file' };
const idle: SidebarState = { ...full, waiting: 0, pending: [], checkpoints: [], uncommitted: 0, events: [] };

/** Of the grammar of VS Code what the conditions use: `||`, `&&`, `!`, `==`, `>`. */
function holds(condition: string | undefined, keys: Keys): boolean {
  if (condition === undefined) return true;
  return condition.split(' || ').some((any) => any.split(' && ').every((part) => holdsAlone(part.trim(), keys)));
}

function holdsAlone(part: string, keys: Keys): boolean {
  const [, name = '', sign, value] = /^(!?[\w.]+)(?: (==|>) ([\w-]+))?$/.exec(part) ?? [];
  expect(name, `${part} is understood`).not.toBe('');
  if (sign === '==') return String(keys[name] ?? '') === value;
  if (sign === '>') return Number(keys[name] ?? 0) > Number(value);
  if (name === 'false') return false;
  return name.startsWith('!') ? !keys[name.slice(1)] : Boolean(keys[name]);
}

function offered(state: SidebarState, more: Keys = {}): string[] {
  const told = Object.fromEntries(
    Object.entries(computeContextKeys(state)).map(([key, value]) => [`selfware.${key}`, value]),
  );
  const keys = { ...inFolder, ...told, ...more };
  const shown = commands.filter(
    ({ command, enablement }) => holds(enablement, keys) && holds(conditions.get(command), keys),
  );
  return shown.map(({ command }) => command.replace('selfware.', ''));
}

test('idle there are few, and none that does nothing', () => {
  const found = offered(idle);
  expect(found.length + focusing, found.join(', ')).toBeLessThanOrEqual(MAX_WHEN_IDLE);
  for (const wanted of ['improve', 'fixAll', 'search', 'index', 'showSidebar', 'openSettings'])
    expect(found).toContain(wanted);
  for (const idleOnly of [
    'stop',
    'resume',
    'applyAll',
    'reviewProposal',
    'rollback',
    'judge',
    'undismiss',
    'improveThis',
    'dismiss',
  ]) {
    expect(found).not.toContain(idleOnly);
  }
});

test('keys of models are offered to those who use models, and forgotten where there are some', () => {
  const keysOf = (more: Keys) => offered(idle, more).filter((command) => command.endsWith('ModelKey'));
  expect(keysOf({})).toEqual([]);
  expect(keysOf({ 'selfware.usesModels': true })).toEqual(['setModelKey']);
  expect(keysOf({ 'selfware.usesModels': true, 'selfware.hasModelKey': true })).toEqual([
    'setModelKey',
    'forgetModelKey',
  ]);
});

test('tests are set up where they are not yet', () => {
  const setup = { outcome: 'degraded', detail: 'Packages are missing.', action: null } as const;
  expect(offered({ ...idle, setup })).toContain('setUpTests');
  expect(offered({ ...idle, setup: { ...setup, outcome: 'good' } })).not.toContain('setUpTests');
});

const verifying: SidebarState = { ...idle, activity: 'verifying' };
const change = { id: 'p1', number: 1, title: 'One', detail: 'proven', place: 'onBranch', isTaken: false } as const;
const night = {
  open: [change, { ...change, id: 'p2', number: 2 }],
  branch: 'selfware/night-1',
  state: 'ended',
  line: 'Last night: 2 changes',
  step: null,
  changes: 2,
  untaken: 2,
  decided: null,
} as const;
const request = {
  ...{ id: 'w', words: 'Round up.', test: 'open' as const, tries: 0, lastReason: null },
  ...{ noTest: null, failed: null, isRunning: false },
} satisfies RequestState;
const severalFolders = [
  { uri: full.folder, name: 'one', waiting: 0 },
  { uri: 'file:///other', name: 'other', waiting: 2 },
];

test.each<[string, SidebarState, Keys, readonly string[], readonly string[]]>([
  ['nothing is there to improve', { ...idle, opportunityCount: 0, doable: nothingToDo }, {}, ['search'], ['improve']],
  ['all that can be improved is hidden', { ...idle, opportunityCount: 0 }, {}, ['improve'], []],
  ['something runs', verifying, {}, ['stop'], ['resume']],
  ['it was stopped', { ...idle, activity: 'stopped' }, {}, ['resume'], ['stop', 'index']],
  ['it is indexing', fresh, {}, ['stop', 'pauseIndexing', 'cancelIndexing'], ['index', 'resumeIndexing']],
  ['indexing is paused', { ...idle, indexingPaused: true }, {}, ['resumeIndexing'], ['index', 'pauseIndexing']],
  ['a proposal waits', full, {}, ['reviewProposal', 'previewAll'], ['applyAll']],
  ['a review is open', full, { 'selfware.reviewing': true }, ['applyAll', 'reject', 'evidence', 'applyHunk'], []],
  ['changes were kept', full, {}, ['rollback', 'commit', 'verifyChange', 'verifyLedger'], ['judge', 'keep']],
  ['a change is being checked', unsettled, {}, ['judge', 'keep'], []],
  ['something is dismissed', { ...idle, dismissed: 1 }, {}, ['undismiss'], []],
  ['nothing is found', { ...idle, opportunityCount: 0 }, {}, ['improve'], ['fixAll']],
  ['a folder is open', idle, {}, ['searchFurther', 'repeatEdit', 'outdated'], ['wishes']],
  ['a branch is open', { ...idle, git: { branch: 'fix', head: '1'.repeat(40) } }, {}, ['judgeBranch'], []],
  ['the default branch is open', idle, {}, [], ['judgeBranch']],
  [
    'a night is over',
    { ...idle, night },
    {},
    ['runOvernight', 'showNight', 'acceptNight', 'dropNight', 'squashNight', 'nightPullRequest'],
    [],
  ],
  [
    'a night is one commit',
    { ...idle, night: { ...night, decided: 'squashed' } },
    {},
    ['nightPullRequest'],
    ['squashNight'],
  ],
  ['a request waits', { ...idle, requests: [request] }, {}, ['askForChange', 'requests'], []],
  ['no request waits', idle, {}, ['askForChange'], ['requests']],
  [
    'a night was taken',
    { ...idle, night: { ...night, untaken: 0, open: [{ ...change, isTaken: true }] } },
    {},
    ['showNight', 'dropNight'],
    ['acceptNight'],
  ],
  [
    'a night is running',
    { ...idle, night: { ...night, state: 'running' } },
    {},
    ['showNight', 'stop', 'endNight'],
    ['runOvernight', 'acceptNight', 'dropNight'],
  ],
  [
    'a night needs the person',
    { ...idle, night: { ...night, state: 'needsPerson' } },
    {},
    ['showNight', 'stop', 'continueNight', 'endNight'],
    ['runOvernight', 'acceptNight', 'dropNight'],
  ],
  ['there was no night', idle, {}, ['runOvernight'], ['showNight', 'acceptNight', 'dropNight']],
  ['there is no git', { ...idle, git: null }, {}, ['search', 'index'], ['improve', 'fixAll']],
  [
    'there is no commit',
    { ...idle, git: { branch: null, head: null } },
    {},
    ['search', 'index'],
    [
      'improve',
      'improveWithModel',
      'fixAll',
      'searchFurther',
      'repeatEdit',
      'judgeBranch',
      'outdated',
      'runOvernight',
      'setUpTests',
    ],
  ],
  [
    'the workspace is not trusted',
    full,
    { isWorkspaceTrusted: false },
    ['search'],
    ['improve', 'fixAll', 'rollback', 'commit'],
  ],
  [
    'no folder is open',
    idle,
    { workspaceFolderCount: 0 },
    ['getStarted'],
    ['improve', 'search', 'index', 'openCharter'],
  ],
  ['the server is lost', idle, { 'selfware.serverTrouble': true }, ['restartServer', 'showOutput'], []],
  [
    'there is another folder',
    { ...idle, folders: severalFolders },
    { workspaceFolderCount: 2 },
    ['chooseFolder', 'reviewProposal', 'rollback', 'stop'],
    [],
  ],
])('when %s', (_, state, keys, here, absent) => {
  const found = offered(state, keys);
  for (const wanted of here) expect(found).toContain(wanted);
  for (const unwanted of absent) expect(found).not.toContain(unwanted);
});

// `view.ID.visible` is set by VS Code itself.
test('every key that a condition names is one that somebody sets', () => {
  const set = new Set([
    ...Object.keys(computeContextKeys(full)),
    'reviewing',
    'readingEvidence',
    'serverTrouble',
    'usesModels',
    'hasModelKey',
  ]);
  const named = [
    ...commands.map(({ enablement }) => enablement ?? ''),
    ...[...conditions.values()].map((when) => when ?? ''),
  ];
  const keys = named.flatMap((text) => [...text.matchAll(/(?<!view\.)selfware\.(\w+)/g)].map(([, key]) => key ?? ''));
  expect(keys.length).toBeGreaterThan(20);
  expect(keys.filter((key) => !set.has(key))).toEqual([]);
});
