// Decides whether a change only turns `let` into `const`. The compiler proves it, because it reports every write to a
// constant.

import { ts } from 'ts-morph';
import { createOneFileHost } from '../../syntax/oneFileHost.ts';
import { hasDynamicNames } from './scopes.ts';

/**
 * Diagnostic codes of the compiler: a write to a constant (2588), and a constant without a value (1155; for a pattern,
 * 1182).
 */
const WRONG_CONSTANT = new Set([2588, 1155, 1182]);
const EMITTED_FILE = '/emitted.js';

/**
 * The JavaScript `before` with `const` wherever `after` has `const` for `let`, if nothing writes to these names.
 * Returns `before` unchanged if something writes to one of them, or if the two texts differ in anything else.
 * `isModule`: true if the source is a module, so that no other script sees its names.
 */
export function adoptConstants(before: string, after: string, isModule: boolean): string {
  const [oldFile, newFile] = [parse(before), parse(after)];
  const [oldLists, newLists] = [collectLists(oldFile), collectLists(newFile)];
  if (oldLists.length !== newLists.length) return before;
  let text = before;
  for (let index = oldLists.length - 1; index >= 0; index--) {
    const declarationList = oldLists[index]!;
    if (
      getBlockScopeFlags(declarationList) !== ts.NodeFlags.Let ||
      getBlockScopeFlags(newLists[index]!) !== ts.NodeFlags.Const
    )
      continue;
    if (!isModule && ts.isSourceFile(declarationList.parent.parent)) return before;
    const start = declarationList.getStart(oldFile);
    text = `${text.slice(0, start)}const${text.slice(start + 'let'.length)}`;
  }
  return text === after && !hasUnsafeConstants(newFile) ? text : before;
}

function parse(code: string): ts.SourceFile {
  return ts.createSourceFile(EMITTED_FILE, code, ts.ScriptTarget.Latest, true, ts.ScriptKind.JSX);
}

function collectLists(sourceFile: ts.SourceFile): readonly ts.VariableDeclarationList[] {
  const lists: ts.VariableDeclarationList[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclarationList(node)) lists.push(node);
    ts.forEachChild(node, visit);
  };
  visit(sourceFile);
  return lists;
}

function getBlockScopeFlags(declarationList: ts.VariableDeclarationList): ts.NodeFlags {
  return declarationList.flags & ts.NodeFlags.BlockScoped;
}

/**
 * True if the code does not parse, writes to a constant, leaves a constant without a value, or may write to a name in a
 * hidden way (see `hasDynamicNames`).
 */
function hasUnsafeConstants(sourceFile: ts.SourceFile): boolean {
  const program = ts.createProgram({
    rootNames: [EMITTED_FILE],
    options: {
      noLib: true,
      noResolve: true,
      noEmit: true,
      types: [],
      allowJs: true,
      checkJs: true,
      jsx: ts.JsxEmit.Preserve,
      target: ts.ScriptTarget.Latest,
      module: ts.ModuleKind.ESNext,
    },
    host: createOneFileHost(sourceFile),
  });
  if (program.getSyntacticDiagnostics(sourceFile).length > 0) return true;
  return (
    program.getSemanticDiagnostics(sourceFile).some(({ code }) => WRONG_CONSTANT.has(code)) ||
    hasDynamicNames(sourceFile)
  );
}
