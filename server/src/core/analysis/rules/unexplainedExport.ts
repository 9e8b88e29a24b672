// unexplained-export: a function that others may call and that no comment says anything about.

import { ts } from 'ts-morph';
import type { ExportedDeclaration } from '../script/exportedApi.ts';
import type { Finding } from './finding.ts';

/** Shorter bodies explain themselves. */
const LEAST_STATEMENTS = 3;

/** Whether there is anything to say, the recipe finds out: it looks at the tests. */
export function unexplainedExports(sourceFile: ts.SourceFile, exported: readonly ExportedDeclaration[]): Finding[] {
  return exported.flatMap((declaration): Finding[] => {
    const { statement, nameNode, name, kind } = declaration;
    if (declaration.doc !== 'none' || (kind !== 'function' && kind !== 'constant function') || hasCommentAbove(statement, sourceFile) || sizeOf(statement) < LEAST_STATEMENTS) return [];
    return [
      {
        rule: 'unexplained-export',
        start: statement.getStart(sourceFile),
        end: statement.end,
        nameStart: nameNode.getStart(sourceFile),
        nameEnd: nameNode.end,
        impact: 8,
        confidence: 0.4,
        message: `\`${name}\` is exported without a word about it; what its tests assert and what it throws would be a start.`,
        evidence: { kind },
        recipe: 'document-from-evidence',
        identity: name,
      },
    ];
  });
}

function hasCommentAbove(statement: ts.Statement, sourceFile: ts.SourceFile): boolean {
  const comments = ts.getLeadingCommentRanges(sourceFile.text, statement.pos) ?? [];
  const last = comments.at(-1);
  return last !== undefined && !/\n\s*\n/.test(sourceFile.text.slice(last.end, statement.getStart(sourceFile)));
}

/** Statements of the body, at its top level; an expression is one. */
function sizeOf(statement: ts.Statement): number {
  if (ts.isFunctionDeclaration(statement)) return statement.body?.statements.length ?? 0;
  if (!ts.isVariableStatement(statement)) return 0;
  const value = statement.declarationList.declarations.map(({ initializer }) => initializer).find((initializer) => initializer && (ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer)));
  if (!value || !(ts.isArrowFunction(value) || ts.isFunctionExpression(value))) return 0;
  return ts.isBlock(value.body) ? value.body.statements.length : 1;
}
