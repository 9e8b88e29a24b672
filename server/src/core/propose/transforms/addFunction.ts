// Implements the transform `addFunction`: adds a given function at a suitable place in the file.

import { ts } from 'ts-morph';
import { refuse, type RecipeOutcome } from '../recipe.ts';
import type { OpenedFile } from '../applyRecipe.ts';
import { collectFileNames } from '../syntax/names.ts';
import { lineEnd } from '../textEdit.ts';
import { findDeclarations, parseFunction } from './declarations.ts';
import type { TransformRequest } from './request.ts';

/**
 * Adds the function in `source` after the declaration `after`, or at the end of the file. Refuses if `source` is not
 * exactly one function, if its name is used already, if the declaration does not exist or shares its last line with
 * other code, or if the function would follow an export at the end of the file.
 */
export function addFunction(
  { source, after, path }: Extract<TransformRequest, { kind: 'addFunction' }>,
  { text, sourceFile, style }: OpenedFile,
): RecipeOutcome {
  const addedFunction = parseFunction(path, source, style);
  if ('refused' in addedFunction) return addedFunction;
  if (collectFileNames(sourceFile).isTaken(addedFunction.name))
    return refuse(`The file already uses the name ${addedFunction.name}.`);
  const anchor = after === undefined ? null : findDeclarations(sourceFile, after).at(-1);
  if (anchor === undefined) return refuse(`There is no top-level ${after} in the file.`);
  const { newline } = style;
  const title = `Add ${addedFunction.name}`;
  const rationale = `Requested: a new function ${addedFunction.name}${after === undefined ? '' : ` after ${after}`}.`;
  if (anchor) {
    const offset = lineEnd(text, anchor.end);
    if (/\S/.test(text.slice(anchor.end, offset).replace(/\/\/.*|\/\*.*?(?:\*\/|$)/g, '')))
      return refuse(`Other code follows ${after} on its line.`);
    return {
      text: text.slice(0, offset) + newline + newline + addedFunction.text + text.slice(offset),
      title,
      rationale,
    };
  }
  const lastStatement = sourceFile.statements.at(-1);
  if (lastStatement && ts.isExportAssignment(lastStatement))
    return refuse('The file ends with its export: say after which declaration the function belongs.');
  const textBefore = text.trimEnd();
  const finalLineBreak = text === '' || text.endsWith('\n') ? newline : '';
  return {
    text: `${textBefore}${textBefore === '' ? '' : newline + newline}${addedFunction.text}${finalLineBreak}`,
    title,
    rationale,
  };
}
