// Decides whether a folder with a name such as `vendor` or `dist` belongs to the product. It does if its files import
// code around the folder, which other people's code rarely does.

import { posix } from 'node:path';
import { MAYBE_OTHERS, VENDOR_FOLDER } from './table/others.ts';

/** Matches strings that look like specifiers of relative modules: `'../cart'`, `"./a.h"`. */
const RELATIVE_PATTERN = /['"](\.\.?\/[^'"\n]{1,300})['"]/g;
/**
 * Matches a relative import of Python such as `from ...cart import x`. One dot means the package itself, and each
 * further dot one folder up.
 */
const PYTHON_PATTERN = /^[ \t]{0,40}from (\.{2,20})[\w.]{0,200} import\b/gm;
/** Matches imports by name: `import app.orders`, `use App\Orders`, `alias Shop.Orders`, `using Shop.Orders`. */
const NAMED_PATTERN =
  /^[ \t]{0,40}(?:import|from|use|using|alias|require|include)\b[ \t]{1,20}(?:static[ \t])?["'(]{0,3}([\w./\\:@-]{1,200})/gm;
/** Names of folders that do not show to which project the code belongs. */
const COMMON_NAMES = new Set([
  'src',
  'lib',
  'app',
  'main',
  'java',
  'kotlin',
  'com',
  'org',
  'net',
  'io',
  'js',
  'static',
  'public',
  'assets',
  'packages',
  'python',
  'go',
  'internal',
]);
/** Matches the extensions of data files. Vendored code may also import data from beside its folder. */
const DATA_PATTERN = /\.(json|css|scss|less|svg|png|wasm|txt|md)$/i;
/**
 * Minimum share of the files of a folder that import code around it. If fewer do, somebody may only have adapted the
 * code.
 */
const MIN_SHARE = 0.1;

/** The folder of the path that may contain other people's code, judged by its name; null if there is none. */
export function findPossiblyForeignFolder(path: string): string | null {
  const match = MAYBE_OTHERS.exec(path);
  return match && path.slice(0, match.index + match[0].length - 1);
}

/** True if the text imports code around the folder, which suggests that it was written for the product. */
export function importsCodeAround(path: string, folder: string, text: string): boolean {
  const isInFolder = (target: string) => target === folder || target.startsWith(`${folder}/`);
  for (const [, specifier] of text.matchAll(RELATIVE_PATTERN)) {
    const target = posix.join(posix.dirname(path), specifier!);
    if (
      !target.startsWith('..') &&
      !isInFolder(target) &&
      !DATA_PATTERN.test(target) &&
      target !== '.' &&
      target !== '..'
    )
      return true;
  }
  for (const [, dots] of text.matchAll(PYTHON_PATTERN))
    if (path.split('/').length - 1 - (dots!.length - 1) < folder.split('/').length) return true;
  const outerNames = new Set(
    folder
      .split('/')
      .slice(0, -1)
      .map(normaliseName)
      .filter((part) => part.length > 2 && !COMMON_NAMES.has(part)),
  );
  if (outerNames.size === 0) return false;
  const ownName = normaliseName(folder.slice(folder.lastIndexOf('/') + 1));
  for (const [, importedName] of text.matchAll(NAMED_PATTERN)) {
    const parts = importedName!.split(/[./\\:]+/).map(normaliseName);
    if (
      parts.some(
        (part, index) => outerNames.has(part) && parts[index + 1] !== undefined && parts[index + 1] !== ownName,
      )
    )
      return true;
  }
  return false;
}

/**
 * The folders called `vendor` that belong to the product: at least a tenth of their files with imports import code from
 * outside of the folder. `imports`: the paths of the imported files by the path of the importing file, for the whole
 * repository.
 */
export function findOwnVendorFolders(imports: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const countsByFolder = new Map<string, { files: number; out: number }>();
  for (const [path, targets] of imports) {
    const folder = VENDOR_FOLDER.exec(path)?.[1];
    if (folder === undefined) continue;
    const count = countsByFolder.get(folder) ?? { files: 0, out: 0 };
    count.files += 1;
    if (targets.some((target) => !target.startsWith(`${folder}/`))) count.out += 1;
    countsByFolder.set(folder, count);
  }
  return [...countsByFolder]
    .filter(([, { files, out }]) => out > 0 && out >= files * MIN_SHARE)
    .map(([folder]) => folder)
    .sort();
}

/** The name without case and separators, so that `my_app` and `MyApp` are equal. */
function normaliseName(name: string): string {
  return name.replaceAll(/[_@-]/g, '').toLowerCase();
}
