// Reads the named definitions of a file from its syntax tree.

import type { Node, Tree } from 'web-tree-sitter';
import type { Language, Range, SymbolInfo } from '../../model.ts';
import { bashRules } from '../outlineRules/bash.ts';
import { cRules } from '../outlineRules/c.ts';
import { csharpRules } from '../outlineRules/csharp.ts';
import { ecmaScriptRules } from '../outlineRules/ecmaScript.ts';
import { elixirRules } from '../outlineRules/elixir.ts';
import { goRules } from '../outlineRules/go.ts';
import { haskellRules } from '../outlineRules/haskell.ts';
import { javaRules } from '../outlineRules/java.ts';
import { kotlinRules } from '../outlineRules/kotlin.ts';
import { luaRules } from '../outlineRules/lua.ts';
import { phpRules } from '../outlineRules/php.ts';
import { pythonRules } from '../outlineRules/python.ts';
import { rubyRules } from '../outlineRules/ruby.ts';
import type { AncestorNode, Definition, OutlineRules, OutlineScope } from '../outlineRules/rule.ts';
import { rustRules } from '../outlineRules/rust.ts';
import { scalaRules } from '../outlineRules/scala.ts';
import { swiftRules } from '../outlineRules/swift.ts';
import { zigRules } from '../outlineRules/zig.ts';

const RULES_BY_LANGUAGE: Readonly<Record<Language, OutlineRules>> = {
  typescript: ecmaScriptRules,
  tsx: ecmaScriptRules,
  javascript: ecmaScriptRules,
  python: pythonRules,
  rust: rustRules,
  go: goRules,
  java: javaRules,
  c: cRules,
  cpp: cRules,
  ruby: rubyRules,
  php: phpRules,
  csharp: csharpRules,
  scala: scalaRules,
  elixir: elixirRules,
  swift: swiftRules,
  bash: bashRules,
  lua: luaRules,
  kotlin: kotlinRules,
  haskell: haskellRules,
  zig: zigRules,
};

/** Maximum number of definitions. A data file can have many more; the others are still found through the chunks. */
const MAX_SYMBOLS = 20_000;

/** A node that the walk has not visited yet. */
interface PendingNode {
  readonly node: Node;
  /** An upper bound of the node's end; its exact end would cost a call into the parser. */
  readonly end: number;
  readonly scope: OutlineScope;
  /** The enclosing node; null for a body. */
  readonly above: AncestorNode | null;
  /** True if its children are visited whatever its type is. */
  readonly isBody: boolean;
  /** True if it can contain a definition only if its text contains one of `bodies.markers`. */
  readonly needsBody: boolean;
}

/** Returns the text of a line. Lines are counted from 1. */
type LineOf = (line: number) => string;

/**
 * The definitions in text order, at most `MAX_SYMBOLS`. Of broken code, returns the definitions that can be
 * recognised.
 */
export function parseOutline(tree: Tree, language: Language, text: string): SymbolInfo[] {
  const rules = RULES_BY_LANGUAGE[language];
  let lines: readonly string[] | null = null;
  const lineOf = (line: number): string => (lines ??= text.split('\n'))[line - 1] ?? '';
  const symbols: SymbolInfo[] = [];
  const root: OutlineScope = { names: [], kind: null, inFunction: false, exported: rules.exportedByDefault ?? false };
  const { bodies } = rules;
  const mayDefine = bodies ? createFinder(text, bodies.markers) : () => true;
  // An explicit stack, because recursion would overflow for a tree of 100,000 levels.
  const pending: PendingNode[] = [
    {
      node: tree.rootNode,
      end: text.length,
      scope: addHiddenDefinitions(root, tree.rootNode, rules),
      above: null,
      isBody: true,
      needsBody: false,
    },
  ];
  while (pending.length > 0 && symbols.length < MAX_SYMBOLS) {
    const { node, end, scope, above, isBody, needsBody } = pending.pop()!;
    if (needsBody && !mayDefine(node.startIndex, end)) continue;
    const type = isBody ? '' : node.type;
    const isExpression = bodies !== undefined && bodies.nodeTypes.has(type);
    if (isExpression && !mayDefine(node.startIndex, end)) continue;
    const definitions = isBody ? null : rules.readDefinitions(node, scope, type, above);
    if (definitions && 'enter' in definitions) {
      pushChildren(
        pending,
        { node: definitions.node, type: definitions.node === node ? type : definitions.node.type, enclosing: null },
        end,
        addHiddenDefinitions(definitions.enter, definitions.node, rules),
        false,
      );
    } else if (definitions) {
      for (const definition of definitions) symbols.push(toSymbol(definition, scope, lineOf));
      // Only the first definition can have a body, because a node with several names (`a, b = 1, 2`) has no body.
      const [first] = definitions;
      if (first?.bodyNode)
        pending.push({
          node: first.bodyNode,
          end,
          scope: addHiddenDefinitions(createInnerScope(scope, first), first.bodyNode, rules),
          above: null,
          isBody: true,
          needsBody: bodies !== undefined,
        });
    } else if (isBody || rules.containers.has(type)) {
      pushChildren(pending, { node, type, enclosing: above }, end, scope, isExpression);
    }
  }
  const exportedNames = rules.exportedNames?.(text);
  const allSymbols =
    exportedNames && symbols.length > 0
      ? symbols.map((symbol) => (exportedNames.has(symbol.path) ? { ...symbol, exported: true } : symbol))
      : symbols;
  return allSymbols.sort(
    (a, b) =>
      a.range.startLine - b.range.startLine ||
      a.range.startColumn - b.range.startColumn ||
      a.nameRange.startLine - b.nameRange.startLine ||
      a.nameRange.startColumn - b.nameRange.startColumn,
  );
}

