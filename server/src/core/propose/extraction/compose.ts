// Writes the new file: the call in the cut's place, the moved text unchanged but for its indentation, the new function below.

import { ts } from 'ts-morph';
import { commentsAbove } from '../syntax/comments.ts';
import { reindent } from '../syntax/reindent.ts';
import { applyReplacements, indentAt, lineEnd, lineStart } from '../textEdit.ts';
import type { Style } from '../style.ts';
import type { Cut, FunctionWithBody } from './cuts.ts';
import type { Extracted } from './refactor.ts';

const LONGEST_LINE = 120;

/** Null where the cut shares its lines with other code. `scope` holds the new function, after the part that `outer` is in. */
export function compose(sourceFile: ts.SourceFile, outer: FunctionWithBody, cut: Cut, scope: ts.Node, extracted: Extracted, name: string, style: Style): string | null {
  const { text } = sourceFile;
  const [first, last] = [cut.statements[0], cut.statements.at(-1)];
  const host = memberOf(outer, scope);
  if (!first || !last || !host) return null;
  const start = commentsAbove(sourceFile, first)[0]?.start ?? first.getStart(sourceFile);
  const end = lineEnd(text, last.end);
  if (text.slice(lineStart(text, start), start).trim() || !/^\s*(\/\/.*|\/\*[^\n]*\*\/\s*)?$/.test(text.slice(last.end, end))) return null;

  const from = indentAt(text, start);
  const outside = indentAt(text, host.getStart(sourceFile));
  const inside = outside + style.indent;
  const span = { start: lineStart(text, start), end };
  const moved = applyReplacements(text.slice(span.start, end), reindent(sourceFile, span, from, inside).map((replacement) => ({ ...replacement, start: replacement.start - span.start, end: replacement.end - span.start })));
  const written = (part: string) => part.replaceAll('NAME', name).replaceAll(/\r?\n/g, style.newline);
  const semicolon = (part: string) => part.replace(/;?$/, style.semicolons ? ';' : '');
  const returned = extracted.returned ? [inside + semicolon(written(extracted.returned))] : [];
  const declaration = [`${outside}${headerLines(text, written(extracted.header), extracted, outside, style)} {`, moved, ...returned, `${outside}}`].join(style.newline);
  const after = lineEnd(text, host.end);
  return applyReplacements(text, [
    ...extracted.imports,
    { start, end: last.end + (/^[ \t]*/.exec(text.slice(last.end))?.[0].length ?? 0) + commentLength(text, last.end, end), text: semicolon(written(extracted.call)) },
    { start: after, end: after, text: style.newline + style.newline + declaration },
  ]);
}

/** The part of `scope` that `outer` is in: a statement of the file or of a function, a member of a class. */
function memberOf(outer: ts.Node, scope: ts.Node): ts.Node | null {
  const list = ts.isFunctionLike(scope) && 'body' in scope ? (scope as FunctionWithBody).body : scope;
  for (let node = outer; node.parent; node = node.parent) if (node.parent === list) return node;
  return null;
}

/** A comment behind the last statement moves along with it. */
function commentLength(text: string, from: number, end: number): number {
  const rest = text.slice(from, end);
  return rest.trim() ? rest.length - (/^[ \t]*/.exec(rest)?.[0].length ?? 0) : 0;
}

function headerLines(text: string, header: string, { parameters }: Extracted, outside: string, style: Style): string {
  if (outside.length + header.length + 2 <= LONGEST_LINE || parameters.length === 0) return header;
  const list = parameters.join(', ');
  const at = header.indexOf(`(${list})`);
  if (at < 0) return header;
  // A comma after the last one, where the file writes such.
  const end = /,[ \t]*\r?\n[ \t]*\)/.test(text) ? ',' : '';
  const lines = parameters.map((parameter) => outside + style.indent + parameter).join(`,${style.newline}`);
  return `${header.slice(0, at)}(${style.newline}${lines}${end}${style.newline}${outside})${header.slice(at + list.length + 2)}`;
}
