// Collects the licences of everything that ships: of each package that is in a bundle or is shipped as files, with the
// text of its licence. scripts/packageVsix.mjs and scripts/packageNpm.mjs write the result.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';

/** The licences of packages that may ship in a product under the MIT licence. */
const PERMISSIVE_LICENCES = new Set([
  'MIT',
  'MIT-0',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'Apache-2.0',
  'Unlicense',
  'CC0-1.0',
  'CC-BY-4.0',
  'BlueOak-1.0.0',
  'Zlib',
  'Python-2.0',
]);

/**
 * The folders of the packages among the inputs of a bundle: `node_modules/a/b.js` → `node_modules/a`. Nested copies
 * count separately.
 */
export function findPackageFolders(inputs) {
  const folders = inputs.flatMap((path) => {
    const parts = path.split(/[\\/]/);
    const folderIndex = parts.lastIndexOf('node_modules');
    if (folderIndex < 0) return [];
    return [
      parts
        .slice(0, folderIndex + (parts[folderIndex + 1]?.startsWith('@') ? 3 : 2))
        .join(sep)
        .replace(/^.*?(?=node_modules)/, ''),
    ];
  });
  return [...new Set(folders)].sort();
}

/**
 * The notices of these packages. `folders`: paths of packages relative to `root`. Throws if the licence of a package is
 * missing or does not permit shipping.
 */
export function createNotices(root, folders) {
  const entries = folders
    .map((folder) => readPackage(root, folder))
    .sort((left, right) => (left.name < right.name ? -1 : 1));
  const notPermitted = entries.filter(({ licence }) => !isPermissive(licence));
  if (notPermitted.length)
    throw new Error(
      `No licence that may ship: ${notPermitted.map(({ name, licence }) => `${name} (${licence})`).join(', ')}`,
    );
  const list = entries.map(({ name, version, licence }) => `${name} ${version} (${licence})`);
  const texts = entries.map(
    ({ name, version, licence, text }) => `${'='.repeat(80)}\n${name} ${version} (${licence})\n\n${text.trim()}\n`,
  );
  return {
    entries,
    text: `Selfware contains parts of these packages, each under its own licence.\n\n${list.join('\n')}\n\n${texts.join('\n')}`,
  };
}

/** The name, version, licence and licence text of a package. */
function readPackage(root, folder) {
  const { name, version, license, licenses, author } = JSON.parse(
    readFileSync(join(root, folder, 'package.json'), 'utf8'),
  );
  const licence =
    typeof license === 'string'
      ? license
      : (license?.type ?? licenses?.map(({ type }) => type).join(' OR ') ?? 'unknown');
  const files = readdirSync(join(root, folder)).filter(
    (file) => /^(licen[cs]e|copying|notice)/i.test(file) && !/\.(js|ts|json)$/.test(file),
  );
  const authorText = typeof author === 'string' ? author : (author?.name ?? `the authors of ${name}`);
  const text =
    files.map((file) => readFileSync(join(root, folder, file), 'utf8')).join('\n') ||
    `Copyright ${authorText}. The package brings no text of its licence along; it is ${licence} by its manifest.`;
  return { name, version, licence, text };
}

/** True if a licence expression permits shipping: of `A OR B`, one licence must permit it; of `A AND B`, both. */
function isPermissive(expression) {
  return expression
    .replace(/[()]/g, '')
    .split(/ OR /i)
    .some((choice) => choice.split(/ AND /i).every((licence) => PERMISSIVE_LICENCES.has(licence.trim())));
}

/** The folder of the installed package with this name, relative to `root`; null if it is not installed. */
export function findInstalledFolder(root, name) {
  const folder = join('node_modules', name);
  return existsSync(join(root, folder, 'package.json')) ? folder : null;
}
