// Adds a given function at a fitting place in the file.

import { ts } from 'ts-morph';
import { refuse, type RecipeOutcome } from '../recipe.ts';
import type { Opened } from '../realise.ts';
import { namesOf } from '../syntax/names.ts';
import { lineEnd } from '../textEdit.ts';
import { declarationsOf, functionFrom } from './declared.ts';
import type { TransformRequest } from './request.ts';

export function addFunction(
  { source, after, path }: Extract<TransformRequest, { kind: 'addFunction' }>,
  { text, sourceFile, style }: Opened,
): RecipeOutcome {
  const given = functionFrom(path, source, style);
  if ('refused' in given) return given;
  if (namesOf(sourceFile).isTaken(given.name)) return refuse(`The file already uses the name ${given.name}.`);
  const taken = after === undefined ? null : declarationsOf(sourceFile, after).at(-1);
  if (taken === undefined) return refuse(`There is no top-level ${after} in the file.`);
  const { newline } = style;
  const title = `Add ${given.name}`;
  const rationale = `Asked for: a new function ${given.name}${after === undefined ? '' : ` after ${after}`}.`;
  if (taken) {
    const at = lineEnd(text, taken.end);
    if (/\S/.test(text.slice(taken.end, at).replace(/\/\/.*|\/\*.*?(?:\*\/|$)/g, '')))
      return refuse(`Other code follows ${after} on its line.`);
    return { text: text.slice(0, at) + newline + newline + given.text + text.slice(at), title, rationale };
  }
  const last = sourceFile.statements.at(-1);
  if (last && ts.isExportAssignment(last))
    return refuse('The file ends with its export: say after which declaration the function belongs.');
  const end = text.trimEnd();
  const tail = text === '' || text.endsWith('\n') ? newline : '';
  return { text: `${end}${end === '' ? '' : newline + newline}${given.text}${tail}`, title, rationale };
}
