// Compares files while ignoring comments and white space: by their tokens, or by the tree that their tokens form.

import { ts } from 'ts-morph';

/**
 * Lists the texts of the tokens in order, without comments and without the nodes that `skip` accepts. JSX text is
 * included with its white space.
 */
export function listTokenTexts(root: ts.Node, skip: (node: ts.Node) => boolean = () => false): string[] {
  const sourceFile = root.getSourceFile();
  const tokens: string[] = [];
  const visit = (node: ts.Node): void => {
    if (skip(node)) return;
    if (isDoc(node)) return;
    const children = node.getChildren(sourceFile);
    if (children.length === 0) {
      const text = node.kind === ts.SyntaxKind.JsxText ? node.getFullText(sourceFile) : node.getText(sourceFile);
      if (text) tokens.push(text);
      return;
    }
    children.forEach(visit);
  };
  visit(root);
  return tokens;
}

/**
 * A comparable form of the program, without the nodes that `skip` accepts: its `#!` line, and its tokens with the kinds
 * of the nodes that contain them. Programs with equal forms behave alike. Programs with equal tokens may differ: a line
 * break after `return`, before `++` or after `async` changes the program (ECMA-262, 12.10).
 */
export function normaliseProgram(sourceFile: ts.SourceFile, skip: (node: ts.Node) => boolean = () => false): string {
  const parts: string[] = [readShebang(sourceFile)];
  const visit = (node: ts.Node): void => {
    if (skip(node) || isDoc(node)) return;
    const children = node.getChildren(sourceFile);
    if (children.length === 0) {
      // An empty list has no text and can be omitted.
      const text = node.kind === ts.SyntaxKind.JsxText ? node.getFullText(sourceFile) : node.getText(sourceFile);
      if (text) parts.push(text);
      return;
    }
    parts.push(`<${node.kind}`);
    children.forEach(visit);
    parts.push('>');
  };
  visit(sourceFile);
  return parts.join('\0');
}

/** The `#!` line, which names the program that runs the file; empty if there is none. */
export function readShebang({ text }: ts.SourceFile): string {
  return /^#!.*/.exec(text)?.[0] ?? '';
}

/** True if both files have the same tokens. */
export function areSameTokens(a: ts.SourceFile, b: ts.SourceFile): boolean {
  return listTokenTexts(a).join('\0') === listTokenTexts(b).join('\0');
}

/**
 * Names that compiled code uses although its source does not: those of module wrappers, JSX and async functions, and
 * the globals in the helpers of TypeScript and Babel.
 */
const IMPLICIT_NAMES = new RegExp(
  `^(?:${[
    'require|module|exports|React|createElement|h|Fragment|jsxs?|_.*|tslib\\w*|regeneratorRuntime|globalThis|self|window|global',
    'Object|Function|Array|String|Number|Boolean|Symbol|BigInt|Promise|Reflect|Proxy|Date|RegExp|JSON|Math|Iterator',
    'Map|Set|WeakMap|WeakSet|WeakRef|ArrayBuffer|DataView|\\w+Array|AsyncIterator|AsyncGenerator|console',
    '\\w*Error|undefined|NaN|Infinity|isNaN|isFinite|parseInt|parseFloat|setTimeout|arguments',
  ].join('|')})$`,
);

/**
 * True if the new file is a module that only adds unexported top-level functions, interfaces or type aliases to the old
 * one. The old file must not mention their names or `eval`, and the names must not be among `IMPLICIT_NAMES`.
 */
export function addsDeclarationsOnly(oldFile: ts.SourceFile, changedFile: ts.SourceFile): boolean {
  const oldNames = new Set(oldFile.statements.map(findUnexportedName));
  const tokensOfOld = new Set(listTokenTexts(oldFile));
  const addedStatements = changedFile.statements.filter((statement) => {
    const name = findUnexportedName(statement);
    // A new declaration would capture a name that the old file already uses.
    return name !== null && !oldNames.has(name) && !tokensOfOld.has(name) && !IMPLICIT_NAMES.test(name);
  });
  if (addedStatements.length === 0 || !ts.isExternalModule(changedFile) || tokensOfOld.has('eval')) return false;
  return (
    normaliseProgram(changedFile, (node) => addedStatements.includes(node as ts.Statement)) ===
    normaliseProgram(oldFile)
  );
}

/** The name of a function, interface or type alias; null for other statements, and if it is exported or `declare`d. */
function findUnexportedName(statement: ts.Statement): string | null {
  const isDeclaration =
    ts.isFunctionDeclaration(statement) || ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement);
  if (!isDeclaration || !statement.name) return null;
  return statement.modifiers?.some(
    ({ kind }) => kind === ts.SyntaxKind.ExportKeyword || kind === ts.SyntaxKind.DeclareKeyword,
  )
    ? null
    : statement.name.text;
}

function isDoc(node: ts.Node): boolean {
  return node.kind >= ts.SyntaxKind.FirstJSDocNode && node.kind <= ts.SyntaxKind.LastJSDocNode;
}
