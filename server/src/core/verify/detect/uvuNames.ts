// Makes uvu name its tests, and run only some files. The default report of uvu only has a mark for each test, and names
// only those that fail.

import { posix } from 'node:path';

/** The beginning of a line about one test; JSON follows. */
export const UVU_LINE = '[selfware-uvu] ';

/**
 * Program that runs in each Node process of the command, and acts only in the process of uvu: whenever uvu writes the
 * mark of a test, it adds a line with the test's name. The running suite is the one whose state names a test. If this
 * version of Node lacks `registerHooks`, tests that `import` uvu have no names.
 */
const PROGRAM = `
import nodeModule from 'node:module';
const { argv, stdout } = globalThis.process;
const program = argv[1] ?? '';
if (/[\\\\/](?:uvu[\\\\/]bin\\.js|\\.bin[\\\\/]uvu)$/.test(program)) {
  const states = new Set();
  // All who \`require\` the package share this object, also those that load it past Node's own loader.
  const own = nodeModule.createRequire(program)('uvu');
  const { suite } = own;
  own.suite = (name, state = {}) => (states.add(state), suite(name, state));
  own.test = own.suite();
  nodeModule.registerHooks?.({
    resolve: (specifier, context, next) =>
      specifier === 'uvu' && !context.conditions.includes('require')
        ? { url: 'selfware-uvu:', format: 'module', shortCircuit: true }
        : next(specifier, context),
    load(address, context, next) {
      if (address !== 'selfware-uvu:') return next(address, context);
      globalThis.__selfwareUvu = own;
      const source = 'export const { suite, test, exec } = globalThis.__selfwareUvu;';
      return { format: 'module', source, shortCircuit: true };
    },
  });
  const { write } = stdout;
  stdout.write = function (text, ...more) {
    const mark = /^(?:\\x1b\\[\\d+m)*([\\u2022\\u2718]) (?:\\x1b\\[\\d+m)*$/.exec(text)?.[1];
    if (!mark) return write.call(this, text, ...more);
    // A test may have no name.
    const state = [...states].find(({ __test__ }) => __test__) ?? {};
    const test = JSON.stringify({ suite: state.__suite__, name: state.__test__ ?? '', passed: mark === '\\u2022' });
    return write.call(this, text + '\\n${UVU_LINE}' + test + '\\n', ...more);
  };
}
`;

/** The option of Node with which uvu names its tests. */
export const UVU_NAMES_OPTION = `--import=data:text/javascript,${encodeURIComponent(PROGRAM)}`;

/** The arguments, a folder and a pattern, with which uvu runs only these files. */
export function createUvuArguments(files: readonly string[]): readonly string[] {
  const [folderParts = []] = files.map((file) => file.split('/').slice(0, -1));
  const prefixes = folderParts.map((_, index) => `${folderParts.slice(0, index + 1).join('/')}/`);
  const prefix = prefixes.findLast((candidate) => files.every((file) => file.startsWith(candidate))) ?? '';
  const names = files.map((file) => file.slice(prefix.length));
  const escapedNames = names.map((name) => name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return [prefix === '' ? '.' : prefix.slice(0, -1), `^(?:${escapedNames.join('|')})$`];
}

/**
 * The given files that uvu itself would run with its arguments (a folder and a pattern). Other files in the folder may
 * be programs, such as benchmarks.
 */
export function selectUvuFiles(files: readonly string[], [folder, pattern]: readonly string[]): readonly string[] {
  const prefix = posix.join(folder ?? '.', '/').replace(/^\.\//, '');
  if (pattern === undefined) return files.filter((file) => file.startsWith(prefix));
  try {
    const wantedPattern = new RegExp(pattern, 'i');
    return files.filter((file) => file.startsWith(prefix) && wantedPattern.test(file.slice(prefix.length)));
  } catch {
    return files;
  }
}
