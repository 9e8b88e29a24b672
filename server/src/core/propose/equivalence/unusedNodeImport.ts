// Equivalence of imports: an unused import of a built-in module of Node may be removed. Loading one of the listed
// modules has no effect that the code can observe, and every supported version of Node has them.

import { ts } from 'ts-morph';
import { collectDescendants } from '../syntax/locate.ts';
import type { ListEquivalence } from './equivalence.ts';

/**
 * Modules without side effects when they are loaded. Other modules warn (`sqlite`, `wasi`), change how errors are
 * handled (`domain`), start something (`test`), or are missing in some versions or builds of Node (`sea`, `inspector`).
 */
const SIDE_EFFECT_FREE_MODULES: ReadonlySet<string> = new Set(
  [
    'assert assert/strict async_hooks buffer child_process crypto dgram diagnostics_channel dns dns/promises',
    'events fs fs/promises http http2 https module net os path path/posix path/win32 perf_hooks querystring readline',
    'readline/promises stream stream/consumers stream/promises stream/web string_decoder timers timers/promises tls tty',
    'url util util/types v8 vm worker_threads zlib',
  ].flatMap((line) => line.split(' ').map((name) => `node:${name}`)),
);

/** Accepts the removal of `import { join } from 'node:path';` in a module that does not mention `join` elsewhere. */
export const unusedNodeImport: ListEquivalence = (oldStatements, _changed, proof) => {
  const [firstStatement, secondStatement] = oldStatements;
  if (
    !firstStatement ||
    !ts.isImportDeclaration(firstStatement) ||
    !firstStatement.importClause ||
    !ts.isExternalModule(proof.changedFile)
  )
    return null;
  if (
    !ts.isStringLiteral(firstStatement.moduleSpecifier) ||
    !SIDE_EFFECT_FREE_MODULES.has(firstStatement.moduleSpecifier.text)
  )
    return null;
  // A string as the first statement would become a directive.
  if (secondStatement && ts.isExpressionStatement(secondStatement) && ts.isStringLiteral(secondStatement.expression))
    return null;
  const collectIdentifiers = (root: ts.Node) =>
    collectDescendants(root).flatMap((node) => (ts.isIdentifier(node) ? [node.text] : []));
  const names = collectIdentifiers(firstStatement.importClause);
  const mentionedNames = proof.oldFile.statements.flatMap((statement) =>
    statement === firstStatement ? [] : collectIdentifiers(statement),
  );
  return mentionedNames.some((name) => name === 'eval' || names.includes(name))
    ? null
    : { oldCount: 1, changedCount: 0 };
};
