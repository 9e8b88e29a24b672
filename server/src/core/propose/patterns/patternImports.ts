// Adds the imports that a replacement needs and that the file lacks.

import { ts } from 'ts-morph';
import { toModulePath } from '../../syntax/moduleOf.ts';
import { insertImport, formatImportStatement, createSpecifier } from '../exports/importStatements.ts';
import type { OpenedFile } from '../applyRecipe.ts';
import type { Replacement } from '../textEdit.ts';

/** Extensions that an import specifier may omit. */
const SCRIPT_EXTENSIONS = ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs', '.d.ts'];

/** True for the origin of a name that another file can import. */
export function isImportable(origin: string): boolean {
  return origin.startsWith('module:') || origin.startsWith('file:');
}

/**
 * Creates the imports of these names as replacements, or refuses with the reason why they are impossible. `names`:
 * origins by name, such as `module:lodash#get`.
 */
export function createImports(
  names: ReadonlyMap<string, string>,
  openedFile: OpenedFile,
): readonly Replacement[] | { readonly refused: string } {
  const imports: Replacement[] = [];
  if (
    names.size > 0 &&
    !openedFile.sourceFile.statements.some(ts.isImportDeclaration) &&
    isCommonJs(openedFile.sourceFile)
  )
    return { refused: `${[...names.keys()].join(', ')} would have to be required here.` };
  for (const [name, origin] of names) {
    const [, kind = '', modulePath = '', exportedName = ''] = /^(\w+):(.*)#(.*)$/.exec(origin) ?? [];
    const specifier = kind === 'module' ? modulePath : createFileSpecifier(modulePath, openedFile);
    if (specifier === null) return { refused: `The file that exports ${name} was not found.` };
    imports.push(createImport(name, exportedName, specifier, openedFile));
  }
  return imports;
}

function isCommonJs({ text }: ts.SourceFile): boolean {
  return /\brequire\(|\bmodule\.exports\b/.test(text);
}

/**
 * The specifier of a file that is given without extension; null if there is no such file, or if it is the importing
 * file.
 */
function createFileSpecifier(module: string, { path, tree, sourceFile }: OpenedFile): string | null {
  const rootDir = tree.rootDir.replaceAll('\\', '/');
  const file = SCRIPT_EXTENSIONS.flatMap((end) => [
    module + end,
    `${module}${module === '' ? '' : '/'}index${end}`,
  ]).find((candidate) => tree.fileExists(`${rootDir}/${candidate}`));
  return file === undefined || toModulePath(file) === toModulePath(path)
    ? null
    : createSpecifier(sourceFile, path, file, tree);
}

/**
 * Creates the replacement that adds the name to an existing import of the same module, or adds a new import statement.
 */
function createImport(
  name: string,
  exportedName: string,
  specifier: string,
  { sourceFile, style, text }: OpenedFile,
): Replacement {
  const bindings = sourceFile.statements.flatMap((statement) =>
    ts.isImportDeclaration(statement) &&
    ts.isStringLiteral(statement.moduleSpecifier) &&
    statement.moduleSpecifier.text === specifier &&
    statement.importClause?.isTypeOnly === false &&
    statement.importClause.namedBindings &&
    ts.isNamedImports(statement.importClause.namedBindings)
      ? [statement.importClause.namedBindings]
      : [],
  )[0];
  const isNamed = exportedName !== '*' && exportedName !== 'default';
  const lastSpecifier = bindings?.elements.at(-1);
  if (isNamed && lastSpecifier) {
    const importSpecifier = exportedName === name ? name : `${exportedName} as ${name}`;
    return { start: lastSpecifier.end, end: lastSpecifier.end, text: `, ${importSpecifier}` };
  }
  const importedName =
    exportedName === name ? { name, isType: false } : { name: exportedName, localName: name, isType: false };
  const quotedSpecifier = style.quote + specifier + style.quote + (style.semicolons ? ';' : '');
  const statement = isNamed
    ? formatImportStatement([importedName], specifier, style)
    : `import ${exportedName === '*' ? `* as ${name}` : name} from ${quotedSpecifier}`;
  return insertImport(sourceFile, statement, text.includes('\r\n') ? '\r\n' : '\n');
}
