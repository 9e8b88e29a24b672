// Finds the function that gets a characterization test, and creates a text in which only this function is changed.

import { ts } from 'ts-morph';
import type { Opportunity } from '../../model.ts';
import { findExportedDeclaration } from '../exports/exportedDeclaration.ts';
import { collectDescendants, findSpan } from '../syntax/locate.ts';
import { parseSource } from '../syntax/parse.ts';

/** The function that gets a characterization test. */
export interface TestedFunction {
  readonly name: string;
  /** The text with an additional statement in the function, so that a comparison finds only this function changed. */
  readonly touchedText: string;
}

/**
 * Finds the function at an opportunity. Refuses unless it is an exported function with a block as its body and not a
 * member of a class.
 */
export function findSubject(opportunity: Opportunity, text: string): TestedFunction | { readonly refused: string } {
  const sourceFile = parseSource(opportunity.path, text);
  if (!sourceFile) return { refused: 'Tests are written for TypeScript and JavaScript only.' };
  const span = findSpan(sourceFile, opportunity.nameRange);
  const declaration = span && findExportedDeclaration(sourceFile, span, opportunity.symbol);
  const body =
    declaration &&
    [declaration.node, ...collectDescendants(declaration.node)].find(
      (node): node is ts.FunctionLikeDeclaration & { readonly body: ts.Block } =>
        ts.isFunctionLike(node) && 'body' in node && node.body !== undefined && ts.isBlock(node.body as ts.Node),
    )?.body;
  if (!declaration || !body || ts.isClassLike(declaration.node.parent))
    return { refused: 'There is no longer an exported function with a body here.' };
  const bodyStart = body.getStart(sourceFile) + 1;
  return { name: declaration.name, touchedText: `${text.slice(0, bodyStart)} debugger; ${text.slice(bodyStart)}` };
}
