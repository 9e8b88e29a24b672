// Checks with the compiler whether the declared types allow the steps of a test, in a separate file that imports the
// exports.

import { posix } from 'node:path';
import { ts } from 'ts-morph';
import type { SourceTree } from '../../ports/sources.ts';
import type { EditableFile } from '../counterexamples/filterAllowed.ts';
import type { OpenFile } from '../differential/planDifferential.ts';
import type { CallStep } from '../guard/distinguishingCalls.ts';
import type { ImportedExport } from './plan.ts';

/** The name of the file in which steps are checked, without its extension. The file is never written. */
const STEPS_FILE = '__selfware_steps';

/** The steps of a call, and the names of the functions that they pass to record their calls. */
interface Steps {
  readonly steps: readonly CallStep[];
  readonly recorders?: readonly string[];
}

/** For each array of steps, true if the compiler accepts it. `path`: the file next to which the steps are checked. */
export function checkSteps(
  path: string,
  lists: readonly Steps[],
  tree: SourceTree,
  openFile: OpenFile<EditableFile>,
): readonly boolean[] {
  if (lists.length === 0) return [];
  const root = tree.rootDir.replaceAll('\\', '/');
  const folder = posix.dirname(path);
  const extension = posix.extname(path).replace('x', '');
  const file = `${root}/${posix.join(folder, `${STEPS_FILE}${extension}`)}`;
  let openedFile: EditableFile | null = null;
  return lists.map(({ steps, recorders = [] }) => {
    const neededExports = collectImportsOfSteps(steps);
    // One name for two exports would make a false import.
    if (new Set(neededExports.map(({ name }) => name)).size < neededExports.length) return false;
    const importLines = neededExports.map((importedExport) => `${formatImport(importedExport, folder)}\n`).join('');
    const recorderLines = recorders.map((name) => `  const ${name} = () => {};\n`).join('');
    const body = steps.map(({ before, imported, after }) => `  ${before}${imported?.name ?? ''}${after};\n`).join('');
    const text = `${importLines};(async () => {\n${recorderLines}${body}});\n`;
    openedFile ??= openFile(tree, file, text);
    openedFile.setText(text);
    const { service, fileName } = openedFile;
    return ![...service.getSyntacticDiagnostics(fileName), ...service.getSemanticDiagnostics(fileName)].some(
      ({ category }) => category === ts.DiagnosticCategory.Error,
    );
  });
}

/** The exports that the steps need, each once. */
function collectImportsOfSteps(steps: readonly CallStep[]): readonly ImportedExport[] {
  const importedExports = steps.flatMap(({ imported }) => (imported ? [imported] : []));
  return [
    ...new Map(
      importedExports.map((importedExport) => [
        JSON.stringify([importedExport.path, importedExport.exportedAs, importedExport.name]),
        importedExport,
      ]),
    ).values(),
  ];
}

function formatImport({ path, name, exportedAs }: ImportedExport, folder: string): string {
  // With its extension, which some ways of module resolution require and the others accept.
  const relative = posix.relative(folder, path).replace(/\.([cm]?)tsx?$/, '.$1js');
  const from = relative.startsWith('.') ? relative : `./${relative}`;
  const names = exportedAs === 'default' ? name : `{ ${exportedAs === name ? name : `${exportedAs} as ${name}`} }`;
  return `import ${names} from '${from}';`;
}
