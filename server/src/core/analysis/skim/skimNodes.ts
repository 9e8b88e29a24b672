// Questions about a node of a lazily read tree.

import { behindTrivia } from '../script/leadingComments.ts';
import type { LazyNode } from './lazyTree.ts';

export function isFunction(node: LazyNode | null): boolean {
  return node !== null && (node.type === 'ArrowFunctionExpression' || node.type === 'FunctionExpression');
}

/** A value without the parentheses around it. */
export function skipParentheses(node: LazyNode): LazyNode {
  let inner = node;
  while (inner.type === 'ParenthesizedExpression') inner = inner['expression'];
  return inner;
}

/** A value without what says nothing of its own: parentheses, `as`, `satisfies`. */
export function skipClothes(node: LazyNode): LazyNode {
  let inner = node;
  while (inner.type === 'ParenthesizedExpression' || inner.type === 'TSAsExpression' || inner.type === 'TSSatisfiesExpression') inner = inner['expression'];
  return inner;
}

/** Logical operators below a root, in the order of the text; parentheses are looked through. */
export function logicalOperators(root: LazyNode): readonly LazyNode[] {
  const found: LazyNode[] = [];
  const pending: { readonly node: LazyNode; readonly emit: boolean }[] = [{ node: root, emit: false }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const node = next.emit ? next.node : skipParentheses(next.node);
    if (next.emit) found.push(node);
    else if (node.type === 'LogicalExpression') pending.push({ node: node['right'], emit: false }, { node, emit: true }, { node: node['left'], emit: false });
  }
  return found;
}

/** `?.` in a chain: those of chains in its arguments and in its parentheses are their own. */
export function optionalLinks(chain: LazyNode): number {
  let links = 0;
  for (let node: LazyNode | null = chain['expression']; node; ) {
    if (node['optional'] === true) links++;
    switch (node.type) {
      case 'CallExpression':
        node = node['callee'];
        break;
      case 'StaticMemberExpression':
      case 'ComputedMemberExpression':
      case 'PrivateFieldExpression':
        node = node['object'];
        break;
      case 'TSNonNullExpression':
      case 'TSInstantiationExpression':
        node = node['expression'];
        break;
      default:
        node = null;
    }
  }
  return links;
}

const QUOTED = /'(?:[^'\\]|\\[^])*'|"(?:[^"\\]|\\[^])*"/y;

/** Where the directives of a body end, which the tree does not show: texts before its first statement. `from`: behind its brace. */
export function directivesOf(text: string, body: LazyNode, from: number): readonly number[] {
  const ends: number[] = [];
  for (let at = behindTrivia(text, from); text[at] === "'" || text[at] === '"'; at = behindTrivia(text, at)) {
    const [first] = body['body'] as readonly LazyNode[];
    if (first && first.start <= at) break;
    QUOTED.lastIndex = at;
    if (!QUOTED.test(text)) break;
    const behind = behindTrivia(text, QUOTED.lastIndex);
    ends.push((at = text[behind] === ';' ? behind + 1 : QUOTED.lastIndex));
  }
  return ends;
}

/** Where the code of a file may begin. */
export function behindHashbang(text: string): number {
  return text.startsWith('#!') ? text.search(/[\n\r\u2028\u2029]|$/) : 0;
}
