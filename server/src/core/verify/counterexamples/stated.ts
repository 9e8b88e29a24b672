// Recognises finds that the tests of the repository state: what a test expects is meant.

import { posix } from 'node:path';
import type { SourceTree } from '../../ports/sources.ts';
import { testsOf } from '../differential/planDifferential.ts';
import type { Counterexample } from './plan.ts';

/** True if the tests beside the file make all calls that show the find, with the same arguments. */
export function isStated({ path, stated = [] }: Pick<Counterexample, 'path' | 'stated'>, tree: SourceTree): boolean {
  const root = tree.rootDir.replaceAll('\\', '/');
  const tests = testsOf(path, tree, root).map((test) => test.getText());
  // Small packages often have one `test.js` beside their `index.js`.
  const only = tree.read(posix.join(root, posix.dirname(path), 'test.js')) ?? '';
  const texts = [...tests, only].map(plain);
  return stated.length > 0 && stated.every((call) => texts.some((text) => text.includes(plain(call))));
}

/** Code without its layout, with one kind of quote. */
function plain(code: string): string {
  return code.replaceAll(/\s+/g, '').replaceAll(/['`]/g, '"');
}
