// Determines the language of a file, and so its grammar: by its name or, if the name has no dot, by its first line.

import type { Language } from '../../model.ts';

/** By language: file extensions in lower case without a dot, separated by spaces. */
const EXTENSIONS_BY_LANGUAGE: Readonly<Record<Language, string>> = {
  typescript: 'ts mts cts',
  tsx: 'tsx',
  javascript: 'js mjs cjs jsx',
  python: 'py pyi pyw',
  rust: 'rs',
  go: 'go',
  java: 'java',
  c: 'c',
  // A header may be C or C++; the C++ grammar reads both.
  cpp: 'h cc cpp cxx hh hpp hxx c++ ipp inl cu',
  ruby: 'rb rake gemspec ru podspec jbuilder thor rbi',
  php: 'php phtml php5 php7 phpt',
  csharp: 'cs csx',
  scala: 'scala sc sbt mill',
  elixir: 'ex exs',
  swift: 'swift swiftinterface',
  bash: 'sh bash bats zsh ksh ebuild eclass',
  lua: 'lua rockspec luau',
  kotlin: 'kt kts',
  haskell: 'hs hsc hs-boot',
  zig: 'zig',
};

/** By language: whole file names in lower case, separated by spaces. */
const FILE_NAMES_BY_LANGUAGE: Readonly<Partial<Record<Language, string>>> = {
  ruby: 'gemfile rakefile guardfile podfile fastfile appfile vagrantfile brewfile capfile dangerfile berksfile thorfile puppetfile .irbrc .pryrc',
  bash: '.bashrc .bash_profile .bash_aliases .bash_logout .profile .zshrc .zshenv .zprofile pkgbuild apkbuild',
  lua: '.luacheckrc',
};

/** By language: the programs that run it, as a `#!` line names them. */
const PROGRAMS_BY_LANGUAGE: Readonly<Partial<Record<Language, RegExp>>> = {
  javascript: /^(node|nodejs|bun)$/,
  typescript: /^(ts-node|tsx|deno)$/,
  python: /^(python|pypy)[\d.]*$/,
  ruby: /^(ruby|jruby|rake)[\d.]*$/,
  php: /^php[\d.]*$/,
  bash: /^(bash|sh|dash|ash|zsh|ksh|bats)$/,
  lua: /^(lua|luajit|nvim)[\d.]*$/,
  elixir: /^elixir$/,
  haskell: /^(runghc|runhaskell)$/,
  kotlin: /^kotlin$/,
  swift: /^swift$/,
  scala: /^(scala|scala-cli|amm)$/,
};

const byExtension = invertTable(EXTENSIONS_BY_LANGUAGE);
const byName = invertTable(FILE_NAMES_BY_LANGUAGE);

/**
 * The language of a path by its name or extension (ignoring case), or, if the name has no dot, by the `#!` line of the
 * text. Null if no grammar is shipped for it.
 */
export function detectLanguage(path: string, text = ''): Language | null {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  const dot = name.lastIndexOf('.');
  return byName.get(name) ?? (dot < 0 ? findLanguageByProgram(text) : (byExtension.get(name.slice(dot + 1)) ?? null));
}

/** The language of the program that the `#!` line starts: `#!/usr/bin/env -S ruby -w` → ruby. */
function findLanguageByProgram(text: string): Language | null {
  if (!text.startsWith('#!')) return null;
  const words = text
    .slice(2, 200)
    .split('\n', 1)[0]!
    .trim()
    .split(/\s+/)
    .map((word) => word.slice(word.lastIndexOf('/') + 1));
  const program =
    words[0] === 'env' ? words.slice(1).find((word) => !word.startsWith('-') && !word.includes('=')) : words[0];
  for (const [language, pattern] of Object.entries(PROGRAMS_BY_LANGUAGE))
    if (program && pattern.test(program)) return language as Language;
  return null;
}

function invertTable(words: Readonly<Partial<Record<Language, string>>>): ReadonlyMap<string, Language> {
  return new Map(
    Object.entries(words).flatMap(([language, wordList]) =>
      wordList.split(' ').map((word) => [word, language as Language] as const),
    ),
  );
}
