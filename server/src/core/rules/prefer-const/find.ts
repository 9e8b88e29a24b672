// prefer-const: finds a `let` whose variables are never assigned again.

import { ts } from 'ts-morph';
import { findAssignedTargets, findConstantNames } from '../../syntax/writtenNames.ts';
import { resolveLocal } from '../../analysis/script/bindings.ts';
import type { Finding } from '../finding.ts';
import type { NodeFinder } from '../finders.ts';

export const finder: NodeFinder = { nodes: [ts.SyntaxKind.VariableDeclarationList], find: findPreferConst };

/** Reports a `let` whose variables are all constant. `node` is a list of variable declarations. */
function findPreferConst(node: ts.Node, sourceFile: ts.SourceFile): Finding | null {
  const declarationList = node as ts.VariableDeclarationList;
  if ((declarationList.flags & ts.NodeFlags.BlockScoped) !== ts.NodeFlags.Let) return null;
  const searchedCode = findSearchedCode(declarationList, sourceFile);
  if (!searchedCode) return null;
  const names = findConstantNames(
    declarationList,
    findAssignedTargets(searchedCode),
    (target, name) => resolveLocal(target)?.symbol === resolveLocal(name)?.symbol,
  );
  if (!names) return null;
  const start = declarationList.getStart(sourceFile);
  const shownNames =
    names.length === 1 ? `\`${names[0]!.text}\` is` : `${names.map(({ text }) => `\`${text}\``).join(', ')} are`;
  return {
    rule: 'prefer-const',
    start,
    end: declarationList.end,
    nameStart: start,
    nameEnd: start + 'let'.length,
    impact: 8,
    confidence: 0.9,
    message: `${shownNames} never written to again: \`const\` tells every reader so.`,
    evidence: { names: names.length },
    recipe: 'use-const',
    identity: names.map(({ text }) => text).join(' '),
  };
}

/**
 * The code that may assign to the names: the top-level statement around the list or, for a declaration at the top
 * level, the whole file. Null for such a declaration in a script, because other files may assign to it.
 */
function findSearchedCode(declarationList: ts.VariableDeclarationList, sourceFile: ts.SourceFile): ts.Node | null {
  let topStatement: ts.Node = declarationList.parent;
  if (ts.isVariableStatement(topStatement) && ts.isSourceFile(topStatement.parent))
    return ts.isExternalModule(sourceFile) ? sourceFile : null;
  while (!ts.isSourceFile(topStatement.parent)) topStatement = topStatement.parent;
  return topStatement;
}
