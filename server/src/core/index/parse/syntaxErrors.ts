// Finds the syntax errors in the syntax tree of a text, and describes them in sentences.

import type { Node, Tree } from 'web-tree-sitter';

/** Maximum number of errors of one text that are described. */
const MAX_SENTENCES = 20;

/** One sentence for each place that does not parse, in text order, at most 20; empty if the text parses. */
export function findSyntaxErrors(tree: Tree): string[] {
  if (!tree.rootNode.hasError) return [];
  const sentences: string[] = [];
  const pending: Node[] = [tree.rootNode];
  while (pending.length > 0 && sentences.length < MAX_SENTENCES) {
    const node = pending.pop()!;
    const position = `line ${node.startPosition.row + 1}, column ${node.startPosition.column + 1}`;
    if (node.isMissing) sentences.push(`“${node.type}” is missing at ${position}.`);
    else if (node.isError) sentences.push(`Unexpected ${quoteFirstLine(node.text)} at ${position}.`);
    else {
      const errorNodes = node.children.filter(
        (child): child is Node => child !== null && (child.hasError || child.isMissing),
      );
      pending.push(...errorNodes.reverse());
    }
  }
  // A tree may report an error without its position.
  return sentences.length > 0 ? sentences : ['The text does not parse.'];
}

function quoteFirstLine(text: string): string {
  const line = text.split('\n', 1)[0]!.trim();
  return line === '' ? 'text' : `“${line.length > 40 ? `${line.slice(0, 40)}…` : line}”`;
}
