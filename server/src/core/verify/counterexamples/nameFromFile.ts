// Names a default export after its file.

import { posix } from 'node:path';

/** A name for an anonymous default export, made from the name of its file: `src/to-words.ts` → `toWords`. */
export function nameFromFile(fileName: string): string {
  const file = posix.basename(fileName).replace(/(\.d)?\.[cm]?[jt]sx?$/, '');
  const stem = file === 'index' ? posix.basename(posix.dirname(fileName)) : file;
  const words = stem.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  const name = words.map((word, index) => (index === 0 ? word : word[0]!.toUpperCase() + word.slice(1))).join('');
  return /^[A-Za-z]/.test(name) && name !== 'default' ? name : 'subject';
}
