// Recognises files that are not sources of the product by their paths: documentation, examples, build output, and files
// that runs or sites write.

import { endingOf } from './table/rows.ts';
import * as table from './table/others.ts';

/**
 * Matches pages of coverage reports, which have the names of the files that they describe. The pattern is not part of
 * the ruler.
 */
const COVERAGE_PAGE_PATTERN = /(^|\/)(coverage|\.nyc_output)\/.+\.(html|xml|info|css|png)$/i;

/**
 * Matches files in which tap records a run under the names of the tests. Other folders of tap contain code that tap
 * loads.
 */
const RUN_RECORD_PATTERN = /(^|\/)\.tap\/(coverage|fixtures|processinfo|report|test-results)\//;

/**
 * Matches files that a hosting site shows to contributors. Files of code owners do not match, because they determine
 * reviews. The pattern is not part of the ruler.
 */
const CONTRIBUTOR_FILE_PATTERN =
  /^\.(github|gitlab)\/((issue_template|pull_request_template|discussion_template|issue_templates|merge_request_templates)(\/.+)?|[a-z_-]+\.md|issue_template\.ya?ml|funding\.ya?ml)$/i;

/**
 * Extensions of source files. A file with such an extension in a documentation folder among the sources is code of the
 * product.
 */
const CODE_EXTENSIONS = new Set(
  [
    'ts tsx mts cts js jsx mjs cjs vue svelte astro py pyi go rs java kt kts scala sc groovy cs fs vb c cc cpp cxx h hh hpp m mm cu',
    'php rb cr swift dart ex exs erl hs lhs ml mli lua luau sh bash zsh bats ps1 pl pm r jl clj cljs zig nim sol sql',
  ]
    .join(' ')
    .split(' '),
);

/** Matches a path below a folder of sources, or of files that programs read. The pattern is not part of the ruler. */
const SOURCE_FOLDER_PATTERN = /(^|\/)(src|sources?|lib|app|server|client|internal|pkg|cmd|templates?|assets)\//i;
/** Matches texts for people about the folder that contains them. The pattern is not part of the ruler. */
const FOLDER_TEXT_PATTERN = /(^|\/)(readme|changelog|changes|licen[cs]e|notice|contributing)(\.\w+)?$/i;

/**
 * True for a path below a folder of sources, or of files that programs read, such as templates, unless that folder is
 * below a folder of documentation.
 */
export function liesInSources(path: string): boolean {
  const sources = SOURCE_FOLDER_PATTERN.exec(path)?.index ?? Infinity;
  return sources < (table.DOCUMENTATION_FOLDERS.exec(path)?.index ?? Infinity);
}

/** True for a text for people about the folder in which it lies. */
export function isAboutFolder(path: string): boolean {
  return FOLDER_TEXT_PATTERN.test(path);
}

/** True for a path below a folder of documentation. */
export function isInDocs(path: string): boolean {
  return table.DOCUMENTATION_FOLDERS.test(path);
}

/** True for source code, by the extension of its name. */
export function isSourceCode(path: string): boolean {
  return CODE_EXTENSIONS.has(endingOf(path));
}

/** True for a text for people, such as a readme, which is not parsed as code. */
export function isProse(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (endingOf(name) === '') return table.PROSE_NAMES.test(name);
  return table.PROSE.has(endingOf(name)) && !table.NO_PROSE.test(path);
}

/** True for changelogs and similar texts about earlier versions. */
export function isHistory(path: string): boolean {
  return isProse(path) && table.HISTORY.test(path.slice(path.lastIndexOf('/') + 1));
}

/**
 * True for texts for people, and for all files in a documentation folder. Code in a documentation folder among the
 * sources is not documentation.
 */
export function isDocumentation(path: string): boolean {
  const ending = endingOf(path);
  if (table.PROSE.has(ending)) return isProse(path);
  return (
    isProse(path) ||
    (table.DOCUMENTATION_FOLDERS.test(path) &&
      !(CODE_EXTENSIONS.has(ending) && table.DOCUMENTATION_IN_SOURCES.test(path)))
  );
}

/** True for a path below a folder of examples, templates or demonstrations, wherever that folder lies. */
export function isExample(path: string): boolean {
  return table.EXAMPLES.test(path);
}

/**
 * True for demonstrations, which are as short as possible. A folder of examples among the sources of a product does not
 * count, because it belongs to a feature of the product.
 */
export function isDemonstration(path: string): boolean {
  return table.EXAMPLES.test(path) && !table.EXAMPLES_IN_SOURCES.test(path);
}

/**
 * True for the name of a folder that tools fill. The caller decides whether they do so here, because a product may have
 * a folder of that name.
 */
export function isOutputFolder(name: string): boolean {
  return table.OUTPUT_FOLDERS.includes(name);
}

/** True for a path below a folder that builds and runs write to. */
export function isWrittenByRuns(path: string): boolean {
  return table.WRITTEN.test(path);
}

/**
 * For a page of a coverage report, which each run of the tests may write again: the folder that holds the report. Null
 * for other files.
 */
export function findCoverageFolder(path: string): string | null {
  const folderEnd = COVERAGE_PAGE_PATTERN.exec(path)?.index;
  return folderEnd === undefined ? null : path.slice(0, folderEnd);
}

/** True for files that a site serves unchanged. */
export function isOfSite(path: string): boolean {
  return table.SITE.test(path);
}

/** True for a copy of a well-known library that a site keeps. */
export function isCopiedLibrary(path: string): boolean {
  return table.SITE_LIBRARIES.test(path) || (table.SITE.test(path) && table.SITE_COPIES.test(path));
}

/** True for files that a hosting site shows to contributors: forms for issues and pull requests, and funding. */
export function isForContributors(path: string): boolean {
  return CONTRIBUTOR_FILE_PATTERN.test(path);
}

/** True for a file in which a test runner records its own runs. */
export function isRunRecord(path: string): boolean {
  return RUN_RECORD_PATTERN.test(path);
}
