// Tables of names and places, by language: generated and vendored code, build output, documentation and examples. Each
// row has paths in `test/fixtures/paths/kinds.json`.

import type { Row } from './rows.ts';
import { createAnyOfPattern } from '../../../util/anyOfPattern.ts';

/** Generated files, recognised by their name or by the folder that generators write to. */
export const GENERATED: readonly Row[] = [
  {
    language: 'any',
    endings: null,
    patterns: [
      /(^|\/)(__generated__|generated|DerivedData|\.next|\.nuxt|\.svelte-kit)\//i,
      /[-.]generated\.\w+$/i,
      /\.(map|lock|snap)$|(^|\/)(package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|go\.sum)$/i,
    ],
  },
  {
    language: 'TypeScript, JavaScript',
    endings: 'js mjs cjs css ts',
    patterns: [
      /\.min\.(js|mjs|cjs|css)$/i,
      /@\d[\d.]*\.[cm]?js$/i,
      /\.(bundle|umd|iife)\.(js|cjs)$/i,
      /\.g\.ts$|_pb\.(js|ts|d\.ts)$/i,
    ],
  },
  { language: 'C#, Visual Basic', endings: 'cs vb', patterns: [/\.g(\.i)?\.cs$|\.designer\.(cs|vb)$/i] },
  { language: 'Dart', endings: 'dart', patterns: [/\.(g|freezed|pb|pbenum|pbjson|pbgrpc|gr|mocks)\.dart$/i] },
  { language: 'Go', endings: 'go', patterns: [/\.pb(\.gw)?\.go$|(^|\/)zz_generated[^/]*$/i] },
  {
    language: 'C, C++, Objective-C, Swift',
    endings: 'h cc m swift',
    patterns: [/\.pb\.(h|cc|swift)$|\.pbobjc\.[hm]$/i],
  },
  { language: 'Python', endings: 'py pyi', patterns: [/_pb2(_grpc)?\.pyi?$/i] },
  { language: 'Ruby', endings: 'rb', patterns: [/_pb\.rb$/i] },
];

/** Folders in which package managers and people keep only code of others. */
export const VENDORED: readonly RegExp[] = [
  /(^|\/)(node_modules|bower_components|_?vendored|_vendor|[\w-]+[-_]vendored|third[-_]?party|Pods|Carthage)\//i,
];

/**
 * Folders that usually hold code of others. A product may have a folder of its own with such a name: `ownFolder.ts`
 * checks whether its files import code around it.
 */
export const MAYBE_OTHERS = /(^|\/)(vendors?|dist)\//i;
/** The same names for vendored code only; matches up to the end of the folder. */
export const VENDOR_FOLDER = /^(.*?(?:^|\/)vendors?)\//i;

/** Names of folders that tools fill. */
export const OUTPUT_FOLDERS: readonly string[] = [
  ...[
    'dist',
    'build',
    'out',
    'target',
    'coverage',
    '.next',
    '.nuxt',
    '.svelte-kit',
    '.turbo',
    '.cache',
    '.parcel-cache',
  ],
  ...[
    '.gradle',
    '.venv',
    'venv',
    '__pycache__',
    '.tox',
    '.mypy_cache',
    '.pytest_cache',
    '.ruff_cache',
    'bower_components',
  ],
  ...['.terraform', '.vscode-test'],
];
/** Folders that builds and runs write to, which may also hold sources. */
export const WRITTEN = /(^|\/)(dist|build|out|output|lib|es|esm|cjs|coverage|target|te?mp|\.[^/]+)\//i;

/** Extensions of texts for people. */
export const PROSE = new Set('md mdx markdown rst txt adoc asciidoc org pod rdoc textile'.split(' '));
/** Names of texts for people without an extension. */
export const PROSE_NAMES =
  /^(changelog|changes|history|news|readme|licen[cs]e|copying|notice|authors|contributors|contributing|codeowners|code_of_conduct|security|support|todo|upgrading|release[-_]?notes)(-\w+)?$/i;
/** Names of texts about earlier versions. */
export const HISTORY = /^(changelog|changes|history|releases?|news)\b/i;
/** Files with an extension of prose that tools read. */
export const NO_PROSE = /(^|\/)(cmakelists|requirements[^/]*|constraints[^/]*|robots)\.txt$/i;
export const DOCUMENTATION_FOLDERS = /(^|\/)(docs?|changelogs?|\.github)\//i;
/** In the sources of a product, a folder `docs` is a feature about documents. */
export const DOCUMENTATION_IN_SOURCES = /(^|\/)(src|lib|app|server|client|internal|pkg)\/(.+\/)?(docs?|changelogs?)\//i;

const SHOWS =
  '(_?examples?|example-[^/]+|demos?|samples?|starters?|templates?|template-[^/]+|playgrounds?|docs?[_-](src|snippets)|[^/]+[-_](examples?|playgrounds?|demos?|samples?))';
/** Folders of examples, templates and demonstrations. */
export const EXAMPLES = new RegExp(`(^|/)${SHOWS}/`, 'i');
/** In the sources of a product, a folder of examples is a feature about examples. */
export const EXAMPLES_IN_SOURCES = new RegExp(`(^|/)(src|lib|app|server|client)/(.+/)?${SHOWS}/`, 'i');

/** Places that a site is served from. */
export const SITE = /(^|\/)(docs?|assets|public|static|website|www|wwwroot)\//i;
/** Folders in which a site keeps copies of libraries. */
export const SITE_LIBRARIES = /(^|\/)(public|static|assets|wwwroot)\/(.*\/)?(libs?|libraries)\//i;
/** Libraries of which sites keep copies, by file name. */
export const SITE_COPIES = new RegExp(
  String.raw`(^|/)(${createAnyOfPattern(`
    jquery codemirror bootstrap modernizr underscore backbone knockout mootools prototype html5shiv
    handlebars jsxtransformer ckeditor tiny_?mce ace d3 raphael
  `)})([-.]?v?\d[\w.-]*)?([-.](umd|ui|slim|bundle|full|pack|pkgd|with-addons))?\.js$|(^|/)codemirror/(lib|mode|theme|addon|keymap)/`,
  'i',
);
