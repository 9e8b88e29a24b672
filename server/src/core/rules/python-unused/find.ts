// Selects the unused imports and variables that Ruff reports and that nobody keeps on purpose.

import type { PythonProblem } from '../../ports/sources.ts';
import type { Finding } from '../finding.ts';
import type { PythonFile, PythonFinder } from '../finders.ts';
import { STANDARD_MODULES } from '../../syntax/python/standardModules.ts';

const UNUSED_IMPORT = 'F401';
const UNUSED_VARIABLE = 'F841';
/** Matches files that exist to be imported from. */
const HUB_PATTERN = /(?:^|\/)(?:__init__|__main__|_?compat\w*)\.py$/;
/** Matches the first line of an import. */
const IMPORT_PATTERN = /^\s*(?:from|import)\b/;
/** Matches the first line of a block that handles a missing module. */
const TRY_PATTERN = /^\s*(?:try|except|else|finally)\b/;

export const finder: PythonFinder = { codes: [UNUSED_IMPORT, UNUSED_VARIABLE], find: findUnusedNames };

/** Maximum number of unused imports in a file. A file with more has them to be imported from, or as a template. */
const MAX_IMPORTS = 5;
/** Modules that change something when they are imported, such as how `input` edits a line. */
const ACTING_MODULES: ReadonlySet<string> = new Set(['readline', 'rlcompleter', 'antigravity', 'this']);

function findUnusedNames(problems: readonly PythonProblem[], file: PythonFile): readonly Finding[] {
  const findings = problems.flatMap((problem) => createFinding(problem, file) ?? []);
  const isOfImport = ({ evidence }: Finding) => evidence['code'] === UNUSED_IMPORT;
  return findings.filter(isOfImport).length > MAX_IMPORTS
    ? findings.filter((finding) => !isOfImport(finding))
    : findings;
}

function createFinding({ code, message, start, end }: PythonProblem, file: PythonFile): Finding | null {
  const [, name = ''] = /`([^`]+)`/.exec(message) ?? [];
  const isKept = code === UNUSED_IMPORT ? isImportKept(name, start, file) : isVariableKept(start, file);
  if (name === '' || isKept) return null;
  return {
    rule: 'python-unused',
    start,
    end,
    nameStart: start,
    nameEnd: end,
    impact: 20,
    confidence: 0.8,
    message:
      code === UNUSED_IMPORT ? `\`${name}\` is imported but never used.` : `\`${name}\` is assigned but never read.`,
    evidence: { code },
    recipe: code === UNUSED_IMPORT && STANDARD_MODULES.has(name.split('.')[0]!) ? 'remove-python-import' : null,
  };
}

/**
 * True if the import may have a purpose. Other files may import the name from this one; the import is in `try` or in a
 * block of a test; or the name occurs elsewhere in the file, as the name of a fixture, in a text or in a comment.
 */
function isImportKept(
  importedName: string,
  start: number,
  { path, text, lines, lineIndexAt, isTest }: PythonFile,
): boolean {
  if (HUB_PATTERN.test(path) || ACTING_MODULES.has(importedName)) return true;
  // A statement may continue over several lines.
  const statementIndex = lines.slice(0, lineIndexAt(start) + 1).findLastIndex((line) => IMPORT_PATTERN.test(line));
  const statement = lines[statementIndex] ?? '';
  const indent = statement.search(/\S/);
  if (indent > 0) {
    const outerLine = lines
      .slice(0, statementIndex)
      .findLast((line) => line.trim() !== '' && line.search(/\S/) < indent);
    if (isTest || TRY_PATTERN.test(outerLine ?? '')) return true;
  }
  const [, moduleName] = /^\s*from\s+(\S+)/.exec(statement) ?? [];
  if (moduleName !== undefined && !isTest && isOwnModule(moduleName, path)) return true;
  const [, alias] = / as (\w+)$/.exec(importedName) ?? [];
  const parts = importedName.split('.');
  const boundName = alias ?? (moduleName === undefined ? parts[0] : parts.at(-1));
  return text.split(/\W+/).filter((word) => word === boundName).length > 1;
}

/** True for a relative module, and for one that is named after a folder of the file. */
function isOwnModule(moduleName: string, path: string): boolean {
  return moduleName.startsWith('.') || path.split('/').slice(0, -1).includes(moduleName.split('.')[0]!);
}

/** True for variables of tests, which show what a call returns, and for names of errors after `except`. */
function isVariableKept(start: number, { lines, lineIndexAt, isTest }: PythonFile): boolean {
  return isTest || /^\s*except\b/.test(lines[lineIndexAt(start)] ?? '');
}
