// index-loop: finds loops that count only to read a list element by element.

import { ts } from 'ts-morph';
import { parseIndexLoop } from '../../syntax/indexLoops.ts';
import type { Finding } from '../finding.ts';
import type { NodeFinder } from '../finders.ts';

export const finder: NodeFinder = { nodes: [ts.SyntaxKind.ForStatement], find: findIndexLoop };

/** Reports a loop that only reads the elements of a list in their order. `node` is a `for` statement. */
function findIndexLoop(node: ts.Node, sourceFile: ts.SourceFile): Finding | null {
  const loop = parseIndexLoop(node as ts.ForStatement);
  if (!loop) return null;
  const start = node.getStart(sourceFile);
  const listText = loop.list.getText(sourceFile);
  return {
    rule: 'index-loop',
    start,
    end: node.end,
    nameStart: start,
    nameEnd: (node as ts.ForStatement).statement.getStart(sourceFile),
    impact: 12,
    confidence: 0.7,
    message: `\`${loop.index}\` only counts through \`${listText}\`: \`for … of\` gives the elements themselves.`,
    evidence: { reads: loop.reads.length },
    recipe: 'for-of',
    identity: listText,
  };
}
