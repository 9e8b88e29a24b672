// Equivalence: a module without an import of one of Node's own modules whose names nothing uses. Loading such a module
// has no effect that the code can see.

import { ts } from 'ts-morph';
import { nodesIn } from '../syntax/locate.ts';
import type { ListEquivalence } from './equivalence.ts';

/** No statement for `import { join } from 'node:path';` in a module that mentions `join` nowhere else. */
export const withoutNodeImport: ListEquivalence = (old, _changed, proof) => {
  const [first] = old;
  if (!first || !ts.isImportDeclaration(first) || !first.importClause || !ts.isExternalModule(proof.changed))
    return null;
  if (!ts.isStringLiteral(first.moduleSpecifier) || !first.moduleSpecifier.text.startsWith('node:')) return null;
  const identifiers = (root: ts.Node) => nodesIn(root).flatMap((node) => (ts.isIdentifier(node) ? [node.text] : []));
  const names = identifiers(first.importClause);
  const mentioned = proof.old.statements.flatMap((one) => (one === first ? [] : identifiers(one)));
  return mentioned.some((name) => name === 'eval' || names.includes(name)) ? null : { old: 1, changed: 0 };
};
