// unexport: removes `export` from a name that only its own file uses. Removes a name that no code uses as a whole,
// together with everything that only it needed.

import { posix } from 'node:path';
import { ts } from 'ts-morph';
import { refuse, type RecipeContext, type RecipeOutcome } from '../../propose/recipe.ts';
import { hasSideEffects } from '../../syntax/sideEffects.ts';
import { removeExport, removeReexports, type ExportRemoval } from '../../propose/exports/exports.ts';
import { readImporters, type Importers } from '../../propose/exports/importers.ts';
import { findIdentifierAt, findSpan } from '../../propose/syntax/locate.ts';
import { collectFileNames } from '../../propose/syntax/names.ts';
import { removeNewlyUnused } from '../../propose/syntax/newlyUnused.ts';
import { parseSource } from '../../propose/syntax/parse.ts';
import { findReExporters } from '../../propose/exports/reExporters.ts';
import { applyReplacements } from '../../propose/textEdit.ts';

/**
 * Rewrites `export function f` as `function f` if the file uses it; otherwise removes the declaration. Refuses if
 * another file imports the name or may import it, if documentation or, for a removed declaration, a comment mentions
 * it, or if a value is computed with side effects.
 */
export function applyRecipe(context: RecipeContext): RecipeOutcome {
  const { sourceFile, text, opportunity, path, style, tree } = context;
  const span = findSpan(sourceFile, opportunity.nameRange);
  const name = span && findIdentifierAt(sourceFile, span);
  if (!name) return refuse('There is no longer such a name here.');
  const exportRemoval = removeExport(sourceFile, name);
  if ('refused' in exportRemoval) return exportRemoval;

  const importers = readImporters(tree);
  if (!importers) return refuse('The repository has too many files to be sure that none uses it.');
  const reExporters = findReExporters(importers, path, exportRemoval.exportedAs);
  if ('refused' in reExporters) return reExporters;

  const names = collectFileNames(sourceFile);
  const symbol = names.symbolOf(name);
  const isUsed =
    symbol !== undefined &&
    names
      .referencesOf(symbol)
      .some(
        (reference) =>
          !exportRemoval.declarations.some((node) => reference.pos >= node.pos && reference.end <= node.end),
      );
  if (isUsed && !context.isRequested && exportRemoval.exportedAs === 'default' && isNamedAfter(path, name.text))
    return refuse('The file is named after it, and exports it by default.');
  const mentionedIn = context.isRequested ? null : findMentioningFile(importers, path, exportRemoval, { text, isUsed });
  if (mentionedIn) return refuse(`${mentionedIn} speaks of it.`);
  const hasEffect = exportRemoval.declarations.some(
    (node) => ts.isVariableStatement(node) && hasSideEffects(sourceFile, node),
  );
  if (!isUsed && hasEffect) return refuse('Its value is computed by something that may have effects.');
  const unexportedText = applyReplacements(text, exportRemoval.replacements);
  const unexportedFile = parseSource(path, unexportedText);
  if (!unexportedFile || (ts.isExternalModule(sourceFile) && !ts.isExternalModule(unexportedFile)))
    return refuse('The file would stop being a module.');
  const removal = isUsed
    ? { text: unexportedText, removedNames: [] }
    : removeNewlyUnused(path, text, unexportedText, new Set([exportRemoval.localName]), style);
  if ('refused' in removal) return removal;
  const resultFile = parseSource(path, removal.text);
  if (resultFile && countExpressionStatements(resultFile) > countExpressionStatements(sourceFile))
    return refuse(
      'A value that only it needed is computed with possible side effects, which would remain as a statement.',
    );
  if (!resultFile || (ts.isExternalModule(sourceFile) && !ts.isExternalModule(resultFile)))
    return refuse('The file would stop being a module.');
  const reexportRemovals = removeReexports(importers, reExporters);
  if ('refused' in reexportRemovals) return reexportRemovals;

  const furtherCount = removal.removedNames.length - 1;
  const shownName = exportRemoval.localName;
  return {
    text: removal.text,
    otherFiles: reexportRemovals.files,
    title: isUsed
      ? `stop exporting ${shownName}`
      : `remove the unused export ${shownName}${furtherCount > 0 ? ` with ${furtherCount === 1 ? 'a name' : `${furtherCount} names`} that only it needed` : ''}`,
    namesPlace: true,
    rationale: `No file of the repository imports ${shownName}${reExporters.specifiers.length > 0 ? ', although some pass it on' : ''}. ${isUsed ? 'Only its own file uses it, so nobody who changes it has to think of other files.' : 'Its own file does not use it either.'}`,
  };
}

/** True for a file that is named after the export, such as `is-unix-socket-url.ts` for `isUnixSocketUrl`. */
function isNamedAfter(path: string, name: string): boolean {
  const toPlainName = (text: string) => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  return toPlainName(posix.basename(path).replace(/\..*$/, '')) === toPlainName(name);
}

/** Number of top-level statements that are only an expression. */
function countExpressionStatements({ statements }: ts.SourceFile): number {
  return statements.filter(ts.isExpressionStatement).length;
}

/**
 * A file that mentions the name to people: documentation or, if the declaration is removed, a comment. For a comment in
 * the same file, the text `A comment of its file`; null if there is none. Readers would search for the name without
 * finding it.
 */
function findMentioningFile(
  importers: Importers,
  path: string,
  { localName, declarations }: ExportRemoval,
  { text, isUsed }: { readonly text: string; readonly isUsed: boolean },
): string | null {
  const documentingFile = importers.documents().find((document) => isDocumented(importers.text(document), localName));
  if (documentingFile !== undefined || isUsed) return documentingFile ?? null;
  const remainingText = declarations.reduceRight(
    (remaining, node) => remaining.slice(0, node.pos) + remaining.slice(node.end),
    text,
  );
  if (isInComment(remainingText, localName)) return 'A comment of its file';
  return importers.scripts().find((other) => other !== path && isInComment(importers.text(other), localName)) ?? null;
}

/** True if a text mentions the name as code: after a backtick, `{`, `,` or `.`, and before a backtick, `(` or `}`. */
function isDocumented(text: string, name: string): boolean {
  const word = name.replaceAll('$', String.raw`\$`);
  return text.includes(name) && new RegExp(String.raw`(?:\`|[{,.]\s?)${word}(?:\`|\(|[,\s]*\})`).test(text);
}

/** True if a line contains the name in a comment, as far as this line alone shows it. */
function isInComment(text: string, name: string): boolean {
  if (!text.includes(name)) return false;
  const word = new RegExp(String.raw`(?<![\w$])${name.replaceAll('$', String.raw`\$`)}(?![\w$])`);
  return text.split('\n').some((line) => word.test(/(?:^\s*(?:\/\*|\*)|\/\/ ).*/.exec(line)?.[0] ?? ''));
}
