// Decides which PHP files of a Composer library its users can load: the manifest names the folders of classes, and the
// text of a file shows which class it defines.

import { posix } from 'node:path';
import { isInFolder } from './config/packageConfig.ts';
import type { ProjectConfig } from './config/projectConfig.ts';

/** A PHP file of the repository with its text. */
interface PhpFile {
  readonly path: string;
  readonly text: string;
}

/**
 * True for a file that the manifest lists in `files`. Also true for a file in a class folder that defines the class of
 * its name (in the namespace that PSR-4 expects), unless another part of the manifest names that class. See
 * https://getcomposer.org/doc/04-schema.md#autoload.
 */
export function isAutoloaded({ path, text }: PhpFile, libraries: ProjectConfig['phpLibraries']): boolean {
  if (!path.endsWith('.php')) return false;
  const name = posix.basename(path, '.php');
  return libraries.some(({ files, folders, classes, namedClassTexts }) => {
    const isNamed = (space: string) =>
      namedClassTexts.some((entry) => entry.includes(space === '' ? name : `${space}\\${name}`));
    if (files.includes(path)) return true;
    const space = namespaceOf(text);
    if (!definesType(text, name) || isNamed(space)) return false;
    return (
      classes.some((index) => isInFolder(path, index)) ||
      folders.some(({ prefix, dir }) => isInFolder(path, dir) && space === expectedNamespaceOf(path, prefix, dir))
    );
  });
}

/** The namespace that PSR-4 expects in a file at this path. */
function expectedNamespaceOf(path: string, prefix: string, folder: string): string {
  const relativeFolder = posix.relative(folder, posix.dirname(path)).replaceAll('/', '\\');
  return [prefix.replace(/\\$/, ''), relativeFolder].filter((part) => part !== '').join('\\');
}

function namespaceOf(text: string): string {
  return /^(?:<\?php[ \t]+)?namespace[ \t]+([\w\\]+)[ \t]*[;{]/m.exec(text)?.[1] ?? '';
}

function definesType(text: string, name: string): boolean {
  const types = text.matchAll(/^(?:(?:abstract|final|readonly)[ \t]+){0,3}(?:class|interface|trait|enum)[ \t]+(\w+)/gm);
  return [...types].some(([, defined]) => defined === name);
}
