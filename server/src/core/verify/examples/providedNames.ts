// Declares the names that an example in a comment uses without importing them. Their values are exports of its file or
// of its package.

import type { FreeName } from './freeNames.ts';

/** The file and the package to which a comment belongs. */
export interface CommentOrigin {
  /** The name of the script beside the program whose exports are documented; null if there is none to load. */
  readonly codeFile: string | null;
  /** The exports of the file: the name to read from the module, by the name that the documentation uses. */
  readonly exportedNames: ReadonlyMap<string, string>;
  /** The name of the package that may provide names; null if no package may. */
  readonly packageName: string | null;
}

/** Functions for the declarations in front of a program. */
const HELPERS = [
  // The members of the default export count, too: for CommonJS, they are the members of the module.
  'const exampleMembers = (module) => ({ ...Object(module.default), ...module });',
  // A CommonJS module that was compiled from an ES module has its default export in `default.default`.
  'const exampleDefault = (module) => module.default?.__esModule ? module.default.default : module.default;',
  // Nothing may be concluded from an example whose names have no value.
  `const exampleValue = (value, name) => {
    if (value === undefined) throw new ReferenceError(name + ' is not exported');
    return value;
  };`,
  // Another entry of the package may export another function of this name.
  `const exampleSame = (own, ofPackage, name) => {
    if (String(own) !== String(ofPackage)) throw new ReferenceError('the package exports another ' + name);
  };`,
];

/**
 * The lines in front of a program that declare the free names, or null if the meaning of a name is not certain. A name
 * of which only members are read stands for the package only if the file exports one of these members: in the
 * documentation of `add`, `R.add` names the package, and `user.name` does not.
 */
export function provideNames(freeNames: readonly FreeName[], origin: CommentOrigin): readonly string[] | null {
  if (freeNames.length === 0) return [];
  const { codeFile, exportedNames, packageName } = origin;
  const declarations: string[] = [];
  const packageLines: string[] = [];
  for (const { name, members } of freeNames) {
    const ownExports = codeFile === null ? new Map<string, string>() : exportedNames;
    const exportedAs = ownExports.get(name);
    if (exportedAs !== undefined) declarations.push(createDeclaration(name, createReadExpression(exportedAs, name)));
    else if (members?.every((member) => ownExports.has(member))) {
      const properties = members.map((member) => `${member}: ${createReadExpression(ownExports.get(member)!, member)}`);
      declarations.push(createDeclaration(name, `{ ${properties.join(', ')} }`));
    } else if (packageName === null) return null;
    else if (members === null)
      packageLines.push(createDeclaration(name, `exampleValue(examplePackage.${name}, '${name}')`));
    else if (members.some((member) => exportedNames.has(member)))
      packageLines.push(
        ...members.map((member) => `exampleValue(examplePackage.${member}, '${name}.${member}');`),
        createDeclaration(name, 'examplePackage'),
      );
    else return null;
  }
  const checks = packageLines.length > 0 && codeFile !== null ? createPackageChecks(freeNames, exportedNames) : [];
  if (checks === null) return null;
  const lines = [...checks, ...declarations, ...packageLines];
  return [
    ...(lines.some((line) => line.includes('exampleFile')) ? [`import * as exampleFile from './${codeFile}';`] : []),
    ...(packageLines.length > 0 ? [`import * as exampleModule from '${packageName}';`] : []),
    ...HELPERS,
    ...(packageLines.length > 0 ? ['const examplePackage = exampleMembers(exampleModule);'] : []),
    ...lines,
  ];
}

/**
 * Lines that throw if the package exports other functions than the file under the names that the example uses; null if
 * it uses none of the file's exports.
 */
function createPackageChecks(
  freeNames: readonly FreeName[],
  exportedNames: ReadonlyMap<string, string>,
): readonly string[] | null {
  const usedNames = freeNames.flatMap(({ name, members }) => [name, ...(members ?? [])]);
  const documentedNames = [...new Set(usedNames)].filter((name) => exportedNames.has(name));
  if (documentedNames.length === 0) return null;
  return documentedNames.map(
    (name) =>
      `exampleSame(${createReadExpression(exportedNames.get(name)!, name)}, examplePackage.${name}, '${name}');`,
  );
}

/** The expression that reads an export of the file. */
function createReadExpression(exportedAs: string, name: string): string {
  const value = exportedAs === 'default' ? 'exampleDefault(exampleFile)' : `exampleMembers(exampleFile).${exportedAs}`;
  return `exampleValue(${value}, '${name}')`;
}

/** A declaration of a constant as a line of code. */
function createDeclaration(name: string, value: string): string {
  return `const ${name} = ${value};`;
}
