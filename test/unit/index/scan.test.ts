// Questions to texts as they stand.

import { expect, onTestFinished, test } from 'vitest';
import { createSourceTree } from '../../../server/src/adapters/files/sourceTree.ts';
import { findDefinitionAt } from '../../../server/src/core/index/search/definitionAt.ts';
import { createScan } from '../../../server/src/core/index/search/scan.ts';
import { scanFiles } from '../../../server/src/core/index/search/scanFiles.ts';
import { createTemporaryRepository } from '../../helpers/temporaryRepository.ts';
import type { ScannedWindow } from '../../../server/src/core/index/jobs.ts';

function scanned(query: string, files: Readonly<Record<string, string>>, top = 10): ScannedWindow[] {
  const scan = createScan(query)!;
  for (const [path, text] of Object.entries(files)) scan.add(path, text);
  return scan.findBest(top);
}

const pathsOf = (windows: readonly ScannedWindow[]) => windows.map(({ path }) => path);

test.each([
  ['lock', 'createLock()', true],
  ['lock', 'the clock strikes', false],
  ['lock', 'LOCK_FILE', true],
  ['lock', 'a BLOCK of', false],
  ['queries', 'const query = 1', true],
  ['createLock', 'function create_lock() {}', true],
  ['größe', 'die Größe', true],
])('%s in “%s”: %s', (query, text, expected) => {
  expect(pathsOf(scanned(query, { 'a.txt': text }))).toEqual(expected ? ['a.txt'] : []);
});

test('rare words count more than common ones, paths count, further windows of a file count less', () => {
  const filler = 'value of the thing\n'.repeat(20);
  const files = {
    'src/one.ts': `${filler}value\n`,
    'src/two.ts': `${filler}zeppelin\n`,
    'src/three.ts': filler,
    'src/zeppelin.ts': filler,
  };
  expect(pathsOf(scanned('value of a zeppelin', files)).slice(0, 2)).toEqual(['src/zeppelin.ts', 'src/two.ts']);
  const twice = 'zeppelin\n'.repeat(300);
  expect(
    pathsOf(scanned('zeppelin', { 'src/long.ts': twice, 'src/short.ts': 'zeppelin\n'.repeat(4) })).slice(0, 2),
  ).toEqual(['src/long.ts', 'src/short.ts']);
});

test.each([
  ['typescript', 'export async function createLock() {', 'createLock'],
  ['typescript', 'export const lock = 1;', 'lock'],
  ['typescript', '  const lock = 1;', null],
  ['typescript', 'interface Lock<T> {', 'Lock'],
  ['typescript', '  lock(name: string): void {', 'lock'],
  ['typescript', '  lock(name);', null],
  ['typescript', '  return lock(', null],
  ['javascript', 'store.lock = function (name) {', 'lock'],
  ['javascript', '  lock: async (name) => {', 'lock'],
  ['python', '    def lock_file(self):', 'lock_file'],
  ['go', 'func (s *Store) Lock(name string) error {', 'Lock'],
  ['rust', 'pub fn lock(&self) {', 'lock'],
  ['c', 'static int *lock_file(const char *name,', 'lock_file'],
  ['c', '#define LOCK_FILE "a"', 'LOCK_FILE'],
  ['cpp', 'void Store::lock(const Name &name) {', 'lock'],
  ['java', '    public Map<String, Lock> lock(String name) {', 'lock'],
  ['lua', 'function M.lock(name)', 'lock'],
  ['ruby', '  def lock', 'lock'],
  ['elixir', '  defp lock(name) do', 'lock'],
  ['bash', 'lock() {', 'lock'],
  ['prose', 'the lock (which is held)', null],
])('%s: %s defines %s', (_, line, name) => {
  const text = `first\n${line}\nlast\n`;
  const places = [...text.matchAll(/lock/gi)].map(({ index }) => index);
  const names = places.map((place) => findDefinitionAt(text, place)).filter((found) => found !== null);
  expect(names).toEqual(name === null ? [] : [name]);
});

test('where a name is defined comes before where it is used; tests and examples come last', () => {
  const uses = 'lockFile(a);\n'.repeat(40);
  const files = {
    'src/aa.ts': uses,
    'src/store.ts': 'export function lockFile(path: string) {\n}\n',
    'test/lockFile.test.ts': uses,
  };
  expect(pathsOf(scanned('lockFile', files))).toEqual(['src/store.ts', 'src/aa.ts', 'test/lockFile.test.ts']);
});

test('the lines of a window hold the word', () => {
  const lines = Array.from({ length: 400 }, (_, at) => (at === 250 ? 'here is the zeppelin' : `line number ${at}`));
  const [hit] = scanned('zeppelin', { 'a.ts': lines.join('\n') });
  expect(hit!.startLine).toBeLessThanOrEqual(251);
  expect(hit!.endLine).toBeGreaterThanOrEqual(251);
  expect(hit!.endLine - hit!.startLine).toBeLessThan(100);
  expect(scanned('zeppelin', { 'a.ts': 'zeppelin' })).toMatchObject([{ startLine: 1, endLine: 1 }]);
});

test('a question without words has no answer', () => {
  expect(createScan('?!')).toBeNull();
  expect(scanned('zeppelin', { 'a.ts': 'zeppelin' }, 0)).toEqual([]);
});

test('files on disk: what is binary, gone or outside is left out', async () => {
  const repository = await createTemporaryRepository(
    { 'a.ts': 'zeppelin\n', 'b.bin': 'zeppelin\0', 'c.ts': 'nothing\n' },
    { git: false },
  );
  onTestFinished(() => repository.dispose());
  const tree = createSourceTree(repository.dir);
  expect(pathsOf(scanFiles(tree, ['a.ts', 'b.bin', 'c.ts', 'gone.ts', '../outside.ts'], 'zeppelin', 5))).toEqual([
    'a.ts',
  ]);
});
