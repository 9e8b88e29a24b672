// Implements the transform `modifyFunction`: replaces a function by a given one with the same name.

import { ts } from 'ts-morph';
import { refuse, type RecipeOutcome } from '../recipe.ts';
import type { OpenedFile } from '../applyRecipe.ts';
import { findCommentsAbove } from '../syntax/comments.ts';
import { parseSource } from '../syntax/parse.ts';
import { reindent } from '../syntax/reindent.ts';
import { applyReplacements, indentAt } from '../textEdit.ts';
import { parseFunction, findFunction } from './declarations.ts';
import type { TransformRequest } from './request.ts';

/**
 * Replaces the function. If the given text has a comment, it replaces the existing one; otherwise the existing comment
 * stays. Refuses if the file has no such function, or if the text is not exactly one function with the same name.
 */
export function modifyFunction(
  { symbol, source, path }: Extract<TransformRequest, { kind: 'modifyFunction' }>,
  { text, sourceFile, style }: OpenedFile,
): RecipeOutcome {
  const target = findFunction(sourceFile, symbol);
  if ('refused' in target) return target;
  const replacement = ts.isMethodDeclaration(target.declaration)
    ? parseMethod(path, source, style.newline)
    : parseFunction(path, source, style);
  if ('refused' in replacement) return replacement;
  if (replacement.name !== target.name)
    return refuse(`The given function is called ${replacement.name}, not ${target.name}.`);
  const hasComment = /^\/[/*]/.test(replacement.text);
  const start =
    (hasComment ? findCommentsAbove(sourceFile, target.declaration)[0]?.start : undefined) ??
    target.declaration.getStart(sourceFile);
  const indent = indentAt(text, start);
  const parsedFunction = replacement.sourceFile;
  const indentedText = applyReplacements(
    replacement.text,
    reindent(
      parsedFunction,
      { start: replacement.text.indexOf('\n') + 1 || replacement.text.length, end: replacement.text.length },
      '',
      indent,
    ),
  );
  const changedText = text.slice(0, start) + indentedText + text.slice(target.declaration.end);
  return { text: changedText, title: `Change ${symbol}`, rationale: `Requested: another body of ${symbol}.` };
}

/** Parses one method. Its line ends become `newline`. Refuses code that is not exactly one method with a plain name. */
function parseMethod(
  path: string,
  source: string,
  newline: string,
): { readonly text: string; readonly sourceFile: ts.SourceFile; readonly name: string } | { readonly refused: string } {
  const text = source.trim().replace(/\r?\n/g, newline);
  const classFile = parseSource(path, `class Holder {${newline}${text}${newline}}`);
  const holder = classFile?.statements[0];
  const [member] = holder && ts.isClassDeclaration(holder) ? holder.members : [];
  const isSingleMember =
    classFile?.statements.length === 1 && holder && ts.isClassDeclaration(holder) && holder.members.length === 1;
  if (!isSingleMember || !member || !ts.isMethodDeclaration(member) || !ts.isIdentifier(member.name) || !member.body)
    return { refused: 'The code is not exactly one method with a name.' };
  const sourceFile = parseSource(path, text);
  return sourceFile
    ? { text, sourceFile, name: member.name.text }
    : { refused: 'The file is not TypeScript or JavaScript.' };
}