/** The range of a node: lines and columns from 1, columns in UTF-16 units. */
function getNodeRange(node: Node): Range {
  const { startPosition: start, endPosition: end } = node;
  return { startLine: start.row + 1, startColumn: start.column + 1, endLine: end.row + 1, endColumn: end.column + 1 };
}

/**
 * Pushes the children of a node in reverse order, so that the first is popped first. The upper bound of a child's end
 * is the start of the next child, and `end` for the last child.
 */
function pushChildren(
  pending: PendingNode[],
  above: AncestorNode,
  end: number,
  scope: OutlineScope,
  needsBody: boolean,
): void {
  const children = above.node.namedChildren;
  let to = end;
  for (let index = children.length - 1; index >= 0; index--) {
    const child = children[index]!;
    pending.push({ node: child, end: to, scope, above, isBody: false, needsBody });
    to = child.startIndex;
  }
}

/**
 * Returns a function that tests whether one of the signs is between two offsets. It must be called with ascending
 * values of `from`, so that the text is searched only once.
 */
function createFinder(text: string, signs: readonly string[]): (from: number, to: number) => boolean {
  const nextIndexes = signs.map(() => -1);
  return (from, to) => {
    for (let signIndex = 0; signIndex < signs.length; signIndex++) {
      if (nextIndexes[signIndex]! < from) {
        const index = text.indexOf(signs[signIndex]!, from);
        nextIndexes[signIndex] = index < 0 ? Number.MAX_SAFE_INTEGER : index;
      }
      if (nextIndexes[signIndex]! < to) return true;
    }
    return false;
  };
}

function toSymbol(definition: Definition, scope: OutlineScope, lineOf: LineOf): SymbolInfo {
  return {
    name: definition.name,
    path: [...scope.names, ...(definition.qualifiers ?? []), definition.name].join('.'),
    kind: definition.kind,
    range: excludeLastBreak(getFullRange(definition), lineOf),
    nameRange: getNodeRange(definition.nameNode),
    exported: definition.exported,
  };
}

/**
 * The range from the start of `from` to the end of `to`. It reads no other positions, because each costs a call into
 * the parser.
 */
function getFullRange({ node, from = node, to = node }: Definition): Range {
  const { startPosition: start } = from;
  const { endPosition: end } = to;
  return { startLine: start.row + 1, startColumn: start.column + 1, endLine: end.row + 1, endColumn: end.column + 1 };
}

/** Ends the range before its last line break: some nodes, such as preprocessor lines, include the break after them. */
function excludeLastBreak(range: Range, lineOf: LineOf): Range {
  if (range.endColumn > 1 || range.endLine === range.startLine) return range;
  return { ...range, endLine: range.endLine - 1, endColumn: lineOf(range.endLine - 1).replace(/\r$/, '').length + 1 };
}

/** The scope with the definitions that statements of `body` hide. */
function addHiddenDefinitions(scope: OutlineScope, body: Node, rules: OutlineRules): OutlineScope {
  return rules.findHidden ? { ...scope, hiddenDefinitions: rules.findHidden(body) } : scope;
}

function createInnerScope(scope: OutlineScope, definition: Definition): OutlineScope {
  return {
    names: [...scope.names, ...(definition.qualifiers ?? []), definition.name],
    kind: definition.kind,
    inFunction: scope.inFunction || isFunctionLike(definition),
    exported: definition.exported,
  };
}

function isFunctionLike(definition: Definition): boolean {
  return definition.kind === 'function' || definition.kind === 'method' || definition.kind === 'macro';
}
