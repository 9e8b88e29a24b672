// Finds names in new documentation comments that nothing declares: parameters, links, thrown types and names in
// backquotes.

import { ts } from 'ts-morph';
import type { FileEdit } from '../../model.ts';
import { collectNodesBelow } from '../../syntax/nodesBelow.ts';
import { isDeclaredByLanguage } from '../../../util/values/standardNames.ts';

/** A name in a new comment. */
export interface DocName {
  readonly path: string;
  readonly name: string;
  /** `param`: no parameter of the function has this name. `name`: neither the edited files nor the language have it. */
  readonly kind: 'param' | 'name';
}

const SCRIPT_PATTERN = /\.[cm]?[jt]sx?$/;
const CODE_PATTERN = /`([^`\n]+)`/g;
/** Matches a name, a member or a call, such as `total`, `cart.total` or `total()`. */
const NAME_PATTERN = /^#?[A-Za-z_$][\w$]*(?:[.#][A-Za-z_$][\w$]*)*(?:\(\))?$/;
/**
 * Matches names that only code has: with small letters and capitals, or with an underscore. Other words may be values,
 * codes of errors or plain English.
 */
const CODE_NAME = /[_$]|[a-z][A-Z]|[A-Z][^A-Z]*[a-z]/;
/** Matches a file name, which is no name of the code. */
const FILE_PATTERN = /\.(?:[cm]?[jt]sx?|json|md|ya?ml|toml|html?|css|py|go|rs|java|txt|lock|env|sh)$/i;

/**
 * Names in comments that edits of scripts add, if they stand neither in the code of the edited files nor in their
 * comments before, and the language does not declare them. Each name once for each file.
 */
export function collectUnknownDocNames(edits: readonly FileEdit[]): readonly DocName[] {
  const scripts = edits.filter(({ path }) => SCRIPT_PATTERN.test(path));
  const docsBefore = new Set<string>();
  const earlierWords = new Set<string>();
  for (const { path, before } of scripts)
    for (const doc of before === null ? [] : collectDocs(parse(path, before))) {
      const text = normalise(doc.getText());
      docsBefore.add(text);
      for (const word of wordsOf(text)) earlierWords.add(word);
    }
  const files = scripts.flatMap(({ path, after }) => (after === null ? [] : [{ path, source: parse(path, after) }]));
  const added = files.flatMap(({ path, source }) =>
    collectDocs(source)
      .filter((doc) => !docsBefore.has(normalise(doc.getText())))
      .map((doc) => ({ path, doc })),
  );
  if (added.length === 0) return [];
  const codeWords = new Set(files.flatMap(({ source }) => collectWords(source)));
  const foreignNames = new Set(files.flatMap(({ source }) => collectForeignNames(source)));
  const isKnown = (name: string) => codeWords.has(name) || earlierWords.has(name) || isDeclaredByLanguage(name);
  // Nobody here knows the members of what the language or a package has.
  const checkedParts = ([root = '', ...members]: readonly string[]) =>
    isDeclaredByLanguage(root) || foreignNames.has(root) ? [] : [root, ...members];
  const found = new Map<string, DocName>();
  const add = (entry: DocName) => found.set(`${entry.path} ${entry.name}`, entry);
  for (const { path, doc } of added) {
    for (const name of findWrongParameters(doc)) if (!earlierWords.has(name)) add({ path, name, kind: 'param' });
    for (const name of collectNames(doc).flatMap(checkedParts)) if (!isKnown(name)) add({ path, name, kind: 'name' });
  }
  return [...found.values()];
}

function parse(path: string, text: string): ts.SourceFile {
  return ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, /x$/.test(path) ? ts.ScriptKind.TSX : undefined);
}

function collectDocs(source: ts.SourceFile): readonly ts.JSDoc[] {
  return collectNodesBelow(source).flatMap((node) => (node as { readonly jsDoc?: readonly ts.JSDoc[] }).jsDoc ?? []);
}

/** The text of a comment without its layout, so that a comment that only moves is not new. */
function normalise(text: string): string {
  return text.replace(/[\s*]+/g, ' ');
}

function wordsOf(text: string): readonly string[] {
  return text.match(/[\w$]+/g) ?? [];
}

/** All names and the words of all texts in the code, and what its comments declare. */
function collectWords(source: ts.SourceFile): readonly string[] {
  const words: string[] = [];
  for (const node of collectNodesBelow(source))
    if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) words.push(node.text.replace(/^#/, ''));
    else if (ts.isLiteralExpression(node) || ts.isTemplateLiteralToken(node) || ts.isJsxText(node))
      words.push(...wordsOf(node.text));
  for (const doc of collectDocs(source)) for (const tag of doc.tags ?? []) words.push(...declaredNames(tag));
  return words;
}

/** The names that a tag declares, as JavaScript with types in comments has them. */
function declaredNames(tag: ts.JSDocTag): readonly string[] {
  if (ts.isJSDocTemplateTag(tag)) return tag.typeParameters.map(({ name }) => name.text);
  if (!ts.isJSDocTypedefTag(tag) && !ts.isJSDocCallbackTag(tag)) return [];
  return wordsOf(tag.getText());
}

/** The names of `@param` tags that no parameter has. Empty if the comment belongs to no function. */
function findWrongParameters(doc: ts.JSDoc): readonly string[] {
  const parameters = findParameters(doc.parent);
  if (parameters === null) return [];
  const patterns = parameters.map(({ name }) => (ts.isIdentifier(name) ? null : new Set(collectBound(name))));
  const names = new Set(parameters.flatMap(({ name }) => (ts.isIdentifier(name) ? [name.text] : collectBound(name))));
  const members = new Set(patterns.flatMap((pattern) => [...(pattern ?? [])]));
  const tags = (doc.tags ?? []).flatMap((tag) => (ts.isJSDocParameterTag(tag) ? [tag.name.getText().split('.')] : []));
  const roots = [...new Set(tags.map(([root = '']) => root))];
  return tags.flatMap(([root = '', member]) => {
    if (names.has(root) || root === '' || root === 'this') return [];
    // A destructured parameter has no name, so its comment chooses one: by its position, or by a member that it has.
    const isChosen =
      patterns[roots.indexOf(root)] != null || tags.some(([name, inner]) => name === root && members.has(inner ?? ''));
    if (!isChosen) return [root];
    return member === undefined || members.has(member) ? [] : [member];
  });
}

/** The parameters of the function that a comment is about; null if it is about something else. */
function findParameters(host: ts.Node): readonly ts.ParameterDeclaration[] | null {
  if (ts.isFunctionLike(host)) return host.parameters as readonly ts.ParameterDeclaration[];
  const value = ts.isVariableStatement(host)
    ? host.declarationList.declarations[0]?.initializer
    : ts.isPropertyAssignment(host) || ts.isPropertyDeclaration(host) || ts.isVariableDeclaration(host)
      ? host.initializer
      : ts.isTypeAliasDeclaration(host)
        ? host.type
        : undefined;
  return value !== undefined && ts.isFunctionLike(value)
    ? (value.parameters as readonly ts.ParameterDeclaration[])
    : null;
}

function collectBound(pattern: ts.BindingName): readonly string[] {
  return collectNodesBelow(pattern).flatMap((node) => (ts.isIdentifier(node) ? [node.text] : []));
}

/** The names that a file imports from packages. */
function collectForeignNames(source: ts.SourceFile): readonly string[] {
  return source.statements.flatMap((statement) =>
    ts.isImportDeclaration(statement) &&
    ts.isStringLiteral(statement.moduleSpecifier) &&
    !statement.moduleSpecifier.text.startsWith('.') &&
    statement.importClause
      ? collectNodesBelow(statement.importClause).flatMap((node) => (ts.isIdentifier(node) ? [node.text] : []))
      : [],
  );
}

/** The names in links, types and backquotes of a comment, each as its parts. */
function collectNames(doc: ts.JSDoc): readonly (readonly string[])[] {
  const names: (readonly string[])[] = [];
  const pending: ts.Node[] = [doc];
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (ts.isJSDocLink(node) || ts.isJSDocLinkCode(node) || ts.isJSDocLinkPlain(node)) {
      // The compiler reads the scheme of an address as a name.
      if (node.name && !/^:/.test(node.text)) names.push(partsOf(node.name.getText()));
    } else if (ts.isTypeReferenceNode(node)) names.push(partsOf(node.typeName.getText()));
    ts.forEachChild(node, (child) => void pending.push(child));
  }
  for (const [, code = ''] of doc.getText().matchAll(CODE_PATTERN))
    if (NAME_PATTERN.test(code) && !FILE_PATTERN.test(code) && isCodeName(code)) names.push(partsOf(code));
  return names;
}

function isCodeName(code: string): boolean {
  return CODE_NAME.test(code) || /[.()#]/.test(code);
}

function partsOf(name: string): readonly string[] {
  return name.split(/[^\w$]+/).filter((part) => part !== '');
}
