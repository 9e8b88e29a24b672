// undocumented-export: API without a doc comment. Loud only where an ordinary comment above already says it.

import { ts } from 'ts-morph';
import type { ExportedDeclaration } from '../script/exportedApi.ts';
import type { Finding } from './finding.ts';

/** A file that documents four exports and nearly all of them has a habit that the rest falls short of, if it does enough to be worth a word. */
const HABIT = { documented: 4, share: 0.8, statements: 4 };
const NOT_ABOUT_THE_CODE = /__[A-Z_]+__|^\W*@|eslint|prettier|biome|oxlint|tslint|@ts-|istanbul|v8 ignore|c8 ignore|webpack|vite|pragma|todo|fixme|xxx|hack|#(end)?region|copyright|licen[cs]e|spdx|@preserve|@format|use (strict|client|server)/i;

/**
 * An export with an ordinary comment directly above can get a doc comment by a recipe. Without one it is reported
 * quietly, and only where the file has the habit of documenting what it exports.
 */
export function undocumentedExports(sourceFile: ts.SourceFile, exported: readonly ExportedDeclaration[]): Finding[] {
  const documented = exported.filter(({ doc }) => doc === 'documented').length;
  const habit = documented >= HABIT.documented && documented >= HABIT.share * exported.length;
  return exported.flatMap((declaration): Finding[] => {
    if (declaration.doc !== 'none') return [];
    const comment = commentAbove(declaration.statement, sourceFile);
    const size = bodySize(declaration);
    if (comment ? !isCallable(declaration) : !habit || size < HABIT.statements) return [];
    return [
      {
        rule: 'undocumented-export',
        start: declaration.statement.getStart(sourceFile),
        end: declaration.statement.end,
        nameStart: declaration.nameNode.getStart(sourceFile),
        nameEnd: declaration.nameNode.kind === declaration.statement.kind ? declaration.nameNode.getStart(sourceFile) + 'export'.length : declaration.nameNode.end,
        impact: comment ? 15 : 10,
        confidence: comment ? 0.8 : 0.4,
        message: comment ? `\`${declaration.name}\` is exported; the comment above it would be shown by editors if it were a doc comment.` : `\`${declaration.name}\` is exported and has no doc comment.`,
        evidence: comment ? { kind: declaration.kind, comment } : { kind: declaration.kind, statements: size },
        recipe: comment ? 'doc-comment' : null,
        identity: declaration.name,
      },
    ];
  });
}

/** Functions and classes are met where they are used, far from the comment above them. */
function isCallable({ kind }: ExportedDeclaration): boolean {
  return kind === 'function' || kind === 'class' || kind === 'constant function';
}

/** Kind of the ordinary comment that ends on the line above, if it is prose about the declaration. */
function commentAbove(statement: ts.Statement, sourceFile: ts.SourceFile): 'line' | 'block' | null {
  const { text } = sourceFile;
  const comments = ts.getLeadingCommentRanges(text, statement.pos) ?? [];
  const last = comments.at(-1);
  if (!last) return null;
  if (!/^[^\S\r\n]*(\r\n|\r|\n)[^\S\r\n]*$/.test(text.slice(last.end, statement.getStart(sourceFile)))) return null;
  if (last.kind === ts.SyntaxKind.MultiLineCommentTrivia) return isProse(text.slice(last.pos, last.end)) && !trails(text, last.pos) ? 'block' : null;
  const block = [last];
  for (let index = comments.length - 2; index >= 0; index--) {
    const above = comments[index]!;
    if (above.kind !== ts.SyntaxKind.SingleLineCommentTrivia || !/^(\r\n|\r|\n)[^\S\r\n]*$/.test(text.slice(above.end, block[0]!.pos))) break;
    block.unshift(above);
  }
  if (trails(text, block[0]!.pos)) return null;
  const said = block.map((line) => text.slice(line.pos, line.end));
  return said.every((line) => !NOT_ABOUT_THE_CODE.test(line)) && isProse(said.join('\n')) ? 'line' : null;
}

/** True for a comment that stands behind code on its line. */
function trails(text: string, pos: number): boolean {
  const lineStart = text.lastIndexOf('\n', pos - 1) + 1;
  return text.slice(lineStart, pos).trim() !== '';
}

/** At least two words, no directive, no commented-out code, no divider. */
function isProse(comment: string): boolean {
  if (NOT_ABOUT_THE_CODE.test(comment)) return false;
  const said = comment.replace(/^\/\*+|\*+\/$|^\s*\/\/+|^\s*\*/gm, '').trim();
  if ((said.match(/\p{L}{2,}/gu) ?? []).length < 2 || /([-=*#~─])\1{3,}/.test(said)) return false;
  return !/[;{}]\s*$|^\s*(import|export|const|let|var|return|if|for|function)\b.*[=({]|=>/m.test(said);
}

function bodySize(declaration: ExportedDeclaration): number {
  const { statement } = declaration;
  if (ts.isFunctionDeclaration(statement)) return statement.body?.statements.length ?? 0;
  if (ts.isClassDeclaration(statement)) return statement.members.length;
  if (!ts.isVariableStatement(statement)) return 0;
  const value = statement.declarationList.declarations[0]?.initializer;
  return value && (ts.isArrowFunction(value) || ts.isFunctionExpression(value)) ? (ts.isBlock(value.body) ? value.body.statements.length : 1) : 0;
}
