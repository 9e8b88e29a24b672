// Reads from the syntax tree which names the code of each definition uses. The dependency graph between definitions is
// built from these names.

import type { Node, Tree } from 'web-tree-sitter';
import type { Language, SymbolInfo } from '../../model.ts';
import { readBindings } from '../graph/bindings.ts';
import { findLocalNames } from '../graph/localNames.ts';
import type { FileReferences } from '../../ports/catalogue.ts';

/** The types of leaf nodes that are names, in all grammars. */
const NAME_NODE_TYPES = [
  'identifier',
  'type_identifier',
  'property_identifier',
  'field_identifier',
  'shorthand_property_identifier',
  'shorthand_field_identifier',
  'private_property_identifier',
  'package_identifier',
  'namespace_identifier',
  'simple_identifier',
  'constant',
  'name',
  'alias',
  'word',
  'variable',
  'constructor',
  'instance_variable',
];

/** Words by which code refers to the enclosing object or class. */
const SELF_WORDS = new Set(['this', 'self', 'Self', 'cls', 'static']);
/** Languages in which a bare name is defined or imported in its file; all other bare names are local or built in. */
const CLOSED_LANGUAGES: ReadonlySet<string> = new Set(['typescript', 'tsx', 'javascript', 'python']);
/** Words that a grammar may parse as names although they refer to nothing. */
const NOT_REFERENCES = new Set([
  'this',
  'self',
  'Self',
  'cls',
  'super',
  'crate',
  'undefined',
  'None',
  'True',
  'False',
  'nil',
  'null',
  'true',
  'false',
  '_',
]);
/** Maximum number of different names that are kept for a definition. A definition that uses more is a table of data. */
const MAX_NAMES = 2_000;

/**
 * The names that code uses, as the code spells them, for each definition and for the code outside of definitions. If
 * the owner of a member is known, it comes first: `parse`, `paths.join` (`paths` is an import or a type), `this.run`,
 * `.get` (owner unknown). Numbers, strings, keywords and local names are skipped. In generated files only the imports
 * and exports are read.
 */
