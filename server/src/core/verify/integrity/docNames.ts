// Finds names in new documentation comments that nothing declares: parameters, links, thrown types and names in
// backquotes.

import { SCRIPT_PATTERN } from '../../paths/scriptFiles.ts';
import { ts } from 'ts-morph';
import type { FileEdit } from '../../model.ts';
import { collectNodesBelow } from '../../syntax/nodesBelow.ts';
import { isGlobalName } from './globalNames.ts';
import { findWrongParameters } from './docParameters.ts';

/** A name in a new comment. */
export interface DocName {
  readonly path: string;
  readonly name: string;
  /**
   * `param`: no parameter of the function has this name. `name`: neither the edited files nor the language contain it.
   */
  readonly kind: 'param' | 'name';
}

const FENCE_PATTERN = /```[\s\S]*?(?:```|$)/g;
const CODE_PATTERN = /(?<!`)`([^`\n]+)`(?!`)/g;
/**
 * Matches a name of several words in a form that only code uses, such as `computeTotal` and `ComputeTotal()`, but not
 * `GitHub`.
 */
const CODE_NAME = /^(?:[a-z][a-z\d]+(?:[A-Z]+[a-z\d]+)+|[A-Za-z][a-z\d]+(?:[A-Z]+[a-z\d]+)+(?=\(\)))[A-Z]*(?:\(\))?$/;
/** Matches the name of an error or type in `@throws`. */
const TYPE_NAME = /^[A-Z][\w$]*$/;
/** Matches the text after the name in a link: its label, or a call. */
const AFTER_LINK = /^(?:\(\))?(?:[\s|]|$)/;

/**
 * Names in comments that edits of scripts add, if they occur nowhere else in the edited files, and do not belong to the
 * language, Node or browsers. Only names that certainly refer to this code count: parameters, names in links, thrown
 * types, and names of several words in backquotes, all without a dot. Each name is listed once per file.
 */
export function collectUnknownDocNames(edits: readonly FileEdit[]): readonly DocName[] {
  const scripts = edits.filter(({ path }) => SCRIPT_PATTERN.test(path));
  const docsBefore = new Set<string>();
  const earlierDocWords = new Set<string>();
  for (const { path, before } of scripts)
    for (const doc of before === null ? [] : collectDocs(parse(path, before))) {
      const text = normalise(doc.getText());
      docsBefore.add(text);
      for (const word of listWords(text)) earlierDocWords.add(word);
    }
  const files = scripts.flatMap(({ path, after }) => (after === null ? [] : [{ path, source: parse(path, after) }]));
  const addedDocs = files.flatMap(({ path, source }) =>
    collectDocs(source)
      .filter((doc) => !docsBefore.has(normalise(doc.getText())))
      .map((doc) => ({ path, doc })),
  );
  if (addedDocs.length === 0) return [];
  const otherTexts = edits.filter((edit) => !scripts.includes(edit)).map(({ after }) => after ?? '');
  const texts = [...edits.map(({ path, before }) => `${path} ${before ?? ''}`), ...otherTexts];
  const knownWords = new Set([...files.flatMap(({ source }) => collectWords(source)), ...texts.flatMap(listWords)]);
  const foundNames = new Map<string, DocName>();
  const add = (entry: DocName) => foundNames.set(`${entry.path} ${entry.name}`, entry);
  for (const { path, doc } of addedDocs) {
    for (const name of findWrongParameters(doc)) if (!earlierDocWords.has(name)) add({ path, name, kind: 'param' });
    for (const name of collectNames(doc))
      if (!knownWords.has(name) && !isGlobalName(name)) add({ path, name, kind: 'name' });
  }
  return [...foundNames.values()];
}

function parse(path: string, text: string): ts.SourceFile {
  return ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, /x$/.test(path) ? ts.ScriptKind.TSX : undefined);
}

function collectDocs(source: ts.SourceFile): readonly ts.JSDoc[] {
  return collectNodesBelow(source).flatMap((node) => (node as { readonly jsDoc?: readonly ts.JSDoc[] }).jsDoc ?? []);
}

/** The text of a comment without its layout, so that a comment that only moved is not new. */
function normalise(text: string): string {
  return text.replace(/[\s*]+/g, ' ');
}

function listWords(text: string): readonly string[] {
  return text.match(/[\w$]+/g) ?? [];
}

/** All names in the code, the words of all its strings, and the names that its comments declare. */
function collectWords(source: ts.SourceFile): readonly string[] {
  const words: string[] = [];
  for (const node of collectNodesBelow(source))
    if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) words.push(node.text.replace(/^#/, ''));
    else if (ts.isLiteralExpression(node) || ts.isTemplateLiteralToken(node) || ts.isJsxText(node))
      words.push(...listWords(node.text));
  for (const doc of collectDocs(source)) for (const tag of doc.tags ?? []) words.push(...listDeclaredNames(tag));
  return words;
}

/** The names that a tag declares, in JavaScript with types in comments. */
function listDeclaredNames(tag: ts.JSDocTag): readonly string[] {
  if (ts.isJSDocTemplateTag(tag)) return tag.typeParameters.map(({ name }) => name.text);
  if (!ts.isJSDocTypedefTag(tag) && !ts.isJSDocCallbackTag(tag)) return [];
  return listWords(tag.getText());
}

/** The names in links, thrown types and backquotes of a comment that certainly refer to this code. */
function collectNames(doc: ts.JSDoc): readonly string[] {
  const names: string[] = [];
  const pending: ts.Node[] = [doc];
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (ts.isJSDocLink(node) || ts.isJSDocLinkCode(node) || ts.isJSDocLinkPlain(node)) {
      if (node.name && ts.isIdentifier(node.name) && AFTER_LINK.test(node.text)) names.push(node.name.text);
    } else if (ts.isJSDocThrowsTag(node)) {
      const type = node.typeExpression?.type;
      if (type && ts.isTypeReferenceNode(type) && TYPE_NAME.test(type.typeName.getText()))
        names.push(type.typeName.getText());
    }
    ts.forEachChild(node, (child) => void pending.push(child));
  }
  for (const [, code = ''] of doc.getText().replace(FENCE_PATTERN, '').matchAll(CODE_PATTERN))
    if (CODE_NAME.test(code)) names.push(code.replace('()', ''));
  return names;
}
