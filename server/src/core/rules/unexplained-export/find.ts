// unexplained-export: finds exported functions without any comment.

import type { ExportWithComment, ModuleExports } from '../../analysis/script/exportedDeclaration.ts';
import { findLeadingComments } from '../../analysis/script/leadingComments.ts';
import type { Finding } from '../finding.ts';
import type { ExportFinder } from '../finders.ts';

export const finder: ExportFinder = { find: findUnexplainedExports };

/** Minimum number of statements of a function. Shorter functions explain themselves. */
const MIN_STATEMENTS = 3;

/**
 * Reports each exported function without a comment. The recipe determines from the tests and the code whether there is
 * anything to document.
 */
function findUnexplainedExports({ text, exported }: ModuleExports): Finding[] {
  return exported.flatMap((declaration): Finding[] => {
    const { name, kind, size, start, end, nameStart, nameEnd } = declaration;
    if (
      declaration.doc !== 'none' ||
      (kind !== 'function' && kind !== 'constant function') ||
      hasCommentAbove(declaration, text) ||
      size < MIN_STATEMENTS
    )
      return [];
    return [
      {
        rule: 'unexplained-export',
        start,
        end,
        nameStart,
        nameEnd,
        impact: 8,
        confidence: 0.4,
        message: `\`${name}\` is exported without a comment; what its tests assert and what it throws would be a start.`,
        evidence: { kind },
        recipe: 'document-from-evidence',
        identity: name,
      },
    ];
  });
}

/** True for a comment above the declaration without a blank line between them. */
function hasCommentAbove({ pos, start }: ExportWithComment, text: string): boolean {
  const lastComment = findLeadingComments(text, pos).at(-1);
  return lastComment !== undefined && !/\n\s*\n/.test(text.slice(lastComment.end, start));
}
