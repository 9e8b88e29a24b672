// Gives an example in a comment the names that it uses without importing them: what its file exports, or its package.

import { posix } from 'node:path';
import type { FreeName } from './freeNames.ts';

/** The file and the package to which a comment belongs. */
export interface CommentOrigin {
  readonly path: string;
  /** See `readExportedNames`. Null for type declarations, which cannot be loaded. */
  readonly exportedNames: ReadonlyMap<string, string> | null;
  /** Names that the file declares as exported, loadable or not. */
  readonly documentedNames: ReadonlySet<string>;
  /** The name of the package; null if it has none. */
  readonly packageName: string | null;
}

/** Merges a namespace with the members of its default export, which is the whole module for CommonJS. */
const MERGE = 'const exampleMembers = (module) => ({ ...Object(module.default), ...module });';
/** The default export, also of a CommonJS module that was compiled from an ES module. */
const READ_DEFAULT =
  'const exampleDefault = (module) => module.default?.__esModule ? module.default.default : module.default;';
/** Throws if a name has no value: nothing may be concluded from such an example. */
const REQUIRE_VALUE =
  'const exampleValue = (value, name) => { if (value === undefined) throw new ReferenceError(`${name} is not exported`); return value; };';

/**
 * The lines in front of a program that declare the free names, or null if one of them means something unknown. A name of
 * which only members are read stands for the package only if the file exports one of these members: in the
 * documentation of `add`, `R.add` names the package, and `user.name` does not.
 */
export function provideNames(
  freeNames: readonly FreeName[],
  { path, exportedNames, documentedNames, packageName }: CommentOrigin,
): readonly string[] | null {
  if (freeNames.length === 0) return [];
  const declarations: string[] = [];
  let needsPackage = false;
  for (const { name, members } of freeNames) {
    const exportedAs = exportedNames?.get(name);
    if (exportedAs !== undefined) declarations.push(declare(name, read(exportedAs, name)));
    else if (members !== null && exportedNames && members.every((member) => exportedNames.has(member)))
      declarations.push(
        declare(
          name,
          `{ ${members.map((member) => `${member}: ${read(exportedNames.get(member)!, member)}`).join(', ')} }`,
        ),
      );
    else if (packageName === null) return null;
    else if (members === null) {
      needsPackage = true;
      declarations.push(declare(name, `exampleValue(examplePackage.${name}, '${name}')`));
    } else if (members.some((member) => documentedNames.has(member))) {
      needsPackage = true;
      const checks = members.map((member) => `exampleValue(examplePackage.${member}, '${name}.${member}');`);
      declarations.push(...checks, declare(name, 'examplePackage'));
    } else return null;
  }
  const usesFile = declarations.some((line) => line.includes('exampleFile'));
  return [
    ...(usesFile ? [`import * as exampleFile from './${posix.basename(path)}';`] : []),
    ...(needsPackage ? [`import * as exampleModule from '${packageName}';`] : []),
    MERGE,
    READ_DEFAULT,
    REQUIRE_VALUE,
    ...(needsPackage ? ['const examplePackage = exampleMembers(exampleModule);'] : []),
    ...declarations,
  ];
}

/** The expression that reads an export of the file. */
function read(exportedAs: string, name: string): string {
  const value = exportedAs === 'default' ? 'exampleDefault(exampleFile)' : `exampleMembers(exampleFile).${exportedAs}`;
  return `exampleValue(${value}, '${name}')`;
}

function declare(name: string, value: string): string {
  return `const ${name} = ${value};`;
}
