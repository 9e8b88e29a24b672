// Implements the recipe `remove-unused`: removes imports and locals that no code reads according to TypeScript's
// language service.

import { posix } from 'node:path';
import { ts } from 'ts-morph';
import { isBenchmark } from '../../paths/benchmarkFile.ts';
import { refuse, type RecipeContext, type RecipeOutcome } from '../../propose/recipe.ts';
import { findSpan, type Span } from '../../propose/syntax/locate.ts';
import { removeNewlyUnused } from '../../propose/syntax/newlyUnused.ts';
import { parseSource } from '../../propose/syntax/parse.ts';
import { planRemoval } from '../../propose/syntax/removal.ts';
import { createSingleFileService } from '../../propose/syntax/singleFile.ts';
import { findFirstUnused } from '../../propose/syntax/unused.ts';
import { applyReplacements } from '../../propose/textEdit.ts';

/** Maximum number of names that one change removes. */
const MAX_NAMES = 50;

/**
 * Removes the unused declaration of the opportunity. An unused import is removed together with the other unused imports
 * of its block, so that a person decides once instead of many times. If that is refused, only the import itself is
 * removed.
 */
export function applyRecipe(context: RecipeContext): RecipeOutcome {
  const { opportunity, sourceFile } = context;
  const fullSpan = findSpan(sourceFile, opportunity.range);
  const nameSpan = findSpan(sourceFile, opportunity.nameRange);
  if (!fullSpan || !nameSpan) return refuse('The file has become shorter.');
  const span: Span = { start: Math.min(fullSpan.start, nameSpan.start), end: Math.max(fullSpan.end, nameSpan.end) };
  const importBlock = findImportsAround(sourceFile, span);
  if (!importBlock && isBenchmark(context.path)) return refuse('In a benchmark, making it may be what is measured.');
  const blockOutcome = importBlock && removeWithin(context, importBlock);
  return blockOutcome && !('refused' in blockOutcome) ? blockOutcome : removeWithin(context, span);
}

/** Finds the uninterrupted run of imports that contains the span; null if the span is in other code. */
function findImportsAround(sourceFile: ts.SourceFile, span: Span): Span | null {
  const { statements } = sourceFile;
  const index = statements.findIndex(
    (statement) =>
      ts.isImportDeclaration(statement) && statement.getStart(sourceFile) <= span.start && span.end <= statement.end,
  );
  if (index < 0) return null;
  let [first, last] = [index, index];
  while (statements[first - 1]?.kind === ts.SyntaxKind.ImportDeclaration) first--;
  while (statements[last + 1]?.kind === ts.SyntaxKind.ImportDeclaration) last++;
  return { start: statements[first]?.getStart(sourceFile) ?? span.start, end: statements[last]?.end ?? span.end };
}

/** Removes the unused code within the span, step by step, because each removal can make more code unused. */
function removeWithin(context: RecipeContext, initialSpan: Span): RecipeOutcome {
  const { path } = context;
  let { sourceFile } = context;
  let span = initialSpan;
  const removedNames: string[] = [];
  while (removedNames.length < MAX_NAMES) {
    const fileName = `/${path}`;
    const service = createSingleFileService(fileName, sourceFile.text);
    try {
      const unusedDeclarations = findFirstUnused(service, fileName, sourceFile, span);
      if (!unusedDeclarations) break;
      const removal = planRemoval(service, fileName, sourceFile, unusedDeclarations, context.style);
      if ('refused' in removal) return removal;
      const text = applyReplacements(sourceFile.text, removal.replacements);
      const parsedFile = parseSource(path, text);
      if (!parsedFile || text === sourceFile.text) return refuse('There is nothing to change.');
      span = {
        start: Math.max(0, Math.min(span.start, ...removal.replacements.map(({ start }) => start))),
        end: span.end + text.length - sourceFile.text.length,
      };
      sourceFile = parsedFile;
      removedNames.push(...unusedDeclarations.names);
    } finally {
      service.dispose();
    }
  }
  if (removedNames.length === 0) return refuse('Nothing here is unused now.');
  // Imports that only the removed code used would otherwise be the next opportunity.
  const followUpRemoval = removeNewlyUnused(path, context.sourceFile.text, sourceFile.text, new Set(), context.style);
  if (!('refused' in followUpRemoval) && followUpRemoval.removedNames.length > 0) {
    sourceFile = parseSource(path, followUpRemoval.text) ?? sourceFile;
    removedNames.push(...followUpRemoval.removedNames);
  }
  if (ts.isExternalModule(context.sourceFile) && !ts.isExternalModule(sourceFile) && !/\.[cm][jt]s$/.test(path))
    return refuse('The file would stop being a module.');
  const [firstName = posix.basename(path), ...otherNames] = removedNames;
  const otherNamesText = otherNames.length > 2 ? `${otherNames.length} more` : otherNames.join(', ');
  // The title says “import”, because the imported definition itself stays.
  const isImport = context.opportunity.rule === 'unused-import';
  return {
    text: sourceFile.text,
    title: chooseTitle(isImport, firstName, otherNamesText) + formatPlacePhrase(context.opportunity, removedNames),
    namesPlace: true,
    rationale: `Nothing reads ${removedNames.join(', ')}, according to TypeScript's check for unused declarations.`,
  };
}

/**
 * The end of the title: the function around the removed names, or the file if there is none or if it was removed
 * itself.
 */
function formatPlacePhrase({ symbol, path }: RecipeContext['opportunity'], removedNames: readonly string[]): string {
  const name = symbol?.split('.').at(-1);
  return ` in ${name === undefined || removedNames.includes(name) ? posix.basename(path) : name}`;
}

/** Writes the title with the removed names. `otherNames`: the names after the first one; empty if there are none. */
function chooseTitle(isImport: boolean, firstName: string, otherNames: string): string {
  const names = otherNames === '' ? firstName : `${firstName} and ${otherNames}`;
  if (!isImport) return `remove unused ${names}`;
  return `remove the unused ${otherNames === '' ? 'import' : 'imports'} of ${names}`;
}