export function findNameReferences(
  tree: Tree,
  language: Language,
  text: string,
  symbols: readonly SymbolInfo[],
  isGenerated: boolean,
): FileReferences {
  const { bindings, exports, declares, types, skip: skippedRanges } = readBindings(tree, language, text);
  const fileScope = {
    bindings,
    exports,
    ...(declares.length > 0 ? { declares } : {}),
    ...(types.length > 0 ? { types } : {}),
  };
  if (isGenerated) return { ...fileScope, uses: [] };
  const lineStarts = collectStarts(text);
  const toOffset = (line: number, column: number) => lineStarts[line - 1]! + column - 1;
  const scopes: readonly Scope[] = symbols.map(({ range, nameRange, kind }, index) => ({
    index,
    from: toOffset(range.startLine, range.startColumn),
    to: toOffset(range.endLine, range.endColumn),
    nameOffset: toOffset(nameRange.startLine, nameRange.startColumn),
    isFunction: kind === 'function' || kind === 'method',
  }));
  const parents = findParentScopes(scopes);
  const symbolNames = new Set(scopes.map(({ nameOffset }) => nameOffset));
  const boundNames = new Set(bindings.map(([, , localName]) => localName));
  const headOf = (name: string) => name.slice(0, (name.indexOf('.') + 1 || name.length + 1) - 1);
  const heads = new Set([...boundNames].map(headOf));
  const declaredNames = new Set([...heads, ...symbols.map(({ name }) => name)]);
  const isClosed = CLOSED_LANGUAGES.has(language) && !boundNames.has('*');
  const hasMarks = language === 'ruby' || language === 'elixir';
  const hasArrows = language === 'c' || language === 'cpp' || language === 'php';
  const namesByScope: Set<string>[] = Array.from({ length: symbols.length + 1 }, () => new Set());
  const locals = collectLocals(tree, language, text, scopes);

  // In Go, a method chooses the name of its receiver, which stands for `this`.
  const receivers = scopes.map(({ from }) =>
    language === 'go' ? /^func\s*\(\s*(\w+)/.exec(text.slice(from, from + 100))?.[1] : undefined,
  );
  const isLocalIn = (name: string, scope: number) => isLocal(name, scope, locals, parents);

  /** The use of a bare name as it is stored; null if it is not a use. */
  const findBareUse = (node: Node, name: string, end: number, scope: number): string | null => {
    if (NOT_REFERENCES.has(name) || (isClosed && !declaredNames.has(name)) || isKey(node, text, end)) return null;
    if (name.startsWith('@')) return `this.${name.replace(/^@+/, '')}`;
    return isLocalIn(name, scope) ? null : name;
  };
  const hasKnownOwner = (chain: string, scope: number, dot: number): boolean =>
    !isLocalIn(headOf(chain), scope) &&
    (heads.has(headOf(chain)) || declaredNames.has(chain) || /^[A-Z]/.test(chain) || text[dot] === ':');
  /** The use of a member whose owner ends at `dot`; null for a member of a built-in. */
  const findMemberUse = (name: string, dot: number, chain: string | null, scope: number): string | null => {
    const receiver = findWordBefore(text, dot);
    const isSelf = SELF_WORDS.has(receiver) || (receiver !== '' && receivers[scope] === receiver);
    if (isSelf && !isMember(text, dot - receiver.length)) return `this.${name}`;
    if (chain !== null && hasKnownOwner(chain, scope, dot)) return `${chain}.${name}`;
    // `Math.max`, `Symbol.for`: the owner is neither defined nor imported here.
    if (isClosed && /^[A-Z]/.test(receiver) && !isMember(text, dot - receiver.length)) return null;
    return `.${name}`;
  };

  const addUse = (scope: number, use: string | null): void => {
    const scopeUses = namesByScope[scope < 0 ? symbols.length : scope]!;
    if (use !== null && scopeUses.size < MAX_NAMES) scopeUses.add(use);
  };

  const findScopeAt = createScopeFinder(scopes);
  const isSkipped = createSpanTest(skippedRanges);
  let previous: { readonly end: number; readonly chain: string | null } = { end: -1, chain: null };
  for (const node of tree.rootNode.descendantsOfType(NAME_NODE_TYPES)) {
    if (!node) continue;
    const start = node.startIndex;
    if (isSkipped(start)) continue;
    const name = readWord(text, start, hasMarks);
    if (name === '' || symbolNames.has(start)) continue;
    const scope = findScopeAt(start);
    const dot = findReceiverEnd(text, start, hasArrows);
    const end = start + name.length;
    if (dot === null) {
      addUse(scope, findBareUse(node, name, end, scope));
      previous = { end, chain: declaredNames.has(name) || !isClosed ? name : null };
    } else {
      const use = findMemberUse(name, dot, previous.end === dot ? previous.chain : null, scope);
      addUse(scope, use);
      previous = { end, chain: use === null || use.startsWith('.') || countDots(use) > 2 ? null : use };
    }
  }
  return { ...fileScope, uses: namesByScope.map((names) => [...names].sort().join(' ')) };
}

/** The names that each function declares itself; the last list is for code outside of all functions. */
function collectLocals(
  tree: Tree,
  language: Language,
  text: string,
  scopes: readonly Scope[],
): readonly ReadonlySet<string>[] {
  const locals: Set<string>[] = Array.from({ length: scopes.length + 1 }, () => new Set());
  const findScopeAt = createScopeFinder(scopes);
  const functions = scopes.filter(({ isFunction }) => isFunction);
  for (const [position, names] of findLocalNames(tree, language, text, functions)) {
    const scope = scopes[findScopeAt(position)];
    if (scope?.isFunction) for (const name of names) locals[scope.index]!.add(name);
  }
  return locals;
}

/** Returns a function that tests positions in the sorted spans. Call it with ascending positions. */
function createSpanTest(spans: readonly (readonly [start: number, end: number])[]): (position: number) => boolean {
  let index = 0;
  return (position) => {
    while (index < spans.length && spans[index]![1] <= position) index++;
    return index < spans.length && spans[index]![0] <= position;
  };
}

/** A definition in whose code names are used. */
interface Scope {
  readonly index: number;
  /** Offset at which the definition begins. */
  readonly from: number;
  /** Offset at which the definition ends. */
  readonly to: number;
  /** Offset of its name. */
  readonly nameOffset: number;
  readonly isFunction: boolean;
}

/** Returns a function that finds the innermost scope around a position, or -1. Call it with ascending positions. */
function createScopeFinder(scopes: readonly Scope[]): (position: number) => number {
  const sortedScopes = [...scopes].sort((a, b) => a.from - b.from || b.to - a.to);
  const openScopes: Scope[] = [];
  let nextScope = 0;
  return (position) => {
    while (nextScope < sortedScopes.length && sortedScopes[nextScope]!.from <= position)
      openScopes.push(sortedScopes[nextScope++]!);
    while (openScopes.length > 0 && openScopes.at(-1)!.to <= position) openScopes.pop();
    // If definitions overlap, a scope that has ended may be below one that has not.
    return openScopes.findLast(({ to }) => to > position)?.index ?? -1;
  };
}

/** True for a local name of this scope or of one around it: an inner function also sees the names of the outer one. */
function isLocal(name: string, scope: number, locals: readonly ReadonlySet<string>[], parents: Int32Array): boolean {
  for (let current = scope; current >= 0; current = parents[current]!) if (locals[current]!.has(name)) return true;
  return false;
}

/** The innermost other scope around each scope; -1 if there is none. */
function findParentScopes(scopes: readonly Scope[]): Int32Array {
  const parents = new Int32Array(scopes.length).fill(-1);
  const openScopes: Scope[] = [];
  for (const scope of [...scopes].sort((a, b) => a.from - b.from || b.to - a.to)) {
    while (openScopes.length > 0 && openScopes.at(-1)!.to < scope.to) openScopes.pop();
    parents[scope.index] = openScopes.at(-1)?.index ?? -1;
    openScopes.push(scope);
  }
  return parents;
}

/** True for a key, which is not a use of a name: `f(name=1)`, `{ name: 1 }`, `name: Type` in an object type. */
function isKey(node: Node, text: string, end: number): boolean {
  const after = text[end];
  if ((after === ':' || after === '(' || after === '?' || after === '=' || after === ' ') && isPropertyName(node))
    return true;
  return (
    after === '=' &&
    text[end + 1] !== '=' &&
    /[(,]\s*$/.test(text.slice(Math.max(0, node.startIndex - 20), node.startIndex))
  );
}

/**
 * True for the name of a property. Reading the type of a node costs a call into the parser, so this is called only if
 * the text does not decide.
 */
function isPropertyName(node: Node): boolean {
  return node.type === 'property_identifier' || node.type === 'private_property_identifier';
}

const WORD_PATTERN = /@{0,2}[\p{L}_$#][\p{L}\p{N}_$]*[?!]?/uy;

/**
 * The name that begins at an offset. `hasMarks`: true if a final `?` or `!` belongs to the name, as in Ruby's `valid?`.
 */
function readWord(text: string, start: number, hasMarks: boolean): string {
  WORD_PATTERN.lastIndex = start;
  const [name = ''] = WORD_PATTERN.exec(text) ?? [];
  return hasMarks ? name : name.replace(/[?!]$/, '');
}

/**
 * Offset at which the owner of a member ends (`a.b`, `a?.b`, `a->b`, `a::b`, `A\B`); null if the name is not a member.
 */
function findReceiverEnd(text: string, start: number, hasArrows: boolean): number | null {
  let offset = start - 1;
  while (offset >= 0 && isBlank(text.charCodeAt(offset))) offset--;
  const mark = text[offset];
  if (mark === '.') {
    if (text[offset - 1] === '.') return null;
    offset--;
    if (text[offset] === '?' || text[offset] === '!' || text[offset] === '&') offset--;
  } else if (hasArrows && mark === '>' && text[offset - 1] === '-') offset -= text[offset - 2] === '?' ? 3 : 2;
  else if (mark === ':' && text[offset - 1] === ':') offset -= 2;
  else if (mark === '\\') offset--;
  else return null;
  while (offset >= 0 && isBlank(text.charCodeAt(offset))) offset--;
  return offset + 1;
}

/** The word that ends at an offset, without a leading `$`. It reads at most eight characters, enough for `self`. */
function findWordBefore(text: string, end: number): string {
  let from = end;
  while (from > 0 && end - from < 8 && /[\w$]/.test(text[from - 1]!)) from--;
  return text.slice(from, end).replace(/^\$/, '');
}

function isMember(text: string, start: number): boolean {
  return findReceiverEnd(text, start, true) !== null && text[start - 1] === '.';
}

function countDots(use: string): number {
  let count = 0;
  for (let index = use.indexOf('.'); index >= 0; index = use.indexOf('.', index + 1)) count++;
  return count;
}

function isBlank(code: number): boolean {
  return code === 32 || code === 10 || code === 13 || code === 9;
}

function collectStarts(text: string): number[] {
  const starts = [0];
  for (let index = text.indexOf('\n'); index >= 0; index = text.indexOf('\n', index + 1)) starts.push(index + 1);
  return starts;
}
