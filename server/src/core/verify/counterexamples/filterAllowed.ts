// Checks with the compiler whether the declared types allow the calls of a counterexample. A call that TypeScript
// rejects shows no defect.

import { ts } from 'ts-morph';
import type { SourceTree } from '../../ports/sources.ts';
import type { CheckedFile, OpenFile } from '../differential/planDifferential.ts';
import type { Counterexample } from './plan.ts';
import { findDeclarationFile } from './declaredTypes.ts';
import { JAVASCRIPT_PATTERN } from '../../paths/scriptFiles.ts';

/** Name of the file in which calls are checked if the types are in a declaration file, which cannot contain calls. */
const CALLS_FILE = '__selfware_calls.ts';

/**
 * Compiler errors in calls that are usual in JavaScript: an unknown name or member (such as a function that is a
 * property of another function), a missing argument (comments rarely state which ones are optional), an unlisted
 * option, or a call of a value that may be undefined.
 */
const UNCOMPILED_CODES: ReadonlySet<number> = new Set([2304, 2339, 2353, 2551, 2552, 2554, 2555, 2561, 2722]);

/** A function, and calls of it. */
export type CheckedCalls = Pick<Counterexample, 'path' | 'name' | 'exportedAs' | 'calls'>;

/** A file whose text can be replaced. */
export interface EditableFile extends CheckedFile {
  setText(text: string): void;
  readonly service: Pick<ts.LanguageService, 'getProgram' | 'getSyntacticDiagnostics' | 'getSemanticDiagnostics'>;
  readonly fileName: string;
}

/**
 * The counterexamples whose calls the compiler accepts without error under the repository's own settings. `asInTests`:
 * also accepts what tests in JavaScript do although comments do not allow it, such as omitting arguments.
 */
export function filterAllowed<Kind extends CheckedCalls>(
  counterexamples: readonly Kind[],
  tree: SourceTree,
  openFile: OpenFile<EditableFile>,
  asInTests = false,
): readonly Kind[] {
  const root = tree.rootDir.replaceAll('\\', '/');
  const allowed = new Set<CheckedCalls>();
  for (const path of new Set(counterexamples.map((counterexample) => counterexample.path))) {
    const counterexamplesInFile = counterexamples.filter((counterexample) => counterexample.path === path);
    const { file, text } = createCheckedFile(path, counterexamplesInFile, root, tree);
    const openedFile = openFile(tree, file, text);
    const ignoredCodes = asInTests && JAVASCRIPT_PATTERN.test(file) ? UNCOMPILED_CODES : new Set<number>();
    for (const counterexample of counterexamplesInFile)
      if (compilerAccepts(openedFile, text, counterexample.calls, ignoredCodes)) allowed.add(counterexample);
  }
  return counterexamples.filter((counterexample) => allowed.has(counterexample));
}

/**
 * The file to whose text the calls are appended: the file itself or, if a declaration file states its types, a new file
 * that imports the functions.
 */
function createCheckedFile(path: string, counterexamples: readonly CheckedCalls[], root: string, tree: SourceTree) {
  const text = tree.read(`${root}/${path}`) ?? '';
  const declared = findDeclarationFile(path, root, tree);
  if (!declared) {
    // The calls use a name for the default export that the file itself may not contain.
    const exportNames = counterexamples
      .filter(({ exportedAs, name }) => exportedAs === 'default' && !new RegExp(`\\b${name}\\b`).test(text))
      .map(({ name }) => `import ${name} from './${path.slice(path.lastIndexOf('/') + 1)}';`);
    return { file: `${root}/${path}`, text: [text, ...new Set(exportNames), ''].join('\n') };
  }
  const names = [...new Map(counterexamples.map(({ name, exportedAs }) => [name, exportedAs]))];
  const folder = declared.path.slice(0, declared.path.lastIndexOf('/') + 1);
  // The specifier by which the compiler finds the declaration file.
  const module = declared.path.slice(folder.length).replace(/\.d\.([cm]?)ts$/, '.$1js');
  const imports = names.map(([name, exportedAs]) => `import { ${exportedAs} as ${name} } from './${module}';`);
  return { file: `${root}/${folder}${CALLS_FILE}`, text: `${imports.join('\n')}\n` };
}

/**
 * True if the compiler finds no errors in these calls except the `ignoredCodes` ones. `text`: the text of the file before
 * the calls.
 */
function compilerAccepts(
  openedFile: EditableFile,
  text: string,
  calls: readonly string[],
  ignoredCodes: ReadonlySet<number>,
): boolean {
  const lines = calls.map((call) => `  void (${call});`);
  openedFile.setText(`${text}\n;(async () => {\n${lines.join('\n')}\n});\n`);
  const problems = [
    ...openedFile.service.getSyntacticDiagnostics(openedFile.fileName),
    ...openedFile.service.getSemanticDiagnostics(openedFile.fileName),
  ];
  return !problems.some(
    ({ start, category, code }) =>
      category === ts.DiagnosticCategory.Error && (start ?? 0) >= text.length && !ignoredCodes.has(code),
  );
}
